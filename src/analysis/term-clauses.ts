// Turns the items of a search term (its unquoted words and codes) into clauses, which are the conditions that a record
// must meet. The term `modificación nº 5` has three items and becomes two clauses, the words `modificar` and
// `numero 5`. The `rules` below are tried at each item, and the first rule that applies decides. term-parser.ts calls
// `toClauses`. synonyms.ts, numeral-synonyms.ts and street-names.ts add to texts the synonyms that these clauses search
// for.
//
// A word clause searches for its `stem` or for one of its `orStems`. The `ends` of a clause are its first and its last
// stem. They serve the order of results: titles in which the ends of consecutive clauses are side by side come first.
import { cornerMark, isCornerWord, mayBeCornerWord } from './corners.ts'
import { dayCounterparts, months } from './dates.ts'
import {
  dottedNo,
  findNumberStem,
  findOrdinalDigits,
  mayBeLettersOfCode,
  numberWord,
  toCodePart,
  toNumberedStem,
  wordOf,
} from './lexicon.ts'
import { noHouseNumber, noNumberMark, startsNoNumberMark } from './no-number-mark.ts'
import { phaseStems } from './numeral-synonyms.ts'
import { findPlanYear } from './plan-years.ts'
import { isStreetKind, missingKindStem } from './street-names.ts'
import type { Clause } from './term.ts'
import {
  findPhraseEnds,
  isNumberWord,
  type ParsedClause,
  type Rule,
  type RuleResult,
  startsWithDigit,
  startsWithLetter,
  type TermItem,
  toClauseEnds,
  toGroupClause,
  toRequiredClause,
  toRuleResult,
} from './term-item.ts'
import { readCapitalLetter, readLabel, readLetterBeforeNumber } from './term-labels.ts'
import { isDigits, isOrdinalInDigits } from './word.ts'

/**
 * Makes the clauses of consecutive words and codes of a term: `sector` and `3` for the term `sector 3`. A quote
 * (`"plan parcial"`) or a prefix (`urban*`) of the term ends the items, so no rule sees what is beyond it.
 */
export function toClauses(items: readonly TermItem[]): ParsedClause[] {
  const only = items.length === 1 ? items[0] : undefined
  // A single word has no words beside it that a rule could look at. This is a fast path for most terms, and for a word
  // that is alone beside a quote or a prefix.
  if (only?.word !== undefined && only.dottedAbbreviation === undefined) return [toGroupClause(only.group)]
  const clauses: ParsedClause[] = []
  for (let index = 0; index < items.length; ) {
    const result = readNextItems(items, index)
    clauses.push(...result.clauses)
    index = result.next
  }
  return clauses
}

/** Tries the rules at the index, and the first that applies decides. If none does, the item is a clause by itself. */
function readNextItems(items: readonly TermItem[], index: number): RuleResult {
  const item = items[index] as TermItem
  if (!isPlainWord(item)) {
    for (const rule of rules) {
      const result = rule(items, index)
      if (result !== undefined) return result
    }
  }
  return { clauses: [toGroupClause(item.group)], next: index + 1 }
}

/**
 * A fast check before the rules: if it is true, no rule applies to the item. True for most words, such as `serrano`.
 * False for each kind of item at which a rule may start:
 * - codes of several words, `No.` and `N.`, single letters, words in upper case, and numbers, whose group counts as
 *   upper case;
 * - `sin`, `madrid`, words for a corner, and days in words;
 * - words with which the full form of an acronym starts (they have `phrases`), such as the `unidad` of
 *   `unidad de ejecución 4`, and acronyms and ordinals (they have `synonyms`);
 * - words that a numeral may follow, "number" among them, and kinds of street;
 * - words before a number that may be the letters of a code, such as `izq`.
 */
function isPlainWord({ word, group, isBeforeNumber, dottedAbbreviation }: TermItem): boolean {
  if (word === undefined || dottedAbbreviation !== undefined) return false
  if (group.isUpperCase || word.form.length === 1) return false
  if (word.form === 'sin' || word.form === 'madrid' || mayBeCornerWord(word) || dayCounterparts.has(word.form))
    return false
  if (isBeforeNumber && mayBeLettersOfCode(word)) return false
  return word.phrases === undefined && !word.mayHaveNumeral && !isStreetKind(word) && word.synonyms.length === 0
}

