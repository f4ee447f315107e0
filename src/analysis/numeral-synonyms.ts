// Adds to a text the synonyms of a word and the numeral after it, so that every spelling of a number is found. Synonyms
// are words that are indexed with the text. synonyms.ts calls these functions for the words that may have a numeral
// (`mayHaveNumeral` in lexicon-word.ts: `fase`, `sector`, `parc`, `nº`, `UE` and the like), and for the phrases that an
// acronym abbreviates (`Unidad de Ejecución`: `UE`).
//
// text                     | added here
// `Fase II`                | `fase 2`, `2`
// `Sector 3`               | `sector 3`, `iii`
// `parc. 37`               | `parc 37`, `parcela`
// `Modificación nº 5`      | `numero 5`, `no.`, `v`
// `UE nº 3`                | `ue3`, `numero 3`, `no.`, `iii`
// `UE 3`                   | `ue3`, `numero 3`, `no.`, `numero`
// `Unidad de Ejecución 1`  | `ue1`, `numero 1`, `no.`, `numero`
//
// `fase 2` and `numero 5` are numbered stems: the stem of a word and its number as one stem, with a space between them.
// The terms `fase II`, `segunda fase` and `modificación nº 5` search for a numbered stem (term-numbers.ts), so they do
// not find a number that belongs to another word. `ue3` is a joined form: the code `UE nº 3` as one word. `no.` is the
// stem that the term `no.` searches for; the stem `no` is that of the word "not".
import { type LexiconWord, wordOf } from './lexicon.ts'
import { dottedNo, numberWord } from './number-words.ts'
import {
  addEnumeratedCodes,
  enumeratedMax,
  findAcronym,
  isAnd,
  type LocatedAcronym,
  toCodes,
} from './numbered-codes.ts'
import { findNumberStem, numeralCounterparts, toNumberedStem } from './numerals.ts'
import type { TextAnalysis } from './text-analysis.ts'
import { isDigits, isOrdinalInDigits, type Word } from './word.ts'

/**
 * Adds the synonyms of the word at `position` and the numeral after it. The word has `mayHaveNumeral`. By kind:
 *
 * kind             | text       | numbered stems         | further
 * implies "number" | `UE 3`     | `numero 3`, not `ue 3` | `numero`, `no.`, `ue3`
 * a plot           | `parc. 37` | `parc 37`              | `parcela`
 * "number"         | `UE nº 3`  | `numero 3`             | `no.`, `ue3`, `iii`
 * any other        | `Sector 3` | `sector 3`             | `iii`
 *
 * Only the last two get the numeral in the other notation. `UE V` and `parcela V` get no `5`, because their V may be a
 * letter.
 */
export function addNumeralSynonyms(position: number, text: TextAnalysis): void {
  const { words } = text
  const word = words[position] as LexiconWord
  const after = words[position + 1]
  if (after === undefined) return
  if (word.impliesNumber) {
    if (isDigits(after) && isNumberAt(position + 1, text)) addImpliedNumberSynonyms(position, text)
    return
  }
  addNumberedStems(findNumberedWords(position, words), position + 1, text)
  if (plotSynonyms.has(word.stem)) {
    addPlotSynonym(position, text)
  } else if (isNumberAt(position + 1, text)) {
    if (isNumberWord(word)) addNumberWordSynonyms(position, text)
    addOtherNumeral(position, text)
  }
}

/** Adds the numeral after `position` in the other notation: `3` for `fase III`, `iii` for `fase 3`. */
function addOtherNumeral(position: number, { words, added }: TextAnalysis): void {
  const numeral = words[position + 1] as LexiconWord
  // `Sector V` gets no synonym `5`, because its V may be a letter: the sector before `Sector W`.
  if (words[position]?.queryStem === sectorStem && /^[a-z]$/.test(numeral.form)) return
  const otherNumeral = numeralCounterparts.get(numeral.stem)
  if (otherNumeral !== undefined) added.add({ synonyms: [otherNumeral] }, { first: position, last: position + 1 })
}

const sectorStem = wordOf('sector').stem

/**
 * Adds the other word for a plot of land: `parcela` for `parc. 37` and `parc. nº 37`, `parc` for `parcela 37`.
 * `position` is that of `parc` or `parcela`.
 */
