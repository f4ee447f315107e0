// Codes that a text writes as an acronym and, apart from it, a number. A code names a plan or an area. The text
// `UE nº 3` gets the joined form `ue3`, which is the code as one word; `UE-1, 2 y 4` gets `ue2` and `ue4`.
// synonyms.ts calls these functions for acronyms and for the phrases that they abbreviate.
import { expansionsByAcronym } from './acronym-expansions.ts'
import { createWord, type LexiconWord, wordOf } from './lexicon.ts'
import type { TextAnalysis } from './text-analysis.ts'
import { isDigits, type Word } from './word.ts'
import { isOfClass } from './word-classes.ts'

/** Finds the acronym of a word: `ue` for `UE` and for its plural `UUEE`. Undefined for a word that is no acronym. */
function findAcronym(word: LexiconWord | undefined): string | undefined {
  if (word === undefined || !expansionsByAcronym.has(word.form)) return undefined
  // The query stem of `UUEE` is `ue`. But that of `LOUA` is `louo`, because the stemmer takes the A for a feminine
  // ending; then the form is the acronym.
  return expansionsByAcronym.has(word.queryStem) ? word.queryStem : word.form
}

/** An acronym and the position of the first word that it stands for: `ue` and 0 for `Unidad de Ejecución 1`. */
interface LocatedAcronym {
  readonly acronym: string
  readonly first: number
}

/**
 * Adds the code of an acronym and the number after it: `ue3` for `UE 3` and `UE nº 3`. `position` is that of the
 * acronym. Only after "number" the number may be a letter or a Roman numeral: `UE nº V`.
 */
export function addNumberedCode(position: number, text: TextAnalysis): void {
  const { words, codesByPosition } = text
  const acronym = findAcronym(words[position])
  if (acronym === undefined) return
  const isAfterNumberWord = isNumberWord(words[position + 1])
  const number = words[position + 1]
  // The 1 of the code `UE-1-A` is not its whole number. The code `UE-1` may start an enumeration.
  const isPartOfCode = (codesByPosition.get(position)?.words.length ?? 2) > 2
  if (!isAfterNumberWord && (number === undefined || !isDigits(number) || isPartOfCode)) return
  addCodes({ acronym, first: position }, isAfterNumberWord ? position + 2 : position + 1, text)
}

/**
 * Adds the code of the acronym of a phrase and the number after the phrase: `ue1` for `Unidad de Ejecución 1`.
 * `position` is that of the word after the phrase.
 */
export function addNumberedAcronym(locatedAcronym: LocatedAcronym, position: number, text: TextAnalysis): void {
  const { words } = text
  const numeralPosition = isNumberWord(words[position]) ? position + 1 : position
  // After the full form of an acronym of two letters an `a` is a code: `Unidad de Ejecución A` is `UE-A`. After the
  // full form of a longer acronym an `a` is a preposition: `Plan General de Ordenación Urbana a largo plazo`.
  const isPreposition = locatedAcronym.acronym.length >= 3 && words[numeralPosition]?.isStopWord
  if (!isPreposition && !isLinkAt(numeralPosition, text)) addCodes(locatedAcronym, numeralPosition, text)
}

function addCodes(locatedAcronym: LocatedAcronym, position: number, text: TextAnalysis): void {
  if (!isNumberAt(position, text)) return
  const { acronym, first } = locatedAcronym
  text.added.add({ joinedForms: toCodes(acronym, position, text) }, { first, last: position })
  addEnumeratedCodes(locatedAcronym, position, text)
}

/**
 * Whether the word at the position is a numeral or starts the number of a label, which is the code of a plan or an
 * area: true for `3`, `III`, `A`, `16.202` and `4-A`.
 */
function isNumberAt(position: number, { words, codesByPosition }: TextAnalysis): boolean {
  const word = words[position]
  if (word === undefined) return false
  return /^(?:\d{1,4}|[a-z]|[ivx]{1,4})$/.test(word.stem) || codesByPosition.get(position)?.labelNumber !== undefined
}

/**
 * Whether the word at the position is "and", "or" or the preposition `a` before another word, and so not the letter of
 * a code.
 *
 * text                              | links words
 * `Plan Parcial y Estudio`          | yes; in capitals too, because whole titles are more often in capitals
 * `Plan Parcial e informe`          | yes
 * `Plan Parcial a desarrollar`      | yes
 * `Unidad de Ejecución A del Plan`  | no: a capital A
 * `Unidad de Ejecución Y`           | no: nothing follows
 */
function isLinkAt(position: number, { words, codesByPosition }: TextAnalysis): boolean {
  const form = words[position]?.form ?? ''
  const after = words[position + 1]
  if (after === undefined || isDigits(after)) return false
  // `codesByPosition` has the capital letters that may be part of a code.
  return ['y', 'o'].includes(form) || (['a', 'e', 'u'].includes(form) && !codesByPosition.has(position))
}

function isNumberWord(word: LexiconWord | undefined): boolean {
  return word !== undefined && isOfClass(word.wordClass, 'NUMBER')
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
function toCodes(acronym: string, position: number, text: TextAnalysis): Word[] {
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
function addEnumeratedCodes({ acronym, first }: LocatedAcronym, firstNumberPosition: number, text: TextAnalysis): void {
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

/** A longer list is not an enumeration of codes. */
const enumeratedMax = 12
/** A number with more digits, such as a year, is not part of an enumeration of codes. */
const enumeratedDigitsMax = 3

/** "And" in Spanish (`y`, and `e` before an i) and in Catalan (`i`). */
function isAnd({ form }: Word): boolean {
  return form === 'y' || form === 'i' || form === 'e'
}
