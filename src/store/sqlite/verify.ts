// Whether a snapshot file is sound: before it is published, and whenever `check` asks.
import type { DatabaseSync } from 'node:sqlite'
import { type Probe, probeTitles } from '../probe.ts'
import { StoredSnapshot } from '../snapshot.ts'
import { type SnapshotFacts, type Soundness, StoreFault } from '../store.ts'
import { readFoldedCode } from './entry.ts'
import type { HashIndex } from './hash-index.ts'
import { isSealIntact } from './seal.ts'
import { SqliteStorage } from './storage.ts'
import type { Strip } from './strip.ts'

/** Throws when the file is not sound. */
export async function verifySnapshot(path: string): Promise<SnapshotFacts> {
  const { facts, faults } = await checkSnapshot(path)
  if (faults.length > 0) throw new StoreFault(`Cannot publish ${path}: ${faults.join('; ')}`)
  return facts
}

export async function checkSnapshot(path: string): Promise<Soundness & { readonly facts: SnapshotFacts }> {
  const faults: string[] = []
  const seal = await isSealIntact(path)
  if (seal === false) faults.push('the file was damaged after it was written: its checksum differs')
  if (seal === null) faults.push('the file is cut short or was never finished: it bears no checksum')
  const storage = new SqliteStorage(path)
  try {
    const { database, strips, codes, facts } = storage.file
    const counts = { wires: strips.record.count, entries: strips.entry.count, codes: codes.count }
    faults.push(...checkPages(database), ...checkCounts(database, counts, storage.facts.records))
    faults.push(...checkCodes(codes, strips.entry))
    const readProbe = (position: number): Probe => ({
      code: readFoldedCode(strips.entry, position),
      wire: strips.record.text(position, 'utf8', 0, 1),
    })
    faults.push(...(await probeTitles(new StoredSnapshot(storage), readProbe)))
    return { facts: storage.facts, faults, recordsWithoutText: Number(facts.get('without_text')) }
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error))
    return { facts: storage.facts, faults, recordsWithoutText: 0 }
  } finally {
    storage.retire()
  }
}

function checkPages(database: DatabaseSync): string[] {
  const rows = database.prepare('PRAGMA quick_check(3)').all() as { quick_check: string }[]
  return rows.map((row) => row.quick_check).filter((message) => message !== 'ok')
}

function checkCounts(database: DatabaseSync, counts: Record<string, number>, records: number): string[] {
  const counted = database
    .prepare(
      `SELECT (SELECT coalesce(sum(records), 0) FROM year) AS years,
         (SELECT coalesce(sum(records), 0) FROM municipality) AS municipalities`,
    )
    .get() as Record<string, number>
  return Object.entries({ ...counted, ...counts })
    .filter(([, count]) => count !== records)
    .map(([what, count]) => `${records} records are announced, ${count} are found by counting ${what}`)
}

/** A code names one record; two that bear the same have the same hash. */
function checkCodes(codes: HashIndex, entries: Strip): string[] {
  const faults: string[] = []
  for (let nth = 1; nth < codes.count; nth++) {
    for (let other = nth - 1; other >= 0 && codes.hashAt(other) === codes.hashAt(nth); other--) {
      const code = readFoldedCode(entries, codes.numberAt(nth))
      if (code === readFoldedCode(entries, codes.numberAt(other))) faults.push(`two records bear the code ${code}`)
    }
  }
  return faults
}
