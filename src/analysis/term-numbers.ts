// The rules of term-clauses.ts for the word "number" (`modificación nº 5`), Roman numerals (`sector III`), ordinals
// (`segunda fase`) and series of numbers (`12-14-16`).
import { dottedNo, numberWord } from './number-words.ts'
import { findNumberStem, findOrdinalDigits, toNumberedStem } from './numerals.ts'
import { findPhraseEnds, toClauseEnds } from './parsed-clause.ts'
import { phaseStems } from './phase-numbers.ts'
import type { Clause } from './term.ts'
import { isNumberWord, type Rule, startsWithDigit, type TermItem, toRuleResult } from './term-item.ts'

/** Reads the word "number" or an abbreviation of it: `modificación nº 5` has the clause `numero 5`. */
export const readNumberWord: Rule = (items, index) => {
  if (!isNumberWord(items, index)) return undefined
  const item = items[index] as TermItem
  const before = items[index - 1]
  const after = items[index + 1]
  if (after === undefined && item.dottedAbbreviation === undefined) {
    // `serrano nº`: nothing, a quote or a prefix follows.
    const clause: Clause = { kind: 'word', stem: numberWord.stem }
    return { clauses: [{ clause, isOptional: true, isQuoted: false, ends: 'skipped' }], next: index + 1 }
  }
  const isBeforeDigits = after !== undefined && startsWithDigit(after.group)
  // The number may be that of a plan after `modificación` and the like, and if no item is before it (`nº 5`).
  const mayBePlanNumber = before === undefined || before.word?.impliesNumber === true
  if (isBeforeDigits && !mayBePlanNumber) {
    // `serrano nº 69`: "number" is dropped, so that the term finds `Serrano, 69` too.
    return { clauses: [], next: index + 1 }
  }
  const numberStem = findNumberStem(after?.word)
  if (numberStem !== undefined) {
    // `modificación nº 5`, `modificación nº V`: one clause, so that the term does not find `Modificación del sector 5`.
    const clause: Clause = { kind: 'word', stem: toNumberedStem(numberWord, numberStem) }
    return toRuleResult({ clause, ends: toClauseEnds(numberStem), next: index + 2 })
  }
  if (isBeforeDigits) {
    // `modificación nº 3/2004`: a number of several parts has a clause of its own. In a title, the words before and
    // after "number" are neighbours, as if it were not there (`isSkipped` in neighbours.ts).
    return toRuleResult({ clause: toNumberClause(item), ends: 'skipped', next: index + 1 })
  }
  if (item.dottedAbbreviation?.plain.form === 'no') {
    // `calle no. cinco`: the clause finds every `no.`, whether it is "number" or the word `no`. In a title, the word
    // `no` has neighbours and "number" has none, so neither pairing would be right.
    return toRuleResult({ clause: { kind: 'word', stem: dottedNo.queryStem }, ends: 'unpaired', next: index + 1 })
  }
  // `calle nº cinco`
  return undefined
}

/**
 * Makes the clause of "number" before a number of several parts: `numero`, or `no.`, for the `no.` of `no. 3/2004`.
 * numeral-synonyms.ts adds the synonym `numero` to the text `No. 3/2004`, but not to `No. 12345/2004`, because this
 * number has more than four digits (`isNumeral`). So the clause of `no.`, `n.` or `n` also searches for the
 * abbreviation as it is written. (A number of one part, `No. 12345`, needs no such alternative: texts with it have the
 * synonym `numero 12345`, in one piece, for which `readNumberWord` searches.)
 */
function toNumberClause({ word, dottedAbbreviation }: TermItem): Clause {
  const { stem } = numberWord
  const writtenStem = dottedAbbreviation?.plain.form === 'no' ? dottedNo.queryStem : (word?.stem ?? stem)
  return { kind: 'word', stem, ...(writtenStem === stem ? {} : { orStems: [writtenStem] }) }
}

/**
 * Reads a word and its Roman numeral as one clause: `sector 3` for `sector III`. As two clauses, the term would also
 * find `Carlos III, sector 5`.
 */
export const readRomanNumeral: Rule = (items, index) => {
  const word = items[index]?.word
  // No text has a numbered stem of a word that implies "number": `Modificación III` has no synonym `modificar 3`.
  if (word === undefined || !word.mayHaveNumeral || word.impliesNumber) return undefined
  const numeralIndex = isNumberWord(items, index + 1) ? index + 2 : index + 1
  const numeral = items[numeralIndex]?.word
  // A single letter is rarely a numeral, except after `fase`. Digits need no rule: the term `sector 3` is two clauses.
  if (numeral === undefined || /^\d/.test(numeral.form)) return undefined
  if (numeral.form.length < 2 && !phaseStems.has(word.queryStem)) return undefined
  const numberStem = findNumberStem(numeral)
  if (numberStem === undefined) return undefined
  const stem = toNumberedStem(word, numberStem)
  return toRuleResult({ clause: { kind: 'word', stem }, ends: toClauseEnds(stem), next: numeralIndex + 1 })
}

/**
 * Reads an ordinal and a phase as one clause: `fase 2` for `segunda fase`. The text `Fases I y II` has this synonym
 * too.
 */
export const readPhase: Rule = (items, index) => {
  const ordinal = items[index]?.word
  const phase = items[index + 1]?.word
  if (ordinal === undefined || phase === undefined || !phaseStems.has(phase.queryStem)) return undefined
  const digits = findOrdinalDigits(ordinal)
  if (digits === undefined) return undefined
  const stem = toNumberedStem(phase, digits)
  return toRuleResult({ clause: { kind: 'word', stem }, ends: toClauseEnds(stem), next: index + 2 })
}

/**
 * Reads a series of three numbers or more: `fuencarral 12-14-16` also finds `Fuencarral 12, 14 y 16`. Two numbers are a
 * range (`toGroupClause` in term-item.ts).
 */
export const readNumberSeries: Rule = (items, index) => {
  const { words } = (items[index] as TermItem).group
  if (words.length < 3 || !words.every(({ form }) => /^\d+$/.test(form))) return undefined
  const stems = words.map(({ stem }) => stem)
  const orPhrase = { kind: 'phrase', stems: [...stems.slice(0, -1), 'y', ...stems.slice(-1)] } as const
  return toRuleResult({ clause: { kind: 'phrase', stems, orPhrase }, ends: findPhraseEnds(words), next: index + 1 })
}
