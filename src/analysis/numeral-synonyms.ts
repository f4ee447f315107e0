// Synonyms of a word and the numeral before or after it: `fase II` is also `fase 2`, and `UE nº 3` is also `UE3`
// (numbered-codes.ts). synonyms.ts calls these functions for the words that may have a numeral, and for the phrases
// that have an acronym.
//
// A numbered stem is the stem of a word and its number as one stem, with a space between them: `fase 2`, `numero 5`.
// The terms `fase II`, `segunda fase` and `modificación nº 5` search for it (term-clauses.ts), so they do not find a
// number that belongs to another word.
import {
  dottedNo,
  findNumberStem,
  findOrdinalDigits,
  type LexiconWord,
  numberWord,
  numeralCounterparts,
  ordinalsByDigits,
  toNumberedStem,
  wordOf,
} from './lexicon.ts'
import {
  addEnumeratedCodes,
  enumeratedMax,
  findAcronym,
  isAnd,
  type LocatedAcronym,
  toCodes,
} from './numbered-codes.ts'
import type { TextAnalysis } from './text-analysis.ts'
import { isDigits, isOrdinalInDigits, type Word } from './word.ts'

/** For a word with `mayHaveNumeral` at `position`: adds the synonyms of the word together with the numeral after it. */
export function addNumeralSynonyms(position: number, text: TextAnalysis): void {
  const { words } = text
  const word = words[position] as LexiconWord
  const after = words[position + 1]
  if (after === undefined) return
  // A word that implies "number" has no numbered stem itself: `UE 3` has `numero 3` (`addImpliedNumberSynonyms`).
  if (!word.impliesNumber) addNumberedStems(word, position + 1, text)
  if (plotSynonyms.has(word.stem)) {
    // The numeral of a plot gets no Arabic or Roman counterpart (`addOtherNumeral`): the V of `parcela V` may be a
    // letter.
    addPlotSynonym(position, text)
    return
  }
  if (!isNumberAt(position + 1, text)) return
  if (isNumberWord(word)) {
    addNumberWordSynonyms(position, text)
  } else if (word.impliesNumber) {
    // The numeral after a word such as `UE` gets no counterpart either: the V of `UE V` may be a letter.
    if (isDigits(after)) addImpliedNumberSynonyms(position, text)
    return
  }
  addOtherNumeral(position, text)
}

/** Adds the Arabic or Roman counterpart of the numeral after `position`: `3` to `fase III`, `iii` to `fase 3`. */
function addOtherNumeral(position: number, { words, added }: TextAnalysis): void {
  const numeral = words[position + 1] as LexiconWord
  // The V of `Sector V` may be a letter: the sector before `Sector W`.
  if (words[position]?.queryStem === sectorStem && /^[a-z]$/.test(numeral.form)) return
  const otherNumeral = numeralCounterparts.get(numeral.stem)
  if (otherNumeral !== undefined) added.add({ synonyms: [otherNumeral] }, { first: position, last: position + 1 })
}

const sectorStem = wordOf('sector').stem

/** `parc. 37` and `parc. nº 37` are also `parcela 37`, and the reverse. `position` is that of `parc` or `parcela`. */
function addPlotSynonym(position: number, { words, codesAtTokenEdges, added }: TextAnalysis): void {
  const plotSynonym = plotSynonyms.get(words[position]?.stem ?? '')
  const hasNumberWord = isNumberWord(words[position + 1])
  const last = hasNumberWord ? position + 2 : position + 1
  const numeral = words[last]
  const isNumbered = numeral !== undefined && (isNumeral(numeral) || codesAtTokenEdges.has(last))
  if (plotSynonym === undefined || !isNumbered) return
  added.add({ synonyms: [plotSynonym] }, { first: position, last })
}

/** Before a numeral or a code, `parc.` is a plot of land; elsewhere it may be the Catalan word for a park. */
const plotSynonyms: ReadonlyMap<string, Word> = new Map([
  [wordOf('parc').stem, wordOf('parcela')],
  [wordOf('parcela').stem, wordOf('parc')],
])

/** If the word at `position` is a phase, makes `3ª fase`, `tercera fase`, `fase 3` and `fase III` synonyms. */
export function addPhaseSynonyms(position: number, text: TextAnalysis): void {
  if (!phaseStems.has(text.words[position]?.stem ?? '')) return
  addNumberOfOrdinal(position, text)
  addOrdinalOfNumber(position, text)
}

/** Stems of the words for a phase. Ordinals (`2ª fase`) and Roman numerals of one letter (`fase V`) number them too. */
export const phaseStems: ReadonlySet<string> = new Set(['fase', 'etapa', 'tramo'].map((form) => wordOf(form).stem))

