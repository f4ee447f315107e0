// Finds the range of positions that the filters year, from, to and code allow. The position of a record is its index in
// canonical order: newest first, then by code. So each of these filters allows consecutive positions. The first
// position of each year is in memory (`SnapshotStorage.years`). A code, and a day in the middle of a year, have to be
// looked up in the database.
import type { Filters } from '../domain/query.ts'
import { type MaybePromise, mapMaybe } from '../maybe-promise.ts'
import type { FoundRecord, SnapshotStorage } from './storage.ts'

/** Positions from `from` (included) to `to` (excluded). There are none if `from` is equal to `to` or greater. */
export interface PositionRange {
  readonly from: number
  readonly to: number
  /** The only record of the range, if a filter by code was given. */
  readonly found?: FoundRecord
}

const emptyRange: PositionRange = { from: 0, to: 0 }

/** The part of the storage that is needed here. */
type RangeStorage = Pick<SnapshotStorage, 'years' | 'metadata' | 'findFirstAfter' | 'findRecord'>

/** The filters `from` and `to` are days, `PositionRange` has positions. It has none if no record can match. */
export function findRange(
  { year, from: firstDay, to: lastDay, code }: Filters,
  storage: RangeStorage,
): MaybePromise<PositionRange> {
  const rangeOfYear = findYear(year, storage)
  if (rangeOfYear === undefined) return emptyRange
  if (firstDay === undefined && lastDay === undefined) return narrowToCode(rangeOfYear, code, storage)
  // The newest record has position 0, so the last day gives the start of the range and the first day its end.
  const start = lastDay === undefined ? rangeOfYear.from : findFirstUpTo(lastDay, storage)
  const end = firstDay === undefined ? rangeOfYear.to : findFirstBefore(firstDay, storage)
  const narrow = (from: number, to: number): MaybePromise<PositionRange> => {
    const range = { from: Math.max(rangeOfYear.from, from), to: Math.min(rangeOfYear.to, to) }
    return narrowToCode(range, code, storage)
  }
  if (typeof start === 'number' && typeof end === 'number') return narrow(start, end)
  // Both are awaited at once. If one were awaited after the other, a rejection of the second would be unhandled
  // meanwhile and end the process.
  return Promise.all([start, end]).then(([from, to]) => narrow(from, to))
}

/** The positions of the records of the year; of all records if `year` is undefined. Undefined if the year has none. */
function findYear(year: number | undefined, { years, metadata }: RangeStorage): PositionRange | undefined {
  if (year === undefined) return { from: 0, to: metadata.records }
  const found = years.find((each) => each.year === year)
  return found === undefined ? undefined : { from: found.first, to: found.first + found.records }
}

/**
 * Narrows the range to the record with the code; to nothing if the range does not contain it. Without a code, the range
 * stays as it is.
 */
function narrowToCode(
  range: PositionRange,
  code: string | undefined,
  storage: RangeStorage,
): MaybePromise<PositionRange> {
  if (code === undefined) return range
  return mapMaybe(storage.findRecord(code), (found) => {
    if (found === undefined || found.position < range.from || found.position >= range.to) return emptyRange
    return { from: found.position, to: found.position + 1, found }
  })
}

// These sort before and after all codes. With them a sort key (day and code) stands for the start or the end of a day:
// in canonical order, (2020-05-01, `beforeEveryCode`) comes directly before the records of that day, and
// (2020-05-01, `afterEveryCode`) directly after them. A code has at least one character, and none outside the basic
// multilingual plane (domain/inscription-code.ts).
const beforeEveryCode = ''
const afterEveryCode = '\uffff'

/** The position of the newest record that was entered on the day or before; the number of records if there is none. */
function findFirstUpTo(day: string, storage: RangeStorage): MaybePromise<number> {
  if (day.endsWith('-12-31')) return findFirstUpToYear(yearOf(day), storage)
  return storage.findFirstAfter({ checkinDate: day, code: beforeEveryCode })
}

/** The position of the newest record that was entered before the day; the number of records if there is none. */
function findFirstBefore(day: string, storage: RangeStorage): MaybePromise<number> {
  if (day.endsWith('-01-01')) return findFirstUpToYear(yearOf(day) - 1, storage)
  return storage.findFirstAfter({ checkinDate: day, code: afterEveryCode })
}

/** The position of the newest record of the year or an earlier one; the number of records if there is none. */
function findFirstUpToYear(year: number, { years, metadata }: RangeStorage): number {
  // The years are newest first.
  return years.find((each) => each.year <= year)?.first ?? metadata.records
}

/** `day` is `YYYY-MM-DD`. */
function yearOf(day: string): number {
  return Number(day.slice(0, 4))
}
