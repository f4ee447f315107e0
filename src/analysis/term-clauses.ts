// Reads the unquoted tokens of a search term as clauses, by the rules below: the first rule that applies at a token
// decides. term-parser.ts calls it. Texts have the same rules in synonyms.ts and street-names.ts.
import { labelAcronyms } from './abbreviations.ts'
import type { LabelNumber } from './codes.ts'
import {
  codeLetters,
  dottedNo,
  expansionsByAcronym,
  type LexiconWord,
  numberedStem,
  numberWord,
  otherNumerals,
  otherSingulars,
} from './lexicon.ts'
import { isStreetKind, unnamedKindStem } from './street-names.ts'
import type { Clause } from './term.ts'
import type { DottedAbbreviation, SubtokenGroup } from './token.ts'

/** A group of subtokens of the term. */
export interface TermItem {
  readonly group: SubtokenGroup
  /** The word of a group of one word. */
  readonly word: LexiconWord | undefined
  /** The group is the whole token. */
  readonly isToken: boolean
  /** The token is `No.` or `N.` with its dot, which means "number" before a number. */
  readonly dotted: DottedAbbreviation | undefined
}

export interface ParsedClause {
  readonly clause: Clause
  /** Such a clause is dropped if it is not quoted and another clause has a word that is not a stop word. */
  readonly hasOnlyStopWords: boolean
  readonly isQuoted: boolean
}

/** What a rule has read: the clauses, and the index of the first item after them. */
interface Reading {
  readonly clauses: readonly ParsedClause[]
  readonly next: number
}

/** Returns undefined if the rule does not apply at the index. */
type Rule = (items: readonly TermItem[], index: number) => Reading | undefined

export function toClauses(items: readonly TermItem[]): ParsedClause[] {
  const clauses: ParsedClause[] = []
  for (let index = 0; index < items.length; ) {
    const reading = read(items, index)
    clauses.push(...reading.clauses)
    index = reading.next
  }
  return clauses
}

function read(items: readonly TermItem[], index: number): Reading {
  for (const rule of rules) {
    const reading = rule(items, index)
    if (reading !== undefined) return reading
  }
  return { clauses: [toGroupClause((items[index] as TermItem).group)], next: index + 1 }
}

/** `ED 16.202`, `UE nº 4`, `unidad de ejecución 4` and `A 6` are codes: the letters stand before the number. */
const readLabel: Rule = (items, index) => {
  for (const { letters, next } of readLabelLetters(items, index)) {
    const number = readLabelNumber(items, isNumberWord(items[next]) ? next + 1 : next)
    if (number === undefined) continue
    const stems = [codeLetters.get(letters)?.stem ?? letters, ...number.stems]
    return one({ kind: 'phrase', stems, joinedCode: letters + number.code }, number.next)
  }
  return undefined
}

/** The readings of the letters of a label, the longest first. */
function readLabelLetters(items: readonly TermItem[], index: number): { letters: string; next: number }[] {
  const { word, group, isToken } = items[index] as TermItem
  if (word === undefined || isNumberWord(items[index])) return []
  const readings: { letters: string; next: number }[] = []
  const isAcronym = expansionsByAcronym.has(word.form) && labelAcronyms.has(word.queryStem)
  if (isAcronym) readings.push({ letters: word.queryStem, next: index + 1 })
  const isLetter = isToken && group.isUpperCase && /^[a-z]$/.test(word.form)
  if (isLetter && !isDigits(items[index - 1])) readings.push({ letters: word.form, next: index + 1 })
  let node = word.phrases
  for (let next = index + 1; node !== undefined && next < items.length; next++) {
    const following = items[next]?.word
    const child = following === undefined ? undefined : node.children.get(following.queryStem)
    if (child === undefined && !following?.isStopWord) break
    if (child === undefined) continue
    node = child
    if (node.acronym !== undefined && labelAcronyms.has(node.acronym)) {
      readings.unshift({ letters: node.acronym, next: next + 1 })
    }
  }
  return readings
}

function readLabelNumber(
  items: readonly TermItem[],
  index: number,
): (LabelNumber & { readonly next: number }) | undefined {
  const number = items[index]?.group.labelNumber
  if (number === undefined) return undefined
  const second = items[index + 1]
  // `APR 06 02` is `APR 06.02`, but `PP 3 5` is not `PP 3.5`.
  const isInTwoParts = isDigitsOf(items[index], 2) && (isDigitsOf(second, 2) || isDigitsOf(second, 3))
  const stem = second?.word?.stem
  if (!isInTwoParts || stem === undefined) return { ...number, next: index + 1 }
  return { stems: [...number.stems, stem], code: `${number.code}.${stem}`, next: index + 2 }
}

/**
 * The word "number" before a number is not required: `serrano nº 69` finds `Serrano, 69`. After `modificación` and the
 * like, and at the start of the term, it tells the number of the plan from others: `modificación nº 5` does not find
 * `Modificación del sector 5`. At the end of the term it is like a stop word.
 */
