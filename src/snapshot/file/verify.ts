// Verifies snapshot files: a new file before its publication, a file before it is served (sqlite/store.ts decides how
// much is verified), and any file for the command `check`.
import type { DatabaseSync } from 'node:sqlite'
import { t } from '../../language.ts'
import { computeDigest, describeDifference } from '../checksum.ts'
import { type CheckResult, type SnapshotMetadata, StoreFault } from '../contract.ts'
import { noDocuments, type RegistryDocuments } from '../document-totals.ts'
import { tables } from '../schema.ts'
import { checkTitles, describeWrongCounts, type SampledRecord } from '../spot-check.ts'
import { StoredSnapshot } from '../stored-snapshot.ts'
import { FileStorage } from './file-storage.ts'
import {
  iterateRows,
  openSnapshotFile,
  prepareReturningArrays,
  readDigests,
  readProperties,
  toOpenFault,
} from './open-file.ts'
import { isFailureWithoutDamage, sqliteReasonOf } from './sqlite-reason.ts'

/**
 * Verifies a file before its publication. Throws `StoreFault` if it has faults. With `verifyRows`, every row is
 * verified. A new file does not need that: its builder has just computed the checksums and digests of its rows.
 */
export async function verifySnapshot(
  path: string,
  { verifyRows }: { readonly verifyRows: boolean },
): Promise<SnapshotMetadata> {
  const checkFile = verifyRows ? findDamage : (database: DatabaseSync) => checkStructure(database, 'quick_check')
  const { metadata, faults } = await findAllFaults(path, checkFile)
  if (faults.length > 0) throw new StoreFault(t`Cannot publish ${path}: ${faults.join('; ')}`)
  return metadata
}

/** Reads and verifies the whole file, for the command `check`. Throws `StoreFault` if it cannot be opened. */
export async function checkSnapshot(path: string): Promise<CheckResult & { readonly metadata: SnapshotMetadata }> {
  return await findAllFaults(path, findDamage)
}

/**
 * Returns the faults that `checkFile` finds, and the faults of two more checks: the counts of records agree, and
 * searches for titles find their records. An error in a check ends the checks and is the last fault. Throws
 * `StoreFault` if the file cannot be opened.
 */
async function findAllFaults(
  path: string,
  checkFile: (database: DatabaseSync) => string[],
): Promise<CheckResult & { readonly metadata: SnapshotMetadata }> {
  // With `verifyTables`, opening a file with a damaged table would throw before the other faults are found.
  const storage = new FileStorage(path, { verifyTables: false })
  const faults: string[] = []
  let recordsWithoutText = 0
  let documents: RegistryDocuments = noDocuments
  try {
    const { database } = storage
    const properties = readProperties(database)
    recordsWithoutText = Number(properties.get('records_without_text'))
    documents = JSON.parse(properties.get('documents') ?? '{}') as RegistryDocuments
    faults.push(...checkFile(database), ...checkCounts(database, storage.metadata.records))
    const selectRecord = prepareReturningArrays(database, 'SELECT folded_code, wire FROM record WHERE position = ?')
    const readRecord = (position: number): SampledRecord | undefined => {
      const row = selectRecord.get(position) as unknown as [foldedCode: string, wire: string] | undefined
      return row === undefined ? undefined : { foldedCode: row[0], wire: row[1] }
    }
    faults.push(...(await checkTitles(new StoredSnapshot(storage), readRecord)))
  } catch (error) {
    faults.push(sqliteReasonOf(error))
  } finally {
    storage.closeWhenUnused()
  }
  return { metadata: storage.metadata, faults, recordsWithoutText, documents }
}

/**
 * Throws `StoreFault` if the structure of the file is damaged or, with `verifyRows`, if any row is. verify-worker.ts
 * calls it before a file is served.
 */
export function refuseDamaged(path: string, { verifyRows }: { readonly verifyRows: boolean }): void {
  const database = openSnapshotFile(path)
  try {
    const [fault] = verifyRows ? findDamage(database) : checkStructure(database, 'quick_check')
    if (fault !== undefined) throw toOpenFault(path, new Error(fault))
  } catch (error) {
    throw error instanceof StoreFault ? error : toOpenFault(path, error)
  } finally {
    database.close()
  }
}

/**
 * Verifies the structure of the file, the checksum of every row and the digest of every table. Returns a sentence for
 * each fault. If SQLite fails without a sign of damage, throws its error, which says nothing about the file.
 */
function findDamage(database: DatabaseSync): string[] {
  const faults = checkStructure(database, 'integrity_check')
  const digests = readDigests(database)
  for (const table of tables) {
    try {
      const found = computeDigest(iterateRows(database, table), table)
      faults.push(...describeDifference(table, found, digests.get(table.name)))
    } catch (error) {
      if (isFailureWithoutDamage(error)) throw error
      faults.push(sqliteReasonOf(error))
    }
  }
  return faults
}

/** SQLite ends the check of the structure when it has found this many faults. */
const structureFaultsMax = 3

/**
 * Returns the faults that SQLite finds, one line each. `quick_check` does not compare the indexes with their tables,
 * which takes most of the time of `integrity_check`.
 */
function checkStructure(database: DatabaseSync, pragma: 'quick_check' | 'integrity_check'): string[] {
  const rows = prepareReturningArrays(database, `PRAGMA ${pragma}(${structureFaultsMax})`).all() as unknown as [
    string,
  ][]
  // A valid file gives one row, `ok`. Faults of pages come in one row of several lines, the first of which is
  // `*** in database main ***`.
  const lines = rows.flatMap(([messages]) => messages.split('\n'))
  return lines.filter((line) => line !== 'ok' && !line.startsWith('***'))
}

/** Counts the records in four ways, which must all give `records`. The names of the columns appear in the message. */
function checkCounts(database: DatabaseSync, records: number): string[] {
  const counts = database
    .prepare(
      `SELECT (SELECT count(*) FROM record) AS records, (SELECT max(position) + 1 FROM record) AS positions,
         (SELECT sum(records) FROM year) AS years, (SELECT sum(records) FROM municipality) AS municipalities`,
    )
    .get() as Record<string, number | null>
  return describeWrongCounts(counts, records)
}
