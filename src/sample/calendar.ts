// Entry dates of the sample's records. The number of records per year follows the building cycles of Spain from 1979
// on. The dates do not depend on the clock, so that the sample is always the same.
import { lowerBound } from '../lower-bound.ts'

/** Relative number of records per year from `firstYear` on. The last year ends on `lastDay`. */
const yearWeights = [
  6, 9, 14, 22, 30, 34, 38, 42, 50, 58, 66, 70, 68, 62, 58, 60, 66, 74, 84, 96, 110, 122, 130, 142, 156, 170, 184, 196,
  190, 150, 118, 96, 80, 68, 58, 54, 56, 58, 62, 66, 68, 58, 64, 66, 64, 62, 60, 30,
] as const
const firstYear = 1979
const dayMs = 86_400_000
const lastDay = Date.UTC(2026, 5, 30)

/** Working days, and the cumulative weight at each of them. */
const days: string[] = []
const cumulativeWeights: number[] = []
let totalWeight = 0
yearWeights.forEach((weight, index) => {
  const year = firstYear + index
  for (let time = Date.UTC(year, 0, 2); time < Date.UTC(year + 1, 0, 1) && time <= lastDay; time += dayMs) {
    const date = new Date(time)
    if (date.getUTCDay() === 0 || date.getUTCDay() === 6) continue
    // August has a quarter of the records of another month.
    totalWeight += date.getUTCMonth() === 7 ? weight : weight * 4
    days.push(toDate(time))
    cumulativeWeights.push(totalWeight)
  }
})

/** The entry date of record `index`, in order of entry, of `records` records. */
export function entryDate(index: number, records: number): string {
  const weight = Math.floor(((index + 0.5) / records) * totalWeight)
  const day = lowerBound(0, days.length - 1, (index) => (cumulativeWeights[index] ?? 0) <= weight)
  return days[day] ?? toDate(lastDay)
}

/** Returns the date `count` days later, or null if it is after the last day of the sample. */
export function addDays(date: string, count: number): string | null {
  const time = Date.parse(date) + count * dayMs
  return time > lastDay ? null : toDate(time)
}

function toDate(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
