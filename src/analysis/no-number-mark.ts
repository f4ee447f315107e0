// The marks of an address without a house number: `s/n`, `s/nº` and `sin número`, two words each. A text with one of
// them, such as `Daroca, sin número`, gets the synonym `s/n`, for which a term with any of them searches
// (term-clauses.ts). The marks do not separate neighbours (neighbours.ts).
import { createWord, type LexiconWord, numberWord } from './lexicon.ts'
import { isDigits } from './word.ts'

/** The synonym of every such mark in a text. Its stem has a slash, so that it cannot be the stem of another word. */
export const noNumberMark: LexiconWord = createWord('s/n', 's/n')

/**
 * A second word, for every title that has no house number. A term that has more than the mark searches for either of
 * the two (term-clauses.ts), so that `daroca s/n` also finds `Avda. de Daroca`.
 */
export const noHouseNumber: LexiconWord = createWord('s/', 's/')

/**
 * Whether a word of the title may be a house number. `codePositions` are the positions of the words of codes.
 *
 * title               | has a house number
 * `Serrano, 5`        | yes
 * `UE-1`              | no: the number of a code
 * `Modificación nº 5` | no: the number of a word that may have one (`mayHaveNumeral`)
 * `28001 Madrid`      | no: a postal code has more than four digits
 */
export function hasHouseNumber(words: readonly LexiconWord[], codePositions: ReadonlySet<number>): boolean {
  return words.some((word, position) => {
    if (!isDigits(word) || word.form.length > houseNumberDigitsMax || codePositions.has(position)) return false
    const previous = words[position - 1]
    const before = previous?.queryStem === numberWord.stem ? words[position - 2] : previous
    return before?.mayHaveNumeral !== true
  })
}

const houseNumberDigitsMax = 4

type Words = readonly Pick<LexiconWord, 'form' | 'queryStem'>[]

/**
 * Whether such a mark starts at the position: at `sin` in `sin número`, not at the S of `Sector S nº 3` (a number
 * follows).
 */
export function startsNoNumberMark(words: Words, position: number): boolean {
  const form = words[position]?.form
  if (form !== 's' && form !== 'sin') return false
  const second = words[position + 1]
  if (form === 's' && second?.form === 'n') return true
  if (second?.queryStem !== numberWord.stem) return false
  return form === 'sin' || !/^\d/.test(words[position + 2]?.form ?? '')
}

/** Whether the word at the position is the first or the second word of a no-number mark. */
export function isInNoNumberMark(words: Words, position: number): boolean {
  const word = words[position]
  const isSecond = word?.form === 'n' || word?.queryStem === numberWord.stem
  return startsNoNumberMark(words, isSecond ? position - 1 : position)
}
