// Parses the dates that registries write, and checks that the day exists. A time without a zone is ignored; a time with
// a zone, and a Unix time, count as their day in the time zone of the registry.
import { countDays } from '../../domain/period.ts'
import { t } from '../../language.ts'

/** What was added to a date that is not written completely: the century of `24-3-07`, or the day of `3/2019`. */
export type AddedPart = 'century' | 'day'

/** The day as `YYYY-MM-DD`, or the reason why there is no such day. Null if the text is not taken for a date. */
export type ParsedDate = { readonly day: string; readonly added?: AddedPart } | { readonly reason: string } | null

/** Most dates have this form and need no other pattern. */
const usualDate = /^(\d{4})-(\d{2})-(\d{2})$/
/** ` 9:30`, `T09:30:00` or `T09:30:00.123` at the end. */
const timeWithoutZone = /[ T]\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?$/
/**
 * `T09:30Z`, `T09:30:00.123+02:00`, `T09:30+0200` or ` 09:30 +02` at the end. Offsets before standard time have
 * seconds: Madrid was at `-00:14:44` until 1900.
 */
const timeWithZone = /[ T](\d{1,2}:\d{2}(?::\d{2})?)(?:[.,]\d{1,9})? ?(Z|[+-]\d{2}(?::?\d{2}(?::[0-5]\d)?)?)$/i
/** The beginnings of the months by which their names are known, in Castilian, Catalan, Galician and Basque. */
const monthStarts = [
  'ene(?:ro)?|gener|xaneiro|urtarril',
  'feb(?:rero)?|febrer|febreiro|otsail',
  'mar(?:zo)?|març|martxo',
  'abr(?:il)?|apiril',
  'may(?:o)?|maig|maio|maiatz',
  'jun(?:io)?|juny|xuño|ekain',
  'jul(?:io)?|juliol|xullo|uztail',
  'ago(?:sto)?|agost|abuztu',
  'sep(?:t|tiembre)?|setiembre|setembre|setembro|irail',
  'oct(?:ubre)?|outubro|urri',
  'nov(?:iembre)?|novembre|novembro|azaro',
  'dic(?:iembre)?|desembre|decembro|abendu',
]
const monthName = `(?<name>${monthStarts.join('|')})`
/**
 * The forms without a time, with the names of their parts.
 * - Year first, `2004-05-31`, `2004/05/31`, `2004.05.31` or `20040531`: month and day need two digits, because
 *   `2004-05-1` at the end of a file that was cut off is not the first of May.
 * - Day first, `31/5/2004`, `31-05-2004` or `31.05.2004`, also with a year of two digits.
 * - Month and year, `3/2019`, `marzo de 2019`: the first day of the month.
 * - In Basque, `2004ko maiatzaren 31` or, without a day, `2004ko maiatza`.
 */
