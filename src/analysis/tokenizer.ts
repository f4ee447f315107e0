// Tokenizer, the first step of the analyser: splits a text at white space and punctuation into tokens such as `suelo`,
// `UE-1`, `P.G.O.U.` or `l'Alcúdia`. Hyphens, dots, slashes and apostrophes are delimiters, which do not end a token;
// subtokens.ts splits a token at them.

/** A cursor over the tokens of a text. `advance` moves to the next token. */
export class Tokenizer {
  readonly text: string
  /** UTF-16 offsets of the current token: of its first character, and after its last letter or digit. */
  start = 0
  end = 0
  /** Offset after the token and its trailing delimiters (`etc.`, `urbani-`). The next token is at or after it. */
  nextOffset = 0

  constructor(text: string) {
    this.text = text
  }

  /** Returns false at the end of the text. */
  advance(): boolean {
    const text = this.text
    const length = text.length
    let offset = this.nextOffset
    while (offset < length && classOf(text.charCodeAt(offset)) !== wordCharacter) offset++
    this.start = offset
    const endMax = Math.min(length, offset + tokenCharactersMax)
    for (; offset < endMax; offset++) {
      const characterClass = classOf(text.charCodeAt(offset))
      if (characterClass === separator) break
      if (characterClass === wordCharacter) this.end = offset + 1
    }
    this.nextOffset = offset
    return this.start < length
  }

  /** The token as written, without trailing delimiters. Only the slash of `C/` is kept: it means `calle`. */
  get spelling(): string {
    return this.text.slice(this.start, this.spellingEnd)
  }

  get spellingEnd(): number {
    const isLetterAndSlash = this.end === this.start + 1 && this.text.charCodeAt(this.end) === slash
    return isLetterAndSlash ? this.end + 1 : this.end
  }

  /**
   * A fast check before `findWordBreak`: false when the word cannot continue in the next token. The word may continue
   * after a hyphen, a ligature, an `fi` or `fl`, or before an accent. True in some other cases too, where
   * `findWordBreak` finds nothing.
   */
  get mayBeBroken(): boolean {
    const { text, end } = this
    const hasTrailingDelimiter = this.nextOffset !== end
    if (hasTrailingDelimiter) return true
    const last = text.charCodeAt(end - 1)
    if (last === softHyphen || last >= firstLigature || text.charCodeAt(end - 2) === letterF) return true
    const afterSpace = text.charCodeAt(end + 1)
    return afterSpace >= firstAccentedLetter && afterSpace <= lastCombiningMark
  }
}

const slash = 0x2f

/** A longer token is cut; the rest is the next token. This bounds the cost of a token. */
const tokenCharactersMax = 1024

/** Character classes. A separator ends a token; a delimiter is part of a token only between word characters. */
const separator = 0
const wordCharacter = 1
const delimiter = 2
const unclassified = 3

/** The class of each UTF-16 code unit; computed on first use. */
const characterClasses = new Uint8Array(0x10000).fill(unclassified)

function classOf(unit: number): number {
  const known = characterClasses[unit] as number
  if (known !== unclassified) return known
  const characterClass = classify(unit)
  characterClasses[unit] = characterClass
  return characterClass
}

function classify(unit: number): number {
  const character = String.fromCharCode(unit)
  // A full-width hyphen is a hyphen, a full-width letter is a letter.
  const normalised = character.normalize('NFKC')
  if (delimiterPattern.test(normalised)) return delimiter
  if (isSurrogate(unit) || wordPattern.test(character) || wordPattern.test(normalised)) return wordCharacter
  return separator
}

