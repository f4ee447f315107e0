// The words between the two streets of a corner: `Serrano, 5 c/v Goya`, `esq. Goya`, `con vuelta a Goya`. Titles write
// them in several ways, so between two other words of a term they are not required (term-addresses.ts):
// `serrano esquina goya` finds `Serrano c/v Goya`. In a title another address follows them (street-names.ts). They do
// not separate neighbours, which are words side by side in a title (neighbours.ts).
import { type LexiconWord, wordOf } from './lexicon.ts'
import { withForm } from './lexicon-word.ts'
import type { Word } from './word.ts'

/** `c/v` is one word: a V of its own would match the V of the term `carlos v`. It has the stem of `CV`, its variant. */
export const cornerMark: LexiconWord = withForm(wordOf('cv'), 'c/v')

const cornerForms: ReadonlySet<string> = new Set(['esquina', 'esq', cornerMark.form, 'cv', 'vuelta'])

/** A fast check, without the words before and after. If it is false, `isCornerWord` is certainly false too. */
export function mayBeCornerWord({ form }: Word): boolean {
  return cornerForms.has(form)
}

/**
 * Whether the word marks the corner of two streets: true for the `c/v` of `Serrano, 5 c/v Goya`. `before` and `after`
 * are the words before and after it.
 *
 * text                    | corner
 * `esquina`, `esq`, `c/v` | yes
 * `Serrano CV Goya`       | yes
 * `CV-35`                 | no: a road
 * `CV` at the end         | no: no second street follows
 * `con vuelta a`          | yes
 * `vuelta` without `con`  | no: it may be a name
 */
export function isCornerWord(word: Word, before: Word | undefined, after: Word | undefined): boolean {
  switch (word.form) {
    case 'esquina':
    case 'esq':
    case cornerMark.form:
      return true
    case 'cv':
      return after !== undefined && !/^\d/.test(after.form)
    case 'vuelta':
      return before?.form === 'con'
    default:
      return false
  }
}
