// The marks of an address without a house number: `s/n`, `s/nº` and `sin número`, two words each. A term with any of
// them finds all of them (term-clauses.ts), and they do not separate neighbours (neighbours.ts).
import { createWord, type LexiconWord, numberWord } from './lexicon.ts'
import { isDigits } from './word.ts'

/** The synonym of every such mark in a text. Its stem has a slash, so that it cannot be the stem of another word. */
export const noNumberMark: LexiconWord = createWord('s/n', 's/n')

/** Added to every title that has no house number, so that `daroca s/n` also finds `Avda. de Daroca`. */
export const noHouseNumber: LexiconWord = createWord('s/', 's/')

/**
 * Whether a word of a title may be a house number: a number that is not part of a code (`codePositions`), does not
 * follow a word such as `modificación`, with or without `nº` between them, and has fewer digits than a postal code.
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

/** Whether a no-number mark starts at the position. The S of `Sector S nº 3` starts none: a number follows. */
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
