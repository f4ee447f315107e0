// Whether a snapshot file is sound: before it is published, and whenever `check` asks.
import type { DatabaseSync } from 'node:sqlite'
import { type Probe, probeTitles } from '../probe.ts'
import { StoredSnapshot } from '../snapshot.ts'
import { type Soundness, StoreFault } from '../store.ts'
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
    const { database, strips } = file
    faults.push(...checkPages(database), ...checkCounts(file, storage.facts.records))
    const read = database.prepare('SELECT folded_code AS code FROM record WHERE position = ?')
    const readProbe = (position: number): Probe | undefined => {
      const row = read.get(position) as { code: string } | undefined
      return row && { code: row.code, wire: strips.record.gather([position]).toString().slice(0, -1) }
    }
    faults.push(...(await probeTitles(new StoredSnapshot(storage), readProbe)))
    const { n } = database.prepare('SELECT count(*) AS n FROM record WHERE has_text = 0').get() as { n: number }
    return { facts: storage.facts, faults, recordsWithoutText: n }
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

function checkCounts({ database, strips }: SnapshotFile, records: number): string[] {
  const counted = database
    .prepare(
      `SELECT (SELECT count(*) FROM record) AS records, (SELECT coalesce(max(position), -1) + 1 FROM record) AS positions,
         (SELECT coalesce(sum(records), 0) FROM year) AS years,
         (SELECT coalesce(sum(records), 0) FROM municipality) AS municipalities`,
    )
    .get() as Record<string, number>
  return Object.entries({ ...counted, wires: strips.record.count })
    .filter(([, count]) => count !== records)
    .map(([what, count]) => `${records} records are announced, ${count} are found by counting ${what}`)
}