const readNumberWord: Rule = (items, index) => {
  if (!isNumberWord(items[index])) return undefined
  const numeral = items[index + 1]
  const before = items[index - 1]
  const { dotted } = items[index] as TermItem
  if (numeral === undefined && dotted === undefined) {
    const clause: Clause = { kind: 'word', stem: numberWord.stem }
    return { clauses: [{ clause, hasOnlyStopWords: true, isQuoted: false }], next: index + 1 }
  }
  const isPlanNumber = before === undefined || before.word?.impliesNumber === true
  if (!isPlanNumber && /^\d/.test(numeral?.group.words[0]?.form ?? '')) return { clauses: [], next: index + 1 }
  const digits = toDigits(numeral?.word)
  if (digits !== undefined) return one({ kind: 'word', stem: numberedStem(numberWord, digits) }, index + 2)
  // The word `no` at the end of a sentence, or the abbreviation.
  return dotted?.plain.form === dottedNo.form ? one({ kind: 'word', stem: dottedNo.queryStem }, index + 1) : undefined
}

/** `sector III` is the sector with that number, not a sector of `Carlos III`. */
const readRomanNumeral: Rule = (items, index) => {
  const word = items[index]?.word
  if (word === undefined || !word.mayHaveNumeral || word.impliesNumber) return undefined
  const next = isNumberWord(items[index + 1]) ? index + 2 : index + 1
  const numeral = items[next]?.word
  if (numeral === undefined || numeral.form.length < 2 || /^\d/.test(numeral.form)) return undefined
  const digits = toDigits(numeral)
  return digits === undefined ? undefined : one({ kind: 'word', stem: numberedStem(word, digits) }, next + 1)
}

/** `calle infantas` also finds `Infantas, 5`, whose kind of street is missing, but not `Plaza Infantas`. */
const readStreet: Rule = (items, index) => {
  const word = items[index]?.word
  if (word === undefined || !isStreetKind(word)) return undefined
  let next = index + 1
  while (items[next]?.word?.isStopWord) next++
  const name = items[next]?.group.words.find(({ isStopWord }) => !isStopWord)
  if (name === undefined || !/^[a-z]/.test(name.form)) return undefined
  return one({ kind: 'word', stem: word.queryStem, orStems: [unnamedKindStem(name.stem)] }, index + 1)
}

/** `o donnell` is `O'Donnell`, and `Odonnell`. */
const readParticle: Rule = (items, index) => {
  const name = items[index + 1]?.word
  if (items[index]?.word?.form !== 'o' || name === undefined || name.isStopWord) return undefined
  if (!/^[a-z]/.test(name.form)) return undefined
  return one({ kind: 'word', stem: name.queryStem, orStems: [`o${name.form}`] }, index + 2)
}

/** In upper case before a number, any word is the start of a code, even a stop word: `DE 2`. */
const readCodeStart: Rule = (items, index) => {
  const { word, group, isToken } = items[index] as TermItem
  if (word === undefined || !isToken || !group.isUpperCase || !isDigits(items[index + 1])) return undefined
  return one({ kind: 'word', stem: word.queryStem }, index + 1)
}

const rules: readonly Rule[] = [readLabel, readNumberWord, readRomanNumeral, readStreet, readParticle, readCodeStart]

/** The word "number", or an abbreviation of it. An `n` is one only between a word and a number: `serrano n 69`. */
function isNumberWord(item: TermItem | undefined): boolean {
  return item !== undefined && (item.dotted !== undefined || item.word?.queryStem === numberWord.stem)
}

function isDigits(item: TermItem | undefined): boolean {
  return /^\d+$/.test(item?.word?.form ?? '')
}

function isDigitsOf(item: TermItem | undefined, length: number): boolean {
  return isDigits(item) && item?.word?.form.length === length
}

/** The number that a word is, in Arabic digits. */
function toDigits(word: LexiconWord | undefined): string | undefined {
  if (word === undefined) return undefined
  return /^\d+$/.test(word.form) ? word.stem : otherNumerals.get(word.form)?.form
}

function one(clause: Clause, next: number): Reading {
  return { clauses: [{ clause, hasOnlyStopWords: false, isQuoted: false }], next }
}

/** The clause of a group without regard to the others. */
export function toGroupClause(group: SubtokenGroup): ParsedClause {
  const [first] = group.words
  if (first !== undefined && group.words.length === 1) {
    const orStems = otherStems(group, first)
    const clause: Clause = { kind: 'word', stem: first.queryStem, ...(orStems === undefined ? {} : { orStems }) }
    return { clause, hasOnlyStopWords: first.isStopWord || group.isOptional, isQuoted: false }
  }
  const stems = group.words.map((word) => word.stem)
  const alternative = group.joinedCode === undefined ? {} : { joinedCode: group.joinedCode.stem }
  return { clause: { kind: 'phrase', stems, ...alternative }, hasOnlyStopWords: false, isQuoted: false }
}

/** `cruces` is also the plural of `cruce`; `16.202` is a number and the number of a label. */
function otherStems({ labelNumber }: SubtokenGroup, word: LexiconWord): readonly string[] | undefined {
  if (labelNumber !== undefined && labelNumber.stems.length > 1) return [labelNumber.code]
  return otherSingulars.get(word.form)?.map(({ stem }) => stem)
}
