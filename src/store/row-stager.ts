// Takes rows into sorted runs, and notes what an import has to know of all of them before it reads them again: on the
// main thread and on those that read pieces of a source alike. What they have noted meets in staging.ts.
import { hashCode, lowerHalf } from './seen-codes.ts'
import { RunWriter, type SortedRun } from './sorted-runs.ts'
import type { NewRow, RowPlace } from './staged-row.ts'

export class RowStager {
  readonly #runs: RunWriter
  /** Whether any row names a document in the folder. */
  namesDocuments = false
  /** Whether any row has the address of a document. */
  hasAddresses = false

  /** Appends to an open file that nobody else writes to. */
  constructor(file: number) {
    this.#runs = new RunWriter(file)
  }

  /** The number tells which of two rows came first. Returns the hash of the code. */
  add(row: NewRow, place: RowPlace, number: number): number {
    const { code, links, agreementLink } = row.record
    if (row.documents.length > 0) this.namesDocuments = true
    if (links !== '' || agreementLink !== null) this.hasAddresses = true
    const hash = hashCode(code)
    this.#runs.add(row, place, number, lowerHalf(hash))
    return hash
  }

  /** All that was added; nothing can be added afterwards. */
  finish(): readonly SortedRun[] {
    return this.#runs.finish()
  }
}
