// `No.`, `N.` and `N` as abbreviations of "number". Some sources lose the ordinal sign of `nº`. Then only the words
// before and after tell whether "number" is meant. analyser.ts calls `markNumberAbbreviations` for each text that has
// such an abbreviation; for a term, term-item.ts applies the same rules.
import { isRomanNumeral, type LexiconWord } from './lexicon.ts'
import { isStreetKind } from './street-names.ts'
import type { NumberAbbreviation } from './token.ts'
import { isDigits } from './word.ts'

/** A `No.`, `N.` or `N` of a text. */
export interface LocatedAbbreviation {
  readonly abbreviation: NumberAbbreviation
  readonly isDotted: boolean
  readonly position: number
}

/**
 * Replaces in `words` each abbreviation that means "number" by a word with the query stem of `número`. It means that:
 * - with a dot, before digits (`No. 5`, but not `no. Cinco`) or, except after a road, before a Roman numeral (`N. IX`,
 *   but not `Carretera N. VI`);
 * - the letter N without a dot, between a word and digits: `Modificación N 3`.
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
