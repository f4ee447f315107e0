// Start and end offsets of the tokens of a text, for highlighting. The tokens are those that the analyser splits a
// text into.
import { Tokenizer } from './tokenizer.ts'

export interface TokenOffsets {
  /** UTF-16 offset of the first character. */
  readonly start: number
  /** UTF-16 offset after the last letter or digit. */
  readonly end: number
  /** The token with the punctuation that belongs to it, such as `C/` or `No.`: the input for `analyseText`. */
  readonly text: string
}

export function tokenOffsets(text: string): TokenOffsets[] {
  const offsets: TokenOffsets[] = []
  const tokenizer = new Tokenizer(text)
  while (tokenizer.advance()) {
    const { start, end, next } = tokenizer
    offsets.push({ start, end, text: text.slice(start, next) })
  }
  return offsets
}
