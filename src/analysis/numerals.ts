// Roman numerals and ordinals as words, and the numbers that they stand for: 3 for `iii`, `tercera` and `3ª`.
import { ordinals, romanNumerals } from './abbreviations.ts'
import { createWord, type LexiconWord, wordOf } from './lexicon.ts'
import { toLexiconWord, withQueryStem } from './lexicon-word.ts'
import { isDigits, isOrdinalInDigits, type Word } from './word.ts'

/** The Roman numeral by the digits of an Arabic number, and the reverse: `iii` by `3`, `3` by `iii`. */
export const numeralCounterparts: ReadonlyMap<string, Word> = new Map(
  romanNumerals.flatMap((roman, index): [string, Word][] => [
    [roman, wordOf(String(index + 1))],
    [String(index + 1), wordOf(roman)],
  ]),
)

/** Whether the word is one of `romanNumerals`, in upper or lower case. */
export function isRomanNumeral(word: Word): boolean {
  return numeralCounterparts.has(word.form) && !isDigits(word)
}

/** The words of the Roman numerals in upper case, by form. A single letter is left out: it is rarely a numeral. */
export const upperCaseNumerals: ReadonlyMap<string, LexiconWord> = new Map(
  romanNumerals
    // `XX` is more often a blank to be filled in than a number.
    .filter((roman) => roman.length > 1 && roman !== 'xx')
    .map((roman) => {
      const word = wordOf(roman)
      return [roman, toLexiconWord(roman, word.stem, word.queryStem, { ...word, wordClass: 'R' })]
    }),
)

/** An ordinal of the table. */
interface Ordinal {
  /** The word of `2º`, with the stem `2º` and the query stem of `segundo`. */
  readonly inDigits: LexiconWord
  /** The word of `2ª`, with the same stems. */
  readonly feminineInDigits: LexiconWord
  /** The word `segundo`. */
  readonly spelledOut: LexiconWord
}

/** The ordinals by their digits. */
export const ordinalsByDigits: ReadonlyMap<string, Ordinal> = new Map(
  ordinals.map((ordinal, index) => {
    const digits = String(index + 1)
    const spelledOut = wordOf(ordinal)
    const word = createWord(digits, `${digits}º`)
    const inDigits = withQueryStem(word, spelledOut.stem, { wordClass: 'O' })
    const feminineInDigits = withQueryStem(word, spelledOut.stem, { wordClass: 'q' })
    return [digits, { inDigits, feminineInDigits, spelledOut }]
  }),
)

/** Finds the digits of an ordinal: `2` for `2ª`, and for `segunda`, whose synonym is `2º`. Otherwise undefined. */
export function findOrdinalDigits(word: LexiconWord): string | undefined {
  return [word, ...word.synonyms].find(isOrdinalInDigits)?.form
}

/**
 * Finds the stem of a number, in digits also if the number is a Roman numeral: `3` for `03` and for `iii`, `2º` for the
 * ordinal `2ª`. Undefined for any other word.
 */
export function findNumberStem(word: LexiconWord | undefined): string | undefined {
  if (word === undefined) return undefined
  return /^\d+$/.test(word.form) ? word.stem : numeralCounterparts.get(word.form)?.form
}

/** The stem of a thing and its number: `fase 2` for `fase II`. No other stem has a space inside it. */
export function toNumberedStem(thingStem: string, number: string): string {
  return `${thingStem} ${number}`
}
