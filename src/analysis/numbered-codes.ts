// Codes that a text writes as an acronym and, apart from it, a number. A code names a plan or an area. The text
// `UE nº 3` gets the joined form `ue3`, which is the code as one word; `UE-1, 2 y 4` gets `ue2` and `ue4`.
// numeral-synonyms.ts calls these functions when it finds a number.
import { expansionsByAcronym } from './acronym-expansions.ts'
import { createWord, type LexiconWord, wordOf } from './lexicon.ts'
import type { TextAnalysis } from './text-analysis.ts'
import { isDigits, type Word } from './word.ts'

/** Finds the acronym of a word: `ue` for `UE` and for its plural `UUEE`. Undefined for a word that is no acronym. */
export function findAcronym(word: LexiconWord | undefined): string | undefined {
  if (word === undefined || !expansionsByAcronym.has(word.form)) return undefined
  // The query stem of `UUEE` is `ue`. But that of `LOUA` is `louo`, because the stemmer takes the A for a feminine
  // ending; then the form is the acronym.
  return expansionsByAcronym.has(word.queryStem) ? word.queryStem : word.form
}

/** An acronym and the position of the first word that it stands for: `ue` and 0 for `Unidad de Ejecución 1`. */
export interface LocatedAcronym {
  readonly acronym: string
  readonly first: number
}

/**
 * Joins the acronym and the number at the position to a code: `ue3` for `UE 3`. A number with leading zeros makes two
 * words with the same stem but two forms. Prefixes match forms, so both ways to write a prefix find the code.
 *
 * text        | forms                 | found by the prefixes
 * `UE 3`      | `ue3`                 | `UE-3*`
 * `UE 03`     | `ue3`, `ue03`         | `UE-3*`, `UE-03*`
 * `PE 08.342` | `pe8.342`, `pe08.342` | `PE 8.34*`, `PE 08.34*`
 *
 * A number of several parts is also found by its first part, as the text `UE-3-A` is found by the term `UE-3`:
 * `Unidad de Ejecución 3-A` has the code `ue3` too.
 */
export function toCodes(acronym: string, position: number, text: TextAnalysis): Word[] {
  const { words, codesByPosition } = text
  const stem = acronym + codeNumberAt(position, text)
  const codes = [wordOf(stem)]
  const number = words[position]
  // A number of several parts is in `codesByPosition`, with the group of its parts: the `08.342` of `PE 08.342`. A
  // plain number, such as the 03 of `UE 03`, is not.
  const group = codesByPosition.get(position)
  const startsWithNumber = number !== undefined && isDigits(number)
  if (startsWithNumber && group !== undefined && group.words.length > 1) codes.push(wordOf(acronym + number.stem))
  const isPlainNumber = startsWithNumber && group === undefined
  // A form keeps leading zeros; a stem has none.
  const writtenNumber = isPlainNumber ? number.form : group?.joinedCode?.form
  const written = writtenNumber === undefined ? stem : acronym + writtenNumber
  if (written !== stem) codes.push(createWord(written, stem))
  return codes
}

/**
 * Returns the number at the position as the end of a code: `3` for `UE 3`.
 *
 * text         | number   | taken from
 * `UE 2.1`     | `2.1`    | `labelNumber`: the group as the number of a code, with its dots
 * `UE 16.202`  | `16.202` | `labelNumber`; the word would be the number `16202`
 * `UE nº R-3`  | `r3`     | `joinedCode`: the group as one word
 * `UE 3`       | `3`      | the word, because a plain number has no group in `codesByPosition`
 * `UE nº III`  | `iii`    | the word, as it is written
 */
function codeNumberAt(position: number, { words, codesByPosition }: TextAnalysis): string {
  const group = codesByPosition.get(position)
  return group?.labelNumber?.code ?? group?.joinedCode?.stem ?? words[position]?.stem ?? ''
}

/**
 * Adds the codes of an enumeration after its first: `ue2` and `ue4` for `UE-1, 2 y 4`. An enumeration has "and" before
 * its last number, and its numbers ascend. `first` is the position of the `UE`, `firstNumberPosition` that of the 1.
 *
 * text             | added
 * `UE-1, 2 y 4`    | `ue2`, `ue4`
 * `UE-1, 2, 4`     | none: no "and"
 * `UE-4 y 2`       | none: the numbers do not ascend
 * `UE-1, 2 y 2018` | none: 2018 has too many digits
 */
export function addEnumeratedCodes(
  { acronym, first }: LocatedAcronym,
  firstNumberPosition: number,
  text: TextAnalysis,
): void {
  const { words, codesByPosition, added } = text
  // A number of several parts, such as `16.202`, starts no enumeration.
  if (codesByPosition.has(firstNumberPosition)) return
  const firstNumber = words[firstNumberPosition]
  const enumerated: Word[] = []
  // Undefined after a letter or a Roman numeral, after which any number is accepted.
  let previous = firstNumber !== undefined && isDigits(firstNumber) ? Number(firstNumber.form) : undefined
  for (
    let position = firstNumberPosition + 1;
    position < words.length && enumerated.length < enumeratedMax;
    position++
  ) {
    const word = words[position] as LexiconWord
    const isLast = isAnd(word)
    const number = isLast ? words[position + 1] : word
    if (number === undefined || !isDigits(number) || number.form.length > enumeratedDigitsMax) return
    const value = Number(number.form)
    if (previous !== undefined && value <= previous) return
    enumerated.push(wordOf(acronym + number.stem))
    if (isLast) {
      added.add({ joinedForms: enumerated }, { first, last: position + 1 })
      return
    }
    previous = value
  }
}

/**
 * A longer list is not an enumeration of codes. numeral-synonyms.ts and located-ordinals.ts read only this many numbers
 * or ordinals of any list.
 */
export const enumeratedMax: number = 12
/** A number with more digits, such as a year, is not part of an enumeration of codes. */
const enumeratedDigitsMax = 3

/** "And" in Spanish (`y`, and `e` before an i) and in Catalan (`i`). */
export function isAnd({ form }: Word): boolean {
  return form === 'y' || form === 'i' || form === 'e'
}
