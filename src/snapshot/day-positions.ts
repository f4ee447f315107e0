// Finds the position at which a range of days of entry starts or ends. The canonical order is newest first. Whole years
// are in memory (`years`); any other day takes one lookup in the index of the canonical order.
import type { MaybePromise } from '../maybe-promise.ts'
import type { SnapshotStorage } from './storage.ts'

type DayStorage = Pick<SnapshotStorage, 'years' | 'metadata' | 'findFirstAfter'>

/** The position of the newest record that was entered on the day or before. */
export function findFirstUntil(day: string, storage: DayStorage): MaybePromise<number> {
  if (day.endsWith('-12-31')) return findFirstOfYears(Number(day.slice(0, 4)), storage)
  return storage.findFirstAfter({ checkinDate: day, code: beforeEveryCode })
}

/** The position of the newest record that was entered before the day. */
export function findFirstBefore(day: string, storage: DayStorage): MaybePromise<number> {
  if (day.endsWith('-01-01')) return findFirstOfYears(Number(day.slice(0, 4)) - 1, storage)
  return storage.findFirstAfter({ checkinDate: day, code: afterEveryCode })
}

/** The position of the newest record of the year or an earlier one. */
function findFirstOfYears(year: number, { years, metadata }: DayStorage): number {
  return years.find((each) => each.year <= year)?.first ?? metadata.records
}

/** A code has at least one character, and none outside the basic multilingual plane (domain/inscription-code.ts). */
const beforeEveryCode = ''
const afterEveryCode = '\uffff'
