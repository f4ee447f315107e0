// The text of the page. Spanish is part of the script; English is loaded when it is needed: most users read Spanish.
import { spanish } from './spanish.ts'

export type Language = 'es' | 'en'

export type Strings = typeof spanish

const loaded = new Map<Language, Strings>([['es', spanish]])

/** Loads the text of a language. Rejects if the file cannot be loaded. */
export async function loadStrings(language: Language): Promise<void> {
  // Only English may be missing.
  if (!loaded.has(language)) loaded.set('en', (await import('./english.ts')).english)
}

/** The text of a language, which `loadStrings` must have loaded; otherwise Spanish. */
export function stringsOf(language: Language): Strings {
  return loaded.get(language) ?? spanish
}
