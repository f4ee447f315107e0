// Reads the unquoted tokens of a search term as clauses, by the `rules` below: the first rule that applies at a token
// decides. term-parser.ts calls it. The synonyms that these clauses search for are added to texts by synonyms.ts and
// street-names.ts.
import { labelAcronyms } from './abbreviations.ts'
import type { LabelNumber } from './codes.ts'
import {
  codeLetters,
  dottedNumberSign,
  expansionsByAcronym,
  type LexiconWord,
  numberWord,
  numeralCounterparts,
  otherSingulars,
  toNumberedStem,
  wordOf,
} from './lexicon.ts'
import type { Neighbour } from './neighbours.ts'
import { isStreetKind, missingKindStem } from './street-names.ts'
import type { Clause } from './term.ts'
import type { DottedAbbreviation, SubtokenGroup } from './token.ts'

/** A word or a code of the term. */
export interface TermItem {
  /** The subtokens of the word or code. */
  readonly group: SubtokenGroup
  /** The word of a group of one word; undefined for a code of several. */
  readonly word: LexiconWord | undefined
  /** The token has no other group: `UE-1` is one group, `Alicante/Alacant` is two. */
  readonly isWholeToken: boolean
  /** The term starts with it: no quote and no prefix is before it. */
  readonly isFirst: boolean
  /** Only white space separates it from a number after it: the `06` of `APR 06 02`, but not that of `06, 02`. */
  readonly isBeforeNumber: boolean
  /** Set if the token is `No.` or `N.` with its dot, which means "number" before a number. */
  readonly dottedAbbreviation: DottedAbbreviation | undefined
}

export interface ParsedClause {
  readonly clause: Clause
  /** Such a clause is dropped if it is not quoted and another clause has a word that is not a stop word. */
  readonly hasOnlyStopWords: boolean
  readonly isQuoted: boolean
  /**
   * What must be beside the clauses before and after in a title (neighbours.ts):
   * - `undefined`, such as for a prefix: any word may be beside them.
   * - `skipped`: the clauses before and after are beside each other, as if this one were not there.
   */
  readonly neighbour: Neighbour | undefined | 'skipped'
}

/** The clauses that a rule has read, and the index of the first item after what it has read. */
interface Reading {
  /** Empty if the rule drops the item. */
  readonly clauses: readonly ParsedClause[]
  readonly next: number
}

/** Reads the items from the index on. Returns undefined if the rule does not apply there. */
type Rule = (items: readonly TermItem[], index: number) => Reading | undefined

/** The clauses of consecutive words and codes of a term. */
export function toClauses(items: readonly TermItem[]): ParsedClause[] {
  const only = items.length === 1 ? items[0] : undefined
  // A word alone, the most frequent term, has no words beside it that a rule could look at.
  if (only !== undefined && only.dottedAbbreviation === undefined) return [toGroupClause(only.group)]
  const clauses: ParsedClause[] = []
  for (let index = 0; index < items.length; ) {
    const reading = readNext(items, index)
    clauses.push(...reading.clauses)
    index = reading.next
  }
  return clauses
}

/** Reads the items from the index on by the first rule that applies or, if none does, one item by itself. */
function readNext(items: readonly TermItem[], index: number): Reading {
  const item = items[index] as TermItem
  if (!isPlainWord(item)) {
    for (const rule of rules) {
      const reading = rule(items, index)
      if (reading !== undefined) return reading
    }
  }
  return { clauses: [toGroupClause(item.group)], next: index + 1 }
}

/** True if no rule applies to the word, which is so for most words. */
function isPlainWord({ word, group, dottedAbbreviation }: TermItem): boolean {
  if (word === undefined || dottedAbbreviation !== undefined) return false
  if (group.isUpperCase || word.form.length === 1) return false
  return word.phrases === undefined && !word.mayHaveNumeral && !isStreetKind(word)
}

/** `ED 16.202`, `UE nº 4` and `unidad de ejecución 4` are codes: the letters stand before the number. */
const readLabel: Rule = (items, index) => {
  for (const { letters, next, isAsWritten } of readLabelLetters(items, index)) {
    const hasNumberWord = isNumberWord(items, next)
    const mayHaveTwoParts = isAsWritten && !hasNumberWord
    const number = readLabelNumber(items, hasNumberWord ? next + 1 : next, mayHaveTwoParts)
    if (number === undefined) continue
    const stems = [letters, ...number.stems]
    const neighbour = { first: letters, last: number.stems.at(-1) ?? letters }
    return toReading({ kind: 'phrase', stems, joinedCode: letters + number.code }, number.next, neighbour)
  }
  return undefined
}