function addPlotSynonym(position: number, { words, codesByPosition, added }: TextAnalysis): void {
  const plotSynonym = plotSynonyms.get(words[position]?.stem ?? '')
  const hasNumberWord = isNumberWord(words[position + 1])
  const last = hasNumberWord ? position + 2 : position + 1
  const numeral = words[last]
  const isNumbered = numeral !== undefined && (isNumeral(numeral) || codesByPosition.has(last))
  if (plotSynonym === undefined || !isNumbered) return
  added.add({ synonyms: [plotSynonym] }, { first: position, last })
}

/**
 * The two words for a plot of land, each with the other. `parc.` is a plot only before a numeral or a code
 * (`parc. 37`). Elsewhere it may be the Catalan word for a park.
 */
const plotSynonyms: ReadonlyMap<string, Word> = new Map([
  [wordOf('parc').stem, wordOf('parcela')],
  [wordOf('parcela').stem, wordOf('parc')],
])

/**
 * The words that a number after `position` belongs to: `sector` for `Sector 3`, `numero` and `sector` for
 * `Sector nº 3`. Only `numero` for `UE nº 3`, because `UE` implies "number".
 */
function findNumberedWords(position: number, words: readonly LexiconWord[]): LexiconWord[] {
  const word = words[position] as LexiconWord
  const before = isNumberWord(word) ? words[position - 1] : undefined
  return before?.mayHaveNumeral && !before.impliesNumber ? [word, before] : [word]
}

/**
 * Adds the numbered stems of `numberedWords` and each number of the list that starts at `firstPosition`. The list ends
 * at the first word that is neither a number nor "and".
 *
 * text                | numbered words     | added
 * `Sectores II y III` | `sector`           | `sector 2`, `sector 3`
 * `Sector nº 3`       | `numero`, `sector` | `numero 3`, `sector 3`
 * `Fase 2ª`           | `fase`             | `fase 2`, `fase 2º`: an ordinal starts the list
 * `nº 2ª`             | `numero`           | `numero 2`, `numero 2º`, for which the term `nº 2ª` searches
 * `Sector 5, 2ª fase` | `sector`           | `sector 5`, `sector 2º`, but not `sector 2`
 *
 * In the last row the `2ª` is the number of the phase. The list includes it all the same, because no term searches for
 * `sector 2º`: only "number" has such stems in terms.
 */
function addNumberedStems(
  numberedWords: readonly LexiconWord[],
  firstPosition: number,
  { words, added }: TextAnalysis,
): void {
  const firstNumber = words[firstPosition]
  const startsWithOrdinal = firstNumber !== undefined && isOrdinalInDigits(firstNumber)
  let numberCount = 0
  for (let position = firstPosition; position < words.length && numberCount < enumeratedMax; position++) {
    const numeral = words[position] as LexiconWord
    if (numberCount > 0 && isAnd(numeral)) continue
    const numberStem = findNumberStem(numeral)
    if (numberStem === undefined) return
    // The stem of the `2ª` of `Fase 2ª` is `2º`, and its form is `2`.
    const isOrdinal = startsWithOrdinal && isOrdinalInDigits(numeral)
    const numberStems = isOrdinal ? [numberStem, numeral.form] : [numberStem]
    const synonyms = numberedWords.flatMap((numbered) =>
      numberStems.map((each) => wordOf(toNumberedStem(numbered, each))),
    )
    // The span, which a result highlights, starts with the word just before the list: `sector 3` and `numero 3` have
    // the span `nº 3` of `Sector nº 3`.
    added.add({ synonyms }, { first: firstPosition - 1, last: position })
    numberCount++
  }
}

/**
 * Adds the synonyms of the word "number", or of an abbreviation of it, before a numeral, and the code of an acronym
 * before it: `no.` and `ue3` for `UE nº 3`. `position` is that of "number". The term `no.` searches for the stem `no.`
 * (`dottedNo`), the term `número` for the stem `numero` (`numberWord`). So each text gets the ones that it lacks:
 *
 * text          | stem of the word | added           | joined form
 * `UE nº 3`     | `numero`         | `no.`           | `ue3`
 * `UE número 3` | `numero`         | `no.`           | `ue3`
 * `UE No. 3`    | `no`             | `no.`, `numero` | `ue3`
 * `UE N. 3`     | `n`              | `no.`, `numero` | `ue3`
 */
function addNumberWordSynonyms(position: number, text: TextAnalysis): void {
  const { words, added } = text
  const hasStemOfNumber = words[position]?.stem === numberWord.stem
  const synonyms = hasStemOfNumber ? [dottedNo] : [dottedNo, numberWord]
  added.add({ synonyms }, { first: position, last: position + 1 })
  const acronym = findAcronym(words[position - 1])
  if (acronym === undefined) return
  const joinedForms = toCodes(acronym, position + 1, text)
  added.add({ joinedForms }, { first: position - 1, last: position + 1 })
  addEnumeratedCodes({ acronym, first: position - 1 }, position + 1, text)
}

