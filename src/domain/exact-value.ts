// Registration numbers and ids: how a filter compares them with the records, and which of them it can find.
import { foldCode } from './inscription-code.ts'
import { valueCharactersMax } from './query.ts'

/** The form in which values are compared: case does not matter. A request cannot contain control characters. */
export function foldValue(value: string): string {
  return foldCode(value.trim())
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
}

/** Whether a request can contain the folded value. A value that it cannot contain needs no posting list. */
export function isSearchable(folded: string): boolean {
  return folded !== '' && folded.length <= foldedCharactersMax
}

/** Folding turns a value into upper case, in which one character may become three, such as `ΐ`. */
const foldedCharactersMax = valueCharactersMax * 3
