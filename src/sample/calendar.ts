// When records entered the fictional registry: the share of each year follows the building cycles of Spain, from the
// first democratic councils of 1979 to the last day below. Never the clock: the sample is the same on any day.

/** Records of each year, in proportion, from 1979 on; the last year is not whole. */
const yearWeights = [
  6, 9, 14, 22, 30, 34, 38, 42, 50, 58, 66, 70, 68, 62, 58, 60, 66, 74, 84, 96, 110, 122, 130, 142, 156, 170, 184, 196,
  190, 150, 118, 96, 80, 68, 58, 54, 56, 58, 62, 66, 68, 58, 64, 66, 64, 62, 60, 30,
] as const
const firstYear = 1979
const dayMs = 86_400_000
const lastDay = Date.UTC(2026, 5, 30)

/** Working days and the weight up to each of them. */
const days: string[] = []
const weightUpTo: number[] = []
let total = 0
yearWeights.forEach((weight, index) => {
  const year = firstYear + index
  for (let time = Date.UTC(year, 0, 2); time < Date.UTC(year + 1, 0, 1) && time <= lastDay; time += dayMs) {
    const date = new Date(time)
    if (date.getUTCDay() === 0 || date.getUTCDay() === 6) continue
    // Little enters in August.
    total += date.getUTCMonth() === 7 ? weight : weight * 4
    days.push(toDate(time))
    weightUpTo.push(total)
  }
})

/** The day on which the record with the given place in the book of entries came in, of `records` in all. */
export function entryDate(index: number, records: number): string {
  const weight = Math.floor(((index + 0.5) / records) * total)
  let low = 0
  let high = days.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((weightUpTo[middle] ?? 0) > weight) high = middle
    else low = middle + 1
  }
  return days[low] ?? toDate(lastDay)
}

/** The date some days later, or null when the sample ends before. */
export function daysLater(date: string, count: number): string | null {
  const time = Date.parse(date) + count * dayMs
  return time > lastDay ? null : toDate(time)
}

function toDate(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
