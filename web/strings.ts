// The text of the page in each language.
import type { PageLanguage } from '../src/api/page-renderer.ts'
import { english } from './english.ts'
import { spanish } from './spanish.ts'

export type Strings = typeof spanish

export const stringsByLanguage: Readonly<Record<PageLanguage, Strings>> = { es: spanish, en: english }
