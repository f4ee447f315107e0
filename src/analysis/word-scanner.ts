// Finds the offsets of the words of a text. The index has the word positions at which a term matches, but a passage
// needs the characters there: in `el suelo` the word at position 1 has the characters from 3 to 8. The scanner counts
// words as the analyser does. Most tokens are plain words, which count as one word without analysis.
import { findBrokenWord, mayBeBroken } from './broken-words.ts'
import { analyseToken } from './token.ts'
import { Tokenizer } from './tokenizer.ts'

/** Scans a text from its start, only as far as needed. A later scan goes on where the one before ended. */
export class WordScanner {
  readonly text: string
  /**
   * By word position, for the words found so far: UTF-16 offsets of its first character, and after its last. They equal
   * those of `analyseTextWithOffsets`: the words of one token have the offsets of the token.
   */
  readonly starts: number[] = []
  readonly ends: number[] = []
  readonly #tokenizer: Tokenizer
  #isAtEnd = false

  constructor(text: string) {
    this.text = text
    this.#tokenizer = new Tokenizer(text)
  }

  /** Whether all words of the text are found. */
  get isAtEnd(): boolean {
    return this.#isAtEnd
  }

  /**
   * Finds all words up to the one at `position`, and those that start up to `characters` after its end. If the text has
   * fewer words, all are found.
   */
  scan(position: number, characters: number): void {
    while (!this.#isAtEnd && !this.#isPast(position, characters)) this.#addToken()
  }

  /** Whether a word is found that starts more than `characters` after the end of the word at `position`. */
  #isPast(position: number, characters: number): boolean {
    const end = this.ends[position]
    return end !== undefined && (this.starts.at(-1) ?? 0) > end + characters
  }

  /** Adds the words of the next token, or of the next two if they are one broken word. */
  #addToken(): void {
    const tokenizer = this.#tokenizer
    if (!tokenizer.advance()) {
      this.#isAtEnd = true
      return
    }
    if (isPlainWord(tokenizer)) {
      this.#addWords(1, tokenizer.end)
      return
    }
    const token = analyseToken(tokenizer)
    const brokenWord = mayBeBroken(tokenizer) ? findBrokenWord(tokenizer, token) : undefined
    // Otherwise, for example if the break is not certain, both tokens keep their words.
    if (brokenWord?.replacesTokens) {
      this.#addWords(1, brokenWord.end)
      tokenizer.nextOffset = brokenWord.end
      return
    }
    // For `C/`, `spellingEnd` is after the slash, which is part of the abbreviation. Otherwise it is `end`.
    this.#addWords(token.words.length, tokenizer.spellingEnd)
  }

  /** Adds words that start with the current token and end at `end`. */
  #addWords(count: number, end: number): void {
    for (let word = 0; word < count; word++) {
      this.starts.push(this.#tokenizer.start)
      this.ends.push(end)
    }
  }
}

/** Whether the token is certainly one word that is not broken: only plain letters, or only digits. */
function isPlainWord(tokenizer: Tokenizer): boolean {
  const { text, start, end } = tokenizer
  // `mayBeBroken` is true before any delimiter (tokenizer.ts), but only a hyphen can break a word.
  const isBeforePunctuation = /[.,]/.test(text.charAt(end))
  if (!isBeforePunctuation && mayBeBroken(tokenizer)) return false
  const kind = plainKinds[text.charCodeAt(start)] ?? 0
  if (kind === 0) return false
  for (let offset = start + 1; offset < end; offset++) {
    if (plainKinds[text.charCodeAt(offset)] !== kind) return false
  }
  return true
}

/** By code unit: 1 for the letters of ASCII and from `À` to `ÿ` without the rare `ß`, 2 for digits, 0 for others. */
const plainKinds = Uint8Array.from({ length: 0x100 }, (_, unit) => {
  const character = String.fromCharCode(unit)
  if (/[a-zà-öø-ÿ]/i.test(character)) return 1
  return /\d/.test(character) ? 2 : 0
})
