// The items of a search term, which are its unquoted words and codes, and the rules that turn them into clauses. The
// term `plan UE-1` has two items, the word `plan` and the code `UE-1`. term-clauses.ts lists the rules.
import type { LexiconWord } from './lexicon.ts'
import { type ParsedClause, toRequiredClause } from './parsed-clause.ts'
import type { SubtokenGroup } from './subtoken-groups.ts'
import type { Clause } from './term.ts'
import { isOfClass } from './word-classes.ts'

/** A word or a code of the term. */
export interface TermItem {
  /** The parts of the word or code: a single word, or the `UE` and the 1 of `UE-1`. */
  readonly group: SubtokenGroup
  /** The word of a group of one word; undefined for a code of several words. */
  readonly word: LexiconWord | undefined
  /** Whether its token has no other item: true for `UE-1`, false for the `Alicante` of `Alicante/Alacant`. */
  readonly isWholeToken: boolean
  /** Whether the term starts with the item. Its index does not tell: after a quote or a prefix it is 0 again. */
  readonly isFirst: boolean
  /** Whether white space and then a number follow: true for the `06` of `APR 06 02`, false for the `06` of `06, 02`. */
  readonly isBeforeNumber: boolean
  /** Whether punctuation stands before it. */
  readonly isSeparated: boolean
}

/** Reads the items from the index on. Returns undefined if the rule does not apply to the item at the index. */
export type Rule = (items: readonly TermItem[], index: number) => RuleResult | undefined

/** What a rule has made of one item or more. */
export interface RuleResult {
  /** Empty if the rule drops the items. */
  readonly clauses: readonly ParsedClause[]
  /** The index of the first item that the rule has not read. */
  readonly next: number
}

interface ReadClause {
  readonly clause: Clause
  readonly ends: ParsedClause['ends']
  readonly next: number
}

/** The result of a rule that has read one clause, which is neither quoted nor optional. */
export function toRuleResult({ clause, ends, next }: ReadClause): RuleResult {
  return { clauses: [toRequiredClause(clause, ends)], next }
}

/** Whether the item is the word "number", or an abbreviation that has been read as it (`markNumbers`). */
export function isNumberWord(items: readonly TermItem[], index: number): boolean {
  const word = items[index]?.word
  return word !== undefined && isOfClass(word.wordClass, 'NUMBER')
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

export function isDigitsOfLength(item: TermItem | undefined, length: number): boolean {
  const form = item?.word?.form ?? ''
  return form.length === length && /^\d+$/.test(form)
}

/** Whether the item is a code or a word other than a stop word. */
export function isRequired({ word }: TermItem): boolean {
  return word?.isStopWord !== true
}
