// The rules of term-clauses.ts for codes that a search term writes with spaces: a label, which is a code of the letters
// and the number of a plan or an area (`UE 4`, `unidad de ejecución 4`), a single letter and a number (`A 6`), or an
// abbreviation and a number (`pca 3`). A rule turns items, which are words and codes of the term, into clauses, which
// are the conditions that a record must meet.
import { labelAcronyms } from './abbreviations.ts'
import { expansionsByAcronym } from './acronym-expansions.ts'
import { codeLetters, mayBeLettersOfCode, toCodePart } from './code-letters.ts'
import type { LabelNumber } from './codes.ts'
import { toClauseEnds, toGroupClause, toRequiredClause } from './parsed-clause.ts'
import { findNextNode } from './phrase-trie.ts'
import { isStreetKind } from './street-names.ts'
import type { Clause } from './term.ts'
import { isDigitsOfLength, isNumberWord, type Rule, startsWithDigit, type TermItem, toRuleResult } from './term-item.ts'

/**
 * Reads a label as one clause: for `UE 4`, `UE nº 4` and `unidad de ejecución 4`, the phrase `ue 4` or the joined code
 * `ue4`, which is the code as one word.
 */
export const readLabel: Rule = (items, index) => {
  for (const { letters, next, isAsWritten } of readLabelLetters(items, index)) {
    const hasNumberWord = isNumberWord(items, next)
    // The number is two items in `APR 06 02`, but not in `APR nº 06 02` (`readLabelNumber`).
    const maySpanTwoItems = isAsWritten && !hasNumberWord
    const number = readLabelNumber(items, hasNumberWord ? next + 1 : next, { maySpanTwoItems })
    if (number === undefined) continue
    const stems = [letters, ...number.stems]
    const ends = { first: letters, last: number.stems.at(-1) ?? letters }
    const clause: Clause = { kind: 'phrase', stems, joinedCode: letters + number.code }
    return toRuleResult({ clause, ends, next: number.next })
  }
  return undefined
}

/** The letters of a label (`ue` for `UE 4` and for `unidad de ejecución 4`), and the index of the item after them. */
interface LabelLetters {
  readonly letters: string
  readonly next: number
  /** The term has these letters: `UE`, but not its full form or its plural `UUEE`. */
  readonly isAsWritten: boolean
}

/**
 * The possible letters of a label at the index, those read from the most items first: `ue` for the three items
 * `unidad de ejecución`. Empty if there are none.
 */
function readLabelLetters(items: readonly TermItem[], index: number): LabelLetters[] {
  const { word } = items[index] as TermItem
  if (word === undefined || isNumberWord(items, index)) return []
  const labels = readAcronymPhrases(items, index).filter(({ letters }) => labelAcronyms.has(letters))
  // The word must be written as an acronym. The query stem of a variant (`uuee`) is the acronym itself (`ue`).
  const isAcronym = expansionsByAcronym.has(word.form) && labelAcronyms.has(word.queryStem)
  if (isAcronym) {
    labels.push({ letters: word.queryStem, next: index + 1, isAsWritten: word.form === word.queryStem })
  }
  return labels
}

/** The acronyms of the phrases that start at the index, longest phrase first: `ue` for `unidad de ejecución 4`. */
function readAcronymPhrases(items: readonly TermItem[], index: number): LabelLetters[] {
  const labels: LabelLetters[] = []
  let node = items[index]?.word?.phrases
  for (let next = index + 1; node !== undefined && next < items.length; next++) {
    const following = items[next]?.word
    const child = following === undefined ? undefined : findNextNode(node, following)
    if (child !== undefined) {
      node = child
      if (node.acronym !== undefined) labels.unshift({ letters: node.acronym, next: next + 1, isAsWritten: false })
    } else if (!following?.isStopWord) break
  }
  return labels
}

/**
 * Reads the number of a label at the index: `4` for the 4 of `UE 4`. Returns the index of the item after it too.
 * Undefined if no number is there. With `maySpanTwoItems`, the number may be two items: `06 02` for `APR 06 02`. The
 * caller sets it only if the letters of the label are just before the number: the clause is then a phrase of three
 * words, and a text with `APR nº 06 02` has another word between them. (A number of one item has a joined code too,
 * such as `ue4`, which texts with `UE nº 4` have.)
 */
function readLabelNumber(
  items: readonly TermItem[],
  index: number,
  { maySpanTwoItems }: { readonly maySpanTwoItems: boolean },
): (LabelNumber & { readonly next: number }) | undefined {
  const number = items[index]?.group.labelNumber
  if (number === undefined) return undefined
  const second = items[index + 1]
  // `APR 06 02` is `APR 06.02`, but `PP 3 5` is not `PP 3.5`, nor is `UE 12, 24 viviendas` the unit 12.24.
  const isTwoDigitsBeforeNumber = isDigitsOfLength(items[index], 2) && items[index]?.isBeforeNumber === true
  const spansTwoItems = isTwoDigitsBeforeNumber && (isDigitsOfLength(second, 2) || isDigitsOfLength(second, 3))
  const secondStem = second?.word?.stem
  if (!maySpanTwoItems || !spansTwoItems || secondStem === undefined) return { ...number, next: index + 1 }
  return { stems: [...number.stems, secondStem], code: `${number.code}.${secondStem}`, next: index + 2 }
}

