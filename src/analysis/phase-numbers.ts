// Adds to a text the other spellings of the number of a phase, which may be an ordinal or a Roman numeral beside it.
// The text `2ª fase` gets `2`, `ii` and `fase 2`. With `segundo`, which token.ts has added, the terms `fase 2`,
// `fase II` and `segunda fase` all find it. synonyms.ts calls `addPhaseSynonyms` for each word that may have a numeral.
// numeral-synonyms.ts has added what a numeral after any such word adds: `fase 2` and `ii` for `Fase 2`.
import { type LexiconWord, wordOf } from './lexicon.ts'
import { findOrdinals } from './located-ordinals.ts'
import { findNumberStem, numeralCounterparts, ordinalsByDigits, toNumberedStem } from './numerals.ts'
import type { TextAnalysis } from './text-analysis.ts'

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
