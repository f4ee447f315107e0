// The one analyser of Spanish planning text. Import calls `analyseText` on titles and contents, a request calls
// `analyseTerm`; both go through the same words, so every engine answers alike. By example: docs/search.md.

import { foldWord } from './fold.ts'
import { dottedNo, type KnownWord, wordOf } from './lexicon.ts'
import { addMeanings, addNumbers, type Codes } from './synonyms.ts'
import type { Term } from './term.ts'
import { parseTerm } from './term-parser.ts'
import { dottedSign, type Token, tokenAt, type Unit } from './token.ts'
import { breakAt, Scanner } from './tokenizer.ts'
import type { Word } from './word.ts'

export type { Word } from './word.ts'

export interface AnalysedText {
  /** In the order of the text: the index is the position that phrases count by. */
  readonly words: readonly Word[]
  /** Without a position, unseen by phrases: what is written, only joined or taken apart. May repeat itself. */
  readonly joined: readonly Word[]
  /** As `joined`, but written otherwise: synonyms, which no beginning finds. */
  readonly extras: readonly Word[]
}

export function analyseText(text: string): AnalysedText {
  const scanner = new Scanner(text)
  const words: KnownWord[] = []
  const joined: Word[] = []
  const extras: Word[] = []
  let codes: Map<number, Unit> | undefined
  let letters = ''
  let lettersEnd = 0
  while (scanner.advance()) {
    if (scanner.end - scanner.start === 1) {
      const goesOn = scanner.start === lettersEnd + 1 && text.charCodeAt(lettersEnd) === space
      if (!goesOn || text.charCodeAt(scanner.start) < letterMin) letters = endSpaced(letters, joined)
      letters += text.charAt(scanner.start)
      lettersEnd = scanner.end
    }
    const token = tokenAt(scanner)
    if (scanner.next !== scanner.end) {
      const sign = dottedSign(scanner, token)
      if (sign !== undefined) {
        words.push(numberFollows.test(text.slice(scanner.next, scanner.next + 3)) ? sign.word : sign.plain)
        if (sign.plain.form === 'no') extras.push(dottedNo)
        continue
      }
    }
    if (scanner.mayBeBroken && joinBroken(scanner, token, words, joined, extras)) continue
    if (token.code !== undefined) {
      codes ??= new Map()
      codes.set(words.length, token.code)
    }
    if (token.joined.length > 0) joined.push(...token.joined)
    if (token.extras.length > 0) extras.push(...token.extras)
    for (const word of token.words) words.push(word)
  }
  endSpaced(letters, joined)
  addMeanings(words, codes ?? noCodes, joined, extras)
  addNumbers(words, codes ?? noCodes, joined, extras)
  return { words, joined, extras }
}

/** Most texts hold none, and a map for each would cost as much as a few of their words. */
const noCodes: Codes = new Map()

/** `No. 5` is a number, `no 5` and `no. Cinco` are not. */
const numberFollows = /^\s{0,2}\d/

/** The term to look for; without clauses when it holds no word at all, and then it finds nothing. */
export function analyseTerm(term: string): Term {
  return parseTerm(term)
}

/** A heading with a space after each letter, `M E M O R I A`, is also a word. */
function endSpaced(letters: string, joined: Word[]): '' {
  if (letters.length >= spacedLettersMin && letters.length <= spacedLettersMax && /^\p{L}+$/u.test(letters))
    joined.push(wordOf(foldWord(letters)))
  return ''
}

const spacedLettersMin = 4
const spacedLettersMax = 32
const space = 0x20
const letterMin = 0x41

/** A word that goes on after a line's end is one word; its halves stay findable beside it. */
function joinBroken(scanner: Scanner, token: Token, words: KnownWord[], joined: Word[], extras: Word[]): boolean {
  const kind = breakAt(scanner)
  const head = token.words.at(-1)
  if (kind === undefined || head === undefined || !/^\p{L}+$/u.test(head.form)) return false
  if (kind !== 'accent' && head.form.length < 2) return false
  const ahead = new Scanner(scanner.text)
  ahead.next = scanner.next
  if (!ahead.advance()) return false
  const rest = tokenAt(ahead)
  const tail = rest.words[0]
  if (tail === undefined || tail.isStopWord) return false
  const whole = wordOf(head.form + tail.form)
  if (kind !== 'line' || token.words.length > 1 || rest.words.length > 1) {
    joined.push(whole)
    return false
  }
  words.push(whole)
  joined.push(head, tail)
  extras.push(...whole.beside)
  scanner.next = ahead.end
  return true
}
