// Finds the range of positions that the filters year, from, to and code allow. Positions are in canonical order, newest
// first, so each of these filters allows consecutive positions. The first position of each year is in memory (`years`);
// any other day takes one lookup in the database.
import type { Filters } from '../domain/query.ts'
import { type MaybePromise, mapMaybe } from '../maybe-promise.ts'
import type { FoundRecord, SnapshotStorage } from './storage.ts'

/** Positions from `from` (included) to `to` (excluded). `found` is the record if a code limits the range to it. */
export interface PositionRange {
  readonly from: number
  readonly to: number
  readonly found?: FoundRecord
}

const emptyRange: PositionRange = { from: 0, to: 0 }

/** The part of the storage that is needed here. */
type RangeStorage = Pick<SnapshotStorage, 'years' | 'metadata' | 'findFirstAfter' | 'findRecord'>

/** Returns a range without positions if no record can match. */
export function findRange(
  { year, from: firstDay, to: lastDay, code }: Filters,
  storage: RangeStorage,
): MaybePromise<PositionRange> {
  let range: PositionRange = { from: 0, to: storage.metadata.records }
  if (year !== undefined) {
    const found = storage.years.find((each) => each.year === year)
    if (found === undefined) return emptyRange
    range = { from: found.first, to: found.first + found.records }
  }
  if (firstDay === undefined && lastDay === undefined) return findCodeInRange(code, range, storage)
  // The newest record has position 0, so the last day gives the start of the range.
  const from = lastDay === undefined ? range.from : findFirstUntil(lastDay, storage)
  const to = firstDay === undefined ? range.to : findFirstBefore(firstDay, storage)
  return mapMaybe(from, (start) =>
    mapMaybe(to, (end) =>
      findCodeInRange(code, { from: Math.max(range.from, start), to: Math.min(range.to, end) }, storage),
    ),
  )
}

/** Narrows the range to the record with the code; to nothing if the range does not contain it. */
function findCodeInRange(
  code: string | undefined,
  range: PositionRange,
  storage: RangeStorage,
): MaybePromise<PositionRange> {
  if (code === undefined) return range
  return mapMaybe(storage.findRecord(code), (found) => {
    if (found === undefined || found.position < range.from || found.position >= range.to) return emptyRange
    return { from: found.position, to: found.position + 1, found }
  })
}

/** The position of the newest record that was entered on the day or before; the number of records if there is none. */
function findFirstUntil(day: string, storage: RangeStorage): MaybePromise<number> {
  if (day.endsWith('-12-31')) return findFirstOfYears(Number(day.slice(0, 4)), storage)
  return storage.findFirstAfter({ checkinDate: day, code: beforeEveryCode })
}

/** The position of the newest record that was entered before the day; the number of records if there is none. */
function findFirstBefore(day: string, storage: RangeStorage): MaybePromise<number> {
  if (day.endsWith('-01-01')) return findFirstOfYears(Number(day.slice(0, 4)) - 1, storage)
  return storage.findFirstAfter({ checkinDate: day, code: afterEveryCode })
}

/** The position of the newest record of the year or an earlier one; the number of records if there is none. */
function findFirstOfYears(year: number, { years, metadata }: RangeStorage): number {
  return years.find((each) => each.year <= year)?.first ?? metadata.records
}

// Codes that no record has, and that sort before and after all others: a code has at least one character, and none
// outside the basic multilingual plane (domain/inscription-code.ts).
const beforeEveryCode = ''
const afterEveryCode = '\uffff'
