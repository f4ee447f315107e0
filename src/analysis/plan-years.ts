// The year of a general plan in two digits: the texts `PGOU 97` and `Plan General del 97` get the synonym `1997`.
// `PGOU` is the acronym of a general plan. For a text, synonyms.ts calls `findPlanYear` for each number of two digits.
// For a search term, term-plans.ts calls it.
import { type LexiconWord, wordOf } from './lexicon.ts'

/**
 * Returns the year in four digits, if the word at `position` may be the year of a general plan.
 *
 * text             | result
 * `PGOU 97`        | 1997
 * `UE 97`, `PE 97` | undefined: the number of a unit or of a special plan
 * `PGOU 04`        | undefined: below 56
 *
 * A plan from before the first land act (Ley del Suelo) of 1956 is hardly ever named by two digits, nor is the plan of
 * 2004.
 *
 * In the `words` of a term, undefined stands for a code of several words, such as `UE-1`. Just after the year, it
 * counts as the end of the text.
 */
export function findPlanYear(words: readonly (LexiconWord | undefined)[], position: number): LexiconWord | undefined {
  const digits = words[position]?.form ?? ''
  const isYear = /^\d\d$/.test(digits) && digits >= firstYearDigits && isAfterGeneralPlan(words, position)
  return isYear ? wordOf(`19${digits}`) : undefined
}

/** Compared as text: both sides have two digits. */
const firstYearDigits = '56'

/**
 * Whether a general plan stands before the number at the position: `PGOU` (or a variant such as `PGOUM`), `PG` or
 * `Plan General`.
 *
 * text                         | result
 * `PGOU 75 viviendas`          | true: after an acronym just before the number, any word may follow
 * `Plan General de 75`         | true: nothing follows
 * `Plan General 75 de Madrid`  | true: a stop word follows
 * `Plan General, 75 viviendas` | false: the number may be the count of the word after it
 */
function isAfterGeneralPlan(words: readonly (LexiconWord | undefined)[], position: number): boolean {
  if (isAcronymOfPlan(words[position - 1])) return true
  const after = words[position + 1]
  if (after !== undefined && !after.isStopWord) return false
  let last = position - 1
  while (skippedForms.has(words[last]?.form ?? '') && position - last <= skippedMax) last--
  return isAcronymOfPlan(words[last]) || (words[last]?.queryStem === 'general' && words[last - 1]?.queryStem === 'plan')
}

function isAcronymOfPlan(word: LexiconWord | undefined): boolean {
  return word?.queryStem === 'pgou' || word?.queryStem === 'pg'
}

/** Words that may stand between the plan and its year: `PGOU de 97`, `Plan General de Ordenación Urbana del 97`. */
const skippedForms: ReadonlySet<string> = new Set('de del ordenacion urbana urbanistica municipal'.split(' '))
/** The most words between the plan and its year: `de Ordenación Urbana de` has four. */
const skippedMax = 4
