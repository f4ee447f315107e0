// `s/n`, `s/nº` and `sin número`: an address without a house number. A term that has other words does not require it
// (term-clauses.ts), because many titles leave it out, and it does not separate neighbours (neighbours.ts).
import { type LexiconWord, numberWord } from './lexicon.ts'

type Words = readonly Pick<LexiconWord, 'form' | 'queryStem'>[]

/** Whether the word at the position starts one of them. The S of `Sector S nº 3` does not. */
export function startsNoNumberMark(words: Words, position: number): boolean {
  const form = words[position]?.form
  if (form !== 's' && form !== 'sin') return false
  const second = words[position + 1]
  const isNumberWord = second?.queryStem === numberWord.stem || (form === 's' && second?.form === 'n')
  return isNumberWord && !/^\d/.test(words[position + 2]?.form ?? '')
}

/** Whether the word at the position is the first or the second word of one of them. */
export function isInNoNumberMark(words: Words, position: number): boolean {
  const word = words[position]
  const isSecond = word?.form === 'n' || word?.queryStem === numberWord.stem
  return startsNoNumberMark(words, isSecond ? position - 1 : position)
}
