// Adds to a text the synonyms of a word and the numeral beside it, so that every spelling of a number is found. A
// synonym is a word that is indexed with the text. The text `2ª fase` gets `2`, `ii` and `fase 2`; with `segundo`,
// which token.ts has added, the terms `fase 2`, `fase II` and `segunda fase` all find it. synonyms.ts calls these
// functions for the words that may have a numeral after them (`mayHaveNumeral` in lexicon-word.ts: `fase`, `sector`,
// `parc`, `nº`, `UE` and the like), and for the phrases that an acronym abbreviates (`Unidad de Ejecución`: `UE`).
//
// text                     | added here
// `Fase II`                | `fase 2`, `2`, `segundo`
// `Sector 3`               | `sector 3`, `iii`
// `parc. 37`               | `parc 37`, `parcela`
// `Modificación nº 5`      | `numero 5`, `no.`, `v`
// `UE nº 3`                | `ue3`, `numero 3`, `no.`, `iii`
// `UE 3`                   | `ue3`, `numero 3`, `no.`, `numero`
// `Unidad de Ejecución 1`  | `ue1`, `numero 1`, `no.`, `numero`
//
// `fase 2` and `numero 5` are numbered stems: the stem of a word and its number as one stem, with a space between them.
// The terms `fase II`, `segunda fase` and `modificación nº 5` search for a numbered stem (term-clauses.ts), so they do
// not find a number that belongs to another word. `ue3` is a joined form: the code `UE nº 3` as one word. `no.` is the
// stem that the term `no.` searches for; the stem `no` is that of the word "not".
//
// An ordinal in digits is one word if it has its sign: `3ª` has the form `3` and the stem `3º`. `3a` is two words, `3`
// and `a`, with the word of `3ª` as a joined form.
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
import { findNumberStem, findOrdinalDigits, numeralCounterparts, ordinalsByDigits, toNumberedStem } from './numerals.ts'
import type { TextAnalysis } from './text-analysis.ts'
import { isDigits, isOrdinalInDigits, type Word } from './word.ts'

/**
 * Adds the synonyms of the word at `position` and the numeral after it: `sector 3` and `iii` for `Sector 3`. The word
 * has `mayHaveNumeral`.
 */
