// Analyser of Spanish planning texts. The import calls `analyseTitle` and `analyseText`, a request calls
// `analyseTerm`. Both use the same tokens, so terms and texts match. Examples: docs/search.md.
import { dottedNumberSign, type LexiconWord, wordOf } from './lexicon.ts'
import { toNeighbourEntries } from './neighbours.ts'
import { addNumberRanges } from './number-ranges.ts'
import { AddedWordsWithSpans, type Spans } from './added-words.ts'
import { addSpacedCodes, markCodeLetters } from './spaced-codes.ts'
import { SpacedLetters } from './spaced-letters.ts'
import { missingKindStem, visitMissingKinds } from './street-names.ts'
import { type TextAnalysis, addSynonyms, type CodesByPosition } from './synonyms.ts'
import type { Term } from './term.ts'
import { parseTerm } from './term-parser.ts'
import { findDottedAbbreviation, type SubtokenGroup, type AnalysedToken, analyseToken } from './token.ts'
import { findWordBreak, Tokenizer } from './tokenizer.ts'
import type { Word } from './word.ts'
import { isInContext } from './contextual-abbreviations.ts'

export type { Word } from './word.ts'

/** The words of a text and what is indexed with them. The joined forms and synonyms may contain duplicates. */
export interface AnalysedText {
  /** In text order; the index of a word is its position, which phrases use. */
  readonly words: readonly Word[]
  /** What is written, joined or split: `ue1` for `UE-1`. Without a position, so no phrase matches them. */
  readonly joinedForms: readonly Word[]
  /** `pgou` for `Plan General de Ordenación Urbana`. Neither phrases nor prefix clauses (`pgo*`) match them. */
  readonly synonyms: readonly Word[]
  /** The words of the text that each joined form and each synonym stands for, in the order of those lists. */
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

/**
 * Like `analyseText`, with neighbours, with a synonym for each street name whose kind may be missing (`Infantas, 5` may
 * be `calle Infantas, 5`, street-names.ts), and with one for each range of numbers (number-ranges.ts).
 */
export function analyseTitle(title: string): AnalysedTitle {
  const { words, codesByPosition, added } = analyseWords(title)
  const codePositions = toPositionsInCodes(codesByPosition)
  const isInCode = (position: number) => codePositions.has(position)
  visitMissingKinds(words, isInCode, (namePosition) => {
    const nameStems = [(words[namePosition] as LexiconWord).queryStem]
    // `O'Donnell` is two words, `o` and `donnell`. A term may have the name as one word, `Odonnell`.
    const joinedName = codesByPosition.get(namePosition - 1)?.joinedCode
    if (joinedName !== undefined) nameStems.push(joinedName.stem)
    const synonyms = nameStems.map((stem) => wordOf(missingKindStem(stem)))
    added.add({ synonyms }, { first: namePosition, last: namePosition })
  })
  addNumberRanges(words, added)
  return { ...toAnalysedText(words, added), neighbours: toNeighbourEntries(words, added) }
}

/** The positions of the words of codes with letters and a number, such as `UE-1`: it is not a house number. */
function toPositionsInCodes(codesByPosition: CodesByPosition): ReadonlySet<number> {
  const positions = new Set<number>()
  for (const [start, { words, joinedCode }] of codesByPosition) {
    const hasLettersAndNumber = joinedCode !== undefined && /^[a-z].*\d/.test(joinedCode.stem)
    if (!hasLettersAndNumber) continue
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

/** A term without words has no clauses and matches nothing. */
export function analyseTerm(term: string): Term {
  return parseTerm(term)
}

function toAnalysedText(words: readonly LexiconWord[], added: AddedWordsWithSpans): AnalysedText {
  const { joinedForms, synonyms, joinedFormSpans, synonymSpans } = added
  return { words, joinedForms, synonyms, joinedFormSpans, synonymSpans }
}

/** The words of a text, its joined forms and its synonyms. `offsets`, if given, receives the offsets of the words. */
function analyseWords(text: string, offsets?: WordOffsets): TextAnalysis {
  const tokenizer = new Tokenizer(text)
  const words: LexiconWord[] = []
  const added = new AddedWordsWithSpans()
  const spacedLetters = new SpacedLetters(added)
  let codesByPosition: Map<number, SubtokenGroup> | undefined
  while (tokenizer.advance()) {
    /** The position of the first word of the token. */
    const first = words.length
    spacedLetters.addToken(tokenizer, first)
    const token = analyseToken(tokenizer)
    const hasTrailingDelimiter = tokenizer.nextOffset !== tokenizer.end
    if (hasTrailingDelimiter) {
      const abbreviation = findDottedAbbreviation(tokenizer, token)
      if (abbreviation !== undefined) {
        numberFollows.lastIndex = tokenizer.nextOffset
        words.push(numberFollows.test(text) ? abbreviation.beforeNumber : abbreviation.plain)
        // The term `no.` finds every `no.`, whether it is the word or the abbreviation.
        if (abbreviation.plain.form === 'no') added.add({ synonyms: [dottedNumberSign] }, { first, last: first })
        if (offsets !== undefined) addOffsets(offsets, words.length, tokenizer.start, tokenizer.end)
        continue
      }
    }
    const wordAbbreviation = token.contextualAbbreviation
    if (wordAbbreviation !== undefined && isInContext(wordAbbreviation, tokenizer)) {
      // `Cap. Haya` is also `Capitán Haya`.
      words.push(wordAbbreviation.word)
      added.add({ synonyms: [wordAbbreviation.fullWord] }, { first, last: first })
      if (offsets !== undefined) addOffsets(offsets, words.length, tokenizer.start, tokenizer.end)
      continue
    }
    if (tokenizer.mayBeBroken && joinBrokenWord(tokenizer, token, words, added)) {
      // `joinBrokenWord` has moved `next` to the end of the whole word.
      if (offsets !== undefined) addOffsets(offsets, words.length, tokenizer.start, tokenizer.nextOffset)
      continue
    }
    if (token.firstCode !== undefined) {
      codesByPosition ??= new Map()
      codesByPosition.set(first, token.firstCode)
    }
    if (token.lastCode !== undefined) {
      codesByPosition ??= new Map()
      codesByPosition.set(first + token.words.length - token.lastCode.words.length, token.lastCode)
    }
    for (const word of token.words) words.push(word)
    if (token.joinedForms.length > 0 || token.synonyms.length > 0) {
      added.add(token, { first, last: words.length - 1 })
    }
    if (offsets !== undefined) addOffsets(offsets, words.length, tokenizer.start, tokenizer.spellingEnd)
  }
  spacedLetters.addWord()
  // The letters of codes are marked first, because the next two steps tell them from stop words.
  if (codesByPosition !== undefined) markCodeLetters(words, codesByPosition, added)
  const analysed = { words, codesByPosition: codesByPosition ?? noCodes, added }
  addSynonyms(analysed)
  addSpacedCodes(analysed)
  return analysed
}

/** Gives these offsets to the words of a text that have none yet. `wordCount` is the number of words so far. */
function addOffsets({ starts, ends }: WordOffsets, wordCount: number, start: number, end: number): void {
  while (starts.length < wordCount) {
    starts.push(start)
    ends.push(end)
  }
}

/** Shared by the texts without codes, which are most, to avoid an allocation for each. */
const noCodes: CodesByPosition = new Map()

/** Matches if a number follows at `lastIndex`: the `No.` of `No. 5` is "number"; the `no` of `no. Cinco` is a word. */
const numberFollows = /\s{0,2}\d/y

/**
 * Joins a word that continues in the next token. If the break is certain (`urbani-` at the end of a line, `zable`), the
 * whole word replaces both tokens: it is appended to `words`, the tokenizer moves behind it, and the result is true.
 * Otherwise the whole word is at most added as a joined form, and the caller handles the token as usual.
 */
export function joinBrokenWord(tokenizer: Tokenizer, token: AnalysedToken, words: LexiconWord[], added: AddedWordsWithSpans): boolean {
  const wordBreak = findWordBreak(tokenizer)
  const head = token.words.at(-1)
  if (wordBreak === undefined || head === undefined || !/^\p{L}+$/u.test(head.form)) return false
  // A single letter before a hyphen is a code (`A-`); before an accent it is the start of a word (`a ́mbito`).
  if (wordBreak !== 'accent' && head.form.length < 2) return false
  const lookahead = new Tokenizer(tokenizer.text)
  lookahead.nextOffset = tokenizer.nextOffset
  if (!lookahead.advance()) return false
  const nextToken = analyseToken(lookahead)
  const [tail] = nextToken.words
  if (tail === undefined || tail.isStopWord) return false
  const wholeWord = wordOf(head.form + tail.form)
  // The words of `PP-urbani-` and `zable/rústico` keep their positions.
  const haveOtherWords = token.words.length > 1 || nextToken.words.length > 1
  if (wordBreak !== 'certain' || haveOtherWords) {
    const headPosition = words.length + token.words.length - 1
    added.add({ joinedForms: [wholeWord] }, { first: headPosition, last: headPosition + 1 })
    return false
  }
  const position = words.length
  words.push(wholeWord)
  // The hyphen may belong to a compound (`técnico-` and `económico`), so each half is found too.
  added.add({ joinedForms: [head, tail], synonyms: wholeWord.synonyms }, { first: position, last: position })
  tokenizer.nextOffset = lookahead.end
  return true
}
