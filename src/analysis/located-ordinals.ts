// Ordinals beside a noun of a text: 2 and 3 for `2ª y 3ª fase`. phase-numbers.ts and modification-numbers.ts use them.
//
// An ordinal in digits is one word if it has its sign: `3ª` has the form `3` and the stem `3º`. `3a` is two words, `3`
// and `a`, with the word of `3ª` as a joined form.
import { type LexiconWord, wordOf } from './lexicon.ts'
import { enumeratedMax, isAnd } from './numbered-codes.ts'
import { findOrdinalDigits } from './numerals.ts'
import type { TextAnalysis } from './text-analysis.ts'
import { isOrdinalInDigits } from './word.ts'

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
 * is a phase or a modification. The function walks away from it and ends at the first word that is neither an ordinal
 * nor a link, such as "and" (`isLink`).
 *
 * text                      | ordinals, in the order in which they are found
 * `1ª a 3ª fase`            | 3, 1: a link stands between two ordinals
 * `2ª y última fase`        | 2: links stand between the ordinal and the phase
 * `fases segunda y tercera` | 2, 3
 * `fase y segunda`          | none: no link may stand just after the phase
 * `fase 3a`                 | none: the walk ends at the 3. `addNumeralSynonyms` has already added `fase 3`
 */
export function findOrdinals(nounPosition: number, step: -1 | 1, text: TextAnalysis): LocatedOrdinal[] {
  const { words } = text
  const ordinals: LocatedOrdinal[] = []
  let position = nounPosition + step
  while (ordinals.length < enumeratedMax) {
    const word = words[position]
    if (word === undefined) break
    const ordinal = findOrdinalEndingAt(position, text)
    if (ordinal !== undefined) {
      ordinals.push(ordinal)
      position = (step === -1 ? ordinal.first : ordinal.last) + step
    } else {
      const mayBeLink = step === -1 || ordinals.length > 0
      if (!mayBeLink || !isLink(word)) break
      position += step
    }
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
