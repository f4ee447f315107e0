// All text of the page, in both languages.
import { english } from './english.ts'
import { spanish } from './spanish.ts'

export type Language = 'es' | 'en'

export type Strings = typeof spanish

export const stringsByLanguage: Readonly<Record<Language, Strings>> = { es: spanish, en: english }