/** The letters of a label (`ue` of `UE 4` and of `unidad de ejecución 4`), and the index of the item after them. */
interface LabelLetters {
  readonly letters: string
  readonly next: number
  /** The term has these letters: `UE`, but not its full form or its plural `UUEE`. */
  readonly isAsWritten: boolean
}

/** The possible letters of a label at the index, those read from the most items first. Empty if there are none. */
function readLabelLetters(items: readonly TermItem[], index: number): LabelLetters[] {
  const { word } = items[index] as TermItem
  if (word === undefined || isNumberWord(items, index)) return []
  const labels = readAcronymPhrases(items, index).filter(({ letters }) => labelAcronyms.has(letters))
  // The query stem of a variant (`uuee`) is the acronym itself (`ue`).
  const isAcronym = expansionsByAcronym.has(word.form) && labelAcronyms.has(word.queryStem)
  if (isAcronym) {
    labels.push({ letters: word.queryStem, next: index + 1, isAsWritten: word.form === word.queryStem })
  }
  return labels
}

/** `A 6` is a code too: a single letter in upper case stands before the number. */
const readLetterBeforeNumber: Rule = (items, index) => {
  const { word, group, isWholeToken } = items[index] as TermItem
  // The A of `A 6` is a letter; that of `1 A 6` is a preposition, and `C/` is the word `calle`.
  if (word === undefined || !isWholeToken || !group.isUpperCase || !/^[a-z]$/.test(word.form)) return undefined
  if (isStreetKind(word) || isNumberWord(items, index) || isAfterNumber(items, index)) return undefined
  if (word.isStopWord && !isCertainlyLetter(items, index)) return undefined
  const after = items[index + 1]
  const number = readLabelNumber(items, index + 1, true)
  if (after === undefined || number === undefined || !startsWithDigit(after.group)) return undefined
  // A text has `B 1.250 m²` as two words, but `B-1.250` as a code whose number has two parts.
  const wholeNumber = number.next === index + 2 ? after.word : undefined
  const numberStems = wholeNumber === undefined ? number.stems : [wholeNumber.stem]
  // A one-letter stop word has another stem as the letter of a code: that of `A 6` is `A`.
  const stems = [codeLetters.get(word.form)?.stem ?? word.form, ...numberStems]
  const neighbour = { first: word.form, last: numberStems.at(-1) ?? word.form }
  return toReading({ kind: 'phrase', stems, joinedCode: word.form + number.code }, number.next, neighbour)
}

/** Whether a number is just before the index, as a word (`1 A 6`) or at the end of a code: `UE-1 Y 2`, `3.1 A 3.8`. */
function isAfterNumber(items: readonly TermItem[], index: number): boolean {
  return /^\d/.test(items[index - 1]?.group.words.at(-1)?.form ?? '')
}

/**
 * Whether the stop word in upper case at the index is the letter of a code for certain. If all words are in capitals,
 * it is certain only at the start of the term and after a label: `SECTOR A 6` has a code, but `SECTORES NORTE Y 2` has
 * a stop word. After a quote or a prefix it is not certain either.
 */
function isCertainlyLetter(items: readonly TermItem[], index: number): boolean {
  const before = items[index - 1]
  if (before === undefined) return items[index]?.isFirst === true
  if (labelAcronyms.has(before.word?.queryStem ?? '')) return true
  return !items.every(({ group }) => group.isUpperCase)
}

/** The acronyms of the phrases that start at the index, the longest phrase first. Stop words inside are skipped. */
function readAcronymPhrases(items: readonly TermItem[], index: number): LabelLetters[] {
  const labels: LabelLetters[] = []
  let node = items[index]?.word?.phrases
  for (let next = index + 1; node !== undefined && next < items.length; next++) {
    const following = items[next]?.word
    const child = following === undefined ? undefined : node.children.get(following.queryStem)
    if (child !== undefined) {
      node = child
      if (node.acronym !== undefined) labels.unshift({ letters: node.acronym, next: next + 1, isAsWritten: false })
    } else if (!following?.isStopWord) break
  }
  return labels
}

/**
 * The number of a label at the index, and the index of the item after it. Undefined if no number is there.
 * `mayHaveTwoParts` says that the letters of the label are just before it: a text has `APR 06 02` as these three words,
 * but its full form and `APR nº 06` have other words there.
 */
function readLabelNumber(
  items: readonly TermItem[],
  index: number,
  mayHaveTwoParts: boolean,
): (LabelNumber & { readonly next: number }) | undefined {
  const number = items[index]?.group.labelNumber
  if (number === undefined) return undefined
  const second = items[index + 1]
  // `APR 06 02` is `APR 06.02`, but `PP 3 5` is not `PP 3.5`, nor is `UE 12, 24 viviendas` the unit 12.24.
  const hasTwoDigits = isDigitsOfLength(items[index], 2) && items[index]?.isBeforeNumber === true
  const isInTwoParts = hasTwoDigits && (isDigitsOfLength(second, 2) || isDigitsOfLength(second, 3))
  const secondStem = second?.word?.stem
  if (!mayHaveTwoParts || !isInTwoParts || secondStem === undefined) return { ...number, next: index + 1 }
  return { stems: [...number.stems, secondStem], code: `${number.code}.${secondStem}`, next: index + 2 }
}

