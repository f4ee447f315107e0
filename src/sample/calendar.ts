// Entry dates of the sample's records. The number of records per year follows the building cycles of Spain from 1979
// on. The dates do not depend on the clock, so that the sample is always the same.
import { lowerBound } from '../lower-bound.ts'

/**
 * Relative number of records per day, by year from `firstYear` on. In the last year, which ends on `lastDay`, half as
 * many records enter per day as in the year before.
 */
const yearWeights = [
  6, 9, 14, 22, 30, 34, 38, 42, 50, 58, 66, 70, 68, 62, 58, 60, 66, 74, 84, 96, 110, 122, 130, 142, 156, 170, 184, 196,
  190, 150, 118, 96, 80, 68, 58, 54, 56, 58, 62, 66, 68, 58, 64, 66, 64, 62, 60, 30,
] as const
const firstYear = 1979
const dayMs = 86_400_000
/** Months are counted from 0, as `Date` does. */
const june = 5
const august = 7
/** The last day on which a record enters, in milliseconds since 1970, like all times in this file. */
const lastDay = Date.UTC(2026, june, 30)

/** All days on which records enter, Monday to Friday, and for each day the sum of the weights up to it (included). */
const days: string[] = []
const cumulativeWeights: number[] = []
let totalWeight = 0
yearWeights.forEach((weight, index) => {
  const year = firstYear + index
  // 1 January is a holiday.
  for (let time = Date.UTC(year, 0, 2); time < Date.UTC(year + 1, 0, 1) && time <= lastDay; time += dayMs) {
    const date = new Date(time)
    const isWeekend = date.getUTCDay() === 0 || date.getUTCDay() === 6
    if (isWeekend) continue
    // A day in August has a quarter of the records of another day.
    totalWeight += date.getUTCMonth() === august ? weight : weight * 4
    days.push(toDate(time))
    cumulativeWeights.push(totalWeight)
  }
})

/** Returns the entry date of the record at `index`, from 0, in order of entry. */
export function entryDate(index: number, recordCount: number): string {
  // Each record has an equal share of the total weight. Its date is the day in which the middle of its share falls.
  const middle = Math.floor(((index + 0.5) / recordCount) * totalWeight)
  // The first day whose sum is above the middle.
  const dayIndex = lowerBound(0, days.length - 1, (day) => (cumulativeWeights[day] ?? 0) <= middle)
  return days[dayIndex] ?? toDate(lastDay)
}

/** Returns the date `count` days later. Null if it is after `lastDay`: on that day nobody knows it yet. */
export function addDays(date: string, count: number): string | null {
  const time = Date.parse(date) + count * dayMs
  return time > lastDay ? null : toDate(time)
}

/** Returns the date as in `2026-06-30`. */
function toDate(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
