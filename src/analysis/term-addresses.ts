// The rules of term-clauses.ts for addresses: kinds of street (`calle infantas`), names (`o donnell`, `dos de mayo`),
// corners (`serrano 5 esquina goya`) and addresses without a number (`daroca s/n`).
import { cornerMark, isCornerWord } from './corners.ts'
import { dayCounterparts, months } from './dates.ts'
import { type LexiconWord, wordOf } from './lexicon.ts'
import { noHouseNumber, noNumberMark, startsNoNumberMark } from './no-number-mark.ts'
import { toClauseEnds, toGroupClause } from './parsed-clause.ts'
import { isStreetKind, missingKindStem, toStreetStem } from './street-names.ts'
import type { Clause } from './term.ts'
import { isRequired, type Rule, type RuleResult, startsWithLetter, type TermItem, toRuleResult } from './term-item.ts'
import { isOrdinalInDigits } from './word.ts'

/**
 * Reads a kind of street before a name: `calle infantas` also finds `Infantas, 5`, which lacks the kind, but not
 * `Plaza Infantas`. At the start of the term, the letter C may be `calle`: `c infantas`, `c. infantas`.
 */
export const readStreet: Rule = (items, index) => {
  const { word, isFirst } = items[index] as TermItem
  if (word === undefined) return undefined
  const isLetterC = isFirst && word.stem === 'c'
  if (!isLetterC && !isStreetKind(word)) return undefined
  // `placa` without its ç is a plate in a term, although some titles mean a square (word-classes.ts).
  if (word.stem === word.queryStem && word.form === 'placa') return undefined
  const name = findName(items, index + 1)
  if (name === undefined || !startsWithLetter(name.word) || isStreetKind(name.word)) return undefined
  const stem = isLetterC ? wordOf('calle').stem : word.queryStem
  const ends = { ...toClauseEnds(stem), isStreetKind: true }
  // Instead of `calle infantas`, a title may have ` infantas`, whose space says that the kind is missing, or the kind as
  // it is typed: the `PLACA` of a source that loses the ç of `plaça`.
  const [nameStem = '', joinedStem] = name.stems
  const orStems = [
    missingKindStem(nameStem),
    ...(word.stem === stem ? [] : [toStreetStem(word.stem, nameStem)]),
    ...(joinedStem === undefined ? [] : [toStreetStem(stem, joinedStem), missingKindStem(joinedStem)]),
  ]
  const clause: Clause = { kind: 'word', stem: toStreetStem(stem, nameStem), orStems }
  return toRuleResult({ clause, ends, next: index + 1 })
}

/** The first word of a name: `infantas` for `de las infantas`, `alcudia` for `l'alcúdia`, `mayo` for `dos de mayo`. */
function findName(
  items: readonly TermItem[],
  index: number,
): { readonly word: LexiconWord; readonly stems: readonly string[] } | undefined {
  const item = items[index]
  if (item === undefined) return undefined
  const { group, word } = item
  const isDay = word !== undefined && dayCounterparts.has(word.form) && items[index + 1]?.word?.form === 'de'
  if (group.isOptional || word?.isStopWord || isDay) return findName(items, index + 1)
  const first = group.words.find(({ isStopWord }) => !isStopWord)
  if (first === undefined) return undefined
  // `O'Donnell` is also `Odonnell`.
  const joinedStems = group.joinedCode === undefined ? [] : [group.joinedCode.stem]
  return { word: first, stems: [first.queryStem, ...joinedStems] }
}

/**
 * Reads an O before a name as one clause: `o donnell` searches for `donnell` (in `O'Donnell`) or `odonnell`. The `o` is
 * not required by itself, as it is a stop word.
 */
export const readNameWithO: Rule = (items, index) => {
  const name = items[index + 1]?.word
  if (items[index]?.word?.form !== 'o' || name === undefined || name.isStopWord) return undefined
  if (!startsWithLetter(name)) return undefined
  const { queryStem: stem } = name
  // In texts, `O'Higgins` and `Ohiggins` are indexed with the stem of the joined name, `ohiggin`.
  const orStems = [wordOf(`o${name.form}`).stem]
  return toRuleResult({ clause: { kind: 'word', stem, orStems }, ends: toClauseEnds(stem), next: index + 2 })
}

