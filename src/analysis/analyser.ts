// Analyser of Spanish planning texts. It splits a text into tokens, which are the pieces between white space and plain
// punctuation, and makes words of each token. The text `UE nº 3` becomes the words `ue`, `nº` and `3`. Indexed with
// them are the joined form `ue3` (another spelling of what is written) and synonyms (other words: `unidad`,
// `ejecucion`). The import calls `analyseTitle` and `analyseText`. A request calls `analyseTerm` for its search term,
// and `analyseTextWithOffsets` to mark in a passage what a prefix such as `orden*` matches. All use the same tokens, so
// terms and texts match. More examples: docs/search.md.
import { AddedWordsWithSpans, type Span, type Spans } from './added-words.ts'
import { type BrokenWord, findBrokenWord, mayBeBroken } from './broken-words.ts'
import { codeLetters } from './code-letters.ts'
import { type ContextualAbbreviation, isInContext } from './contextual-abbreviations.ts'
import { type LexiconWord, wordOf } from './lexicon.ts'
import { toNeighbourEntries } from './neighbours.ts'
import { hasHouseNumber, noHouseNumber } from './no-number-mark.ts'
import { type LocatedAbbreviation, markNumberAbbreviations } from './number-abbreviations.ts'
import { addNumberRanges } from './number-ranges.ts'
import { markCodeLetters } from './spaced-codes.ts'
import { SpacedLetters } from './spaced-letters.ts'
import { findNamesWithoutKind, missingKindStem } from './street-names.ts'
import type { SubtokenGroup } from './subtoken-groups.ts'
import { addSynonyms } from './synonyms.ts'
import type { Term } from './term.ts'
import { parseTerm } from './term-parser.ts'
import type { CodesByPosition, TextAnalysis } from './text-analysis.ts'
import { type AnalysedToken, analyseToken, findDottedAbbreviation, type NumberAbbreviation } from './token.ts'
import { isAfterPunctuation, Tokenizer } from './tokenizer.ts'
import type { Word } from './word.ts'
import { isOfClass } from './word-classes.ts'

export type { Word } from './word.ts'

/** The words of a text and what is indexed with them. The joined forms and synonyms may contain duplicates. */
export interface AnalysedText {
  /** In text order; the index of a word is its position, which phrases use. */
  readonly words: readonly Word[]
  /**
   * Other spellings of what is written, in contrast to synonyms. Phrases do not match them.
   *
   * text            | joined forms
   * `UE-1`          | `ue1`: several parts as one word
   * `M E M O R I A` | `memoria`: several parts as one word
   * `SUNCR3`        | `sunc`, `r` and `r3`: the parts of one word
   * `A-6`           | `a`, because the word of the A has another stem, `A`
   */
  readonly joinedForms: readonly Word[]
  /** Other words: `pgou` for `Plan General de Ordenación Urbana`. Phrases and prefixes (`pgo*`) do not match them. */
  readonly synonyms: readonly Word[]
  /** The words of the text that each joined form stands for, in the order of `joinedForms`. */
  readonly joinedFormSpans: Spans
  /** The words of the text that each synonym stands for, in the order of `synonyms`. */
  readonly synonymSpans: Spans
}

/** UTF-16 offsets of each word of a text. The words of one token, such as `UE-1`, have the offsets of the token. */
export interface WordOffsets {
  readonly starts: number[]
  readonly ends: number[]
}

export interface AnalysedTitle extends AnalysedText {
  /**
   * Keys for the order of results: an entry for each two words that are side by side (`plan parcial`), and one for each
   * word that may be a street name without its kind (neighbours.ts). Without duplicates.
   */
  readonly neighbours: readonly string[]
}

/**
 * Like `analyseText`, and adds what only titles have:
 * - a synonym for each word that may be a street name without its kind: `Infantas, 5` may be `calle Infantas, 5`;
 * - a synonym for each range of house numbers with a word between them: `23-25` for `Goya, 23 y 25`;
 * - if the title has no house number, a synonym which says so: `Avda. de Daroca` may be `Avda. de Daroca, s/n`;
 * - the neighbours.
 */
export function analyseTitle(title: string): AnalysedTitle {
  const analysis = analyseWords(title)
  const { words, codesByPosition, added } = analysis
  if (!hasHouseNumber(words, toPositionsInCodes(codesByPosition))) added.add({ synonyms: [noHouseNumber] }, anySpan)
  return toAnalysedTitle(analysis)
}

