// The marks of an address without a house number: `s/n`, `s/nº` and `sin número`, two words each. A text with a mark,
// such as `Daroca, sin número`, is indexed with the synonym `s/n`. A term with any mark searches for this synonym
// (term-addresses.ts). In a title, the words before and after a mark count as neighbours (neighbours.ts).
import { createWord, type LexiconWord } from './lexicon.ts'
import { numberWord } from './number-words.ts'
import { isDigits } from './word.ts'
import { isOfClass } from './word-classes.ts'

/**
 * The synonym of every no-number mark in a text. Its form and its stem are both `s/n`. The words of a text have no
 * slash, so none has this stem.
 */
export const noNumberMark: LexiconWord = createWord('s/n', 's/n')

/**
 * The synonym of every title without a house number, even of `Plan General`. The term `daroca s/n` searches for either
 * of the two synonyms (term-addresses.ts): for this one to find the title `Avda. de Daroca`, which has no mark, and for
 * `noNumberMark` to find documents and titles such as `Goya, 5, y Daroca, s/n`, which have only the mark.
 */
export const noHouseNumber: LexiconWord = createWord('s/', 's/')

/**
 * Whether a word of the title may be a house number. `codePositions` are the positions of the words of codes such as
 * `UE-1`, whose numbers are not house numbers.
 *
 * title               | has a house number
 * `Serrano, 5`        | yes
 * `UE-1`              | no: the number of a code
 * `Modificación nº 5` | no: the number belongs to `Modificación` (word-classes.ts)
 * `28001 Madrid`      | no: a postal code has more than four digits
 */
export function hasHouseNumber(words: readonly LexiconWord[], codePositions: ReadonlySet<number>): boolean {
  return words.some((word, position) => {
    if (!isDigits(word) || word.form.length > houseNumberDigitsMax || codePositions.has(position)) return false
    const previous = words[position - 1]
    const before = previous?.queryStem === numberWord.stem ? words[position - 2] : previous
    return before === undefined || !isOfClass(before.wordClass, 'NUMBERED')
  })
}

const houseNumberDigitsMax = 4

type Words = readonly Pick<LexiconWord, 'form' | 'queryStem'>[]

/**
 * Whether a no-number mark starts at the position. True for the `sin` of `sin número`. False for the S of
 * `Sector S nº 3`, because a number follows the two words.
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
