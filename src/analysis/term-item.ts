// The items of a search term, and the types and functions that the rules share. The term `plan UE-1` has two items, the
// word `plan` and the code `UE-1`. A rule turns items into clauses, which are the conditions that a record must meet.
// term-clauses.ts lists the rules; term-labels.ts has the rules for codes.
import { contextualAbbreviationsByForm } from './contextual-abbreviations.ts'
import {
  cedillaWords,
  isRomanNumeral,
  type LexiconWord,
  numberOrNumAcronym,
  numberWord,
  otherSingulars,
} from './lexicon.ts'
import type { ClauseEnds } from './neighbours.ts'
import { isRoad, letterNMeansNumberAfter } from './number-abbreviations.ts'
import { toRangeStem } from './number-ranges.ts'
import type { SubtokenGroup } from './subtoken-groups.ts'
import type { Clause } from './term.ts'
import type { NumberAbbreviation } from './token.ts'

/** A word or a code of the term. */
export interface TermItem {
  /** The parts of the word or code: a single word, or the `UE` and the 1 of `UE-1`. */
  readonly group: SubtokenGroup
  /** The word of a group of one word; undefined for a code of several words. */
  readonly word: LexiconWord | undefined
  /** Whether its token has no other item: true for `UE-1`, false for the `Alicante` of `Alicante/Alacant`. */
  readonly isWholeToken: boolean
  /** Whether the term starts with the item. False after a quote or a prefix, although the index of the item is 0. */
  readonly isFirst: boolean
  /** Whether white space and then a number follow: true for the `06` of `APR 06 02`, false for the `06` of `06, 02`. */
  readonly isBeforeNumber: boolean
  /** Set if the token is `No.` or `N.` with its dot, which means "number" before a number. */
  readonly dottedAbbreviation: NumberAbbreviation | undefined
}

/** A clause, whether the term keeps it, and the stems of it that count for the order of results. */
export interface ParsedClause {
  readonly clause: Clause
  /**
   * True for a stop word, a quoted phrase of stop words, an elided article or preposition (`l'Alcúdia`), and the word
   * "number" without its number: after another word, at the end of the term or before a quote or a prefix
   * (`serrano nº`). If all clauses of the term are optional, all are kept. Otherwise the optional clauses are dropped
   * unless they are quoted.
   */
  readonly isOptional: boolean
  readonly isQuoted: boolean
  /**
   * The stems that are paired with the clauses before and after. A title that has all pairs of a term side by side
   * comes first in the result (neighbours.ts). Two other values are possible:
   * - `undefined`, for example for a prefix: the clause is in no pair, and any word may stand beside it.
   * - `skipped`: the clauses before and after are paired with each other, as if this one were not there.
   */
  readonly ends: ClauseEnds | undefined | 'skipped'
}

/** What a rule has made of one item or more. */
export interface RuleResult {
  /** Empty if the rule drops the items. */
  readonly clauses: readonly ParsedClause[]
  /** The index of the first item that the rule has not read. */
  readonly next: number
}

/** Reads the items from the index on. Returns undefined if the rule does not apply to the item at the index. */
export type Rule = (items: readonly TermItem[], index: number) => RuleResult | undefined

/**
 * Whether the item is the word "number" or may abbreviate it, as in texts (number-abbreviations.ts). Only for an `n`
 * without a dot does the function check that a number follows. For the other spellings the caller does.
 *
 * term               | is "number"
 * `nº`, `número`     | yes
 * `no. 5`, `n. 5`    | yes
 * `serrano n 69`     | yes: the `n` stands between a word and a number
 * `serrano n`        | no: no number follows
 * `carretera N. VI`  | no: it is the road N-VI
 * `carretera n. 5`   | yes
 */
export function isNumberWord(items: readonly TermItem[], index: number): boolean {
  const item = items[index]
  if (item === undefined) return false
  const after = items[index + 1]
  if (item.dottedAbbreviation !== undefined) {
    // The `N. VI` of `carretera N. VI` is a road, but the `n.` of `carretera n. 5` is "number".
    const isBeforeRomanNumeral = after?.word !== undefined && isRomanNumeral(after.word)
    return !(isBeforeRomanNumeral && isRoad(items[index - 1]?.word))
  }
  if (item.word?.queryStem === numberWord.stem) return true
  const isLetterN = item.word?.form === 'n' && item.isWholeToken
  if (!isLetterN || after === undefined || !startsWithDigit(after.group)) return false
  return letterNMeansNumberAfter(items[index - 1]?.group.words.at(-1))
}

export function startsWithLetter({ form }: LexiconWord): boolean {
  return /^[a-z]/.test(form)
}

