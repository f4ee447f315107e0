// A clause of a search term as the parser makes it: the condition that a record must meet, and what else term-parser.ts
// needs to know about it. `toGroupClause` makes the clause of a single word (`plan`) or of a code (`UE-1`).
import type { LexiconWord } from './lexicon.ts'
import type { ClauseEnds } from './neighbours.ts'
import { toRangeStem } from './number-ranges.ts'
import { numberOrNumAcronym } from './number-words.ts'
import type { SubtokenGroup } from './subtoken-groups.ts'
import type { Clause } from './term.ts'

export interface ParsedClause {
  readonly clause: Clause
  /**
   * Whether `parseTerm` drops the clause if the term has others that are not optional. It keeps quoted clauses.
   *
   * term           | optional
   * `plan de sur`  | `de`, a stop word
   * `"de la" plan` | `de la`, a phrase of stop words
   * `l'Alcúdia`    | `l`, an elided article or preposition
   * `serrano nº`   | `nº`, the word "number" after another word and with no item after it
   */
  readonly isOptional: boolean
  readonly isQuoted: boolean
  /**
   * The stems that are paired with the clauses before and after. A title that has all pairs of a term side by side
   * comes first in the result (neighbours.ts). Two other values are possible:
   * - `unpaired`, for example for a prefix: the clause is in no pair, and any word may stand beside it.
   * - `skipped`: the clauses before and after are paired with each other, as if this one were not there.
   */
  readonly ends: ClauseEnds | 'unpaired' | 'skipped'
}

/** A clause that is neither quoted nor optional. */
export function toRequiredClause(clause: Clause, ends: ParsedClause['ends']): ParsedClause {
  return { clause, isOptional: false, isQuoted: false, ends }
}

/** The clause of a group by itself: the word `plan` for `plan`, the phrase `ue 1` or the word `ue1` for `UE-1`. */
export function toGroupClause(group: SubtokenGroup): ParsedClause {
  const [word] = group.words
  return word !== undefined && group.words.length === 1 ? toWordClause(word, group) : toCodeClause(group)
}

function toWordClause(word: LexiconWord, group: SubtokenGroup): ParsedClause {
  const { stem, queryStem } = word
  const orStems = findOtherStems(group, word)
  const clause: Clause = { kind: 'word', stem: queryStem, ...(orStems === undefined ? {} : { orStems }) }
  const isOptional = word.isStopWord || group.isOptional
  const ends = toClauseEnds(queryStem)
  // In a title, the neighbours of the acronym are paired with its own stem, `NUM`.
  const allEnds = mayBeNumAcronym(word) ? { ...ends, otherFirst: stem, otherLast: stem } : ends
  return { clause, isOptional, isQuoted: false, ends: allEnds }
}

function toCodeClause({ words, mayBeRange, joinedCode }: SubtokenGroup): ParsedClause {
  const stems = words.map(({ stem }) => stem)
  // A range has no joined code (codes.ts). The stem `23-25` takes the place of the joined code, so that `goya 23-25`
  // also finds `Goya, 23 y 25`.
  const rangeStem = mayBeRange ? toRangeStem(words[0], words[1]) : undefined
  const joinedStem = joinedCode?.stem ?? rangeStem
  const clause: Clause = { kind: 'phrase', stems, ...(joinedStem === undefined ? {} : { joinedCode: joinedStem }) }
  return toRequiredClause(clause, findPhraseEnds(words))
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
 * `clavegueram`                  | `saneamiento` | `alcantarillar` | Catalan for both (translations.ts)
 */
function findOtherStems({ labelNumber }: SubtokenGroup, word: LexiconWord): readonly string[] | undefined {
  if (labelNumber !== undefined && labelNumber.stems.length > 1) return [labelNumber.code]
  return word.otherQueryStems.length === 0 ? undefined : word.otherQueryStems
}

/** Whether the word is a `NUM` that may be "number" or the acronym: the lexicon has one word for all of these. */
function mayBeNumAcronym(word: LexiconWord): boolean {
  return word === numberOrNumAcronym
}

/** The ends of a clause of one stem, which is both its first stem and its last. */
export function toClauseEnds(stem: string): ClauseEnds {
  return { first: stem, last: stem }
}

/**
 * The ends of a phrase, which are its first and its last stem without stop words: `plan` and `sur` for
 * `el plan del sur`. A phrase of stop words is in no pair.
 */
export function findPhraseEnds(words: readonly LexiconWord[]): ClauseEnds | 'unpaired' {
  const stems = words.filter(({ isStopWord }) => !isStopWord).map(({ queryStem }) => queryStem)
  const [first] = stems
  const last = stems.at(-1)
  return first === undefined || last === undefined ? 'unpaired' : { first, last }
}
