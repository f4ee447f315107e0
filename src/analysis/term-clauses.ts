// Reads the unquoted tokens of a search term as clauses, by the `rules` below: the first rule that applies at a token
// decides. term-parser.ts calls it. The synonyms that these clauses search for are added to texts by synonyms.ts and
// street-names.ts.
import { isCornerWord, mayBeCornerWord } from './corners.ts'
import { dottedNumberSign, numberWord, toNumberedStem, wordOf } from './lexicon.ts'
import { startsNoNumberMark } from './no-number-mark.ts'
import { isStreetKind, missingKindStem } from './street-names.ts'
import type { Clause } from './term.ts'
import {
  findDigits,
  isNumberWord,
  type ParsedClause,
  type RuleResult,
  type Rule,
  startsWithDigit,
  startsWithLetter,
  type TermItem,
  toGroupClause,
  toClauseEnds,
  toRuleResult,
} from './term-item.ts'
import { readCapitalLetter, readLabel, readLetterBeforeNumber } from './term-labels.ts'

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
function readNext(items: readonly TermItem[], index: number): RuleResult {
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
  if (word.form === 'sin' || mayBeCornerWord(word)) return false
  return word.phrases === undefined && !word.mayHaveNumeral && !isStreetKind(word)
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
    return { clauses: [{ clause, isOptional: true, isQuoted: false, ends: 'skipped' }], next: index + 1 }
  }
  const isPlanNumber = before === undefined || before.word?.impliesNumber === true
  const isBeforeDigits = after !== undefined && startsWithDigit(after.group)
  if (!isPlanNumber && isBeforeDigits) return { clauses: [], next: index + 1 }
  const digits = findDigits(after?.word)
  if (digits !== undefined) {
    return toRuleResult({ kind: 'word', stem: toNumberedStem(numberWord, digits) }, index + 2, toClauseEnds(digits))
  }
  return dottedAbbreviation?.plain.form === 'no'
    ? toRuleResult({ kind: 'word', stem: dottedNumberSign.queryStem }, index + 1, undefined)
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
  return toRuleResult({ kind: 'word', stem }, numeralIndex + 1, toClauseEnds(stem))
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
  const ends = { ...toClauseEnds(stem), isStreetKind: true }
  return toRuleResult({ kind: 'word', stem, orStems: [missingKindStem(name.queryStem)] }, index + 1, ends)
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
  return toRuleResult({ kind: 'word', stem, orStems }, index + 2, toClauseEnds(stem))
}

/**
 * `serrano 5 esquina goya` finds `Serrano, 5 c/v Goya`: between two other words, the word for a corner is dropped. At
 * the start and at the end of the term it is required, for example `edificio en esquina`.
 */
const readCorner: Rule = (items, index) => {
  const { group } = items[index] as TermItem
  const [word, second] = group.words
  const isOneWord = second === undefined || group.joinedCode?.stem === 'cv'
  const before = items[index - 1]?.group.words.at(-1)
  const after = second ?? items[index + 1]?.group.words[0]
  if (word === undefined || !isOneWord || !isCornerWord(word, before, after)) return undefined
  const next = index + 1
  const isRequired = (item: TermItem) => item.word?.isStopWord !== true
  const isBetween = items.slice(0, index).some(isRequired) && items.slice(next).some(isRequired)
  return { clauses: isBetween ? [] : [{ ...toGroupClause(group), ends: 'skipped' }], next }
}

/** `daroca s/n` also finds `Daroca` and `Daroca, 5`: like a stop word, `s/n` is required only without other words. */
const readNoNumber: Rule = (items, index) => {
  const form = items[index]?.group.words[0]?.form
  if (form !== 's' && form !== 'sin') return undefined
  const words = items.slice(index, index + 3).flatMap(({ group }) => group.words)
  if (!startsNoNumberMark(words, 0)) return undefined
  // `s/n` is one item, `sin número` is two.
  const next = items[index]?.group.words.length === 1 ? index + 2 : index + 1
  const optional = { isOptional: true, ends: 'skipped' } as const
  return { clauses: items.slice(index, next).map(({ group }) => ({ ...toGroupClause(group), ...optional })), next }
}

const rules: readonly Rule[] = [
  readCorner,
  readNoNumber,
  readLabel,
  readLetterBeforeNumber,
  readNumberWord,
  readRomanNumeral,
  readStreet,
  readNameWithO,
  readCapitalLetter,
]
