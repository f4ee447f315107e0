// A period of time given as a year, a month or a day: `2015`, `2015-06` or `2015-06-30`. The date filters use it.

/** First and last day, both included, as `YYYY-MM-DD`. */
export interface Period {
  readonly first: string
  readonly last: string
}

/** Returns undefined if the text has another form, or if the month or the day does not exist. */
export function parsePeriod(text: string): Period | undefined {
  const [, year, month, day] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text) ?? []
  if (year === undefined) return undefined
  if (month === undefined) return { first: `${year}-01-01`, last: `${year}-12-31` }
  const lastDay = countDays(Number(year), Number(month))
  if (lastDay === undefined) return undefined
  if (day === undefined) return { first: `${year}-${month}-01`, last: `${year}-${month}-${lastDay}` }
  return Number(day) >= 1 && Number(day) <= lastDay ? { first: text, last: text } : undefined
}

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Number of days of a month from 1 to 12; undefined for another month. */
export function countDays(year: number, month: number): number | undefined {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && isLeapYear ? 29 : daysOfMonths[month - 1]
}