/**
 * Adds the word "number" that a text leaves out before digits, and the code: `numero`, `no.`, `numero 3` and `ue3` for
 * `UE 3`. `position` is that of the word that implies "number". If the digits do not end the code (`UE-1-A`), they are
 * not its whole number, so only the word is added:
 *
 * text         | `numero`, `no.` | `numero 1` | `ue1`                        | `ue2` (enumeration)
 * `UE 1 y 2`   | added           | added      | added                        | added
 * `UE-1 y 2`   | added           | added      | token.ts has added it        | added
 * `UUEE-1 y 2` | added           | added      | added: token.ts adds `uuee1` | added
 * `UE-1-A y 2` | added           | no         | no                           | no
 */
function addImpliedNumberSynonyms(position: number, text: TextAnalysis): void {
  const { words, codesByPosition, added } = text
  const word = words[position] as LexiconWord
  added.add({ synonyms: [numberWord, dottedNo] }, { first: position, last: position + 1 })
  // Undefined for `UE 1`, which has no code at its first word; 2 for `UE-1`, 3 for `UE-1-A`.
  const wordsInCode = codesByPosition.get(position)?.words.length
  const endsWithNumber = wordsInCode === undefined || wordsInCode === 2
  if (!endsWithNumber) return
  addNumberedStems([numberWord], position + 1, text)
  const acronym = findAcronym(word)
  if (acronym === undefined) return
  // The joined form `ue12` of the text `UE 12` is needed only for prefixes such as `UE-1*`: the term `UE-12` finds the
  // text as the phrase `ue 12`.
  if (wordsInCode === undefined || acronym !== word.form) {
    added.add({ joinedForms: toCodes(acronym, position + 1, text) }, { first: position, last: position + 1 })
  }
  addEnumeratedCodes({ acronym, first: position }, position + 1, text)
}

/**
 * Adds the code that the acronym of a phrase and the number after the phrase make, and its synonyms: `ue1`, `numero`,
 * `no.` and `numero 1` for `Unidad de Ejecución 1`. `position` is that of the word after the phrase.
 */
export function addNumberedAcronym(locatedAcronym: LocatedAcronym, position: number, text: TextAnalysis): void {
  const { words, added } = text
  const { acronym, first } = locatedAcronym
  const hasNumberWord = isNumberWord(words[position])
  const numeralPosition = hasNumberWord ? position + 1 : position
  if (!isNumberAt(numeralPosition, text)) return
  // After the full form of an acronym of two letters an `a` is a code: `Unidad de Ejecución A` is `UE-A`. After the
  // full form of a longer acronym an `a` is a preposition: `Plan General de Ordenación Urbana a largo plazo`.
  const isPreposition = acronym.length >= 3 && words[numeralPosition]?.isStopWord
  if (isPreposition || isLinkAt(numeralPosition, text)) return
  const joinedForms = toCodes(acronym, numeralPosition, text)
  added.add({ joinedForms, synonyms: [numberWord, dottedNo] }, { first, last: numeralPosition })
  const numberedWords = hasNumberWord ? findNumberedWords(position, words) : [numberWord]
  addNumberedStems(numberedWords, numeralPosition, text)
  addEnumeratedCodes(locatedAcronym, numeralPosition, text)
}

/**
 * Whether the word at the position is a numeral or starts the number of a label, which is the code of a plan or an
 * area: true for `3`, `III`, `A`, `16.202` and `4-A`.
 */
function isNumberAt(position: number, { words, codesByPosition }: TextAnalysis): boolean {
  const word = words[position]
  if (word === undefined) return false
  return isNumeral(word) || codesByPosition.get(position)?.labelNumber !== undefined
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

/** Whether the word is "number" or an abbreviation of it: `número`, `nº`, or the `No` of `No. 3`. */
function isNumberWord(word: LexiconWord | undefined): boolean {
  return word?.queryStem === numberWord.stem
}

/**
 * Whether the word may number a plan, an area or a phase: up to four digits, a single letter, or a Roman numeral of up
 * to four of the letters i, v and x. The A of the code `A 6` may not: its stem is in upper case.
 */
function isNumeral(word: Word): boolean {
  return /^(?:\d{1,4}|[a-z]|[ivx]{1,4})$/.test(word.stem)
}
