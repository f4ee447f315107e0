// `No.`, `N.` and `N` as abbreviations of "number". Some sources lose the ordinal sign of `nº`, and then only the words
// before and after tell whether "number" is meant. In `Modificación N 3` it is, so the N gets the query stem `numero`,
// by which the next steps recognise "number". analyser.ts calls `markNumberAbbreviations` for each text that has such
// an abbreviation. For a search term, term-item.ts applies the same rules.
import type { LexiconWord } from './lexicon.ts'
import { isRomanNumeral } from './numerals.ts'
import { isStreetKind } from './street-names.ts'
import type { NumberAbbreviation } from './token.ts'
import { isDigits } from './word.ts'

/** A `No.`, `N.` or `N` of a text. */
export interface LocatedAbbreviation {
  readonly abbreviation: NumberAbbreviation
  /** Whether a dot follows it. */
  readonly isDotted: boolean
  /** The position of its word in the text. */
  readonly position: number
}

/**
 * Replaces in `words` each abbreviation that means "number" by a word with the query stem of `número`.
 *
 * text               | means "number"
 * `No. 5`, `N. 5`    | yes: with a dot, before digits
 * `N. IX`            | yes: with a dot, before a Roman numeral
 * `Carretera N. VI`  | no: before a Roman numeral, but after a road
 * `no. Cinco`        | no: no numeral follows
 * `Modificación N 3` | yes: without a dot, between a word and digits
 * `Carretera N 340`  | no: after a road
 */
export function markNumberAbbreviations(words: LexiconWord[], abbreviations: readonly LocatedAbbreviation[]): void {
  for (const { abbreviation, isDotted, position } of abbreviations) {
    const before = words[position - 1]
    const after = words[position + 1]
    if (after === undefined) continue
    const isNumber = isDotted
      ? isDigits(after) || (isRomanNumeral(after) && !isRoad(before))
      : isDigits(after) && letterNMeansNumberAfter(before)
    if (isNumber) words[position] = abbreviation.asNumberWord
  }
}

/**
 * Whether an N after this word and before a number means "number": after a word of two letters or more, but not after a
 * road or a stop word, because `Carretera N 340` and `la N 340` are the road N-340.
 */
export function letterNMeansNumberAfter(word: LexiconWord | undefined): boolean {
  return word !== undefined && /^[a-z]{2}/.test(word.form) && !word.isStopWord && !isRoad(word)
}

/** Whether the word is a kind of street or road. */
export function isRoad(word: LexiconWord | undefined): boolean {
  return word !== undefined && (isStreetKind(word) || word.form === 'autovia' || word.form === 'variante')
}
