// The year of a general plan in two digits: `PGOU 97` is the plan of 1997. For a text, numeral-synonyms.ts calls
// `findPlanYear` for each word that digits follow and after which "number" may be left out (`impliesNumber` in
// lexicon.ts); for a term, term-clauses.ts calls it.
import { type LexiconWord, wordOf } from './lexicon.ts'

/**
 * The year in four digits, if `acronym` is that of a general plan and `number` may be a year; otherwise undefined.
 * After other acronyms (`UE 97`, `PE 97`) `number` is that of a unit or of a plan. A number below 56 is not read as a
 * year: plans from before the first land act (Ley del Suelo) of 1956 are hardly ever named by two digits, and `PGOU 04`
 * is rarely written for the plan of 2004.
 */
export function findPlanYear(acronym: LexiconWord, number: LexiconWord): LexiconWord | undefined {
  const digits = number.form
  const isYear = isGeneralPlan(acronym) && /^\d\d$/.test(digits) && digits >= firstYearDigits
  return isYear ? wordOf(`19${digits}`) : undefined
}

/** Whether the acronym is `PGOU`, a variant of it such as `PGOUM`, or `PG`. */
function isGeneralPlan({ queryStem }: LexiconWord): boolean {
  return queryStem === 'pgou' || queryStem === 'pg'
}

/** Compared as text: both sides have two digits. */
const firstYearDigits = '56'
