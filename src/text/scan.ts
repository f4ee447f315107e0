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
    while (at < length && classOf(text.charCodeAt(at)) === separator) at++
    let start = at
    while (at < length && classOf(text.charCodeAt(at)) !== separator) at++
    let end = at
    while (end > start && classOf(text.charCodeAt(end - 1)) === glue) end--
    while (start < end && classOf(text.charCodeAt(start)) === glue) start++
    this.start = start
    this.end = end
    this.next = at
    return start < length
  }

  /** The token as written, with the slash that makes `C/` a street. */
  get spelling(): string {
    const { text, start, end } = this
    return text.slice(start, end === start + 1 && text.charCodeAt(end) === slash ? end + 1 : end)
  }
}

const slash = 0x2f

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

const breakAfterHyphen = /[-\u2010\u00ad][^\S\n\r\u2028]*(\r?\n|\r|\u2028)?\s*(?=\p{Ll})/uy
const ligatureSpace = /[\ufb00-\ufb06] (?=\p{Ll})/uy

/**
 * Whether the word before goes on in the next token: `line` where a hyphen breaks it at the end of a line (or a
 * ligature of a PDF is followed by a stray space), `space` where the line's end has been lost and a space stands there.
 */
export function breakAt(scanner: Scanner): 'line' | 'space' | undefined {
  const { text, end, next } = scanner
  const last = text.charCodeAt(end - 1)
  if (last >= 0xfb00 && last <= 0xfb06 && end === next) {
    ligatureSpace.lastIndex = end - 1
    return ligatureSpace.test(text) ? 'line' : undefined
  }
  const hyphen = last === 0xad ? end - 1 : next - 1
  if (hyphen < end - 1 || hyphen > end) return undefined
  breakAfterHyphen.lastIndex = hyphen
  const match = breakAfterHyphen.exec(text)
  if (match === null || breakAfterHyphen.lastIndex === hyphen + 1) return undefined
  return match[1] === undefined ? 'space' : 'line'
}
