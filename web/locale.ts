// The language of the page, and how it formats numbers and dates.
import { type Language, type Strings, stringsOf } from './strings.ts'

export interface Locale {
  readonly language: Language
  readonly strings: Strings
  readonly formatNumber: (value: number) => string
  /** `12 March 2004` for `2004-03-12`, `March 2004` for `2004-03`; returns any other text unchanged. */
  readonly formatIsoDate: (date: string) => string
  /** The day of a point in time, as it is in Spain, so that server and browser write the same. */
  readonly formatDate: (date: Date) => string
  /** "317 records" */
  readonly formatRecordCount: (count: number) => string
}

/** The locales are made once, because the formats of Intl are expensive to make. */
const locales = new Map<Language, Locale>()

/** `loadStrings` (strings.ts) must have loaded the language. */
export function toLocale(language: Language): Locale {
  const locale = locales.get(language) ?? makeLocale(language)
  locales.set(language, locale)
  return locale
}

function makeLocale(language: Language): Locale {
  const strings = stringsOf(language)
  const tag = language === 'es' ? 'es-ES' : 'en-GB'
  // By default Spanish writes 1000 but 10.000. Here it is 1.000, so that all numbers in a table are grouped alike.
  const numberFormat = new Intl.NumberFormat(tag, { useGrouping: 'always' })
  // `new Date('2004-03-12')` is midnight in UTC.
  const utcDateFormat = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' })
  const utcMonthFormat = new Intl.DateTimeFormat(tag, { year: 'numeric', month: 'long', timeZone: 'UTC' })
  const dateFormat = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'Europe/Madrid' })
  const formatNumber = (value: number): string => numberFormat.format(value)
  return {
    language,
    strings,
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

/** The saved language, else the browser's first preference among Spanish and English, else Spanish. */
export function preferredLanguage(): Language {
  const saved = readSavedLanguage()
  if (saved !== null) return saved
  for (const tag of navigator.languages) {
    // Spanish, Catalan, Galician, Basque, Occitan, Aragonese and Asturian: speakers of the other languages of Spain
    // read Spanish more easily than English.
    if (/^(es|ca|gl|eu|oc|an|ast)\b/i.test(tag)) return 'es'
    if (/^en\b/i.test(tag)) return 'en'
  }
  return 'es'
}

/** Saves the choice for later visits. Returns false if the browser forbids storage. */
export function saveLanguage(language: Language): boolean {
  try {
    localStorage.setItem(storageKey, language)
    return true
  } catch {
    return false
  }
}

const storageKey = 'planning-registry-language'

function readSavedLanguage(): Language | null {
  try {
    const saved = localStorage.getItem(storageKey)
    return saved === 'es' || saved === 'en' ? saved : null
  } catch {
    return null
  }
}
