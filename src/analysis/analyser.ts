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
  readonly joinedForms: readonly Word[]
  /** Synonyms, without a position. Prefix clauses do not match them. May contain duplicates. */
  readonly synonyms: readonly Word[]
}

export function analyseText(text: string): AnalysedText {
  const tokenizer = new Tokenizer(text)
  const words: LexiconWord[] = []
  const added: AddedWords = { joinedForms: [], synonyms: [] }
  const { joinedForms, synonyms } = added
  let codes: Map<number, SubtokenGroup> | undefined
  /** The last tokens, while they are single letters with one space between them (`M E M O R I A`). */
  let spacedLetters = ''
  let spacedLettersEnd = 0
  while (tokenizer.advance()) {
    if (tokenizer.end - tokenizer.start === 1) {
      const isAfterOneSpace = tokenizer.start === spacedLettersEnd + 1 && text.charCodeAt(spacedLettersEnd) === space
      const isDigit = text.charCodeAt(tokenizer.start) < firstLetter
      if (!isAfterOneSpace || isDigit) {
        addSpacedWord(spacedLetters, joinedForms)
        spacedLetters = ''
      }
      spacedLetters += text.charAt(tokenizer.start)
      spacedLettersEnd = tokenizer.end
    }
    const token = tokenAt(tokenizer)
    const hasTrailingDelimiter = tokenizer.next !== tokenizer.end
    if (hasTrailingDelimiter) {
      const abbreviation = findDottedAbbreviation(tokenizer, token)
      if (abbreviation !== undefined) {
        numberFollows.lastIndex = tokenizer.next
        words.push(numberFollows.test(text) ? abbreviation.beforeNumber : abbreviation.plain)
        if (abbreviation.plain.form === 'no') synonyms.push(dottedNo)
        continue
      }
    }
    if (tokenizer.mayBeBroken && joinBrokenWord(tokenizer, token, words, added)) continue
    if (token.codeStart !== undefined) {
      codes ??= new Map()
      codes.set(words.length, token.codeStart)
    }
    if (token.joinedForms.length > 0) joinedForms.push(...token.joinedForms)
    if (token.synonyms.length > 0) synonyms.push(...token.synonyms)
    for (const word of token.words) words.push(word)
  }
  addSpacedWord(spacedLetters, joinedForms)
  addSynonyms(words, codes ?? noCodes, added)
  addSpacedCodes(words, codes ?? noCodes, added)
  return { words, joinedForms, synonyms }
}

/** Shared by the texts without codes, which are most, to avoid an allocation for each. */
const noCodes: Codes = new Map()

/** `No. 5` is a number; `no. Cinco` is not. */
const numberFollows = /\s{0,2}\d/y

/** A term without words has no clauses and matches nothing. */
export function analyseTerm(term: string): Term {
  return parseTerm(term)
}

/** A heading with a space after each letter is also one word: `M E M O R I A`. */
function addSpacedWord(letters: string, joinedForms: Word[]): void {
  if (letters.length >= spacedLettersMin && letters.length <= spacedLettersMax && /^\p{L}+$/u.test(letters))
    joinedForms.push(wordOf(foldWord(letters)))
}

const spacedLettersMin = 4
const spacedLettersMax = 32
const space = 0x20
/** The letter A. Of the characters that a token can start with, only the digits are before it. */
const firstLetter = 0x41

/**
 * Joins a word that continues in the next token. A certain word break replaces both tokens by the whole word and
 * returns true; otherwise the whole word is only added.
 */
function joinBrokenWord(tokenizer: Tokenizer, token: Token, words: LexiconWord[], added: AddedWords): boolean {
  const wordBreak = findWordBreak(tokenizer)
  const head = token.words.at(-1)
  if (wordBreak === undefined || head === undefined || !/^\p{L}+$/u.test(head.form)) return false
  // A single letter before a hyphen is a code (`A-`); before an accent it is the start of a word (`a ́mbito`).
  if (wordBreak !== 'accent' && head.form.length < 2) return false
  const lookahead = new Tokenizer(tokenizer.text)
  lookahead.next = tokenizer.next
  if (!lookahead.advance()) return false
  const nextToken = tokenAt(lookahead)
  const tail = nextToken.words[0]
  if (tail === undefined || tail.isStopWord) return false
  const wholeWord = wordOf(head.form + tail.form)
  if (wordBreak !== 'certain' || token.words.length > 1 || nextToken.words.length > 1) {
    added.joinedForms.push(wholeWord)
    return false
  }
  words.push(wholeWord)
  added.joinedForms.push(head, tail)
  added.synonyms.push(...wholeWord.synonyms)
  tokenizer.next = lookahead.end
  return true
}