/**
 * Reads the word "number" or an abbreviation of it: `modificación nº 5` has the clause `numero 5`. The first row that
 * applies decides.
 *
 *    term                     | clause of "number"      | case
 * 1. `serrano nº`             | `numero`, optional      | no item follows, and "number" has no dot
 * 2. `serrano nº 69`          | none                    | a number in digits follows, which is not that of a plan
 * 3. `modificación nº V`      | `numero 5`              | digits or a Roman numeral follow
 * 4. `modificación nº 3/2004` | `numero`                | a number of several parts follows
 * 5. `calle no. cinco`        | `no.`                   | `no.` with its dot, before another word or at the end
 * 6. `calle nº cinco`         | the rule does not apply | any other case
 *
 * 1. No item follows at the end of the term, or before a quote or a prefix. If the item before is a quote or a prefix
 *    too (`"plan general" nº`), "number" is alone: `toClauses` tries no rule, so it is required.
 * 2. The number may be that of a plan after `modificación` and the like, at the start of the term, and just after a
 *    quote or a prefix. Without "number", `serrano 69` finds `Serrano, 69`.
 * 3. One clause for both, so that `modificación nº 5` does not find `Modificación del sector 5`.
 * 4. In a title, the words before and after "number" are neighbours, as if "number" were not there (`isSkipped` in
 *    neighbours.ts). So the `ends` of the clause are `skipped`: the clauses beside it are paired with each other.
 * 5. The `no.` may be the word `no` or "number". The clause finds every `no.` with its dot. In a title, the word `no`
 *    has neighbours and "number" has none, so neither pairing would be right: with `ends` undefined, the clause is
 *    paired with no other.
 */