/**
 * Whether the group starts with an ASCII digit. In texts, a stop word such as the A of `A 6` is a code letter only
 * before ASCII digits, so it is the same in terms.
 */
export function startsWithDigit({ words }: SubtokenGroup): boolean {
  return /^\d/.test(words[0]?.form ?? '')
}

function isDigitsItem(item: TermItem | undefined): boolean {
  return /^\d+$/.test(item?.word?.form ?? '')
}

export function isDigitsOfLength(item: TermItem | undefined, length: number): boolean {
  return isDigitsItem(item) && item?.word?.form.length === length
}

/** One clause and its ends, and the index of the first item that is not part of it. */
interface ReadClause {
  readonly clause: Clause
  readonly ends: ClauseEnds | undefined
  readonly next: number
}

/** The result of a rule that has read one clause, which is neither quoted nor optional. */
export function toRuleResult({ clause, ends, next }: ReadClause): RuleResult {
  return { clauses: [toRequiredClause(clause, ends)], next }
}

/** A clause that is neither quoted nor optional. */
export function toRequiredClause(clause: Clause, ends: ParsedClause['ends']): ParsedClause {
  return { clause, isOptional: false, isQuoted: false, ends }
}

/** The ends of a clause of one stem, which is both its first stem and its last. */
export function toClauseEnds(stem: string): ClauseEnds {
  return { first: stem, last: stem }
}

/** The ends of a clause of this word: of a `NUM` that may be the acronym or "number", both stems. */
function toWordEnds(word: LexiconWord): ClauseEnds {
  const ends = toClauseEnds(word.queryStem)
  return word === numberOrNumAcronym ? { ...ends, otherFirst: word.stem, otherLast: word.stem } : ends
}

/**
 * The ends of a phrase, which are its first and its last stem without stop words: `plan` and `sur` for
 * `el plan del sur`. Undefined if all its words are stop words.
 */
export function findPhraseEnds(words: readonly LexiconWord[]): ClauseEnds | undefined {
  const stems = words.filter(({ isStopWord }) => !isStopWord).map(({ queryStem }) => queryStem)
  const [first] = stems
  const last = stems.at(-1)
  return first === undefined || last === undefined ? undefined : { first, last }
}

/** The clause of a group by itself: the word `plan` for `plan`, the phrase `ue 1` or the word `ue1` for `UE-1`. */
export function toGroupClause(group: SubtokenGroup): ParsedClause {
  const [first] = group.words
  if (first !== undefined && group.words.length === 1) {
    const orStems = findOtherStems(group, first)
    const clause: Clause = { kind: 'word', stem: first.queryStem, ...(orStems === undefined ? {} : { orStems }) }
    const isOptional = first.isStopWord || group.isOptional
    return { clause, isOptional, isQuoted: false, ends: toWordEnds(first) }
  }
  const stems = group.words.map((word) => word.stem)
  // A range has no joined code (codes.ts). The stem `23-25` takes the place of the joined code, so that `goya 23-25`
  // also finds `Goya, 23 y 25`.
  const range = group.mayBeRange ? toRangeStem(group.words[0], group.words[1]) : undefined
  const joinedCode = group.joinedCode?.stem ?? range
  const alternative = joinedCode === undefined ? {} : { joinedCode }
  const clause: Clause = { kind: 'phrase', stems, ...alternative }
  return { clause, isOptional: false, isQuoted: false, ends: findPhraseEnds(group.words) }
}

/**
 * The other stems that a word searches for, besides its query stem. Undefined for most words.
 *
 * word                           | query stem | other stem | why
 * the S of `S. Bernardo`         | `san`      | `s`        | it may be a letter
 * `plaça`                        | `plaza`    | `placo`    | some sources have `PLACA`
 * the `NUM` of `PARCELA NUM A-5` | `numero`   | `NUM`      | it may be the acronym
 * `16.202`                       | `16202`    | `16.202`   | it may be the number of a label: `ED 16.202`
 * `cruces`                       | `cruz`     | `cruce`    | it is the plural of both
 */
function findOtherStems({ labelNumber }: SubtokenGroup, word: LexiconWord): readonly string[] | undefined {
  const mayBeOtherWord =
    contextualAbbreviationsByForm.has(word.form) || cedillaWords.has(word.form) || word === numberOrNumAcronym
  if (word.stem !== word.queryStem && mayBeOtherWord) return [word.stem]
  if (labelNumber !== undefined && labelNumber.stems.length > 1) return [labelNumber.code]
  return otherSingulars.get(word.form)?.map(({ stem }) => stem)
}