/**
 * Adds the number to `3ª fase`, `tercera fase`, `fase tercera` and `III fase`. There may be several ordinals:
 * `2ª y 3ª fase`, `fases segunda y tercera`. `position` is that of the phase.
 */
function addNumberOfOrdinal(position: number, text: TextAnalysis): void {
  // After `segunda fase`, an ordinal belongs to what follows: `Segunda fase, tercera modificación`.
  const hasOrdinal = addOrdinals(position, -1, text) || addOrdinals(position, 1, text)
  if (!hasOrdinal) addNumeralBefore(position, text)
}

/**
 * Adds the number of `II Fase`, at the end of a text or before a stop word. `position` is that of the phase. In other
 * places the numeral belongs to the word before it: `Benavente II, Fase 1`, `Parque II, fase norte`.
 */
function addNumeralBefore(position: number, { words, added }: TextAnalysis): void {
  const beforeNumeral = words[position - 2]
  const after = words[position + 1]
  // The II of `Sector II, fase de ejecución` and of `Juan Pablo II, fase de obras` is not the number of a phase.
  const belongsToWordBefore =
    beforeNumeral !== undefined && (beforeNumeral.mayHaveNumeral || wordsKeepingRomanNumeral.has(beforeNumeral.form))
  const digits = words[position - 1]?.arabicNumeral?.form
  if (digits === undefined || belongsToWordBefore || (after !== undefined && !after.isStopWord)) return
  addPhaseNumber(digits, position - 1, position, { words, added })
}

/** Names of kings and popes, and `siglo`. After them a Roman numeral is not the number of a plan or a phase. */
export const wordsKeepingRomanNumeral: ReadonlySet<string> = new Set(
  `alfonso benedicto carlos clemente enrique felipe fernando gregorio isabel jaime juan leon luis pablo pedro pio sancho
  siglo siglos`.split(/\s+/),
)

/**
 * Walks from the phase word by word, backwards (`step` -1) or forwards (1), and adds the number of each ordinal.
 * Returns whether there is one. A link (`isLink`) may stand between two ordinals (`1ª a 3ª fase`) or between an ordinal
 * and the phase after it (`2ª y última fase`), but not just after the phase.
 */
function addOrdinals(phasePosition: number, step: -1 | 1, text: TextAnalysis): boolean {
  const { words } = text
  let ordinalCount = 0
  for (let position = phasePosition + step; ordinalCount < enumeratedMax; position += step) {
    const word = words[position]
    if (word === undefined) break
    const ordinal = findOrdinalEndingAt(position, text)
    if (ordinal !== undefined) {
      addPhaseNumber(ordinal.digits, position, phasePosition, text)
      ordinalCount++
      // This happens only backwards: after the `a` of `3a fase` comes the 3, which is skipped. Forwards, the 3 of `fase
      // 3a` comes first and ends the loop; `addNumberedStems` has made it the number of the phase.
      if (ordinal.wordCount === 2) position--
    } else if (!isLink(word) || (step === 1 && ordinalCount === 0)) break
  }
  return ordinalCount > 0
}

/** The ordinal whose last word is at the position: `3ª` and `tercera` are one word, `3a` is two. */
function findOrdinalEndingAt(
  position: number,
  { words, codesAtTokenEdges }: TextAnalysis,
): { readonly digits: string; readonly wordCount: 1 | 2 } | undefined {
  const digits = findOrdinalDigits(words[position] as LexiconWord)
  if (digits !== undefined) return { digits, wordCount: 1 }
  // `3a` is in `codesAtTokenEdges` at the position of its 3. Its joined code is the word of `3ª`, whose form is `3`.
  const code = codesAtTokenEdges.get(position - 1)?.joinedCode
  return code !== undefined && isOrdinalInDigits(code) ? { digits: code.form, wordCount: 2 } : undefined
}

/** Whether the word may link the ordinals of phases: "and", `a` ("to") or `última`. */
function isLink(word: LexiconWord): boolean {
  return isAnd(word) || word.form === 'a' || word.stem === lastStem
}

const lastStem = wordOf('ultimo').stem

/**
 * Adds `3`, `iii` and the stem `fase 3`. `position` is that of the numeral, or of the last word of the ordinal, before
 * or after the phase.
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

/** Adds `tercero`, which has the stem of `tercera`, to `fase 3` and to `fase III`. Any `3ª` has it already. */
function addOrdinalOfNumber(position: number, { words, added }: TextAnalysis): void {
  const ordinal = ordinalsByDigits.get(findNumberStem(words[position + 1]) ?? '')?.spelledOut
  if (ordinal !== undefined) added.add({ synonyms: [ordinal] }, { first: position, last: position + 1 })
}

