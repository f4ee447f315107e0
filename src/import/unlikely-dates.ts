// Counts the dates of a source that exist but are probably typing errors, for warnings in the report. The records are
// published: only the office can tell whether the dates are right.
import type { RegistryRecord } from '../domain/record.ts'
import { t, toQuantity } from '../language.ts'

/** No registry of plans has older entries: the first Spanish laws on them are later. */
const earliestDay = '1850-01-01'
/** The length of a leap year, so that a date exactly a year ahead never counts as later than that. */
const yearMs = 366 * 24 * 60 * 60 * 1000

type Kind = 'future' | 'old' | 'reversed'

export class UnlikelyDates {
  /** A later `checkin_date` is unlikely. Dates have the form `YYYY-MM-DD`, so they can be compared as text. */
  readonly #latestDay = new Date(Date.now() + yearMs).toISOString().slice(0, 'YYYY-MM-DD'.length)
  /** By kind: the number of rows, and the line of the first. */
  readonly #found = new Map<Kind, { rows: number; readonly firstLine: number }>()

  add({ checkinDate, inscriptionDate }: RegistryRecord, line: number): void {
    if (checkinDate > this.#latestDay) this.#count('future', line)
    if (checkinDate < earliestDay) this.#count('old', line)
    if (inscriptionDate !== null && inscriptionDate < checkinDate) this.#count('reversed', line)
  }

  /** Returns one sentence for each kind. `toPosition` returns a text such as `line 2 of records.csv`. */
  toWarnings(toPosition: (line: number) => string): string[] {
    return (['future', 'old', 'reversed'] as const).flatMap((kind) => {
      const found = this.#found.get(kind)
      if (found === undefined) return []
      return describe(kind, toQuantity(found.rows, 'row'), toPosition(found.firstLine))
    })
  }

  #count(kind: Kind, line: number): void {
    const found = this.#found.get(kind)
    if (found === undefined) this.#found.set(kind, { rows: 1, firstLine: line })
    else found.rows += 1
  }
}

function describe(kind: Kind, rows: string, first: string): string {
  switch (kind) {
    case 'future':
      return t`${rows} with a checkin_date more than a year in the future, first on ${first}; check the year`
    case 'old':
      return t`${rows} with a checkin_date before 1850, first on ${first}; check the year`
    case 'reversed':
      return t`${rows} with an inscription_date before its checkin_date, first on ${first}; check both dates`
  }
}
