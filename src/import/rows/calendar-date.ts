// Dates as registries write them, `YYYY-MM-DD` or `DD/MM/YYYY`, checked against the calendar. What a database writes
// behind them, the time of the day, is left out.

/** `YYYY-MM-DD`, or undefined when the text is no day of the calendar in one of the two forms. */
export function parseCalendarDate(written: string): string | undefined {
  const text = written.length > dateCharactersMax ? written.replace(timeOfDay, '') : written
  let year: number
  let month: number
  let day: number
  if (text.length === 10 && text.charCodeAt(4) === hyphen && text.charCodeAt(7) === hyphen) {
    year = toNumber(text, 0, 4)
    month = toNumber(text, 5, 7)
    day = toNumber(text, 8, 10)
    return isDay(year, month, day) ? text : undefined
  }
  const parts = slashedForm.exec(text)
  if (parts === null) return undefined
  day = Number(parts[1])
  month = Number(parts[2])
  year = Number(parts[3])
  return isDay(year, month, day) ? toDateText(year, month, day) : undefined
}

export function toDateText(year: number, month: number, day: number): string {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

const hyphen = 0x2d
const dateCharactersMax = 10
/** Without a zone: with one, the day may be another here. */
const timeOfDay = /(?: |T)\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?$/
/** One digit is enough for day and month: the order is what matters. */
const slashedForm = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/
/** The year of a registry has four digits: `0204` is a slip of the pen. */
const yearMin = 1000

function toNumber(text: string, from: number, to: number): number {
  let number = 0
  for (let index = from; index < to; index++) {
    const digit = text.charCodeAt(index) - 0x30
    if (digit < 0 || digit > 9) return Number.NaN
    number = number * 10 + digit
  }
  return number
}

function isDay(year: number, month: number, day: number): boolean {
  return year >= yearMin && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