/**
 * Adds the numbered stems of `word` for the list of numbers that starts at `firstNumberPosition`: `Sectores II y III`
 * has `sector 2` and `sector 3`. If "number" is written before the list, the word before "number" has these stems too:
 * `Sector nº 3` has `numero 3` and `sector 3`. If a word such as `UE` implies "number", the word before `UE` has none:
 * `Sector UE-3` is no `sector 3`. The list ends at the first word that is neither a numeral nor "and".
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
    // `Fase 2ª` has `fase 2º`, with the stem of `2ª`, and `fase 2`. In `Sector 5, 2ª fase` the list starts with the 5,
    // and the `2ª` belongs to the phase: `sector 2` is not added, only `sector 2º`, which no term `sector 2` finds.
    const isOrdinal = startsWithOrdinal && isOrdinalInDigits(numeral)
    const numberStems = isOrdinal ? [numberStem, numeral.form] : [numberStem]
    const synonyms = numberedWords.flatMap((numbered) =>
      numberStems.map((each) => wordOf(toNumberedStem(numbered, each))),
    )
    // The span starts at the word before the list. In `Sector nº 3` the span of `numero 3` and of `sector 3` is `nº 3`.
    added.add({ synonyms }, { first: firstNumberPosition - 1, last: position })
    numberCount++
  }
}

/** For the word "number", or an abbreviation of it, at `position` before a numeral: `UE nº 3` is also `UE3`. */
function addNumberWordSynonyms(position: number, text: TextAnalysis): void {
  const { words, added } = text
  // The term `no.` searches for `dottedNo`. The term `número` searches for `numberWord`, which is a synonym of
  // `No.` and `N.`; `nº` does not need it, because it has the stem of `número`.
  const isOtherStem = words[position]?.stem !== numberWord.stem
  const synonyms = isOtherStem ? [dottedNo, numberWord] : [dottedNo]
  added.add({ synonyms }, { first: position, last: position + 1 })
  const acronym = findAcronym(words[position - 1])
  if (acronym === undefined) return
  const joinedForms = toCodes(acronym, position + 1, text)
  added.add({ joinedForms }, { first: position - 1, last: position + 1 })
  addEnumeratedCodes({ acronym, first: position - 1 }, position + 1, text)
}

/** For a word at `position` that implies "number" before digits: `UE 3` and `UE-3` are also `UE nº 3`. */
function addImpliedNumberSynonyms(position: number, text: TextAnalysis): void {
  const { words, codesAtTokenEdges, added } = text
  const word = words[position] as LexiconWord
  added.add({ synonyms: [numberWord, dottedNo] }, { first: position, last: position + 1 })
  // `UE-1`, a code of two words, and `UE 1` may start an enumeration. `UE-1-A` may not: it continues after its number.
  const wordsInCode = codesAtTokenEdges.get(position)?.words.length
  const endsWithNumber = wordsInCode === undefined || wordsInCode === 2
  if (!endsWithNumber) return
  addNumberedStems(numberWord, position + 1, text)
  const acronym = findAcronym(word)
  if (acronym === undefined) return
  // The code of `UE 12` is for prefixes (`UE-1*`). `UE-12` has it already, but `UUEE-12` has another one.
  if (wordsInCode === undefined || acronym !== word.form) {
    added.add({ joinedForms: toCodes(acronym, position + 1, text) }, { first: position, last: position + 1 })
  }
  addEnumeratedCodes({ acronym, first: position }, position + 1, text)
}

/**
 * Adds the code of a phrase that has an acronym and of the number after it: `Unidad de Ejecución nº 1` is also `UE1`.
 * `position` is that of the word after the phrase.
 */
export function addNumberedAcronym(locatedAcronym: LocatedAcronym, position: number, text: TextAnalysis): void {
  const { words, added } = text
  const { acronym, first } = locatedAcronym
  const numeralPosition = isNumberWord(words[position]) ? position + 1 : position
  if (!isNumberAt(numeralPosition, text)) return
  // `Unidad de Ejecución A` is `UE-A`, but after the full form of a longer acronym (PGOU) an `a` is a preposition:
  // `Plan General a largo plazo`.
  const isPreposition = acronym.length >= 3 && words[numeralPosition]?.isStopWord
  if (isPreposition) return
  const joinedForms = toCodes(acronym, numeralPosition, text)
  added.add({ joinedForms, synonyms: [numberWord, dottedNo] }, { first, last: numeralPosition })
  addNumberedStems(numberWord, numeralPosition, text)
  addEnumeratedCodes(locatedAcronym, numeralPosition, text)
}

/** Whether the word at the position is a numeral, or starts the number of a label: `3`, `III`, `A`, `16.202`, `4-A`. */
function isNumberAt(position: number, { words, codesAtTokenEdges }: TextAnalysis): boolean {
  const word = words[position]
  if (word === undefined) return false
  return isNumeral(word) || codesAtTokenEdges.get(position)?.labelNumber !== undefined
}

/** Whether the word is "number" or an abbreviation of it. */
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
