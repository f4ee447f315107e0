// Finds the tokens of a text: runs without white space or plain punctuation, such as `suelo`, `UE-1`, `P.G.O.U.` or
// `l'Alcúdia`. What words a token holds is token.ts.

/** Where a token stands in its text. `advance` moves to the next one. */
export class Scanner {
  readonly text: string
  start = 0
  end = 0
  /** Behind the token and the marks that trail it (`etc.`, `urbani-`). */
  next = 0

  constructor(text: string) {
    this.text = text
  }

  advance(): boolean {
    const text = this.text
    const length = text.length
    let at = this.next
    while (at < length && classOf(text.charCodeAt(at)) !== wordPart) at++
    this.start = at
    const most = Math.min(length, at + tokenCharactersMax)
    for (; at < most; at++) {
      const kind = classOf(text.charCodeAt(at))
      if (kind === separator) break
      if (kind === wordPart) this.end = at + 1
    }
    this.next = at
    return this.start < length
  }

  /** The token as written, with the slash that makes `C/` a street. */
  get spelling(): string {
    return this.text.slice(this.start, this.isLetterAndSlash ? this.end + 1 : this.end)
  }

  get isLetterAndSlash(): boolean {
    return this.end === this.start + 1 && this.text.charCodeAt(this.end) === slash
  }

  /** Whether `breakAt` is worth asking: something trails the token, or it ends in what may be half a word. */
  get mayBeBroken(): boolean {
    const { text, end } = this
    if (this.next !== end) return true
    const last = text.charCodeAt(end - 1)
    if (last === softHyphen || last >= firstLigature || text.charCodeAt(end - 2) === letterF) return true
    const ahead = text.charCodeAt(end + 1)
    return ahead >= firstAccented && ahead <= lastMark
  }
}

const slash = 0x2f

/** A longer run is no word and no code; cutting it bounds what one token can cost. */
const tokenCharactersMax = 1024

const separator = 0
const wordPart = 1
/** Holds the parts of a token together, and is cut off at its ends. */
const glue = 2
const unknown = 3

/** Classes by code unit, found out as characters turn up. */
const classes = new Uint8Array(0x10000).fill(unknown)

function classOf(unit: number): number {
  const known = classes[unit] as number
  return known === unknown ? classify(unit) : known
}

function classify(unit: number): number {
  const character = String.fromCharCode(unit)
  const found = glueMarks.test(character.normalize('NFKC'))
    ? glue
    : isSurrogate(unit) || wordMarks.test(character) || wordMarks.test(character.normalize('NFKC'))
      ? wordPart
      : separator
  classes[unit] = found
  return found
}

/** Hyphens and dashes up to the en dash, minus, underscore, slash, dot, comma, apostrophes, middle dots. */
const glueMarks = /^[-\u2010-\u2013\u2212_/.,'\u2018\u2019\u2032\u02bc·•‧∙⋅]$/u

/**
 * The second line: ordinal signs, accents that stand alone (in place of an apostrophe, or beside their letter in a
 * PDF).
 */
const wordMarks = /[\p{L}\p{M}\p{N}\p{Cf}ºª°´¨˜`]/u

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff
}

/**
 * Whether the word before goes on in the next token: `line` where a hyphen breaks it at the end of a line (or a
 * ligature of a PDF is followed by a stray space), `space` where that is likely but not sure: the line's end has been
 * lost and a space stands there, or the next line begins with a capital; `accent` where a letter and its accent stand
 * apart (`a ́mbito`).
 */
export function breakAt({ text, end, next }: Scanner): 'line' | 'space' | 'accent' | undefined {
  const last = text.charCodeAt(end - 1)
  if (last >= firstLigature && last <= lastLigature && end === next) {
    return text.charAt(end) === ' ' && lowerCase.test(text.charAt(end + 1)) ? 'line' : undefined
  }
  // Some readers resolve the ligature and leave the space: `modifi cación`. Hardly any word ends so by itself.
  if (end === next && text.charAt(end) === ' ' && text.charCodeAt(end - 2) === letterF) {
    return (last === letterI || last === letterL) && lowerCase.test(text.charAt(end + 1)) ? 'space' : undefined
  }
  // Where an accented letter has a font of its own: `rehabilitaci ón`.
  loneEnding.lastIndex = end
  if (end === next && loneEnding.test(text)) return 'space'
  loneAccent.lastIndex = end
  if (end === next && loneAccent.test(text)) return 'accent'
  const isSoft = last === softHyphen && end === next
  if (!isSoft && (next !== end + 1 || !hyphen.test(text.charAt(end)))) return undefined
  let at = next
  let isLineEnd = false
  while (at < next + gapCharactersMax && whiteSpace.test(text.charAt(at))) {
    isLineEnd ||= lineEnd.test(text.charAt(at))
    at++
  }
  if (at === next) return undefined
  if (lowerCase.test(text.charAt(at))) return isLineEnd ? 'line' : 'space'
  return isLineEnd && upperCase.test(text.charAt(at)) && upperCase.test(text.charAt(end - 1)) ? 'space' : undefined
}

const firstLigature = 0xfb00
const lastLigature = 0xfb06
const firstAccented = 0xe0
const lastMark = 0x36f
/** No word of its own. */
const loneEnding = /(?<=\p{Ll}) (?:ón|ía|ías|ás)(?!\p{L})/uy
const loneAccent = /(?<=\p{L}) \p{M}\p{Ll}/uy
const softHyphen = 0xad
const letterF = 0x66
const letterI = 0x69
const letterL = 0x6c
const hyphen = /[-\u2010]/
const whiteSpace = /\s/
const lineEnd = /[\n\r\f\u2028]/
const lowerCase = /\p{Ll}/u
const upperCase = /\p{Lu}/u

/** Between the halves of a word stand at most the end of a line and some indentation. */
const gapCharactersMax = 64
