// Whether a snapshot file is sound: before it is published, and whenever `check` asks.
import type { DatabaseSync } from 'node:sqlite'
import { analyseTerm } from '../../text/analyse.ts'
import { StoredSnapshot } from '../snapshot.ts'
import { type Soundness, StoreFault } from '../store.ts'
import { isSealIntact } from './seal.ts'
import { openSnapshotFile, SqliteStorage } from './storage.ts'

/** Records whose own title is searched for. */
const probesMax = 8

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
  const database = openSnapshotFile(path)
  try {
    faults.push(...checkPages(database), ...checkCounts(database, storage.facts.records))
    faults.push(...(await probe(database, new StoredSnapshot(storage))))
    const { n } = database.prepare('SELECT count(*) AS n FROM record WHERE has_text = 0').get() as { n: number }
    return { facts: storage.facts, faults, recordsWithoutText: n }
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error))
    return { facts: storage.facts, faults, recordsWithoutText: 0 }
  } finally {
    database.close()
    storage.retire()
  }
}

function checkPages(database: DatabaseSync): string[] {
  const rows = database.prepare('PRAGMA quick_check(3)').all() as { quick_check: string }[]
  return rows.map((row) => row.quick_check).filter((message) => message !== 'ok')
}

function checkCounts(database: DatabaseSync, records: number): string[] {
  const counted = database
    .prepare(
      `SELECT (SELECT count(*) FROM record) AS records, (SELECT coalesce(max(position), -1) + 1 FROM record) AS positions,
         (SELECT coalesce(sum(records), 0) FROM year) AS years,
         (SELECT coalesce(sum(records), 0) FROM municipality) AS municipalities`,
    )
    .get() as Record<string, number>
  return Object.entries(counted)
    .filter(([, count]) => count !== records)
    .map(([what, count]) => `${records} records are announced, ${count} are found by counting ${what}`)
}

/** Searches for the titles of a few records spread over the registry; each must come back. */
async function probe(database: DatabaseSync, snapshot: StoredSnapshot): Promise<string[]> {
  const faults: string[] = []
  const step = Math.max(1, Math.floor(snapshot.facts.records / probesMax))
  const read = database.prepare('SELECT folded_code AS code, wire FROM record WHERE position = ?')
  for (let position = 0; position < snapshot.facts.records; position += step) {
    const row = read.get(position) as { code: string; wire: string } | undefined
    if (row === undefined) continue
    const { title } = JSON.parse(row.wire) as { title: string }
    const term = analyseTerm(title.replaceAll(/["“”«»*]/g, ' '))
    if (term.clauses.length === 0) continue
    const batch = await snapshot.search({ code: row.code, term }).next()
    if (batch.done || batch.value.records !== 1) faults.push(`${row.code} is not found by the words of its title`)
  }
  return faults
}
