// The words for "number" and what may be mistaken for them. Texts and terms share them.
//
// word                 | stands for                      | form     | stem     | query stem
// `numberWord`         | `número`                        | `numero` | `numero` | `numero`
// `numberSymbol`       | `nº`                            | `nº`     | `numero` | `numero`
// `numberOrNumAcronym` | `NUM` in a term: either         | `num`    | `NUM`    | `numero`
// `numAcronym`         | `NUM` (acronym-expansions.ts)   | `num`    | `NUM`    | `NUM`
import { numAcronym } from './acronym-expansions.ts'
import { createWord, type LexiconWord, wordOf } from './lexicon.ts'
import { withOwnStem } from './lexicon-word.ts'

/** The Spanish word for "number". Its abbreviations have the same query stem. */
export const numberWord: LexiconWord = wordOf('numero')

/** The symbol `nº`. It has the stem of `numero`, but another form, so a prefix such as `num*` does not match it. */
export const numberSymbol: LexiconWord = createWord('nº', numberWord.stem)

/**
 * The word of a term's `NUM` that may be "number" or the acronym: `PARCELA NUM A-5`. It searches for `numero` or for
 * the stem of `numAcronym`.
 */
export const numberOrNumAcronym: LexiconWord = withOwnStem(numAcronym, numberWord.queryStem)
