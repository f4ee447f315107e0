// Parses dates written as `YYYY-MM-DD` or `DD/MM/YYYY` and checks that the day exists. A time of day after the date is
// ignored.

const hyphen = 0x2d
const dateCharactersMax = 10
/** A time zone is not accepted, because the local day may differ. */
const timeOfDay = /(?: |T)\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?$/
const slashedForm = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/
/** A year such as `0204` is a typing error. */
const yearMin = 1000

/** Returns `YYYY-MM-DD`, or undefined if the text is not an existing day in one of the two forms. */
export function parseCalendarDate(written: string): string | undefined {
  const text = written.length > dateCharactersMax ? written.replace(timeOfDay, '') : written
  if (text.length === 10 && text.charCodeAt(4) === hyphen && text.charCodeAt(7) === hyphen) {
    const year = parseDigits(text, 0, 4)
    const month = parseDigits(text, 5, 7)
    const day = parseDigits(text, 8, 10)
    return isExistingDay(year, month, day) ? text : undefined
  }
  const parts = slashedForm.exec(text)
  if (parts === null) return undefined
  const [day, month, year] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  return isExistingDay(year, month, day) ? toDateText(year, month, day) : undefined
}

export function toDateText(year: number, month: number, day: number): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

function parseDigits(text: string, from: number, to: number): number {
  let number = 0
  for (let index = from; index < to; index++) {
    const digit = text.charCodeAt(index) - 0x30
    if (digit < 0 || digit > 9) return Number.NaN
    number = number * 10 + digit
  }
  return number
}

function isExistingDay(year: number, month: number, day: number): boolean {
  return year >= yearMin && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
