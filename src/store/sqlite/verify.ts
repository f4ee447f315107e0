// Whether a snapshot file is sound: before it is published, and whenever `check` asks.
import type { DatabaseSync } from 'node:sqlite'
import { type Probe, probeTitles } from '../probe.ts'
import { StoredSnapshot } from '../snapshot.ts'
import { type Soundness, StoreFault } from '../store.ts'
import { readFoldedCode } from './entry.ts'
import { SnapshotFile } from './file.ts'
import { isSealIntact } from './seal.ts'
import { SqliteStorage } from './storage.ts'

/** Throws when the file is not sound. */
export async function verifySnapshot(path: string): Promise<void> {
  const { faults } = await checkSnapshot(path)
  if (faults.length > 0) throw new StoreFault(`Cannot publish ${path}: ${faults.join('; ')}`)
}

export async function checkSnapshot(path: string): Promise<Soundness> {
  const faults: string[] = []
  const seal = await isSealIntact(path)
  if (seal === false) faults.push('the file was damaged after it was written: its checksum differs')
  if (seal === null) faults.push('the file is cut short or was never finished: it bears no checksum')
  const storage = new SqliteStorage(path)
  const file = new SnapshotFile(path)
  try {
    const { strips } = file
    faults.push(...checkPages(file.database), ...checkCounts(file, storage.facts.records), ...checkCodes(file))
    const readProbe = (position: number): Probe => ({
      code: readFoldedCode(strips.entry, position),
      wire: strips.record.text(position, 'utf8', 0, 1),
    })
    faults.push(...(await probeTitles(new StoredSnapshot(storage), readProbe)))
    return { facts: storage.facts, faults, recordsWithoutText: Number(file.facts.get('without_text')) }
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error))
    return { facts: storage.facts, faults, recordsWithoutText: 0 }
  } finally {
    file.close()
    storage.retire()
  }
}

function checkPages(database: DatabaseSync): string[] {
  const rows = database.prepare('PRAGMA quick_check(3)').all() as { quick_check: string }[]
  return rows.map((row) => row.quick_check).filter((message) => message !== 'ok')
}

function checkCounts(file: SnapshotFile, records: number): string[] {
  const { database, strips } = file
  const counted = database
    .prepare(
      `SELECT (SELECT coalesce(sum(records), 0) FROM year) AS years,
         (SELECT coalesce(sum(records), 0) FROM municipality) AS municipalities`,
    )
    .get() as Record<string, number>
  const { record, entry } = strips
  return Object.entries({ ...counted, wires: record.count, entries: entry.count, codes: file.readCodes().count })
    .filter(([, count]) => count !== records)
    .map(([what, count]) => `${records} records are announced, ${count} are found by counting ${what}`)
}

/** A code names one record. Those that bear the same have the same hash, and so follow each other. */
function checkCodes(file: SnapshotFile): string[] {
  const faults: string[] = []
  const codes = file.readCodes()
  for (let nth = 1; nth < codes.count; nth++) {
    if (codes.hashAt(nth) !== codes.hashAt(nth - 1)) continue
    const code = readFoldedCode(file.strips.entry, codes.numberAt(nth))
    if (code === readFoldedCode(file.strips.entry, codes.numberAt(nth - 1)))
      faults.push(`two records bear the code ${code}`)
  }
  return faults
}
