// Analyser of Spanish planning texts. The import calls `analyseTitle` and `analyseText`, a request calls
// `analyseTerm`. Both use the same tokens, so terms and texts match. Examples: docs/search.md.

import { foldWord } from './fold.ts'
import { dottedNo, type LexiconWord, wordOf } from './lexicon.ts'
import { toNeighbourEntries } from './neighbours.ts'
import { PlacedWords, type Spans } from './placed-words.ts'
import { addSpacedCodes, markCodeLetters } from './spaced-codes.ts'
import { unnamedKindStem, visitUnnamedKinds } from './street-names.ts'
import { addSynonyms, type CodesByPosition } from './synonyms.ts'
import type { Term } from './term.ts'
import { parseTerm } from './term-parser.ts'
import { findDottedAbbreviation, type SubtokenGroup, type Token, tokenAt } from './token.ts'
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
  /** The words that each joined form and each synonym stands for. */
  readonly joinedFormSpans: Spans
  readonly synonymSpans: Spans
}

/** UTF-16 offsets of each word of a text. The words of one token, such as `UE-1`, have the offsets of the token. */
export interface WordOffsets {
  readonly starts: number[]
  readonly ends: number[]
}

export interface AnalysedTitle extends AnalysedText {
  /** An entry for each pair of words that are side by side, without duplicates (neighbours.ts). */
  readonly neighbours: readonly Word[]
}

/** Like `analyseText`, with neighbours, and with synonyms for street names whose kind is missing (`Infantas, 5`). */
export function analyseTitle(title: string): AnalysedTitle {
  const { words, codesByPosition, added } = analyseWords(title)
  const codePositions = toPositionsInCodes(codesByPosition)
  visitUnnamedKinds(
    words,
    (position) => codePositions.has(position),
    (position) => {
      const nameStems = [(words[position] as LexiconWord).queryStem]
      // The name may be written as one word: `O'Donnell` is also `Odonnell`.
      const joinedName = codesByPosition.get(position - 1)?.joinedCode
      if (joinedName !== undefined) nameStems.push(joinedName.stem)
      const synonyms = nameStems.map((stem) => wordOf(unnamedKindStem(stem)))
      added.add({ synonyms }, { first: position, last: position })
    },
  )
  return { ...toAnalysedText(words, added), neighbours: toNeighbourEntries(words, added) }
}

/** The positions of the words of codes that start with a letter and have a number, such as `UE-1`. */
function toPositionsInCodes(codesByPosition: CodesByPosition): ReadonlySet<number> {
  const positions = new Set<number>()
  for (const [start, { words, joinedCode }] of codesByPosition) {
    if (joinedCode === undefined || !/^[a-z].*\d/.test(joinedCode.stem)) continue
    for (let offset = 0; offset < words.length; offset++) positions.add(start + offset)
  }
  return positions
}

export function analyseText(text: string): AnalysedText {
  const { words, added } = analyseWords(text)
  return toAnalysedText(words, added)
}

/** Like `analyseText`, with the offsets of the words. */
export function analyseTextWithOffsets(text: string): AnalysedText & { readonly offsets: WordOffsets } {
  const offsets = { starts: [], ends: [] }
  const { words, added } = analyseWords(text, offsets)
  return { ...toAnalysedText(words, added), offsets }
}

function toAnalysedText(words: readonly LexiconWord[], added: PlacedWords): AnalysedText {
  const { joinedForms, synonyms, joinedFormSpans, synonymSpans } = added
  return { words, joinedForms, synonyms, joinedFormSpans, synonymSpans }
}

interface AnalysedWords {
  readonly words: readonly LexiconWord[]
  readonly added: PlacedWords
  readonly codesByPosition: CodesByPosition
}

