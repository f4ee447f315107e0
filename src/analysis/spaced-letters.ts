// Headings with a space after each letter. `M E M O R I A` gets the joined form `memoria`, which is indexed with its
// letters, so that the term `memoria` finds it. Each letter of such a heading is a token of its own. analyser.ts passes
// the tokens of a text.
import type { AddedWordsWithSpans } from './added-words.ts'
import { foldWord } from './fold.ts'
import { wordOf } from './lexicon.ts'
import type { Tokenizer } from './tokenizer.ts'

/** Fewer letters are initials or an acronym rather than the word of a heading: `P P`, `U E 1`. */
const lettersMin = 4
/** No word of a heading is longer. */
const lettersMax = 24
const space = 0x20
/** The letter A. Of the characters that a token can start with, only the digits are before it in Unicode. */
const firstLetter = 0x41

/** Finds such headings in one text. The caller passes every token, then calls `flush` at the end of the text. */
export class SpacedLetters {
  readonly #added: AddedWordsWithSpans
  /** The letters of the heading so far: single-letter tokens with one space between them. */
  #letters = ''
  /** The word position of the first of these letters. */
  #firstPosition = 0
  /** The UTF-16 offset after the last of these letters. */
  #end = 0

  /** The whole words are added to `added`. */
  constructor(added: AddedWordsWithSpans) {
    this.#added = added
  }

  /** Takes the current token of the tokenizer. `position` is the word position of its first word. */
  addToken({ text, start, end }: Tokenizer, position: number): void {
    const isLetter = end === start + 1 && text.charCodeAt(start) >= firstLetter
    // Any other token ends the heading. The next letter flushes it, because it is not one space after the last letter.
    if (!isLetter) return
    const isAfterOneSpace = start === this.#end + 1 && text.charCodeAt(this.#end) === space
    if (!isAfterOneSpace) {
      this.flush()
      this.#firstPosition = position
    }
    this.#letters += text.charAt(start)
    this.#end = end
  }

  /** Adds the word of the letters so far, if they are the word of a heading, and forgets the letters. */
  flush(): void {
    const letters = this.#letters
    this.#letters = ''
    const { length } = letters
    if (length < lettersMin || length > lettersMax || !/^\p{L}+$/u.test(letters)) return
    const span = { first: this.#firstPosition, last: this.#firstPosition + length - 1 }
    this.#added.add({ joinedForms: [wordOf(foldWord(letters))] }, span)
  }
}
