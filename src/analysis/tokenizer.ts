// Tokenizer, the first step of the analyser: splits a text at white space and most punctuation. `Plan (UE-1), P.G.O.U.`
// has the tokens `Plan`, `UE-1` and `P.G.O.U`. Hyphens, dots, commas, slashes, apostrophes and the like are delimiters,
// which do not end a token: `Serrano,5` is one token. subtokens.ts splits a token into words at its delimiters.
// broken-words.ts joins the tokens of a word that a line end or a PDF has broken.

import { addToHash, emptyHash } from './word-cache.ts'

/** Walks the tokens of a text. `advance` moves to the next token. */
export class Tokenizer {
  readonly text: string
  /** UTF-16 offsets of the current token: of its first character, and after its last word character. */
  start = 0
  end = 0
  /**
   * UTF-16 offset from which `advance` looks for the next token: after the current token and its trailing delimiters,
   * such as the dot of `etc.` and the hyphen of `urbani-`. Callers may set it, for example to skip a token.
   */
  nextOffset = 0
  /** After the token as written, without trailing delimiters. A slash after a single character is kept: `C/`. */
  spellingEnd = 0
  /** The hash of the characters from `start` to `spellingEnd`. */
  spellingHash: number = emptyHash

  constructor(text: string) {
    this.text = text
  }

  /** Returns false at the end of the text. */
  advance(): boolean {
    const text = this.text
    const length = text.length
    let offset = this.nextOffset
    while (offset < length && classOf(text.charCodeAt(offset)) !== wordCharacter) offset++
    const start = offset
    this.start = start
    const endMax = Math.min(length, offset + tokenCharactersMax)
    let end = this.end
    let hash = emptyHash
    let hashAtEnd = emptyHash
    for (; offset < endMax; offset++) {
      const codeUnit = text.charCodeAt(offset)
      const characterClass = classOf(codeUnit)
      if (characterClass === separator) break
      hash = addToHash(hash, codeUnit)
      if (characterClass === wordCharacter) {
        end = offset + 1
        hashAtEnd = hash
      }
    }
    const isCharacterAndSlash = end === start + 1 && text.charCodeAt(end) === slash
    this.end = end
    this.spellingEnd = isCharacterAndSlash ? end + 1 : end
    this.spellingHash = isCharacterAndSlash ? addToHash(hashAtEnd, slash) : hashAtEnd
    this.nextOffset = offset
    return start < length
  }

  /** Whether a delimiter follows the token, as in `etc.` and `urbani-`. */
  get hasTrailingDelimiter(): boolean {
    return this.nextOffset !== this.end
  }

  get spelling(): string {
    return this.text.slice(this.start, this.spellingEnd)
  }
}

const slash = 0x2f

/** A longer token is cut; the rest is the next token. This bounds the cost of a token. */
const tokenCharactersMax = 1024

/**
 * Character classes. A word character starts or continues a token. A delimiter continues a token, but a token neither
 * starts nor ends with one. A separator ends a token.
 */
const separator = 0
const wordCharacter = 1
const delimiter = 2
/** The class of this code unit is not computed yet. */
const unclassified = 3

/** The class of each UTF-16 code unit; computed on first use. */
const characterClasses = new Uint8Array(0x10000).fill(unclassified)

function classOf(codeUnit: number): number {
  const known = characterClasses[codeUnit] as number
  if (known !== unclassified) return known
  const characterClass = classify(codeUnit)
  characterClasses[codeUnit] = characterClass
  return characterClass
}

function classify(codeUnit: number): number {
  const character = String.fromCharCode(codeUnit)
  // A full-width hyphen is a hyphen, a full-width letter is a letter.
  const normalised = character.normalize('NFKC')
  if (delimiterPattern.test(normalised)) return delimiter
  if (isSurrogate(codeUnit) || wordPattern.test(character) || wordPattern.test(normalised)) return wordCharacter
  return separator
}

/** Hyphens and dashes up to the en dash, minus, underscore, slash, dot, comma, apostrophes, middle dots. */
const delimiterPattern = /^[-\u2010-\u2013\u2212_/.,'\u2018\u2019\u2032\u02bc·•‧∙⋅]$/u

/**
 * Letters, combining marks, numbers and invisible format characters (`\p{Cf}`, such as the soft hyphen); ordinal signs
 * and the degree sign, which is typed for `º`; spacing accents, which are typed for an apostrophe (`l´Alcúdia`) or
 * stand beside their letter in the text of a PDF (`ordenaci´on`).
 */
const wordPattern = /[\p{L}\p{M}\p{N}\p{Cf}ºª°´¨˜`]/u

/**
 * Half of a character outside the basic multilingual plane, such as a mathematical letter or an emoji. A half does not
 * tell whether the character is a letter, so all halves are word characters. subtokens.ts sees the whole character and
 * takes an emoji for a delimiter.
 */
function isSurrogate(codeUnit: number): boolean {
  return codeUnit >= 0xd800 && codeUnit <= 0xdfff
}

/** Whether a comma, a full stop, a colon or a semicolon stands before the current token. */
export function isAfterPunctuation({ text, start }: Tokenizer): boolean {
  let offset = start - 1
  while (isWhiteSpace(text.charAt(offset))) offset--
  return offset >= 0 && '.,:;'.includes(text.charAt(offset))
}

function isWhiteSpace(character: string): boolean {
  return /\s/.test(character)
}
