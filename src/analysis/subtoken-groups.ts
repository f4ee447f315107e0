// The groups of a token. A subtoken is a run of letters or of digits, such as the `UE` and the `1` of the token `UE-1`.
// A group is the subtokens of a code, or of a single word: `UE-1` is one group, `Alicante/Alacant` is two. token.ts
// calls `toGroups` for each token. A term is read group by group (term-parser.ts).
import type { AddedWords } from './added-words.ts'
import {
  type AcronymParts,
  addAcronymParts,
  findLabelNumber,
  joinLabelNumber,
  joinLeadingLetters,
  joinSlashParts,
  joinSubtokens,
  type LabelNumber,
  splitAcronym,
} from './codes.ts'
import { cornerMark } from './corners.ts'
import type { LexiconWord } from './lexicon.ts'
import { asStopWord } from './lexicon-word.ts'
import { ordinalsByDigits } from './numerals.ts'
import { toWord } from './subtoken-words.ts'
import type { Subtoken } from './subtokens.ts'
import type { Word } from './word.ts'

/** Subtokens that belong together: the parts of a code, or a single word. */
export interface SubtokenGroup {
  readonly words: readonly LexiconWord[]
  /** The group as one word: `suncr3` for `SUNC-R-3`. Undefined for a word, a date and others (`joinSubtokens`). */
  readonly joinedCode: Word | undefined
  /**
   * The group as the number of a label. A label is a code of letters and a number that names a plan or an area, such as
   * `ED 16.202`. Set for every group that could be such a number, whatever precedes it: `4`, `4-A`, `16.202`. Undefined
   * for a year, a date or a fraction, and for a group that starts with letters (`findLabelNumber` in codes.ts).
   */
  readonly labelNumber: LabelNumber | undefined
  /** Two numbers with a hyphen or a slash between them, which may be a range: `23-25`, `23/25`. */
  readonly mayBeRange: boolean
  /** For a single word in upper case that is an acronym and other letters: both parts, `sunc` and `r` for `SUNCR`. */
  readonly acronymParts: AcronymParts | undefined
  /**
   * Whether all its letters are in upper case; digits count as such. Such a group may be the start of a code that
   * continues after a space: `SUNC-R 3`.
   */
  readonly isUpperCase: boolean
  /** An elided article or preposition (`l'Alcúdia`, `d'Oliva`), which a term does not require. */
  readonly isOptional: boolean
}

/**
 * The groups of the subtokens of a token, in order. Adds to `added` the joined forms of the token (other spellings,
 * such as `ue1` for `UE-1`) and its synonyms (words with the same meaning).
 */
export function toGroups(subtokens: readonly Subtoken[], added: AddedWords): SubtokenGroup[] {
  return groupSubtokens(subtokens).map((group, index, all) => createGroup(group, all[index + 1]?.[0], added))
}

/** Puts the subtokens of a code into one group (`UE-1`), and each of several words into its own group (`fin.Plan`). */
function groupSubtokens(subtokens: readonly Subtoken[]): (readonly Subtoken[])[] {
  if (subtokens.length === 1) return [subtokens]
  const groups: Subtoken[][] = []
  for (const [index, subtoken] of subtokens.entries()) {
    const previous = subtokens[index - 1]
    const group = groups.at(-1)
    if (previous === undefined || group === undefined || !belongTogether(previous, subtoken)) groups.push([subtoken])
    else group.push(subtoken)
  }
  return groups
}

/**
 * Whether two adjacent subtokens are in one group: true for the two of `UE-1`. They are not if the first is an
 * abbreviation with its sign: `nº5`, `C/Mayor`. Otherwise the delimiter between them decides.
 *
 * delimiter    | one group         | condition for one group                         | two groups
 * none, - or _ | `21b`, `UE-1`     | none                                            |
 * /            | `25/05`, `SUNC/R` | one is a number, or both have at most 4 letters | `Alicante/Alacant`
 * .            | `20.07`, `ED.16`  | both are numbers, or none has over 3 letters    | `fin.Plan`
 * ,            | `1,25`            | both are numbers                                | `Serrano,5`
 * '            | `O'Donnell`       | the first is no article or preposition          | `l'Alcúdia`
 */
function belongTogether(previous: Subtoken, subtoken: Subtoken): boolean {
  const isAbbreviation = previous.kind === 'numberAbbreviation' || previous.trailingSign === '/'
  if (isAbbreviation) return false
  // An ordinal and `nº` count as numbers.
  const firstIsNumber = previous.kind !== 'letters'
  const secondIsNumber = subtoken.kind !== 'letters'
  switch (subtoken.delimiterBefore) {
    case '':
    case '-':
    case '_':
      return true
    case '/':
      return firstIsNumber || secondIsNumber || haveLettersAtMost(slashedLettersMax, previous, subtoken)
    case '.':
      return (firstIsNumber && secondIsNumber) || haveLettersAtMost(dottedLettersMax, previous, subtoken)
    case ',':
      return firstIsNumber && secondIsNumber
    case "'":
      return !elidedWords.has(previous.form)
    default:
      // Two delimiters in a row separate like a space.
      return false
  }
}

/** Articles and prepositions before an apostrophe. Any other letter is part of a name (O'Donnell). */
const elidedWords: ReadonlySet<string> = new Set(['l', 'd'])

/**
 * A longer run of letters is a word, not part of a code: beside a dot in `fin.Plan`, beside a slash in
 * `Alicante/Alacant`. A dot allows fewer letters than a slash, because a dot may end a sentence without a space after
 * it.
 */
const slashedLettersMax = 4
const dottedLettersMax = 3