/** `offsets`, if given, receives the offsets of the words. */
function analyseWords(text: string, offsets?: WordOffsets): AnalysedWords {
  const tokenizer = new Tokenizer(text)
  const words: LexiconWord[] = []
  const added = new PlacedWords()
  let codesByPosition: Map<number, SubtokenGroup> | undefined
  /** The last tokens, while they are single letters with one space between them (`M E M O R I A`). */
  let spacedLetters = ''
  /** The offset after them in the text, and the position of the first of them. */
  let spacedLettersEnd = 0
  let spacedLettersFirst = 0
  while (tokenizer.advance()) {
    const first = words.length
    if (tokenizer.end - tokenizer.start === 1) {
      const isAfterOneSpace = tokenizer.start === spacedLettersEnd + 1 && text.charCodeAt(spacedLettersEnd) === space
      const isDigit = text.charCodeAt(tokenizer.start) < firstLetter
      if (!isAfterOneSpace || isDigit) {
        addSpacedWord(spacedLetters, spacedLettersFirst, added)
        spacedLetters = ''
        spacedLettersFirst = first
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
        if (abbreviation.plain.form === 'no') {
          added.add({ synonyms: [dottedNo] }, { first, last: first })
        }
        if (offsets !== undefined) addOffsets(offsets, words.length, tokenizer.start, tokenizer.end)
        continue
      }
    }
    if (tokenizer.mayBeBroken && joinBrokenWord(tokenizer, token, words, added)) {
      if (offsets !== undefined) addOffsets(offsets, words.length, tokenizer.start, tokenizer.next)
      continue
    }
    if (token.codeStart !== undefined) {
      codesByPosition ??= new Map()
      codesByPosition.set(words.length, token.codeStart)
    }
    if (token.codeEnd !== undefined) {
      codesByPosition ??= new Map()
      codesByPosition.set(words.length + token.words.length - token.codeEnd.words.length, token.codeEnd)
    }
    for (const word of token.words) words.push(word)
    if (token.joinedForms.length > 0 || token.synonyms.length > 0) {
      added.add(token, { first, last: words.length - 1 })
    }
    if (offsets !== undefined) addOffsets(offsets, words.length, tokenizer.start, tokenizer.spellingEnd)
  }
  addSpacedWord(spacedLetters, spacedLettersFirst, added)
  if (codesByPosition !== undefined) markCodeLetters(words, codesByPosition, added)
  addSynonyms(words, codesByPosition ?? noCodes, added)
  addSpacedCodes(words, codesByPosition ?? noCodes, added)
  return { words, added, codesByPosition: codesByPosition ?? noCodes }
}

/** Adds the offsets of the words that have none yet. */
function addOffsets({ starts, ends }: WordOffsets, wordCount: number, start: number, end: number): void {
  while (starts.length < wordCount) {
    starts.push(start)
    ends.push(end)
  }
}

/** Shared by the texts without codes, which are most, to avoid an allocation for each. */
const noCodes: CodesByPosition = new Map()

/** Matches at an offset before a number: `No. 5` abbreviates "number"; the `no` of `no. Cinco` is a word. */
const numberFollows = /\s{0,2}\d/y

/** A term without words has no clauses and matches nothing. */
export function analyseTerm(term: string): Term {
  return parseTerm(term)
}

/** A heading with a space after each letter is also one word: `M E M O R I A`. */
function addSpacedWord(letters: string, first: number, added: PlacedWords): void {
  if (letters.length < spacedLettersMin || letters.length > spacedLettersMax || !/^\p{L}+$/u.test(letters)) return
  added.add({ joinedForms: [wordOf(foldWord(letters))] }, { first, last: first + letters.length - 1 })
}

/** Fewer letters are initials or an acronym rather than the word of a heading: `P P`, `U E 1`. */
const spacedLettersMin = 4
/** No word of a heading is longer. */
const spacedLettersMax = 32
const space = 0x20
/** The letter A. Of the characters that a token can start with, only the digits are before it. */
const firstLetter = 0x41

/**
 * Joins a word that continues in the next token. A certain word break replaces both tokens by the whole word and
 * returns true; otherwise the whole word is only added.
 */
function joinBrokenWord(tokenizer: Tokenizer, token: Token, words: LexiconWord[], added: PlacedWords): boolean {
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
    const headPosition = words.length + token.words.length - 1
    added.add({ joinedForms: [wholeWord] }, { first: headPosition, last: headPosition + 1 })
    return false
  }
  const position = words.length
  words.push(wholeWord)
  added.add({ joinedForms: [head, tail], synonyms: wholeWord.synonyms }, { first: position, last: position })
  tokenizer.next = lookahead.end
  return true
}
