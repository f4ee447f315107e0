// The words and codes of a search term, and what the rules that read them as clauses share: term-clauses.ts lists the
// rules, term-labels.ts has those for codes.
import { type LexiconWord, numberWord, numeralCounterparts, otherSingulars } from './lexicon.ts'
import type { ClauseEnds } from './neighbours.ts'
import { toRangeStem } from './number-ranges.ts'
import type { Clause } from './term.ts'
import type { DottedAbbreviation, SubtokenGroup } from './token.ts'
import { contextualAbbreviationsByForm } from './contextual-abbreviations.ts'

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
  readonly isOptional: boolean
  readonly isQuoted: boolean
  /**
   * What must be beside the clauses before and after in a title (neighbours.ts):
   * - `undefined`, such as for a prefix: any word may be beside them.
   * - `skipped`: the clauses before and after are beside each other, as if this one were not there.
   */
  readonly ends: ClauseEnds | undefined | 'skipped'
}

/** The clauses that a rule has read, and the index of the first item after what it has read. */
export interface RuleResult {
  /** Empty if the rule drops the item. */
  readonly clauses: readonly ParsedClause[]
  readonly next: number
}

/** Reads the items from the index on. Returns undefined if the rule does not apply there. */
export type Rule = (items: readonly TermItem[], index: number) => RuleResult | undefined

/** The word "number", or an abbreviation of it. An `n` is one only between a word and a number: `serrano n 69`. */
export function isNumberWord(items: readonly TermItem[], index: number): boolean {
  const item = items[index]
  if (item === undefined) return false
  if (item.dottedAbbreviation !== undefined || item.word?.queryStem === numberWord.stem) return true
  const isAfterWord = /^[a-z]{2}/.test(items[index - 1]?.word?.form ?? '')
  return item.word?.form === 'n' && isAfterWord && isDigits(items[index + 1])
}

export function startsWithLetter({ form }: LexiconWord): boolean {
  return /^[a-z]/.test(form)
}

/** Whether the first word is a number in ASCII digits. Only before such a number do texts have letters of codes. */
export function startsWithDigit({ words }: SubtokenGroup): boolean {
  return /^\d/.test(words[0]?.form ?? '')
}

function isDigits(item: TermItem | undefined): boolean {
  return /^\d+$/.test(item?.word?.form ?? '')
}

export function isDigitsOfLength(item: TermItem | undefined, length: number): boolean {
  return isDigits(item) && item?.word?.form.length === length
}

/** The digits of a number or of a Roman numeral: `3` for `03` and for `iii`. Undefined for any other word. */
export function findDigits(word: LexiconWord | undefined): string | undefined {
  if (word === undefined) return undefined
  return /^\d+$/.test(word.form) ? word.stem : numeralCounterparts.get(word.form)?.form
}

/** A reading of one clause, which is neither quoted nor a stop word. */
export function toRuleResult(clause: Clause, next: number, ends: ClauseEnds | undefined): RuleResult {
  return { clauses: [{ clause, isOptional: false, isQuoted: false, ends }], next }
}

/** The ends of a clause of one stem. */
export function toClauseEnds(stem: string): ClauseEnds {
  return { first: stem, last: stem }
}

/** The first and the last stem of a phrase, without stop words. Undefined if all are stop words. */
export function findPhraseEnds(words: readonly LexiconWord[]): ClauseEnds | undefined {
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
    const isOptional = first.isStopWord || group.isOptional
    return { clause, isOptional, isQuoted: false, ends: toClauseEnds(first.queryStem) }
  }
  const stems = group.words.map((word) => word.stem)
  // `goya 23-25` also finds `Goya, 23 y 25`.
  const range = group.mayBeRange ? toRangeStem(group.words[0], group.words[1]) : undefined
  const joinedCode = group.joinedCode?.stem ?? range
  const alternative = joinedCode === undefined ? {} : { joinedCode }
  const clause: Clause = { kind: 'phrase', stems, ...alternative }
  return { clause, isOptional: false, isQuoted: false, ends: findPhraseEnds(group.words) }
}

/**
 * The alternatives of a word: `cruces` is also the plural of `cruce`; 16,202 is also the label number `16.202`; the S
 * of `S. Bernardo` may also be a letter.
 */
function otherStems({ labelNumber }: SubtokenGroup, word: LexiconWord): readonly string[] | undefined {
  if (word.stem !== word.queryStem && contextualAbbreviationsByForm.has(word.form)) return [word.stem]
  if (labelNumber !== undefined && labelNumber.stems.length > 1) return [labelNumber.code]
  return otherSingulars.get(word.form)?.map(({ stem }) => stem)
}
