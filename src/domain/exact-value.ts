// Registration numbers and ids, which a filter compares as whole values: how they are folded (brought into one form for
// the comparison), and which can be found.
import { foldCode } from './inscription-code.ts'
import { valueCharactersMax } from './query.ts'

/**
 * The form in which values are compared: trimmed, in NFC and upper case. Lone surrogates become U+FFFD and control
 * characters are removed, because a parameter cannot contain them.
 */
export function foldValue(value: string): string {
  return foldCode(value.trim())
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
}

/** Whether a filter can have this folded value. Only such values have a posting list. */
export function isSearchable(folded: string): boolean {
  return folded !== '' && folded.length <= foldedCharactersMax
}

/** Folding turns a value into upper case, in which one character, such as `ΐ`, may become three. */
const foldedCharactersMax = valueCharactersMax * 3
