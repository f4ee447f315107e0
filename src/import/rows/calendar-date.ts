// Parses dates written as `YYYY-MM-DD` or `DD/MM/YYYY` and checks that the day exists. A time of day after the date is
// ignored.

/** A time zone is not accepted, because the local day may differ. */
const timeOfDay = /(?: |T)\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?$/
const hyphenedForm = /^(\d{4})-(\d{2})-(\d{2})$/
const slashedForm = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/
/** A year such as `0204` is a typing error. */
const yearMin = 1000

/** Returns `YYYY-MM-DD`, or undefined if the text is not an existing day in one of the two forms. */
export function parseCalendarDate(written: string): string | undefined {
  const text = written.replace(timeOfDay, '')
  const hyphened = hyphenedForm.exec(text)
  if (hyphened !== null) return toExistingDay(Number(hyphened[1]), Number(hyphened[2]), Number(hyphened[3]))
  const slashed = slashedForm.exec(text)
  if (slashed !== null) return toExistingDay(Number(slashed[3]), Number(slashed[2]), Number(slashed[1]))
  return undefined
}

function toExistingDay(year: number, month: number, day: number): string | undefined {
  const exists = year >= yearMin && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
  if (!exists) return undefined
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

function daysIn(year: number, month: number): number {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  if (month === 2) return isLeapYear ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}
