// The year of a general plan in two digits: `PGOU 97` is the plan of 1997. synonyms.ts calls it for each acronym with a
// number.
import { type LexiconWord, wordOf } from './lexicon.ts'

/**
 * The year in four digits, if the number after the word is the year of a general plan. After other acronyms (`UE 97`,
 * `PE 97`) it is the number of a unit or of a plan. A number below 56 is not read as a year: no general plan is older
 * than the first land act (Ley del Suelo) of 1956, and `PGOU 04` is rarely written for the plan of 2004.
 */
export function findPlanYear({ queryStem }: LexiconWord, { form }: LexiconWord): LexiconWord | undefined {
  const isYear = queryStem === 'pgou' && form.length === 2 && form >= firstYear
  return isYear ? wordOf(`19${form}`) : undefined
}

const firstYear = '56'
