// Tokenizer: splits a text at white space and punctuation into tokens such as `suelo`, `UE-1`, `P.G.O.U.` or
// `l'Alcúdia`. subtokens.ts splits a token further.

/** A cursor over the tokens of a text. `advance` moves to the next token. */
export class Tokenizer {
  readonly text: string
  /** Offsets of the current token. */
  start = 0
  end = 0
  /** Offset after the token and its trailing delimiters (`etc.`, `urbani-`). The next token is at or after it. */
  next = 0

  constructor(text: string) {
    this.text = text
  }

  /** Returns false at the end of the text. */
  advance(): boolean {
    const text = this.text
    const length = text.length
    let offset = this.next
    while (offset < length && classOf(text.charCodeAt(offset)) !== wordCharacter) offset++
    this.start = offset
    const endMax = Math.min(length, offset + tokenCharactersMax)
    for (; offset < endMax; offset++) {
      const characterClass = classOf(text.charCodeAt(offset))
      if (characterClass === separator) break
      if (characterClass === wordCharacter) this.end = offset + 1
    }
    this.next = offset
    return this.start < length
  }

  /** The token as written, with the slash of `C/`. */
  get spelling(): string {
    return this.text.slice(this.start, this.isLetterAndSlash ? this.end + 1 : this.end)
  }

  get isLetterAndSlash(): boolean {
    return this.end === this.start + 1 && this.text.charCodeAt(this.end) === slash
  }

  /** A fast check before `findWordBreak`: false when the word cannot continue in the next token. */
  get mayBeBroken(): boolean {
    const { text, end } = this
    if (this.next !== end) return true
    const last = text.charCodeAt(end - 1)
    if (last === softHyphen || last >= firstLigature || text.charCodeAt(end - 2) === letterF) return true
    const following = text.charCodeAt(end + 1)
    return following >= firstAccentedLetter && following <= lastCombiningMark
  }
}

const slash = 0x2f

/** Longer runs are cut, which bounds the cost of a token. */
const tokenCharactersMax = 1024

const separator = 0
const wordCharacter = 1
/** Joins the subtokens of a token, and is stripped from its ends. */
const delimiter = 2
const unclassified = 3

/** Character classes by code unit; filled on first use. */
const characterClasses = new Uint8Array(0x10000).fill(unclassified)

function classOf(unit: number): number {
  const known = characterClasses[unit] as number
  return known === unclassified ? classify(unit) : known
}

function classify(unit: number): number {
  const character = String.fromCharCode(unit)
  const characterClass = delimiterPattern.test(character.normalize('NFKC'))
    ? delimiter
    : isSurrogate(unit) || wordPattern.test(character) || wordPattern.test(character.normalize('NFKC'))
      ? wordCharacter
      : separator
  characterClasses[unit] = characterClass
  return characterClass
}

/** Hyphens and dashes up to the en dash, minus, underscore, slash, dot, comma, apostrophes, middle dots. */
const delimiterPattern = /^[-\u2010-\u2013\u2212_/.,'\u2018\u2019\u2032\u02bc·•‧∙⋅]$/u

/** Includes ordinal signs, and spacing accents: they replace an apostrophe, or follow their letter in a PDF. */
const wordPattern = /[\p{L}\p{M}\p{N}\p{Cf}ºª°´¨˜`]/u

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff
}

/**
 * How the last word of the token continues in the next token.
 * `certain`: a hyphen breaks it at the end of a line, or a PDF has a space after a ligature.
 * `likely`: a hyphen and a space, or a hyphen, the end of a line and a capital letter.
 * `accent`: a PDF has a space between a letter and its accent (`a ́mbito`).
 */
export type WordBreak = 'certain' | 'likely' | 'accent'

/** Returns undefined when the word ends with the token. */
export function findWordBreak({ text, end, next }: Tokenizer): WordBreak | undefined {
  const last = text.charCodeAt(end - 1)
  if (last >= firstLigature && last <= lastLigature && end === next) {
    return text.charAt(end) === ' ' && lowerCase.test(text.charAt(end + 1)) ? 'certain' : undefined
  }
  // Some PDF readers expand the ligature and keep the space: `modifi cación`. Few words end in `fi` or `fl`.
  if (end === next && text.charAt(end) === ' ' && text.charCodeAt(end - 2) === letterF) {
    return (last === letterI || last === letterL) && lowerCase.test(text.charAt(end + 1)) ? 'likely' : undefined
  }
  // In some PDFs the accented letters have a separate font: `rehabilitaci ón`.
  separateEnding.lastIndex = end
  if (end === next && separateEnding.test(text)) return 'likely'
  separateAccent.lastIndex = end
  if (end === next && separateAccent.test(text)) return 'accent'
  const hasSoftHyphen = last === softHyphen && end === next
  if (!hasSoftHyphen && (next !== end + 1 || !hyphen.test(text.charAt(end)))) return undefined
  let offset = next
  let hasLineEnd = false
  while (offset < next + gapCharactersMax && whiteSpace.test(text.charAt(offset))) {
    hasLineEnd ||= lineEnd.test(text.charAt(offset))
    offset++
  }
  if (offset === next) return undefined
  if (lowerCase.test(text.charAt(offset))) return hasLineEnd ? 'certain' : 'likely'
  return hasLineEnd && upperCase.test(text.charAt(offset)) && upperCase.test(text.charAt(end - 1))
    ? 'likely'
    : undefined
}

const firstLigature = 0xfb00
const lastLigature = 0xfb06
const firstAccentedLetter = 0xe0
const lastCombiningMark = 0x36f
/** Endings that are not words. */
const separateEnding = /(?<=\p{Ll}) (?:ón|ía|ías|ás)(?!\p{L})/uy
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

/** The end of a line and the indentation of the next. */
const gapCharactersMax = 64