/** Whether no subtoken of letters is longer than `lettersMax`. */
function haveLettersAtMost(lettersMax: number, ...subtokens: readonly Subtoken[]): boolean {
  return subtokens.every(({ kind, form }) => kind !== 'letters' || form.length <= lettersMax)
}

/**
 * Creates the group of these subtokens, and adds its joined forms and synonyms to `added`. `afterGroup` is the first
 * subtoken of the next group.
 */
function createGroup(
  subtokens: readonly Subtoken[],
  afterGroup: Subtoken | undefined,
  added: AddedWords,
): SubtokenGroup {
  const [first] = subtokens
  if (first !== undefined && subtokens.length === 1) return createSingleGroup(first, afterGroup, added)
  return isCornerMark(subtokens) ? cornerGroup : createCodeGroup(subtokens, added)
}

function createSingleGroup(subtoken: Subtoken, afterGroup: Subtoken | undefined, added: AddedWords): SubtokenGroup {
  const nextInGroup = undefined
  const isOptional = afterGroup?.delimiterBefore === "'" && elidedWords.has(subtoken.form)
  const word = toWord(subtoken, nextInGroup, added)
  // The D of `edifici d'habitatges` is not the letter of a building (word-classes.ts).
  const words = [isOptional ? asStopWord(word) : word]
  const { isUpperCase } = subtoken
  const acronymParts = isUpperCase ? splitAcronym(subtoken) : undefined
  const labelNumber = findLabelNumber([subtoken])
  return { words, joinedCode: undefined, labelNumber, mayBeRange: false, acronymParts, isUpperCase, isOptional }
}

/** Creates the group of two subtokens or more: for `UE-1`, the words `ue` and `1` and the joined code `ue1`. */
function createCodeGroup(subtokens: readonly Subtoken[], added: AddedWords): SubtokenGroup {
  // The word of a subtoken may depend on the next: only before a number is the A of `A-6` the letter of a code.
  const words = subtokens.map((subtoken, index) => toWord(subtoken, subtokens[index + 1], added))
  const ordinal = findOrdinal(subtokens)
  // `2a` is joined as the word of `2ª`, so that each finds the other.
  const joinedCode = ordinal?.inDigits ?? joinSubtokens(subtokens)
  if (joinedCode !== undefined) {
    added.joinedForms.push(
      joinedCode,
      ...joinSlashParts(subtokens), // `UE-1/UE-2`: `ue1` and `ue2`
      ...joinLeadingLetters(subtokens), // `SUNC-R-3`: `suncr`
      ...joinLabelNumber(subtokens), // `PE.08.342`: `8.342` and `pe8.342`
    )
  }
  addAcronymsBeforeNumbers(subtokens, words, added)
  if (ordinal !== undefined) added.synonyms.push(ordinal.spelledOut)
  return {
    words,
    joinedCode,
    labelNumber: findLabelNumber(subtokens),
    mayBeRange: mayBeRange(subtokens),
    acronymParts: undefined,
    isUpperCase: subtokens.every((subtoken) => subtoken.isUpperCase),
    isOptional: false,
  }
}

/** Adds the parts of letters that contain an acronym: `SUNCR-3` contains `SUNC` and `R-3`. */
function addAcronymsBeforeNumbers(
  subtokens: readonly Subtoken[],
  words: readonly LexiconWord[],
  added: AddedWords,
): void {
  for (const [index, subtoken] of subtokens.entries()) {
    const parts = subtokens[index + 1]?.kind === 'digits' ? splitAcronym(subtoken) : undefined
    if (parts !== undefined) addAcronymParts(parts, words[index + 1] as LexiconWord, added)
  }
}

/**
 * Finds the ordinal of a number and the letters that are typed for the sign: 2 for `2a`, `2da`, and `2n` in Catalan.
 * Undefined otherwise.
 */
function findOrdinal(subtokens: readonly Subtoken[]): { inDigits: LexiconWord; spelledOut: LexiconWord } | undefined {
  const [number, letter] = subtokens
  if (subtokens.length !== 2 || number?.kind !== 'digits' || letter?.delimiterBefore !== '') return undefined
  return ordinalEndings.test(number.form + letter.form) ? ordinalsByDigits.get(number.form) : undefined
}

/** After the number: `2a`, `1er`, `2da`, `4ta`, `7ma`, `8va`, `9no`, and the Catalan `1r`, `2n`, `4t`. */
const ordinalEndings = /^(?:\d+[ao]|[13](?:er|r[ao]?)|2(?:d[ao]|n)|[456]t[ao]|4t|(?:7|10)m[ao]|8v[ao]|9n[ao])$/

/** Whether the subtokens may be a range of numbers: true for `23-25` and `23/25`, false for the fraction `1,25`. */
function mayBeRange(subtokens: readonly Subtoken[]): boolean {
  const delimiter = subtokens[1]?.delimiterBefore
  const areTwoNumbers = subtokens.length === 2 && subtokens.every(({ kind }) => kind === 'digits')
  return areTwoNumbers && (delimiter === '-' || delimiter === '/')
}

/** Whether the subtokens are those of `c/v`. */
function isCornerMark(subtokens: readonly Subtoken[]): boolean {
  const [first, second] = subtokens
  return first?.form === 'c' && second?.form === 'v' && second.delimiterBefore === '/' && subtokens.length === 2
}

/**
 * The group of `c/v` (*con vuelta a*), which stands between the two streets of a corner. It is never part of a code, so
 * `isUpperCase` is false for `C/V` too.
 */
const cornerGroup: SubtokenGroup = {
  words: [cornerMark],
  joinedCode: undefined,
  labelNumber: undefined,
  mayBeRange: false,
  acronymParts: undefined,
  isUpperCase: false,
  isOptional: false,
}
