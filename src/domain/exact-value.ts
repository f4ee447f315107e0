// Values that a filter compares as a whole, such as that of `id`: how they are folded (brought into one form for the
// comparison), and which can be found. inscription-code.ts folds inscription codes.
import { foldCode } from './inscription-code.ts'
import { valueCharactersMax } from './query-limits.ts'

/**
 * The form in which values are compared: trimmed, in NFC and upper case. Lone surrogates become U+FFFD and control
 * characters are removed, because a request whose parameters contain any is refused.
 */
export function foldValue(value: string): string {
  const text = value.toWellFormed().replace(/\p{Cc}/gu, '')
  // The form of codes: NFC and upper case.
  return foldCode(text.trim())
}

/** Whether a filter can have this folded value. Only such values are indexed. */
export function isSearchable(folded: string): boolean {
  return folded !== '' && folded.length <= foldedCharactersMax
}

/** Folding turns a value into upper case, in which one character, such as `ΐ`, may become three. */
const foldedCharactersMax = valueCharactersMax * 3