/** Like `analyseTitle`, but an area without a house number says nothing: the address may be in the title. */
export function analyseArea(area: string): AnalysedTitle {
  return toAnalysedTitle(analyseWords(area))
}

function toAnalysedTitle(analysis: TextAnalysis): AnalysedTitle {
  const { words, codesByPosition, added } = analysis
  addMissingKinds(analysis, toPositionsInCodes(codesByPosition))
  addNumberRanges(words, added)
  return { ...toAnalysedText(analysis), neighbours: toNeighbourEntries(words, added) }
}

/** The span of a synonym that stands for no word of the title. A span is required, so it is that of the first word. */
const anySpan: Span = { first: 0, last: 0 }

/**
 * Adds a synonym for each street name that may lack its kind, such as the Sol of `Plaza Mayor y Sol, 5`. The stem of
 * the synonym is a space and the name (`missingKindStem`). The term `calle sol` searches for it as well as for `calle`.
 */
function addMissingKinds({ words, codesByPosition, added }: TextAnalysis, codePositions: ReadonlySet<number>): void {
  for (const position of findNamesWithoutKind(words, codePositions)) {
    // The query stem, because a term has the query stem of the name.
    const nameStems = [(words[position] as LexiconWord).queryStem]
    // `O'Donnell` has two words, `o` and, at `position`, `donnell`. Its subtokens are joined like those of a code, so
    // `codesByPosition` has `odonnell` at the `o`. A term may have the name in this form: `calle odonnell`.
    const joinedName = codesByPosition.get(position - 1)?.joinedCode
    if (joinedName !== undefined) nameStems.push(joinedName.stem)
    const synonyms = nameStems.map((stem) => wordOf(missingKindStem(stem)))
    added.add({ synonyms }, { first: position, last: position })
  }
}

/**
 * The positions of the words of codes that are letters and then a number: 0 and 1 for `UE-1`. The 1 of such a code is
 * no house number.
 */
function toPositionsInCodes(codesByPosition: CodesByPosition): ReadonlySet<number> {
  const positions = new Set<number>()
  for (const [start, { words, joinedCode }] of codesByPosition) {
    const hasLettersAndNumber = joinedCode !== undefined && /^[a-z].*\d/.test(joinedCode.stem)
    if (!hasLettersAndNumber) continue
    for (let offset = 0; offset < words.length; offset++) positions.add(start + offset)
  }
  return positions
}

/** The words of a text, its joined forms and its synonyms: `ue` and `1`, `ue1`, and `unidad` and others for `UE-1`. */
export function analyseText(text: string): AnalysedText {
  return toAnalysedText(analyseWords(text))
}

/** Like `analyseText`, with the offsets of the words. */
export function analyseTextWithOffsets(text: string): AnalysedText & { readonly offsets: WordOffsets } {
  const offsets = { starts: [], ends: [] }
  const analysis = analyseWords(text, offsets)
  return { ...toAnalysedText(analysis), offsets }
}

/**
 * The clauses of a search term, which are the conditions that a record must meet: the phrase `ue 1` or the word `ue1`
 * for the term `UE-1`. A term without words has no clauses.
 */
export function analyseTerm(term: string): Term {
  return parseTerm(term)
}

function toAnalysedText({ words, added }: TextAnalysis): AnalysedText {
  const { joinedForms, synonyms, joinedFormSpans, synonymSpans } = added
  return { words, joinedForms, synonyms, joinedFormSpans, synonymSpans }
}

/** Runs all steps of the analysis on a text. `offsets`, if given, receives the offsets of the words. */
function analyseWords(text: string, offsets?: WordOffsets): TextAnalysis {
  const tokenizer = new Tokenizer(text)
  const growing: GrowingAnalysis = {
    words: [],
    added: new AddedWordsWithSpans(),
    codesByPosition: undefined,
    numberAbbreviations: undefined,
    separatedPositions: undefined,
  }
  const { words, added } = growing
  const spacedLetters = new SpacedLetters(added)
  while (tokenizer.advance()) {
    spacedLetters.addToken(tokenizer, words.length)
    const end = addToken(tokenizer, growing)
    if (offsets !== undefined) addOffsets(offsets, words.length, tokenizer.start, end)
  }
  spacedLetters.flush()
  const { codesByPosition = noCodes, numberAbbreviations, separatedPositions = noPositions } = growing
  if (numberAbbreviations !== undefined) markNumberAbbreviations(words, numberAbbreviations)
  // The letters of codes are marked first, because the next two steps do not treat the A of `A 6` as the stop word `a`.
  const analysis = { words, codesByPosition, separatedPositions, added }
  markCodeLetters(analysis)
  addSynonyms(analysis)
  return analysis
}