/** Reads the day of a date: `dos de mayo` also finds `2 de Mayo`, and `12 de octubre` also finds `Doce de Octubre`. */
export const readDay: Rule = (items, index) => {
  const day = items[index]?.word
  const isDate = items[index + 1]?.word?.form === 'de' && months.has(items[index + 2]?.word?.form ?? '')
  // The form of the ordinal `1º` is `1`, but it is not the number of a day here.
  if (day === undefined || !isDate || isOrdinalInDigits(day)) return undefined
  const counterpart = dayCounterparts.get(day.form)
  if (counterpart === undefined) return undefined
  const clause: Clause = { kind: 'word', stem: day.stem, orStems: [wordOf(counterpart).stem] }
  return toRuleResult({ clause, ends: toClauseEnds(day.stem), next: index + 1 })
}

/**
 * Reads the word for a corner. Between two other words it is dropped, so that `serrano 5 esquina goya` finds
 * `Serrano, 5 c/v Goya`. At the start or the end of the term, or beside a quote or a prefix, it is required:
 * `edificio en esquina`.
 */
export const readCorner: Rule = (items, index) => {
  const corner = readCornerWord(items, index)
  if (corner === undefined) return undefined
  const { next } = corner
  const isBetween = items.slice(0, index).some(isRequired) && items.slice(next).some(isRequired)
  return isBetween ? { clauses: [], next } : corner
}

/** Reads the word for a corner as a clause that is required: one item, or the two of `serrano c v goya`. */
function readCornerWord(items: readonly TermItem[], index: number): RuleResult | undefined {
  const { group, word } = items[index] as TermItem
  if (word === undefined) return undefined
  if (isSpacedCornerMark(items, index)) {
    return toRuleResult({ clause: { kind: 'word', stem: cornerMark.stem }, ends: 'skipped', next: index + 2 })
  }
  const before = items[index - 1]?.group.words.at(-1)
  const after = items[index + 1]?.group.words[0]
  if (!isCornerWord(word, before, after)) return undefined
  return toRuleResult({ clause: toGroupClause(group).clause, ends: 'skipped', next: index + 1 })
}

/** Whether the item is the C of `serrano c v goya`. False for that of `serrano c v-2`, whose `v-2` is a code. */
function isSpacedCornerMark(items: readonly TermItem[], index: number): boolean {
  if (items[index]?.word?.stem !== 'c' || items[index + 1]?.word?.form !== 'v') return false
  return /^[a-z]{2}/.test(items[index + 2]?.word?.form ?? '')
}

/** Reads the mark of an address without a number: `daroca s/n` finds `Daroca, sin número`, but not `Daroca, 5`. */
export const readNoNumber: Rule = (items, index) => {
  const next = findEndOfNoNumberMark(items, index)
  if (next === undefined) return undefined
  // `s/n` alone finds only texts with one of its spellings, not every title without a house number.
  const isAlone = !items.slice(0, index).some(isRequired) && !items.slice(next).some(isRequired)
  const orStems = isAlone ? {} : { orStems: [noHouseNumber.stem] }
  return toRuleResult({ clause: { kind: 'word', stem: noNumberMark.stem, ...orStems }, ends: 'skipped', next })
}

/**
 * The index of the item after a no-number mark. Undefined if no mark starts at the index.
 *
 * term                | mark | why
 * `s/n`               | yes  | one item of two words
 * `sin número`, `s n` | yes  | two items of one word
 * `S-N-3`             | no   | one item of three words: a code
 * `s n-340`           | no   | the N is part of a code
 * `s n u`             | no   | an acronym with spaces
 */
function findEndOfNoNumberMark(items: readonly TermItem[], index: number): number | undefined {
  const first = items[index] as TermItem
  const form = first.group.words[0]?.form
  if (form !== 's' && form !== 'sin') return undefined
  const words = items.slice(index, index + 3).flatMap(({ group }) => group.words)
  if (!startsNoNumberMark(words, 0)) return undefined
  if (first.group.words.length === 2) return index + 1
  if (first.word === undefined || items[index + 1]?.word === undefined) return undefined
  const isSpacedAcronym = form === 's' && /^[a-z]$/.test(words[2]?.form ?? '')
  return isSpacedAcronym ? undefined : index + 2
}