const readNumberWord: Rule = (items, index) => {
  if (!isNumberWord(items, index)) return undefined
  const before = items[index - 1]
  const after = items[index + 1]
  const item = items[index] as TermItem
  const { dottedAbbreviation } = item
  if (after === undefined && dottedAbbreviation === undefined) {
    const clause: Clause = { kind: 'word', stem: numberWord.stem }
    return { clauses: [{ clause, isOptional: true, isQuoted: false, ends: 'skipped' }], next: index + 1 }
  }
  const isPlanNumber = before === undefined || before.word?.impliesNumber === true
  const isBeforeDigits = after !== undefined && startsWithDigit(after.group)
  if (!isPlanNumber && isBeforeDigits) return { clauses: [], next: index + 1 }
  const numberStem = findNumberStem(after?.word)
  if (numberStem !== undefined) {
    const clause: Clause = { kind: 'word', stem: toNumberedStem(numberWord, numberStem) }
    return toRuleResult({ clause, ends: toClauseEnds(numberStem), next: index + 2 })
  }
  if (isBeforeDigits) return { clauses: [toRequiredClause(toNumberClause(item), 'skipped')], next: index + 1 }
  if (dottedAbbreviation?.plain.form !== 'no') return undefined
  return toRuleResult({ clause: { kind: 'word', stem: dottedNo.queryStem }, ends: undefined, next: index + 1 })
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
const readRomanNumeral: Rule = (items, index) => {
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
const readPhase: Rule = (items, index) => {
  const ordinal = items[index]?.word
  const phase = items[index + 1]?.word
  if (ordinal === undefined || phase === undefined || !phaseStems.has(phase.queryStem)) return undefined
  const digits = findOrdinalDigits(ordinal)
  if (digits === undefined) return undefined
  const stem = toNumberedStem(phase, digits)
  return toRuleResult({ clause: { kind: 'word', stem }, ends: toClauseEnds(stem), next: index + 2 })
}

/**
 * Reads a plan with its year as two clauses: `pgou` and `97` (or 1997) for `pgou-97` and `pgou/97`, `pgou` and `1997`
 * for `pgou-1997`. A code is a phrase otherwise, which would not find `PGOU de 1997`.
 */
const readPlanWithYear: Rule = (items, index) => {
  const [plan, number, third] = (items[index] as TermItem).group.words
  if (plan === undefined || number === undefined || third !== undefined || plan.queryStem !== 'pgou') return undefined
  const year = findPlanYear([plan, number], 1)
  if (year === undefined && !/^\d{4}$/.test(number.form)) return undefined
  const orStems = year === undefined ? {} : { orStems: [year.stem] }
  const clauses = [
    toRequiredClause({ kind: 'word', stem: plan.queryStem }, toClauseEnds(plan.queryStem)),
    toRequiredClause({ kind: 'word', stem: number.stem, ...orStems }, toClauseEnds(number.stem)),
  ]
  return { clauses, next: index + 1 }
}

/** Reads `madrid` after a general plan: `pgou madrid` also finds `PGOUM`, the acronym of the plan of that city. */
const readPlanOfMadrid: Rule = (items, index) => {
  const word = items[index]?.word
  if (word?.form !== 'madrid') return undefined
  const before = items.slice(0, index).map((item) => item.word?.queryStem)
  const isFullForm = before.includes('plan') && before.includes('general')
  if (!isFullForm && !before.includes('pgou')) return undefined
  const { stem } = word
  return toRuleResult({
    clause: { kind: 'word', stem, orStems: ['pgoum'] },
    ends: toClauseEnds(stem),
    next: index + 1,
  })
}

/** Reads the year of a plan in two digits: `pgou 97` and `plan general 97` also find `PGOU de 1997`. */
const readPlanYear: Rule = (items, index) => {
  const number = items[index]?.word
  if (number === undefined || number.form.length !== 2 || !isDigits(number)) return undefined
  const words = items.map(({ word }) => word)
  const year = findPlanYear(words, index)
  if (year === undefined) return undefined
  const { stem } = number
  return toRuleResult({
    clause: { kind: 'word', stem, orStems: [year.stem] },
    ends: toClauseEnds(stem),
    next: index + 1,
  })
}

/**
 * Reads a kind of street before a name: `calle infantas` also finds `Infantas, 5`, which lacks the kind, but not
 * `Plaza Infantas`. At the start of the term, the letter C may be `calle`: `c infantas`, `c. infantas`.
 */
const readStreet: Rule = (items, index) => {
  const { word, isFirst } = items[index] as TermItem
  if (word === undefined) return undefined
  const isLetterC = isFirst && word.stem === 'c'
  if (!isLetterC && !isStreetKind(word)) return undefined
  let nameIndex = index + 1
  while (items[nameIndex]?.word?.isStopWord) nameIndex++
  const name = items[nameIndex]?.group.words.find(({ isStopWord }) => !isStopWord)
  if (name === undefined || !startsWithLetter(name)) return undefined
  const stem = isLetterC ? wordOf('calle').stem : word.queryStem
  const ends = { ...toClauseEnds(stem), isStreetKind: true }
  // Instead of `calle`, a text may have the synonym ` infantas`, whose space says that the kind is missing
  // (`missingKindStem`), or the word as it is typed: the letter C, or the `PLACA` of a source that loses the ç of
  // `plaça`.
  const orStems = [missingKindStem(name.queryStem), ...(word.stem === stem ? [] : [word.stem])]
  const clause: Clause = { kind: 'word', stem, orStems }
  return toRuleResult({ clause, ends, next: index + 1 })
}

/**
 * Reads an O before a name as one clause: `o donnell` searches for `donnell` (in `O'Donnell`) or `odonnell`. The `o` is
 * not required by itself, as it is a stop word.
 */
const readNameWithO: Rule = (items, index) => {
  const name = items[index + 1]?.word
  if (items[index]?.word?.form !== 'o' || name === undefined || name.isStopWord) return undefined
  if (!startsWithLetter(name)) return undefined
  const { queryStem: stem } = name
  // In texts, `O'Higgins` and `Ohiggins` are indexed with the stem of the joined name, `ohiggin`.
  const orStems = [wordOf(`o${name.form}`).stem]
  return toRuleResult({ clause: { kind: 'word', stem, orStems }, ends: toClauseEnds(stem), next: index + 2 })
}

/**
 * Reads the word for a corner. Between two other words it is dropped, so that `serrano 5 esquina goya` finds
 * `Serrano, 5 c/v Goya`. At the start or the end of the term, or beside a quote or a prefix, it is required:
 * `edificio en esquina`.
 */
const readCorner: Rule = (items, index) => {
  const { group, word } = items[index] as TermItem
  const before = items[index - 1]?.group.words.at(-1)
  const after = items[index + 1]?.group.words[0]
  // `c v` is `c/v` if a word follows. The `c v-2` of `serrano c v-2` is not: its `v-2` is a code.
  const isBeforeV = items[index + 1]?.word?.form === 'v'
  const isSpacedMark = word?.stem === 'c' && isBeforeV && /^[a-z]{2}/.test(items[index + 2]?.word?.form ?? '')
  if (word === undefined || (!isSpacedMark && !isCornerWord(word, before, after))) return undefined
  const next = isSpacedMark ? index + 2 : index + 1
  const isBetween = items.slice(0, index).some(isRequired) && items.slice(next).some(isRequired)
  if (isBetween) return { clauses: [], next }
  const { clause } = toGroupClause(group)
  return {
    clauses: [toRequiredClause(isSpacedMark ? { kind: 'word', stem: cornerMark.stem } : clause, 'skipped')],
    next,
  }
}

/** Whether the item is a code or a word other than a stop word. */
function isRequired({ word }: TermItem): boolean {
  return word?.isStopWord !== true
}

/** Reads the mark of an address without a number: `daroca s/n` finds `Daroca, sin número`, but not `Daroca, 5`. */
const readNoNumber: Rule = (items, index) => {
  const form = items[index]?.group.words[0]?.form
  if (form !== 's' && form !== 'sin') return undefined
  const words = items.slice(index, index + 3).flatMap(({ group }) => group.words)
  if (!startsNoNumberMark(words, 0)) return undefined
  // `s/n` is one item; `sin número` and `s n` are two. In `S-N-3` and `s n-340` the N is part of a code, and `s n u` is
  // an acronym with spaces.
  const [wordsInItem = 0, wordsInNext = 0] = items.slice(index, index + 2).map(({ group }) => group.words.length)
  const isOneItem = wordsInItem === 2
  if (wordsInItem > 2 || (!isOneItem && wordsInNext > 1)) return undefined
  if (!isOneItem && form === 's' && /^[a-z]$/.test(words[2]?.form ?? '')) return undefined
  const next = isOneItem ? index + 1 : index + 2
  // `s/n` alone finds only texts with one of its spellings, not every title without a house number.
  const isAlone = !items.slice(0, index).some(isRequired) && !items.slice(next).some(isRequired)
  const clause: Clause = {
    kind: 'word',
    stem: noNumberMark.stem,
    ...(isAlone ? {} : { orStems: [noHouseNumber.stem] }),
  }
  return { clauses: [toRequiredClause(clause, 'skipped')], next }
}

/**
 * Reads a series of three numbers or more: `fuencarral 12-14-16` also finds `Fuencarral 12, 14 y 16`. Two numbers are a
 * range (`toGroupClause` in term-item.ts).
 */
const readNumberSeries: Rule = (items, index) => {
  const { words } = (items[index] as TermItem).group
  if (words.length < 3 || !words.every(({ form }) => /^\d+$/.test(form))) return undefined
  const stems = words.map(({ stem }) => stem)
  const orPhrase = { kind: 'phrase', stems: [...stems.slice(0, -1), 'y', ...stems.slice(-1)] } as const
  return toRuleResult({ clause: { kind: 'phrase', stems, orPhrase }, ends: findPhraseEnds(words), next: index + 1 })
}

/** Reads the day of a date: `dos de mayo` also finds `2 de Mayo`, and `12 de octubre` also finds `Doce de Octubre`. */
const readDay: Rule = (items, index) => {
  const day = items[index]?.word
  const isDate = items[index + 1]?.word?.form === 'de' && months.has(items[index + 2]?.word?.form ?? '')
  // The form of the ordinal `1º` is `1`, but it is not the number of a day here.
  if (day === undefined || !isDate || isOrdinalInDigits(day)) return undefined
  const counterpart = dayCounterparts.get(day.form)
  if (counterpart === undefined) return undefined
  const clause: Clause = { kind: 'word', stem: day.stem, orStems: [wordOf(counterpart).stem] }
  return toRuleResult({ clause, ends: toClauseEnds(day.stem), next: index + 1 })
}

/** Reads an abbreviation that may be the letters of a code: `pca 3` also finds `PCA-3`, which is no `plaza`. */
const readLettersOfCode: Rule = (items, index) => {
  const { word, isBeforeNumber } = items[index] as TermItem
  if (word === undefined || !isBeforeNumber || !mayBeLettersOfCode(word)) return undefined
  const { queryStem: stem } = word
  const clause: Clause = { kind: 'word', stem, orStems: [toCodePart(word).stem] }
  return toRuleResult({ clause, ends: toClauseEnds(stem), next: index + 1 })
}

/** In the order in which they are tried. `readCapitalLetter` is for letters that `readLetterBeforeNumber` refuses. */
const rules: readonly Rule[] = [
  readCorner,
  readNoNumber,
  readNumberSeries,
  readDay,
  readPlanWithYear,
  readPlanOfMadrid,
  readLabel,
  readLetterBeforeNumber,
  readNumberWord,
  readRomanNumeral,
  readPhase,
  readPlanYear,
  readStreet,
  readNameWithO,
  readCapitalLetter,
  readLettersOfCode,
]