/** Shared by the texts without codes, which are most, to avoid an allocation for each. */
const noCodes: CodesByPosition = new Map()
const noPositions: ReadonlySet<number> = new Set()

/** The analysis of the tokens read so far, before the steps that depend on several words. */
interface GrowingAnalysis {
  readonly words: LexiconWord[]
  readonly added: AddedWordsWithSpans
  /** Undefined until the first code. A group is the parts of a token that belong together (`CodesByPosition`). */
  codesByPosition: Map<number, SubtokenGroup> | undefined
  /** Each `No.`, `N.` and `N` so far, which may abbreviate "number". Undefined until the first one. */
  numberAbbreviations: LocatedAbbreviation[] | undefined
  /** See `TextAnalysis`. Undefined until the first one. */
  separatedPositions: Set<number> | undefined
}

/**
 * Adds the words of the current token to `analysis`: `ue` and `1` for `UE-1`. Returns the UTF-16 offset where the added
 * words end in the text.
 */
function addToken(tokenizer: Tokenizer, analysis: GrowingAnalysis): number {
  const token = analyseToken(tokenizer)
  const brokenWord = mayBeBroken(tokenizer) ? findBrokenWord(tokenizer, token) : undefined
  if (token.plainWord !== undefined && brokenWord === undefined) {
    analysis.words.push(token.plainWord)
    return tokenizer.spellingEnd
  }
  const { contextualAbbreviation } = token
  const dottedAbbreviation = findDottedAbbreviation(tokenizer, token)
  rememberNumberAbbreviation(token, dottedAbbreviation !== undefined, analysis)
  if (dottedAbbreviation !== undefined) {
    addDottedAbbreviation(dottedAbbreviation, analysis)
    return tokenizer.end // before the dot of `No.`
  }
  if (brokenWord?.replacesTokens) {
    // This token and the next are certainly the halves of one word: `urbani-` and, on the next line, `zable`.
    addWholeWord(brokenWord, analysis)
    tokenizer.nextOffset = brokenWord.end
    return brokenWord.end
  }
  // Broken words are tried first: if a soft hyphen at the end of a line breaks `captación`, the `cap` before it is no
  // abbreviation.
  if (contextualAbbreviation !== undefined && isInContext(contextualAbbreviation, tokenizer)) {
    addContextualAbbreviation(contextualAbbreviation, analysis)
    return tokenizer.end
  }
  if (brokenWord !== undefined) addPossibleWholeWord(brokenWord, token, analysis)
  rememberSeparatedWords(tokenizer, token, analysis)
  addPlainToken(isNumberWordNum(tokenizer, token) ? withoutAcronym(token) : token, analysis)
  return tokenizer.spellingEnd // after the slash of `C/`
}

/** Whether the current token is the `NÚM` of `NÚM. 5`, which means "number". */
function isNumberWordNum({ text, end, nextOffset }: Tokenizer, { words }: AnalysedToken): boolean {
  if (words[0]?.form !== 'num' || text.charAt(end) !== '.') return false
  numberFollows.lastIndex = nextOffset
  return numberFollows.test(text)
}

/** A `NÚM` with the synonyms of "number" alone, without those of its acronym (normas urbanísticas municipales). */
function withoutAcronym(token: AnalysedToken): AnalysedToken {
  return { ...token, synonyms: token.words[0]?.synonyms ?? [] }
}

/** Matches if a number follows at `lastIndex`. */
const numberFollows = /\s{0,2}\d/y

/**
 * Remembers the current token, `No` or `N`, for `markNumberAbbreviations`, which decides whether it means "number". The
 * caller adds its word afterwards, at the position `words.length`. Without a dot, `no` always means "not", so it is not
 * remembered.
 */
