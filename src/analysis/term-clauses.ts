// Turns the items of a search term (its unquoted words and codes) into clauses, which are the conditions that a record
// must meet. The term `modificación nº 5` has three items and becomes two clauses, the words `modificar` and
// `numero 5`. The `rules` below are tried at each item, and the first rule that applies decides. term-parser.ts calls
// `toClauses`. synonyms.ts and street-names.ts add to texts the synonyms that these clauses search
// for.
//
// The rules are in term-addresses.ts, term-labels.ts and term-numbers.ts, which applies those of rules.ts. A word clause searches for its
// `stem` or for one of its `orStems`. The `ends` of a clause are its first and its last stem. They serve the order of
// results: titles in which the ends of consecutive clauses are side by side come first.

import { mayBeLettersOfCode } from './code-letters.ts'
import { mayBeCornerWord } from './corners.ts'
import { dayCounterparts } from './dates.ts'
import type { LexiconWord } from './lexicon.ts'
import { type ParsedClause, toClauseEnds, toGroupClause, toRequiredClause } from './parsed-clause.ts'
import { findStreetWords, isStreetKind, missingKindStem, toStreetStem } from './street-names.ts'
import { readCorner, readDay, readNameWithO, readNoNumber, readStreet } from './term-addresses.ts'
import type { Rule, RuleResult, TermItem } from './term-item.ts'
import { readCapitalLetter, readLabel, readLetterBeforeNumber, readLettersOfCode } from './term-labels.ts'
import { readNumberSeries, readNumberWord, toEntityRule } from './term-numbers.ts'
import { isOfClass } from './word-classes.ts'

/**
 * Makes the clauses of consecutive words and codes of a term: `sector` and `3` for the term `sector 3`. A quote
 * (`"plan parcial"`) or a prefix (`urban*`) of the term ends the items, so no rule sees what is beyond it.
 */
export function toClauses(items: readonly TermItem[]): ParsedClause[] {
  const only = items.length === 1 ? items[0] : undefined
  // A single word has no words beside it that a rule could look at. This is a fast path for most terms, and for a word
  // that is alone beside a quote or a prefix.
  if (only?.word !== undefined) return [toGroupClause(only.group)]
  const readEntity = toEntityRule(items)
  const rules = [...rulesBeforeEntities, readEntity, ...rulesAfterEntities]
  const clauses: ParsedClause[] = []
  const streetsByNumber = findHouseNumbers(items)
  for (let index = 0; index < items.length; ) {
    const { clauses: read, next } = readNextItems(items, index, rules)
    const kind = streetsByNumber?.get(index)
    const houseNumber = kind === undefined ? undefined : toHouseNumber(items[index] as TermItem, kind)
    const [only] = read
    const isPlain = next === index + 1 && only?.clause.kind === 'word' && only.clause.stem === items[index]?.word?.stem
    clauses.push(...(houseNumber !== undefined && isPlain ? [houseNumber] : read))
    index = next
  }
  return clauses
}

/** The items that are house numbers after a kind of street, with the kind. They are found as in texts. */
function findHouseNumbers(items: readonly TermItem[]): ReadonlyMap<number, LexiconWord> | undefined {
  if (!items.some(({ word }) => word !== undefined && isStreetKind(word))) return undefined
  const words = items.flatMap(({ group }) => group.words)
  const indexes = items.flatMap(({ group }, index) => group.words.map(() => index))
  const found = new Map<number, LexiconWord>()
  for (const [position, word] of words.entries()) {
    if (!isStreetKind(word)) continue
    for (const number of findStreetWords(words, position).numbers) found.set(indexes[number] as number, word)
  }
  return found
}

/**
 * The clause of a house number: `calle goya 5` does not find `Local 5, C/ Goya, 7`. Undefined for a year and for the
 * number of a code.
 */
function toHouseNumber({ word, group }: TermItem, kind: LexiconWord): ParsedClause | undefined {
  if (word === undefined || !/^\d{1,4}$/.test(word.form) || isOfClass(word.wordClass, 'LONG_YEAR')) return undefined
  if ((group.labelNumber?.stems.length ?? 1) > 1) return undefined
  const { stem } = word
  const orStems = [missingKindStem(stem), ...(kind.stem === kind.queryStem ? [] : [toStreetStem(kind.stem, stem)])]
  return toRequiredClause({ kind: 'word', stem: toStreetStem(kind.queryStem, stem), orStems }, toClauseEnds(stem))
}

/** Tries the rules at the index, and the first that applies decides. If none does, the item is a clause by itself. */
function readNextItems(items: readonly TermItem[], index: number, rules: readonly Rule[]): RuleResult {
  const item = items[index] as TermItem
  if (mayStartRule(item)) {
    for (const rule of rules) {
      const result = rule(items, index)
      if (result !== undefined) return result
    }
  }
  return { clauses: [toGroupClause(item.group)], next: index + 1 }
}

/** A fast check before the rules: if it is false, as for most words (`serrano`), no rule applies to the item. */
function mayStartRule({ word, group, isBeforeNumber }: TermItem): boolean {
  // Codes of several words (`s/n`, `pgou-97`), `No.` and `N.`
  if (word === undefined) return true
  const { form, phrases, synonyms, wordClass } = word
  return (
    // Single letters (`c v`, `s n`, `o donnell`), codes in upper case (`UE 4`), and numbers, which count as upper case.
    form.length === 1 ||
    group.isUpperCase ||
    // The first words of full forms (`unidad de ejecución 4`), acronyms (`ue 4`), and ordinals (`segunda fase`).
    phrases !== undefined ||
    synonyms.length > 0 ||
    // The words of rules.ts.
    wordClass !== 'w' ||
    // The words of `readStreet`, `readCorner`, `readNoNumber`, `readDay` and `readLettersOfCode`.
    isStreetKind(word) ||
    mayBeCornerWord(word) ||
    form === 'sin' ||
    dayCounterparts.has(form) ||
    (isBeforeNumber && mayBeLettersOfCode(word))
  )
}

/** In the order in which they are tried. `readCapitalLetter` is for letters that `readLetterBeforeNumber` refuses. */
const rulesBeforeEntities: readonly Rule[] = [
  readCorner,
  readNoNumber,
  readNumberSeries,
  readDay,
  readLabel,
  readLetterBeforeNumber,
]
const rulesAfterEntities: readonly Rule[] = [
  readNumberWord,
  readStreet,
  readNameWithO,
  readCapitalLetter,
  readLettersOfCode,
]