/**
 * Reads a single letter in upper case and the number after it as one clause: for the code `A 6`, the phrase of the
 * stems `A` and `6`, or the joined code `a6`.
 */
export const readLetterBeforeNumber: Rule = (items, index) => {
  const { word } = items[index] as TermItem
  if (word === undefined || !isCapitalLetter(items, index)) return undefined
  if (word.isStopWord && !isCertainlyLetter(items, index)) return undefined
  const after = items[index + 1]
  const number = readLabelNumber(items, index + 1, { maySpanTwoItems: true })
  if (after === undefined || number === undefined || !startsWithDigit(after.group)) return undefined
  // Texts have `B 1.250` as the two words `b` and `1250`, which the phrase finds. They have `B-1.250` as a code whose
  // number has two parts, which the joined code `b1.250` finds.
  const isOneWord = number.next === index + 2 && after.word !== undefined
  const numberStems = isOneWord ? [after.word.stem] : number.stems
  // In texts, a letter that is also a stop word has a stem of its own before a number: `A` for the A of `A 6`. The
  // neighbours of a title have the plain letter.
  const letterStem = codeLetters.get(word.form)?.stem ?? word.form
  const ends = { first: word.form, last: numberStems.at(-1) ?? word.form }
  const clause: Clause = { kind: 'phrase', stems: [letterStem, ...numberStems], joinedCode: word.form + number.code }
  return toRuleResult({ clause, ends, next: number.next })
}

/**
 * Whether the item is a letter in upper case by itself, such as the A of `A 6`. False for the `C/` of a street, for an
 * N that means "number", and after a number, as a word (`1 A 6`) or at the end of a code (`UE-1 Y 2`, `3.1 A 3.8`).
 */
function isCapitalLetter(items: readonly TermItem[], index: number): boolean {
  const { word, group, isWholeToken } = items[index] as TermItem
  if (word === undefined || !isWholeToken || !group.isUpperCase || !/^[a-z]$/.test(word.form)) return false
  const isAfterNumber = /^\d/.test(items[index - 1]?.group.words.at(-1)?.form ?? '')
  return !isAfterNumber && !isStreetKind(word) && !isNumberWord(items, index)
}

/**
 * Whether the stop word in upper case at the index is the letter of a code for certain.
 *
 * term                 | certain | why
 * `A 6`                | yes     | at the start of the term
 * `UE A 6`             | yes     | after the letters of a label
 * `Sector A 6`         | yes     | another word of the term is not in capitals
 * `SECTOR A 6`         | no      | all words are in capitals: it may be a stop word
 * `SECTORES NORTE Y 2` | no      | the same, and it is a stop word
 * `"plan" A 6`         | no      | just after a quote or a prefix
 */
function isCertainlyLetter(items: readonly TermItem[], index: number): boolean {
  const before = items[index - 1]
  // `items` begins after a quote or a prefix; `isFirst` is about the whole term.
  if (before === undefined) return items[index]?.isFirst === true
  if (labelAcronyms.has(before.word?.queryStem ?? '')) return true
  return !items.every(({ group }) => group.isUpperCase)
}

/**
 * Reads a stop word of one letter in upper case before a number as a clause of its own, and the number as another: `a`
 * and `6` for the `A 6` of `SECTOR A 6`. The letter is required, unlike other stop words. This rule comes after
 * `readLetterBeforeNumber`, which applies only if the letter is certainly that of a code. Here it may also be a stop
 * word that the title has. After a number it stays an ordinary stop word: `1 A 6`.
 *
 * term                 | title                | the letter is   | pair of the title
 * `SECTOR A 6`         | `Sector A 6`         | that of a code  | `sector a` (`otherFirst`)
 * `SECTORES NORTE Y 2` | `Sectores Norte y 2` | a stop word     | `norte 2` (`first`), because stop words are left out
 */
export const readCapitalLetter: Rule = (items, index) => {
  const { word } = items[index] as TermItem
  const number = items[index + 1]?.group
  if (word === undefined || !isCapitalLetter(items, index) || !codeLetters.has(word.form)) return undefined
  if (number === undefined || !startsWithDigit(number)) return undefined
  const numberClause = toGroupClause(number)
  const { ends } = numberClause
  // For the type only: the clause of a number always has ends.
  if (ends === 'unpaired' || ends === 'skipped') return undefined
  const letterClause = toRequiredClause({ kind: 'word', stem: word.queryStem }, 'skipped')
  return {
    clauses: [letterClause, { ...numberClause, ends: { ...ends, otherFirst: word.form } }],
    next: index + 2,
  }
}

/** Reads an abbreviation that may be the letters of a code: `pca 3` also finds `PCA-3`, which is no `plaza`. */
export const readLettersOfCode: Rule = (items, index) => {
  const { word, isBeforeNumber } = items[index] as TermItem
  if (word === undefined || !isBeforeNumber || !mayBeLettersOfCode(word)) return undefined
  const { queryStem: stem } = word
  const clause: Clause = { kind: 'word', stem, orStems: [toCodePart(word).stem] }
  return toRuleResult({ clause, ends: toClauseEnds(stem), next: index + 1 })
}
