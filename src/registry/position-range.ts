// Finds the range of positions that the filters on dates and the code allow. The position of a record is its index in
// canonical order: newest first, then by code. So each of these filters allows consecutive positions. The first
// position of each year is in memory; a code, and a day in the middle of a year, are looked up in the file.
import type { Filters } from '../domain/query.ts'
import type { RegistryFile } from './registry-file.ts'

/** Positions from `from` (included) to `to` (excluded). There are none if `from` is equal to `to` or greater. */
export interface PositionRange {
  readonly from: number
  readonly to: number
  /** The only record of the range, if a filter by code was given. */
  readonly found?: { readonly position: number; readonly wire: string }
}

const emptyRange: PositionRange = { from: 0, to: 0 }

export function findRange(filters: Filters, file: RegistryFile): PositionRange {
  const { cod_archivo: code, checkin_date: year, checkin_from: firstDay, checkin_to: lastDay } = filters
  const rangeOfYear = findYear(year, file)
  // The newest record has position 0, so the last day gives the start of the range and the first day its end.
  const start = lastDay === undefined ? 0 : findFirstUpTo(lastDay, file)
  const end = firstDay === undefined ? file.metadata.records : findFirstBefore(firstDay, file)
  const from = Math.max(rangeOfYear.from, start)
  const to = Math.min(rangeOfYear.to, end)
  if (code === undefined || from >= to) return { from, to }
  const found = file.findRecord(code)
  if (found === undefined || found.position < from || found.position >= to) return emptyRange
  return { from: found.position, to: found.position + 1, found }
}

/** The positions of the records of the year, which has four digits; of all records if it is undefined. */
function findYear(year: string | undefined, { years, metadata }: RegistryFile): PositionRange {
  if (year === undefined) return { from: 0, to: metadata.records }
  const found = years.find((each) => each.year === Number(year))
  return found === undefined ? emptyRange : { from: found.first, to: found.first + found.records }
}

// These sort before and after all codes. With them a sort key (day and code) stands for the start or the end of a day:
// in canonical order, (2020-05-01, `beforeEveryCode`) comes directly before the records of that day, and
// (2020-05-01, `afterEveryCode`) directly after them. A code has at least one character, and none outside the basic
// multilingual plane (domain/inscription-code.ts).
const beforeEveryCode = ''
const afterEveryCode = '\uffff'

/** The position of the newest record that was entered on the day or before; the number of records if there is none. */
function findFirstUpTo(day: string, file: RegistryFile): number {
  return file.findFirstAfter({ checkinDate: day, code: beforeEveryCode })
}

/** The position of the newest record that was entered before the day; the number of records if there is none. */
function findFirstBefore(day: string, file: RegistryFile): number {
  return file.findFirstAfter({ checkinDate: day, code: afterEveryCode })
}