/** Hyphens and dashes up to the en dash, minus, underscore, slash, dot, comma, apostrophes, middle dots. */
const delimiterPattern = /^[-\u2010-\u2013\u2212_/.,'\u2018\u2019\u2032\u02bc·•‧∙⋅]$/u

/**
 * Letters, marks, numbers and invisible format characters; ordinal signs; spacing accents, which replace an apostrophe
 * or stand beside their letter in a PDF.
 */
const wordPattern = /[\p{L}\p{M}\p{N}\p{Cf}ºª°´¨˜`]/u

/** Half of a character outside the basic multilingual plane, such as a mathematical letter. */
function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff
}

/**
 * How the last word of the token continues in the next token.
 * `certain`: a hyphen breaks it at the end of a line, or a PDF has a space after a ligature.
 * `likely`: a hyphen and a space; a hyphen and the end of a line between capital letters; a space inside a word.
 * `accent`: a PDF has a space between a letter and its accent (`a ́mbito`).
 */
export type WordBreak = 'certain' | 'likely' | 'accent'

/** How the last word of the current token continues. Returns undefined when the word ends with the token. */
export function findWordBreak({ text, end, nextOffset }: Tokenizer): WordBreak | undefined {
  const hasTrailingDelimiter = nextOffset !== end
  if (hasTrailingDelimiter) {
    const isOneHyphen = nextOffset === end + 1 && hyphen.test(text.charAt(end))
    return isOneHyphen ? findHyphenBreak(text, end, nextOffset) : undefined
  }
  const last = text.charCodeAt(end - 1)
  // A soft hyphen is a word character, so the token ends after it.
  if (last === softHyphen) return findHyphenBreak(text, end - 1, end)
  const isBeforeSpaceAndLetter = text.charAt(end) === ' ' && lowerCase.test(text.charAt(end + 1))
  const isLigature = last >= firstLigature && last <= lastLigature
  if (isLigature) return isBeforeSpaceAndLetter ? 'certain' : undefined
  // Some PDF readers expand the ligature and keep the space: `modifi cación`. Few words end in `fi` or `fl`.
  const isExpandedLigature = text.charCodeAt(end - 2) === letterF && (last === letterI || last === letterL)
  if (isExpandedLigature && isBeforeSpaceAndLetter) return 'likely'
  // In some PDFs the accented letters have a separate font: `rehabilitaci ón`.
  separateEnding.lastIndex = end
  if (separateEnding.test(text)) return 'likely'
  separateAccent.lastIndex = end
  return separateAccent.test(text) ? 'accent' : undefined
}

/** How a word continues after the hyphen between the two offsets, if white space and a letter follow. */
function findHyphenBreak(text: string, hyphenStart: number, hyphenEnd: number): WordBreak | undefined {
  let offset = hyphenEnd
  let hasLineEnd = false
  while (offset < hyphenEnd + gapCharactersMax && whiteSpace.test(text.charAt(offset))) {
    hasLineEnd ||= lineEnd.test(text.charAt(offset))
    offset++
  }
  const hasGap = offset > hyphenEnd
  if (!hasGap) return undefined
  if (lowerCase.test(text.charAt(offset))) return hasLineEnd ? 'certain' : 'likely'
  // Between capital letters the hyphen may be that of a code: `UE-` and `A`.
  const isUpperCase = upperCase.test(text.charAt(hyphenStart - 1)) && upperCase.test(text.charAt(offset))
  return hasLineEnd && isUpperCase ? 'likely' : undefined
}

/** The Latin ligatures `ﬀ` to `ﬆ`. */
const firstLigature = 0xfb00
const lastLigature = 0xfb06
/** A range with the accented letters of Spanish and the combining marks: `à` to U+036F. */
const firstAccentedLetter = 0xe0
const lastCombiningMark = 0x36f
/** A space and an ending that is not a word, so it continues the word before: the ` ón` of `rehabilitaci ón`. */
const separateEnding = /(?<=\p{Ll}) (?:ón|ía|ías|ás)(?!\p{L})/uy
/** A space, a combining accent and the next letter, in the middle of a word: `a ́mbito`. */
const separateAccent = /(?<=\p{L}) \p{M}\p{Ll}/uy
const softHyphen = 0xad
const letterF = 0x66
const letterI = 0x69
const letterL = 0x6c
const hyphen = /[-\u2010]/
const whiteSpace = /\s/
const lineEnd = /[\n\r\f\u2028]/
const lowerCase = /\p{Ll}/u
const upperCase = /\p{Lu}/u

/** The limit of the white space between the parts of a word: the end of a line and the indentation of the next. */
const gapCharactersMax = 64