const forms: readonly RegExp[] = [
  /^(?<year>\d{4})(?:(?<mark>[-/.])(?<month>\d{2})\k<mark>(?<day>\d{2})|(?<month>\d{2})(?<day>\d{2}))$/,
  /^(?<day>\d{1,2})(?<mark>[-/.])(?<month>\d{1,2})\k<mark>(?<year>\d{4}|\d{2})$/,
  /^(?<month>\d{1,2})[-/](?<year>\d{4})$/,
  new RegExp(`^(?:(?<day>\\d{1,2}) (?:de |d['’])?)?${monthName}\\.?(?: (?:de |del? )?)(?<year>\\d{4})$`, 'iu'),
  new RegExp(`^(?<year>\\d{4})(?:e?ko)? ${monthName}(?:a|aren (?<day>\\d{1,2})(?:e?an?)?)$`, 'iu'),
]
/** `200405310930` or `20040531093000`: a date and a time. Spreadsheets may add `.0`, to a Unix time too. */
const compactTime = /^((?:19|20)\d{2}(?:0[1-9]|1[0-2])\d{2})(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?(?:\.0+)?$/
/**
 * A Unix time has nine to thirteen digits: eight digits are a date, `20040501`. A Unix time before 1970 is negative and
 * has six digits or more, because `-1` and `-9999` stand for a missing date, as any number of nines does: `-999999`.
 */
const unixTime = /^(?!-9+(?:\.0+)?$)(-\d{6,13}|\d{9,13})(?:\.0+)?$/
/** Seconds have up to ten digits until the year 2286. More digits are milliseconds. */
const secondsDigitsMax = 10
/** Dates up to a year ahead are likely, because some are planned. */
const futureMsMax = 366 * 24 * 60 * 60 * 1000
/** Dates since then are likely. */
const earliestAt = Date.UTC(1900, 0, 1)
/** An earlier year, such as `0204`, is a typing error. */
const yearMin = 1000
const yearMax = 9999
/** Years of two digits up to this one are in this century, later ones in the last. */
const shortYearMax = 49

/** `written` has no white space around it. `timeZone` is the time zone of the registry, such as `Europe/Madrid`. */
export function parseCalendarDate(written: string, timeZone: string): ParsedDate {
  const usual = usualDate.exec(written)
  if (usual !== null) return toExistingDay(Number(usual[1]), Number(usual[2]), Number(usual[3]))
  // Comes first, because twelve digits may also be a Unix time in milliseconds. If they look like a date, that time
  // would be in 1976, so the date is more likely.
  const compactDate = parseDate(compactTime.exec(written)?.[1] ?? '')
  if (compactDate !== null) return compactDate
  const unixNumber = unixTime.exec(written)?.[1]
  if (unixNumber !== undefined) return toDayInZone(toInstant(unixNumber), timeZone)
  const zonedTime = timeWithZone.exec(written)
  if (zonedTime !== null) return parseZonedTime(written, zonedTime, timeZone)
  return parseDate(written.replace(timeWithoutZone, ''))
}

/**
 * Returns a Unix time in milliseconds. A number that is not a likely date in seconds is taken for milliseconds:
 *
 * number          | in seconds it is in | so it is, in UTC
 * `1735686000`    | 2024                | 31 December 2024
 * `1735686000000` | (too many digits)   | 31 December 2024
 * `6303600000`    | 2169                | 14 March 1970
 * `-425433600`    | 1956                | 9 July 1956
 * `-9954000000`   | 1654                | 7 September 1969
 */
function toInstant(unixNumber: string): number {
  const number = Number(unixNumber)
  const hasDigitsOfSeconds = unixNumber.replace('-', '').length <= secondsDigitsMax
  const instantOfSeconds = number * 1000
  const isLikely = instantOfSeconds >= earliestAt && instantOfSeconds <= Date.now() + futureMsMax
  return hasDigitsOfSeconds && isLikely ? instantOfSeconds : number
}

/** `zonedTime` is the match of `timeWithZone` in `written`. */
function parseZonedTime(written: string, zonedTime: RegExpExecArray, timeZone: string): ParsedDate {
  const date = parseDate(written.slice(0, zonedTime.index))
  if (date === null || !('day' in date)) return date
  const [, clock = '', zone = ''] = zonedTime
  try {
    return toDayInZone(
      Temporal.Instant.from(`${date.day}T${clock.padStart(5, '0')}${zone}`).epochMilliseconds,
      timeZone,
    )
  } catch {
    // There is no such time or offset.
    return null
  }
}

/** Parses a date without a time. */
function parseDate(text: string): ParsedDate {
  for (const form of forms) {
    const parts = form.exec(text)?.groups
    if (parts === undefined) continue
    const month = parts.name === undefined ? Number(parts.month) : toMonth(parts.name)
    const isShort = parts.year?.length === 2
    const written = Number(parts.year)
    const year = isShort ? written + (written <= shortYearMax ? 2000 : 1900) : written
    const parsed = toExistingDay(year, month, Number(parts.day ?? 1))
    const added: AddedPart | undefined = parts.day === undefined ? 'day' : isShort ? 'century' : undefined
    return parsed === null || !('day' in parsed) || added === undefined ? parsed : { ...parsed, added }
  }
  return null
}

function toMonth(name: string): number {
  return monthStarts.findIndex((starts) => new RegExp(`^(?:${starts})$`, 'iu').test(name)) + 1
}

/** `month` and `day` are counted from 1. */
function toExistingDay(year: number, month: number, day: number): ParsedDate {
  if (year < yearMin) return null
  const lastDay = countDays(year, month)
  if (lastDay === undefined) return { reason: t`there is no month ${month}` }
  if (day < 1 || day > lastDay) {
    const monthName = toMonthName(month)
    const isLeapDay = month === 2 && day === 29
    return {
      reason: isLeapDay ? t`there is no 29 February in ${String(year)}` : t`there is no ${day} ${monthName}`,
    }
  }
  return { day: `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}` }
}

/** Returns the name in the language of the messages. */
function toMonthName(month: number): string {
  const names = t`January,February,March,April,May,June,July,August,September,October,November,December`
  return names.split(',')[month - 1] ?? ''
}

/** `instant` is in milliseconds since 1970. Returns null if it is not in the years from `yearMin` to `yearMax`. */
function toDayInZone(instant: number, timeZone: string): ParsedDate {
  const date = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone).toPlainDate()
  return date.year < yearMin || date.year > yearMax ? null : { day: date.toString() }
}

/** Whether `Intl` knows the time zone: a name of the IANA database such as `Europe/Madrid`, or an offset (`+02:00`). */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
