// Codes of an acronym and the numbers after it: `UE nº 3` is also `UE3`, and `UE-1, 2 y 4` is also `UE2` and `UE4`.
// numeral-synonyms.ts calls these functions where it finds a number.
import { createWord, expansionsByAcronym, type LexiconWord, wordOf } from './lexicon.ts'
import type { TextAnalysis } from './text-analysis.ts'
import { isDigits, type Word } from './word.ts'

/** The acronym of a word that is one or a variant of one: `ue` for `UUEE`. Undefined for other words. */
export function findAcronym(word: LexiconWord | undefined): string | undefined {
  if (word === undefined || !expansionsByAcronym.has(word.form)) return undefined
  // The query stem of `LOUA` is `louo`, which is no acronym, so its form is returned.
  return expansionsByAcronym.has(word.queryStem) ? word.queryStem : word.form
}

/** An acronym and the position of the first word that it stands for. */
export interface LocatedAcronym {
  readonly acronym: string
  readonly first: number
}

/**
 * The acronym and the number at the position as a code: `pe8.342`, and `pe08.342` if the text has leading zeros. Both
 * have the same stem. The prefix `PE 8.34*` finds the first form, and `PE.08.34*` the second.
 */
export function toCodes(acronym: string, position: number, text: TextAnalysis): Word[] {
  const { words, codesAtTokenEdges } = text
  const stem = acronym + codeNumberAt(position, text)
  const number = words[position]
  const code = codesAtTokenEdges.get(position)
  // A code is in `codesAtTokenEdges` at its first word. So there is one here only if the number itself has several
  // parts: the `08.342` of `PE 08.342`, but not the 03 of `UE 03`. The form of its joined code is as written, with the
  // dot and the leading zero.
  const isPlainNumber = code === undefined && number !== undefined && isDigits(number)
  const writtenNumber = isPlainNumber ? number.form : code?.joinedCode?.form
  const written = writtenNumber === undefined ? stem : acronym + writtenNumber
  return written === stem ? [wordOf(stem)] : [wordOf(stem), createWord(written, stem)]
}

/**
 * The number at the position as the end of a code. The first of these that there is:
 * - the number of a label with its dots: `2.1`, and `16.202`, which as a word is the number 16202;
 * - a joined code: `r3` for the `R-3` of `UE nº R-3`;
 * - the word: `3`, `iii`.
 */
function codeNumberAt(position: number, { words, codesAtTokenEdges }: TextAnalysis): string {
  const code = codesAtTokenEdges.get(position)
  return code?.labelNumber?.code ?? code?.joinedCode?.stem ?? words[position]?.stem ?? ''
}

/**
 * Adds the codes of an enumeration: `UE-1, 2 y 4` is also `UE2` and `UE4`. `firstNumberPosition` is that of the 1. The
 * numbers ascend, and "and" stands before the last one. Without "and" nothing is added.
 */
export function addEnumeratedCodes(
  { acronym, first }: LocatedAcronym,
  firstNumberPosition: number,
  text: TextAnalysis,
): void {
  const { words, codesAtTokenEdges, added } = text
  // A number of several parts, such as `16.202`, starts no enumeration.
  if (codesAtTokenEdges.has(firstNumberPosition)) return
  const enumerated: Word[] = []
  // NaN for a letter or a Roman numeral, after which any number is accepted.
  let previous = Number(words[firstNumberPosition]?.form)
  for (
    let position = firstNumberPosition + 1;
    position < words.length && enumerated.length < enumeratedMax;
    position++
  ) {
    const word = words[position] as LexiconWord
    const isLast = isAnd(word)
    const number = isLast ? words[position + 1] : word
    if (number === undefined || !isDigits(number) || number.form.length > enumeratedDigitsMax) return
    if (Number(number.form) <= previous) return
    enumerated.push(wordOf(acronym + number.stem))
    if (isLast) {
      added.add({ joinedForms: enumerated }, { first, last: position + 1 })
      return
    }
    previous = Number(number.form)
  }
}

/**
 * A longer list is not an enumeration of codes. numeral-synonyms.ts reads only this many numbers or ordinals of any
 * list.
 */
export const enumeratedMax: number = 12
/** A number with more digits, such as a year, is not part of an enumeration of codes. */
const enumeratedDigitsMax = 3

/** "And" in Spanish (`y`, and `e` before an i) and in Catalan (`i`). */
export function isAnd({ form }: Word): boolean {
  return form === 'y' || form === 'i' || form === 'e'
}