/**
 * Reads the word "number" or an abbreviation of it:
 * - At the end of the term it is like a stop word, except `no.` and `n.`
 * - Before digits it is dropped: `serrano nº 69` finds `Serrano, 69`.
 * - After `modificación` and the like, at the start of the term, and before a Roman numeral, it is one clause with its
 *   number. It tells the number of the plan from others: `modificación nº 5` does not find `Modificación del sector 5`.
 * - Before another word, or at the end, `no.` may also be the word `no`: the clause finds every `no.` with its dot.
 */
const readNumberWord: Rule = (items, index) => {
  if (!isNumberWord(items, index)) return undefined
  const before = items[index - 1]
  const after = items[index + 1]
  const { dottedAbbreviation } = items[index] as TermItem
  if (after === undefined && dottedAbbreviation === undefined) {
    const clause: Clause = { kind: 'word', stem: numberWord.stem }
    return { clauses: [{ clause, hasOnlyStopWords: true, isQuoted: false, neighbour: 'skipped' }], next: index + 1 }
  }
  const isPlanNumber = before === undefined || before.word?.impliesNumber === true
  const isBeforeDigits = after !== undefined && startsWithDigit(after.group)
  if (!isPlanNumber && isBeforeDigits) return { clauses: [], next: index + 1 }
  const digits = findDigits(after?.word)
  if (digits !== undefined) {
    return toReading({ kind: 'word', stem: toNumberedStem(numberWord, digits) }, index + 2, toNeighbour(digits))
  }
  return dottedAbbreviation?.plain.form === 'no'
    ? toReading({ kind: 'word', stem: dottedNumberSign.queryStem }, index + 1, undefined)
    : undefined
}

/** `sector III` is one clause, `sector 3`: the sector with that number, not a sector of `Carlos III`. */
const readRomanNumeral: Rule = (items, index) => {
  const word = items[index]?.word
  // Texts have no stem such as `sector 3` for a word that implies "number", such as `modificación`.
  if (word === undefined || !word.mayHaveNumeral || word.impliesNumber) return undefined
  const numeralIndex = isNumberWord(items, index + 1) ? index + 2 : index + 1
  const numeral = items[numeralIndex]?.word
  // A single letter is rarely a numeral. Digits need no rule: `sector 3` is two clauses.
  if (numeral === undefined || numeral.form.length < 2 || /^\d/.test(numeral.form)) return undefined
  const digits = findDigits(numeral)
  if (digits === undefined) return undefined
  const stem = toNumberedStem(word, digits)
  return toReading({ kind: 'word', stem }, numeralIndex + 1, toNeighbour(stem))
}

/** `calle infantas` also finds `Infantas, 5`, whose kind of street is missing, but not `Plaza Infantas`. */
const readStreet: Rule = (items, index) => {
  const word = items[index]?.word
  if (word === undefined || !isStreetKind(word)) return undefined
  let nameIndex = index + 1
  while (items[nameIndex]?.word?.isStopWord) nameIndex++
  const name = items[nameIndex]?.group.words.find(({ isStopWord }) => !isStopWord)
  if (name === undefined || !startsWithLetter(name)) return undefined
  const { queryStem: stem } = word
  const neighbour = { ...toNeighbour(stem), isStreetKind: true }
  return toReading({ kind: 'word', stem, orStems: [missingKindStem(name.queryStem)] }, index + 1, neighbour)
}

/** `o donnell` finds `O'Donnell` and `Odonnell`. The `o` is not required, because it is a stop word elsewhere. */
const readNameWithO: Rule = (items, index) => {
  const name = items[index + 1]?.word
  if (items[index]?.word?.form !== 'o' || name === undefined || name.isStopWord) return undefined
  if (!startsWithLetter(name)) return undefined
  const { queryStem: stem } = name
  // The index has `O'Higgins` as the code `ohiggins`, and `Ohiggins` by its stem, `ohiggin`.
  const joined = `o${name.form}`
  const orStems = [...new Set([joined, wordOf(joined).stem])]
  return toReading({ kind: 'word', stem, orStems }, index + 2, toNeighbour(stem))
}

/**
 * A stop word of one letter in upper case before a number is required, unless it is between two numbers: it may be the
 * letter of a code (`SECTOR A 6`) or a stop word that the title has too (`SECTORES NORTE Y 2`).
 */
