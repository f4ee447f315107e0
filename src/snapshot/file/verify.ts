// Whether a snapshot file is sound: before it is published, before a small one is served, and whenever `check` asks.
import type { DatabaseSync } from 'node:sqlite'
import { computeDigest, describeDifference, type TableDigest } from '../checksum.ts'
import { type SnapshotFacts, type Soundness, StoreFault } from '../contract.ts'
import { type Probe, probeTitles } from '../spot-check.ts'
import { tables } from '../schema.ts'
import { StoredSnapshot } from '../stored-snapshot.ts'
import { SqliteStorage } from './file-storage.ts'
import { iterateRows, openSnapshotFile, prepareRows, readProperties, toUnreadable } from './open-file.ts'

/** Throws when a file that was just written is not sound: its rows were read back when it was digested. */
export async function verifySnapshot(path: string): Promise<SnapshotFacts> {
  const { facts, faults } = await check(path, (database) => checkStructure(database, 'quick_check'))
  if (faults.length > 0) throw new StoreFault(`Cannot publish ${path}: ${faults.join('; ')}`)
  return facts
}

/** Reads everything in the file. */
export async function checkSnapshot(path: string): Promise<Soundness & { readonly facts: SnapshotFacts }> {
  return await check(path, findDamage)
}

async function check(
  path: string,
  findFaults: (database: DatabaseSync) => string[],
): Promise<Soundness & { readonly facts: SnapshotFacts }> {
  const storage = new SqliteStorage(path)
  const faults: string[] = []
  let recordsWithoutText = 0
  try {
    const { database } = storage
    recordsWithoutText = Number(readProperties(database).get('records_without_text'))
    faults.push(...findFaults(database), ...checkCounts(database, storage.facts.records))
    const probe = prepareRows(database, 'SELECT folded_code, wire FROM record WHERE position = ?')
    const readProbe = (position: number): Probe => {
      const [code, wire] = probe.get(position) as unknown as [string, string]
      return { code, wire }
    }
    faults.push(...(await probeTitles(new StoredSnapshot(storage), readProbe)))
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error))
  } finally {
    storage.retire()
  }
  return { facts: storage.facts, faults, recordsWithoutText }
}

/** Throws `StoreFault` where the structure of the file is damaged or, `isThorough`, where any row is. */
export function refuseDamaged(path: string, isThorough: boolean): void {
  const database = openSnapshotFile(path)
  try {
    const [fault] = isThorough ? findDamage(database) : checkStructure(database, 'quick_check')
    if (fault !== undefined) throw toUnreadable(path, new Error(fault))
  } catch (error) {
    throw error instanceof StoreFault ? error : toUnreadable(path, error)
  } finally {
    database.close()
  }
}

/** Reads everything once: the structure of the file, the checksum of every row, the digest of every table. */
function findDamage(database: DatabaseSync): string[] {
  const faults = checkStructure(database, 'integrity_check')
  const digests = readDigests(database)
  for (const table of tables) {
    try {
      const found = computeDigest(iterateRows(database, table), table)
      faults.push(...describeDifference(table, found, digests.get(table.name)))
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error))
    }
  }
  return faults
}

function readDigests(database: DatabaseSync): Map<string, TableDigest> {
  const rows = prepareRows(database, 'SELECT name, rows, sha256 FROM table_digest').all()
  return new Map(
    (rows as unknown as [string, number, string][]).map(([name, rows, sha256]) => [name, { rows, sha256 }]),
  )
}

function checkStructure(database: DatabaseSync, pragma: 'quick_check' | 'integrity_check'): string[] {
  const rows = prepareRows(database, `PRAGMA ${pragma}(3)`).all() as unknown as [string][]
  return rows.map(([message]) => message).filter((message) => message !== 'ok')
}

function checkCounts(database: DatabaseSync, records: number): string[] {
  const counts = database
    .prepare(
      `SELECT (SELECT count(*) FROM record) AS records, (SELECT max(position) + 1 FROM record) AS positions,
         (SELECT sum(records) FROM year) AS years, (SELECT sum(records) FROM municipality) AS municipalities`,
    )
    .get() as Record<string, number | null>
  return Object.entries(counts)
    .filter(([, count]) => (count ?? 0) !== records)
    .map(([what, count]) => `${records} records are announced, ${count ?? 0} are found by counting ${what}`)
}
