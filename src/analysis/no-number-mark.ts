// The marks of an address without a house number: `s/n`, `s/nº` and `sin número`, two words each. A term with any of
// them finds all of them (term-clauses.ts), and they do not separate neighbours (neighbours.ts).
import { createWord, type LexiconWord, numberWord } from './lexicon.ts'

/** The synonym of every such mark in a text. No other stem has a slash. */
export const noNumberMark: LexiconWord = createWord('s/n', 's/n')

/** The synonym of a title that has neither a number nor such a mark: `daroca s/n` also finds `Avda. de Daroca`. */
export const noNumber: LexiconWord = createWord('s/', 's/')

type Words = readonly Pick<LexiconWord, 'form' | 'queryStem'>[]

/** Whether a no-number mark starts at the position. The S of `Sector S nº 3` starts none: a number follows. */
export function startsNoNumberMark(words: Words, position: number): boolean {
  const form = words[position]?.form
  if (form !== 's' && form !== 'sin') return false
  const second = words[position + 1]
  const isNumberWord = second?.queryStem === numberWord.stem || (form === 's' && second?.form === 'n')
  return isNumberWord && !/^\d/.test(words[position + 2]?.form ?? '')
}

/** Whether the word at the position is the first or the second word of a no-number mark. */
export function isInNoNumberMark(words: Words, position: number): boolean {
  const word = words[position]
  const isSecond = word?.form === 'n' || word?.queryStem === numberWord.stem
  return startsNoNumberMark(words, isSecond ? position - 1 : position)
}
