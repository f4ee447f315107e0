// What the page says about problems of the service: the first sentence of their explanations.

import type { PageLanguage } from '../src/api/page-renderer.ts'
import { type ProblemCode, problemKinds, toSentence } from '../src/problem-kinds.ts'

/** The problems that a search of the page may have. */
const codes: readonly ProblemCode[] = [
  'control-character',
  'malformed-year',
  'malformed-date',
  'malformed-value',
  'unknown-field',
  'reversed-dates',
  'malformed-cursor',
  'value-too-long',
  'too-many-words',
  'unknown-municipality',
  'unknown-province',
  'unknown-community',
  'contradictory-places',
  'no-match-in-municipality',
  'no-match',
  'nothing-after-cursor',
]

function toTexts(language: PageLanguage): Record<string, string> {
  return Object.fromEntries(codes.map((code) => [code, toSentence(problemKinds[code].explanation[language])]))
}

/** The texts by code. */
export const problemTexts: Readonly<Record<PageLanguage, Readonly<Record<string, string>>>> = {
  es: toTexts('es'),
  en: toTexts('en'),
}