export function addNumeralSynonyms(position: number, text: TextAnalysis): void {
  const { words } = text
  const word = words[position] as LexiconWord
  const after = words[position + 1]
  if (after === undefined) return
  // `UE` implies "number": `UE 3` is `UE nº 3`. So it gets `numero 3` (`addImpliedNumberSynonyms`) and not `ue 3`.
  if (!word.impliesNumber) addNumberedStems(word, position + 1, text)
  if (plotSynonyms.has(word.stem)) {
    // `parcela V` gets no synonym `5`, because its V may be a letter, and plots have no Roman numerals of more letters.
    addPlotSynonym(position, text)
    return
  }
  if (!isNumberAt(position + 1, text)) return
  if (isNumberWord(word)) {
    addNumberWordSynonyms(position, text)
  } else if (word.impliesNumber) {
    // `UE V` gets no synonym `5` either, because its V may be a letter. Nor does `UE 5` get `v`.
    if (isDigits(after)) addImpliedNumberSynonyms(position, text)
    return
  }
  addOtherNumeral(position, text)
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
 * Adds the other spellings of the number of a phase: `iii` and `fase 3` for `3ª fase`, `tercero` for `fase 3`. Adds
 * nothing if the word at `position` is not a word for a phase.
 */
export function addPhaseSynonyms(position: number, text: TextAnalysis): void {
  if (!phaseStems.has(text.words[position]?.stem ?? '')) return
  addNumberOfOrdinal(position, text)
  addOrdinalOfNumber(position, text)
}

/**
 * Stems of the words for a phase. Its number may be an ordinal (`2ª fase`) or a Roman numeral of one letter (`fase V`).
 */
export const phaseStems: ReadonlySet<string> = new Set(['fase', 'etapa', 'tramo'].map((form) => wordOf(form).stem))

/**
 * Adds the number of a phase that is given by an ordinal beside it, or by a Roman numeral before it. `position` is that
 * of the phase.
 *
 * text                      | added
 * `3ª fase`, `tercera fase` | `3`, `iii`, `fase 3`
 * `fase tercera`            | `3`, `iii`, `fase 3`
 * `III fase`                | `3`, `iii`, `fase 3`
 * `2ª y 3ª fase`            | `2`, `ii`, `fase 2` and `3`, `iii`, `fase 3`
 */
function addNumberOfOrdinal(position: number, text: TextAnalysis): void {
  // If an ordinal stands before the phase, an ordinal after it belongs to another word:
  // `Segunda fase, tercera modificación`.
  const hasOrdinal = addOrdinals(position, -1, text) || addOrdinals(position, 1, text)
  if (!hasOrdinal) addNumeralBefore(position, text)
}

/**
 * Adds the number of a phase with a Roman numeral of two letters or more before it: `2`, `ii` and `fase 2` for
 * `II Fase`. `position` is that of the phase. The numeral may belong to the word before it instead:
 *
 * text                            | number of the phase
 * `II Fase`                       | 2: nothing follows
 * `II fase de obras`              | 2: a stop word follows
 * `Benavente II, Fase 1`          | not 2: another word follows
 * `Parque II, fase norte`         | not 2: another word follows
 * `Sector II, fase de ejecución`  | not 2: the sector may have a numeral
 * `Juan Pablo II, fase de obras`  | not 2: the name of a pope keeps its numeral
 */
function addNumeralBefore(position: number, { words, added }: TextAnalysis): void {
  const beforeNumeral = words[position - 2]
  const after = words[position + 1]
  const belongsToWordBefore =
    beforeNumeral !== undefined && (beforeNumeral.mayHaveNumeral || wordsKeepingRomanNumeral.has(beforeNumeral.form))
  // Only Roman numerals of two letters or more have an `arabicNumeral` (numerals.ts).
  const digits = words[position - 1]?.arabicNumeral?.form
  if (digits === undefined || belongsToWordBefore || (after !== undefined && !after.isStopWord)) return
  addPhaseNumber(digits, position - 1, position, { words, added })
}

/** Names of kings and popes, and `siglo`. A Roman numeral after one of them is part of the name: `Carlos III`. */
export const wordsKeepingRomanNumeral: ReadonlySet<string> = new Set(
  `alfonso benedicto carlos clemente enrique felipe fernando gregorio isabel jaime juan leon luis pablo pedro pio sancho
  siglo siglos`.split(/\s+/),
)

/**
 * Adds the number of each ordinal before the phase (`step` -1) or after it (`step` 1): 2 and 3 for `2ª y 3ª fase`.
 * Returns whether there is an ordinal.
 */
function addOrdinals(phasePosition: number, step: -1 | 1, text: TextAnalysis): boolean {
  const ordinals = findOrdinals(phasePosition, step, text)
  for (const { digits, last } of ordinals) addPhaseNumber(digits, last, phasePosition, text)
  return ordinals.length > 0
}

/** An ordinal of a text: one word for `3ª` and `tercera`, two for `3a`. */
export interface LocatedOrdinal {
  readonly digits: string
  /** The positions of its first and its last word. */
  readonly first: number
  readonly last: number
  /** True for `3ª`, `3a` and `tercera`. */
  readonly isFeminine: boolean
}

/**
 * Finds the ordinals before the noun at `nounPosition` (`step` -1) or after it (`step` 1), the nearest first. The noun
 * is a phase or a modification. The function walks word by word away from it and ends at the first word that is neither
 * an ordinal nor a link, such as "and" (`isLink`).
 *
 * text                      | ordinals, in the order in which they are found
 * `1ª a 3ª fase`            | 3, 1: a link stands between two ordinals
 * `2ª y última fase`        | 2: links stand between the ordinal and the phase
 * `fases segunda y tercera` | 2, 3
 * `fase y segunda`          | none: no link may stand just after the phase
 */
export function findOrdinals(nounPosition: number, step: -1 | 1, text: TextAnalysis): LocatedOrdinal[] {
  const { words } = text
  const ordinals: LocatedOrdinal[] = []
  for (let position = nounPosition + step; ordinals.length < enumeratedMax; position += step) {
    const word = words[position]
    if (word === undefined) break
    const ordinal = findOrdinalEndingAt(position, text)
    if (ordinal !== undefined) {
      ordinals.push(ordinal)
      // For `3a fase` the walk goes backwards: it has found the ordinal at the `a` and now skips the digit. For `fase
      // 3a` the walk goes forwards and ends at the digit, which is no ordinal by itself. There `addNumberedStems` has
      // already added `fase 3`.
      if (ordinal.first < position) position--
    } else if (!isLink(word) || (step === 1 && ordinals.length === 0)) break
  }
  return ordinals
}

/**
 * Finds the ordinal whose last word is at the position: 3 for `3ª` and `tercera`, one word, and for `3a`, two words.
 */
function findOrdinalEndingAt(position: number, { words, codesByPosition }: TextAnalysis): LocatedOrdinal | undefined {
  const word = words[position] as LexiconWord
  const digits = findOrdinalDigits(word)
  if (digits !== undefined) return { digits, first: position, last: position, isFeminine: word.isFeminineOrdinal }
  // `3a` is in `codesByPosition` at the position of its 3. Its joined code is the word of `3ª`: form `3`, stem `3º`.
  const code = codesByPosition.get(position - 1)?.joinedCode
  if (code === undefined || !isOrdinalInDigits(code)) return undefined
  return { digits: code.form, first: position - 1, last: position, isFeminine: word.form === 'a' }
}

/**
 * Whether the word may stand between the ordinals of a noun, or between them and the noun: "and", `a` ("to") or
 * `última`, as in `2ª y última fase`.
 */
function isLink(word: LexiconWord): boolean {
  return isAnd(word) || word.form === 'a' || word.stem === ultimoStem
}

const ultimoStem = wordOf('ultimo').stem

/**
 * Adds the number of a phase in all its spellings: `3`, `iii` and the numbered stem `fase 3` for the digits `3`.
 * `position` is that of the numeral, or of the last word of the ordinal, before or after the phase.
 */
function addPhaseNumber(
  digits: string,
  position: number,
  phasePosition: number,
  { words, added }: Pick<TextAnalysis, 'words' | 'added'>,
): void {
  const stem = toNumberedStem(words[phasePosition] as LexiconWord, digits)
  const roman = numeralCounterparts.get(digits)
  const synonyms = [wordOf(digits), ...(roman === undefined ? [] : [roman]), wordOf(stem)]
  added.add({ synonyms }, { first: Math.min(position, phasePosition), last: Math.max(position, phasePosition) })
}

/** Adds the ordinal in words: `tercero` for `fase 3` and `fase III`. token.ts has added it to every `3ª`. */
function addOrdinalOfNumber(position: number, { words, added }: TextAnalysis): void {
  const ordinal = ordinalsByDigits.get(findNumberStem(words[position + 1]) ?? '')?.spelledOut
  if (ordinal !== undefined) added.add({ synonyms: [ordinal] }, { first: position, last: position + 1 })
}

/**
 * Adds the numbered stems of `word` and each number of the list that starts at `firstNumberPosition`: `sector 2` and
 * `sector 3` for `Sectores II y III`. The list ends at the first word that is neither a number nor "and".
 *
 * text                | added                                       | why
 * `Sectores II y III` | `sector 2`, `sector 3`                      |
 * `Sector nº 3`       | `numero 3`, `sector 3`                      | the number belongs to both words
 * `UE nº 3`           | `numero 3`                                  | `UE` implies "number": it has no stem `ue 3`
 * `Sector UE-3`       | `numero 3`                                  | the number of the `UE` is not that of the sector
 * `Fase 2ª`           | `fase 2`, `fase 2º`                         | an ordinal starts the list
 * `Sector 5, 2ª fase` | `sector 5`, `sector 2º`, but not `sector 2` | the `2ª` is the number of the phase
 *
 * In the last case the walk takes the `2ª` for part of the list, but an ordinal after a plain number adds only its stem
 * `2º`. No term searches for `sector 2º`. Terms search for a stem with the sign only after "number": `nº 2ª` searches
 * for `numero 2º`.
 */
function addNumberedStems(word: LexiconWord, firstNumberPosition: number, { words, added }: TextAnalysis): void {
  const hasNumberWord = isNumberWord(words[firstNumberPosition - 1])
  const before = hasNumberWord ? words[firstNumberPosition - 2] : undefined
  const numberedWords = before?.mayHaveNumeral && !before.impliesNumber ? [word, before] : [word]
  const firstNumber = words[firstNumberPosition]
  const startsWithOrdinal = firstNumber !== undefined && isOrdinalInDigits(firstNumber)
  let numberCount = 0
  for (let position = firstNumberPosition; position < words.length && numberCount < enumeratedMax; position++) {
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
    added.add({ synonyms }, { first: firstNumberPosition - 1, last: position })
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
  addNumberedStems(numberWord, position + 1, text)
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
  const numeralPosition = isNumberWord(words[position]) ? position + 1 : position
  if (!isNumberAt(numeralPosition, text)) return
  // After the full form of an acronym of two letters an `a` is a code: `Unidad de Ejecución A` is `UE-A`. After the
  // full form of a longer acronym an `a` is a preposition: `Plan General de Ordenación Urbana a largo plazo`.
  const isPreposition = acronym.length >= 3 && words[numeralPosition]?.isStopWord
  if (isPreposition || isConjunctionAt(numeralPosition, text)) return
  const joinedForms = toCodes(acronym, numeralPosition, text)
  added.add({ joinedForms, synonyms: [numberWord, dottedNo] }, { first, last: numeralPosition })
  addNumberedStems(numberWord, numeralPosition, text)
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
 * Whether the word at the position is "and" or "or" before another word, and so not the letter of a code.
 *
 * text                              | is a conjunction
 * `Plan Parcial y Estudio`          | yes; in capitals too, because whole titles are more often in capitals
 * `Plan Parcial e informe`          | yes
 * `Unidad de Ejecución E del Plan`  | no: a capital E
 * `Unidad de Ejecución Y`           | no: nothing follows
 */
function isConjunctionAt(position: number, { words, codesByPosition }: TextAnalysis): boolean {
  const form = words[position]?.form ?? ''
  const after = words[position + 1]
  if (after === undefined || isDigits(after)) return false
  // `codesByPosition` has the capital letters that may be part of a code.
  return ['y', 'o'].includes(form) || (['e', 'u'].includes(form) && !codesByPosition.has(position))
}

/** Whether the word is "number" or an abbreviation of it: `número`, `nº`, or the `No` of `No. 3`. */
function isNumberWord(word: LexiconWord | undefined): boolean {
  return word?.queryStem === numberWord.stem
}

/**
 * Whether the word may number a plan, an area or a phase: up to four digits, a single letter, or a Roman numeral of up
 * to four of the letters i, v and x.
 */
function isNumeral(word: Word): boolean {
  return /^(?:\d{1,4}|[a-z]|[ivx]{1,4})$/.test(word.stem)
}
