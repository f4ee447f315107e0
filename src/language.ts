// The language of the messages, reports and progress that a command prints: English, or Spanish with `--lang es` or a
// Spanish locale. Messages are written in English where they are used, as t`Cannot read ${name}`; es.json has their
// translations by the English text, with `{0}`, `{1}`, … in place of the values. test/cli/language.test.ts fails if a
// message has no translation, or if a translation is unused.
import { readFileSync } from 'node:fs'
import type { BilingualText } from './domain/parameters.ts'

export type Language = 'en' | 'es'

/** What es.json holds; `plurals` are nouns that follow a number, singular and plural by the English singular. */
interface Translations {
  readonly texts: Readonly<Record<string, string>>
  readonly plurals: Readonly<Record<string, readonly [singular: string, plural: string]>>
}

/** They are read when Spanish is first wanted. */
let translations: Translations | null = null

/** The language of this thread. A worker thread has its own copy of this module, and starts with English. */
let language: Language = 'en'

/**
 * Sets the language of this thread. A command, a worker process of `serve` and the thread that verifies a registry file
 * call it when they start. `serve` and its workers return to English, the language of their log, once they run.
 */
export function setLanguage(wanted: Language): void {
  language = wanted
  if (wanted === 'es') translations ??= JSON.parse(readFileSync(new URL('es.json', import.meta.url), 'utf8'))
}

/** The text that `compose` returns, in English: for the log, which is in English whatever the language of messages. */
export function inEnglish(compose: () => string): string {
  const wanted = language
  language = 'en'
  try {
    return compose()
  } finally {
    language = wanted
  }
}

/** The language of this thread. It must be passed to a new worker thread, which starts with English. */
export function currentLanguage(): Language {
  return language
}

/**
 * Translates a message. The key in es.json has `{0}`, `{1}`, … in place of the values. Numbers get separators
 * (`toCount`).
 */
export function t(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  // For t`Cannot read ${name}: ${reason}` the parts are `Cannot read `, `: ` and ``, and the key is
  // `Cannot read {0}: {1}`. `reduce` starts with the first part, so the part with index 1 comes after the value 0.
  const key = parts.reduce((text, part, index) => `${text}{${index - 1}}${part}`)
  const shownValues = values.map((value) => (typeof value === 'number' ? toCount(value) : value))
  return translate(key).replace(/\{(\d+)\}/g, (_placeholder, index: string) => shownValues[Number(index)] ?? '')
}

/** Translates a text without values. Returns it unchanged if there is no translation. */
export function translate(text: string): string {
  return language === 'en' ? text : (translations?.texts[text] ?? text)
}

/** The text in the language of this thread, for texts that stand in both languages beside what they describe. */
export function inLanguage(text: BilingualText): string {
  return text[language]
}

/** Returns the number with separators: `2,000` and `20,000`, or in Spanish `2000` and `20.000`. */
export function toCount(count: number): string {
  return count.toLocaleString(language)
}

/**
 * Returns `1 row`, `2,000 rows`, or `1 fila`, `2000 filas`. `noun` is the English singular. A noun without a Spanish
 * entry gets an `s` in both languages.
 */
export function toQuantity(count: number, noun: string): string {
  const translated = language === 'en' ? undefined : translations?.plurals[noun]
  const [singular, plural] = translated ?? [noun, `${noun}s`]
  return `${toCount(count)} ${count === 1 ? singular : plural}`
}
