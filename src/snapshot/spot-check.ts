// Spot check of the index, on SQLite and PostgreSQL alike: a search for the title of a record must find the record. The
// command `check` and each publication run it.
import { analyseTerm } from '../analysis/analyser.ts'
import { t } from '../language.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { Snapshot } from './contract.ts'

/** About this many records are searched for, spread evenly over the snapshot. */
const sampledRecords = 8

export interface SampledRecord {
  readonly foldedCode: string
  /** The record in wire format (JSON). */
  readonly wire: string
}

/** Returns one sentence for each sampled record that a search for its title does not find. */
export async function checkTitles(
  snapshot: Snapshot,
  readRecord: (position: number) => MaybePromise<SampledRecord | undefined>,
): Promise<string[]> {
  const faults: string[] = []
  const step = Math.max(1, Math.floor(snapshot.metadata.records / sampledRecords))
  for (let position = 0; position < snapshot.metadata.records; position += step) {
    const record = await readRecord(position)
    if (record === undefined) continue
    const { title } = JSON.parse(record.wire) as { title: string }
    // Quotation marks and asterisks would make phrases and prefixes of the words.
    const term = analyseTerm(title.replaceAll(/["“”«»*]/g, ' '))
    // A title without words, such as `—`, cannot be searched for.
    if (term.clauses.length === 0) continue
    const page = await snapshot.page({ code: record.foldedCode, term, limit: 1 })
    if (page === null) faults.push(t`a search for the title of ${record.foldedCode} does not find it`)
  }
  return faults
}
