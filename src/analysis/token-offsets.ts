// Start and end offsets of the tokens of a text, for highlighting in the terminal: `el UE-1.` has the tokens `el` from
// 0 to 2 and `UE-1` from 3 to 7. The tokens are those of the analyser.
import { Tokenizer } from './tokenizer.ts'

export interface TokenOffsets {
  /** UTF-16 offset of the first character. */
  readonly start: number
  /** UTF-16 offset after the last character, without trailing delimiters: before the dot of `No.` */
  readonly end: number
  /**
   * The token with its trailing delimiters, because they may change its meaning: `C/` is `calle`, `No.` may be
   * "number". To analyse a token by itself, pass this text to `analyseText`.
   */
  readonly text: string
}

export function tokenOffsets(text: string): TokenOffsets[] {
  const offsets: TokenOffsets[] = []
  const tokenizer = new Tokenizer(text)
  while (tokenizer.advance()) {
    const { start, end, nextOffset } = tokenizer
    offsets.push({ start, end, text: text.slice(start, nextOffset) })
  }
  return offsets
}
