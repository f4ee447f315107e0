// Which language the page speaks, and how that language writes numbers and dates.
import { type Language, type Strings, strings } from './strings.ts'

export interface Speech {
  readonly language: Language
  readonly say: Strings
  readonly number: (value: number) => string
  /** Of `YYYY-MM-DD`; text that is no date is shown as it is. */
  readonly date: (day: string) => string
  readonly day: (moment: Date) => string
  /** "317 records" */
  readonly records: (count: number) => string
}

export function toSpeech(language: Language): Speech {
  const say = strings[language]
  const locale = language === 'es' ? 'es-ES' : 'en-GB'
  // Spanish groups digits from five on; a table of counts reads better when all of them are grouped.
  const numbers = new Intl.NumberFormat(locale, { useGrouping: 'always' })
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long' })
  const number = (value: number): string => numbers.format(value)
  return {
    language,
    say,
    number,
    date: (day) => {
      const moment = new Date(`${day}T00:00:00Z`)
      return Number.isNaN(moment.getTime()) ? day : dates.format(moment)
    },
    day: (moment) => days.format(moment),
    records: (count) => say.records(count, number(count)),
  }
}

/** The language chosen before, else the first of the browser's that the page speaks, else Spanish. */
export function preferredLanguage(): Language {
  const chosen = readChoice()
  if (chosen !== null) return chosen
  for (const tag of navigator.languages) {
    // Readers of the other languages of Spain are better served by Spanish than by English.
    if (/^(es|ca|gl|eu|oc|an|ast)\b/i.test(tag)) return 'es'
    if (/^en\b/i.test(tag)) return 'en'
  }
  return 'es'
}

export function rememberLanguage(language: Language): void {
  try {
    localStorage.setItem(storageKey, language)
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
}

const storageKey = 'planning-registry-language'

function readChoice(): Language | null {
  try {
    const chosen = localStorage.getItem(storageKey)
    return chosen === 'es' || chosen === 'en' ? chosen : null
  } catch {
    return null
  }
}