function rememberNumberAbbreviation(
  { numberAbbreviation: abbreviation }: AnalysedToken,
  isDotted: boolean,
  analysis: GrowingAnalysis,
): void {
  if (abbreviation === undefined || (!isDotted && abbreviation.plain.form === 'no')) return
  analysis.numberAbbreviations ??= []
  analysis.numberAbbreviations.push({ abbreviation, isDotted, position: analysis.words.length })
}

/**
 * Remembers the positions of the words after punctuation for which it matters (`TextAnalysis.separatedPositions`). In
 * `2ª,modificación` the token itself has the comma: only punctuation separates its groups. The caller adds the words of
 * the token afterwards.
 */
function rememberSeparatedWords(tokenizer: Tokenizer, { groups }: AnalysedToken, analysis: GrowingAnalysis): void {
  let position = analysis.words.length
  for (let index = 0; index < groups.length; index++) {
    const { words, isUpperCase } = groups[index] as SubtokenGroup
    const [word] = words
    const isCodeLetter = isUpperCase && codeLetters.has(word?.form ?? '')
    const matters = isCodeLetter || (word !== undefined && isOfClass(word.wordClass, 'SEPARABLE'))
    if (matters && (index > 0 || isAfterPunctuation(tokenizer))) {
      analysis.separatedPositions ??= new Set()
      analysis.separatedPositions.add(position)
    }
    position += words.length
  }
}

/** Adds `No.` or `N.` as the word `no` or the letter N. If it means "number", `markNumberAbbreviations` replaces it. */
function addDottedAbbreviation({ plain }: NumberAbbreviation, { words }: GrowingAnalysis): void {
  words.push(plain)
}

/** Adds the `Cap.` of `Cap. Haya` with the synonym `capitan`, so that `capitán haya` finds it. */
function addContextualAbbreviation(
  { word, fullWord }: ContextualAbbreviation,
  { words, added }: GrowingAnalysis,
): void {
  const position = words.length
  words.push(word)
  added.add({ synonyms: [fullWord] }, { first: position, last: position })
}

/**
 * Adds a broken word as one word. Its halves become joined forms, so that they are found too: the hyphen at the end of
 * the line may be that of a compound such as `técnico-económico`.
 */
function addWholeWord({ head, tail, wholeWord }: BrokenWord, { words, added }: GrowingAnalysis): void {
  const position = words.length
  words.push(wholeWord)
  added.add({ joinedForms: [head, tail], synonyms: wholeWord.synonyms }, { first: position, last: position })
}

/**
 * Adds a word that is not certainly broken (`urbani- zable` on one line, or a token with other words too). Both tokens
 * keep their words. The whole word is a joined form of the last word of this token and the first word of the next. The
 * caller adds the words of this token afterwards.
 */
function addPossibleWholeWord(
  { wholeWord }: BrokenWord,
  token: AnalysedToken,
  { words, added }: GrowingAnalysis,
): void {
  const headPosition = words.length + token.words.length - 1
  added.add({ joinedForms: [wholeWord] }, { first: headPosition, last: headPosition + 1 })
}

/**
 * Adds the words of a token as they are, with its joined forms and synonyms: `ue`, `1` and `ue1` for `UE-1`. Also adds
 * its first and its last code to `codesByPosition`, because these may continue in another token: `SUNC-R 3`.
 */
function addPlainToken(token: AnalysedToken, analysis: GrowingAnalysis): void {
  const { words, added } = analysis
  const { firstCode, lastCode, joinedForms, synonyms } = token
  const first = words.length
  for (const word of token.words) words.push(word)
  if (firstCode !== undefined) addCode(first, firstCode, analysis)
  if (lastCode !== undefined) addCode(words.length - lastCode.words.length, lastCode, analysis)
  // Not `add`, which ignores long spans: the span of a token may have any length.
  if (joinedForms.length > 0 || synonyms.length > 0) added.addOfToken(token, { first, last: words.length - 1 })
}

function addCode(position: number, code: SubtokenGroup, analysis: GrowingAnalysis): void {
  analysis.codesByPosition ??= new Map()
  analysis.codesByPosition.set(position, code)
}

/**
 * Gives the offsets of a token to its words, which have none yet. `wordCount` is the number of words of the text so
 * far.
 */
function addOffsets({ starts, ends }: WordOffsets, wordCount: number, start: number, end: number): void {
  while (starts.length < wordCount) {
    starts.push(start)
    ends.push(end)
  }
}