const readCapitalLetter: Rule = (items, index) => {
  const { word, group, isWholeToken } = items[index] as TermItem
  const number = items[index + 1]?.group
  if (word === undefined || !isWholeToken || !group.isUpperCase || !codeLetters.has(word.form)) return undefined
  if (number === undefined || !startsWithDigit(number) || isAfterNumber(items, index)) return undefined
  const clause: Clause = { kind: 'word', stem: word.queryStem }
  const letterClause: ParsedClause = { clause, hasOnlyStopWords: false, isQuoted: false, neighbour: 'skipped' }
  const numberClause = toGroupClause(number)
  const { neighbour } = numberClause
  if (neighbour === undefined || neighbour === 'skipped') return undefined
  return {
    clauses: [letterClause, { ...numberClause, neighbour: { ...neighbour, orFirst: word.form } }],
    next: index + 2,
  }
}

const rules: readonly Rule[] = [
  readLabel,
  readLetterBeforeNumber,
  readNumberWord,
  readRomanNumeral,
  readStreet,
  readNameWithO,
  readCapitalLetter,
]

/** The word "number", or an abbreviation of it. An `n` is one only between a word and a number: `serrano n 69`. */
function isNumberWord(items: readonly TermItem[], index: number): boolean {
  const item = items[index]
  if (item === undefined) return false
  if (item.dottedAbbreviation !== undefined || item.word?.queryStem === numberWord.stem) return true
  const isAfterWord = /^[a-z]{2}/.test(items[index - 1]?.word?.form ?? '')
  return item.word?.form === 'n' && isAfterWord && isDigits(items[index + 1])
}

function startsWithLetter({ form }: LexiconWord): boolean {
  return /^[a-z]/.test(form)
}

/** Whether the first word is a number in ASCII digits. Only before such a number do texts have letters of codes. */
function startsWithDigit({ words }: SubtokenGroup): boolean {
  return /^\d/.test(words[0]?.form ?? '')
}

function isDigits(item: TermItem | undefined): boolean {
  return /^\d+$/.test(item?.word?.form ?? '')
}

function isDigitsOfLength(item: TermItem | undefined, length: number): boolean {
  return isDigits(item) && item?.word?.form.length === length
}

/** The digits of a number or of a Roman numeral: `3` for `03` and for `iii`. Undefined for any other word. */
function findDigits(word: LexiconWord | undefined): string | undefined {
  if (word === undefined) return undefined
  return /^\d+$/.test(word.form) ? word.stem : numeralCounterparts.get(word.form)?.form
}

/** A reading of one clause, which is neither quoted nor a stop word. */
function toReading(clause: Clause, next: number, neighbour: Neighbour | undefined): Reading {
  return { clauses: [{ clause, hasOnlyStopWords: false, isQuoted: false, neighbour }], next }
}

/** The neighbour of a clause of one stem. */
function toNeighbour(stem: string): Neighbour {
  return { first: stem, last: stem }
}

/** The first and the last stem of a phrase, without stop words. Undefined if all are stop words. */
export function findPhraseNeighbour(words: readonly LexiconWord[]): Neighbour | undefined {
  const stems = words.filter(({ isStopWord }) => !isStopWord).map(({ queryStem }) => queryStem)
  const [first] = stems
  const last = stems.at(-1)
  return first === undefined || last === undefined ? undefined : { first, last }
}

/** The clause of a group that no rule reads with its neighbours: a word, or the words of a code as a phrase. */
export function toGroupClause(group: SubtokenGroup): ParsedClause {
  const [first] = group.words
  if (first !== undefined && group.words.length === 1) {
    const orStems = otherStems(group, first)
    const clause: Clause = { kind: 'word', stem: first.queryStem, ...(orStems === undefined ? {} : { orStems }) }
    const hasOnlyStopWords = first.isStopWord || group.isOptional
    return { clause, hasOnlyStopWords, isQuoted: false, neighbour: toNeighbour(first.queryStem) }
  }
  const stems = group.words.map((word) => word.stem)
  const alternative = group.joinedCode === undefined ? {} : { joinedCode: group.joinedCode.stem }
  const clause: Clause = { kind: 'phrase', stems, ...alternative }
  return { clause, hasOnlyStopWords: false, isQuoted: false, neighbour: findPhraseNeighbour(group.words) }
}

/** The alternatives of a word: `cruces` is also the plural of `cruce`; 16,202 is also the label number `16.202`. */
function otherStems({ labelNumber }: SubtokenGroup, word: LexiconWord): readonly string[] | undefined {
  if (labelNumber !== undefined && labelNumber.stems.length > 1) return [labelNumber.code]
  return otherSingulars.get(word.form)?.map(({ stem }) => stem)
}
