// The language of the page, and how it formats numbers and dates.
import type { PageLanguage } from '../src/api/page-renderer.ts'
import type { OwnField } from '../src/domain/own-fields.ts'
import { type Strings, stringsByLanguage } from './strings.ts'

export interface Locale {
  readonly language: PageLanguage
  readonly strings: Strings
  /** The office's own columns, whose labels are the same in every language. The page sets them. */
  readonly fields: readonly OwnField[]
  readonly formatNumber: (value: number) => string
  /** `12 March 2004` for `2004-03-12`, `March 2004` for `2004-03`; returns any other text unchanged. */
  readonly formatIsoDate: (date: string) => string
  /** The day of a point in time, as it is in Spain. */
  readonly formatDate: (date: Date) => string
  /** "317 records" */
  readonly formatRecordCount: (count: number) => string
}

/** The locales are made once, because the formats of Intl are expensive to make. */
const locales = new Map<PageLanguage, Locale>()

export function toLocale(language: PageLanguage): Locale {
  const locale = locales.get(language) ?? makeLocale(language)
  locales.set(language, locale)
  return locale
}

function makeLocale(language: PageLanguage): Locale {
  const strings = stringsByLanguage[language]
  const tag = language === 'es' ? 'es-ES' : 'en-GB'
  // By default Spanish writes 1000 but 10.000. Here it is 1.000, so that all numbers in a table are grouped alike.
  const numberFormat = new Intl.NumberFormat(tag, { useGrouping: 'always' })
  // `new Date('2004-03-12')` is midnight in UTC.
  const utcDateFormat = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' })
  const utcMonthFormat = new Intl.DateTimeFormat(tag, { year: 'numeric', month: 'long', timeZone: 'UTC' })
  const dateFormat = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'Europe/Madrid' })
  const formatNumber = (value: number): string => (value < 1000 ? String(value) : numberFormat.format(value))
  return {
    language,
    strings,
    fields: [],
    formatNumber,
    formatIsoDate: (text) => {
      const isMonth = /^\d{4}-\d\d$/.test(text)
      const isWholeDate = /^\d{4}-\d\d-\d\d$/.test(text)
      // `new Date('2004-03')` is the first day of the month.
      const date = new Date(isMonth || isWholeDate ? text : Number.NaN)
      // `new Date('2004-02-31')` is 2 March.
      const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
      if (!exists) return text
      return (isMonth ? utcMonthFormat : utcDateFormat).format(date)
    },
    formatDate: (date) => dateFormat.format(date),
    formatRecordCount: (count) => strings.records(count, formatNumber(count)),
  }
}
