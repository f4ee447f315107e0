// Analyser of Spanish planning texts. The import calls `analyseText` on titles and contents, a request calls
// `analyseTerm`. Both use the same tokens, so terms and texts match. Examples: docs/search.md.

import { foldWord } from './fold.ts'
import { dottedNo, type LexiconWord, wordOf } from './lexicon.ts'
import { addSpacedCodes, addSynonyms, type Codes } from './synonyms.ts'
import type { Term } from './term.ts'
import { parseTerm } from './term-parser.ts'
import { type AddedWords, findDottedAbbreviation, type SubtokenGroup, type Token, tokenAt } from './token.ts'
import { findWordBreak, Tokenizer } from './tokenizer.ts'
import type { Word } from './word.ts'

export type { Word } from './word.ts'

export interface AnalysedText {
  /** In text order; the index of a word is its position, which phrases use. */
  readonly words: readonly Word[]
  /** Joined and split forms of what is written, without a position. May contain duplicates. */
  readonly joined: readonly Word[]
  /** Synonyms, without a position. Prefix clauses do not match them. May contain duplicates. */
  readonly synonyms: readonly Word[]
}

export function analyseText(text: string): AnalysedText {
  const tokenizer = new Tokenizer(text)
  const words: LexiconWord[] = []
  const added: AddedWords = { joined: [], synonyms: [] }
  const { joined, synonyms } = added
  let codes: Map<number, SubtokenGroup> | undefined
  let spacedLetters = ''
  let spacedLettersEnd = 0
  while (tokenizer.advance()) {
    if (tokenizer.end - tokenizer.start === 1) {
      const continues = tokenizer.start === spacedLettersEnd + 1 && text.charCodeAt(spacedLettersEnd) === space
      if (!continues || text.charCodeAt(tokenizer.start) < firstLetter) {
        addSpacedWord(spacedLetters, joined)
        spacedLetters = ''
      }
      spacedLetters += text.charAt(tokenizer.start)
      spacedLettersEnd = tokenizer.end
    }
    const token = tokenAt(tokenizer)
    if (tokenizer.next !== tokenizer.end) {
      const abbreviation = findDottedAbbreviation(tokenizer, token)
      if (abbreviation !== undefined) {
        const isNumber = numberFollows.test(text.slice(tokenizer.next, tokenizer.next + 3))
        words.push(isNumber ? abbreviation.beforeNumber : abbreviation.plain)
        if (abbreviation.plain.form === 'no') synonyms.push(dottedNo)
        continue
      }
    }
    if (tokenizer.mayBeBroken && joinBrokenWord(tokenizer, token, words, added)) continue
    if (token.codeStart !== undefined) {
      codes ??= new Map()
      codes.set(words.length, token.codeStart)
    }
    if (token.joined.length > 0) joined.push(...token.joined)
    if (token.synonyms.length > 0) synonyms.push(...token.synonyms)
    for (const word of token.words) words.push(word)
  }
  addSpacedWord(spacedLetters, joined)
  addSynonyms(words, codes ?? noCodes, added)
  addSpacedCodes(words, codes ?? noCodes, added)
  return { words, joined, synonyms: synonyms }
}

/** Shared by the texts without codes, which are most, to avoid an allocation for each. */
const noCodes: Codes = new Map()

/** `No. 5` is a number; `no. Cinco` is not. */
const numberFollows = /^\s{0,2}\d/

/** A term without words has no clauses and matches nothing. */
export function analyseTerm(term: string): Term {
  return parseTerm(term)
}

/** A heading with a space after each letter is also one word: `M E M O R I A`. */
function addSpacedWord(letters: string, joined: Word[]): void {
  if (letters.length >= spacedLettersMin && letters.length <= spacedLettersMax && /^\p{L}+$/u.test(letters))
    joined.push(wordOf(foldWord(letters)))
}

const spacedLettersMin = 4
const spacedLettersMax = 32
const space = 0x20
const firstLetter = 0x41

/**
 * Joins a word that continues in the next token. A certain word break replaces both tokens by the whole word and
 * returns true; otherwise the whole word is only added.
 */
function joinBrokenWord(tokenizer: Tokenizer, token: Token, words: LexiconWord[], added: AddedWords): boolean {
  const wordBreak = findWordBreak(tokenizer)
  const head = token.words.at(-1)
  if (wordBreak === undefined || head === undefined || !/^\p{L}+$/u.test(head.form)) return false
  if (wordBreak !== 'accent' && head.form.length < 2) return false
  const lookahead = new Tokenizer(tokenizer.text)
  lookahead.next = tokenizer.next
  if (!lookahead.advance()) return false
  const nextToken = tokenAt(lookahead)
  const tail = nextToken.words[0]
  if (tail === undefined || tail.isStopWord) return false
  const whole = wordOf(head.form + tail.form)
  if (wordBreak !== 'certain' || token.words.length > 1 || nextToken.words.length > 1) {
    added.joined.push(whole)
    return false
  }
  words.push(whole)
  added.joined.push(head, tail)
  added.synonyms.push(...whole.synonyms)
  tokenizer.next = lookahead.end
  return true
}
