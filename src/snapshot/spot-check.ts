// Two checks that SQLite and PostgreSQL share. The spot check of the index: for a few records, a search for the words
// of the title must find the record. The check of counts: the tables of years and of municipalities must count as many
// records as there are. Both run in the command `check`, and for a file before its publication.
import { analyseTitle } from '../analysis/analyser.ts'
import type { Term } from '../analysis/term.ts'
import { t } from '../language.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { Snapshot } from './contract.ts'

/**
 * Returns a sentence for each count that is not the number of records. The keys of `counts` say what was counted, such
 * as `years`. A count of null stands for zero: it is the sum or the maximum of no rows.
 */
export function describeWrongCounts(
  counts: Readonly<Record<string, number | null | undefined>>,
  records: number,
): string[] {
  return Object.entries(counts)
    .filter(([, count]) => (count ?? 0) !== records)
    .map(([counted, count]) => t`expected ${records} records, found ${count ?? 0} by counting ${counted}`)
}

/** At least this many records are searched for, and fewer than twice as many; all records of a smaller snapshot. */
const sampledRecordsMin = 8

export interface SampledRecord {
  readonly foldedCode: string
  /** The record in wire format (JSON). */
  readonly wire: string
}

/**
 * Returns one sentence for each sampled record that a search for its title does not find. `readRecord` returns the
 * record at a position.
 */
export async function checkTitles(
  snapshot: Snapshot,
  readRecord: (position: number) => MaybePromise<SampledRecord | undefined>,
): Promise<string[]> {
  const faults: string[] = []
  const step = Math.max(1, Math.floor(snapshot.metadata.records / sampledRecordsMin))
  for (let position = 0; position < snapshot.metadata.records; position += step) {
    const record = await readRecord(position)
    if (record === undefined) continue
    const { title } = JSON.parse(record.wire) as { title: string }
    const term = toTermOfTitle(title)
    // A title without words, such as `—`, cannot be searched for.
    if (term === undefined) continue
    // Null if the record with this code does not match the term.
    const page = await snapshot.page({ code: record.foldedCode, term, limit: 1 })
    if (page === null) faults.push(t`a search for the title of ${record.foldedCode} does not find it`)
  }
  return faults
}

/** A longer phrase would take longer and tell no more. */
const phraseWordsMax = 40

/**
 * The words of the title as a phrase; undefined if it has none. The title is not analysed as a search term, because in
 * a term quotes, asterisks and codes are read differently: a title with them might not be found, although the index is
 * correct.
 */
function toTermOfTitle(title: string): Term | undefined {
  const stems = analyseTitle(title)
    .words.slice(0, phraseWordsMax)
    .map(({ stem }) => stem)
  const [stem] = stems
  if (stem === undefined) return undefined
  return { clauses: [stems.length === 1 ? { kind: 'word', stem } : { kind: 'phrase', stems }], neighbours: [] }
}
