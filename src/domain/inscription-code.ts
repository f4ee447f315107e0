// The inscription code (`cod_archivo`), the unique name of a record, such as `05019-PU-20110520-202255`: its format,
// and the folding by which codes are compared. A registry whose codes have another format sets a pattern at import
// (`--code-pattern`); the snapshot, the published copy of the registry, keeps it.

/**
 * Characters outside the basic multilingual plane are excluded. Without them, codes sort the same by characters, by
 * UTF-16 code units and by UTF-8 bytes, so every database and language agrees on the canonical order.
 */
const standardPattern = /^(?!.*[\u{10000}-\u{10ffff}])[\p{L}\p{N}._/-]+-\d+$/u

/** Whether the text has the format `<prefix>-<number>`. */
export function isInscriptionCode(text: string): boolean {
  return standardPattern.test(text)
}

/** The format of a registry's codes. */
export interface CodeFormat {
  /** A regular expression for the whole code, without anchors; null for `<prefix>-<number>`. */
  readonly pattern: string | null
  readonly isCode: (text: string) => boolean
  /** The registration number of a record whose source has none: the number in its code, or the whole code. */
  readonly numberOf: (code: string) => string
}

const standardFormat: CodeFormat = { pattern: null, isCode: isInscriptionCode, numberOf: numberPartOf }
/** A longer code could not be asked for: the API refuses it (`valueCharactersMax` in parameters.ts). */
export const codeCharactersMax = 200
/**
 * Control characters and surrogates, which no request can contain, and characters outside the basic multilingual plane
 * (see `standardPattern`).
 */
const excludedCharacter = /[\p{Cc}\p{Cs}\u{10000}-\u{10ffff}]/u
const letterOrDigit = /[\p{L}\p{N}]/u
/** The format that was made last. One is enough to cache, because a process serves one registry. */
let lastFormat = standardFormat

/** `pattern` is one that code-pattern.ts has accepted. */
export function toCodeFormat(pattern: string | null): CodeFormat {
  if (pattern === null) return standardFormat
  if (lastFormat.pattern === pattern) return lastFormat
  // Codes are compared without regard to case, so the pattern ignores case too.
  const wholePattern = new RegExp(toWholePattern(pattern), 'iu')
  const isCode = (text: string): boolean =>
    text.length <= codeCharactersMax &&
    text === text.trim() &&
    letterOrDigit.test(text) &&
    !excludedCharacter.test(text) &&
    wholePattern.test(text)
  // A part of another form would be a guess, such as the year in `356/2009`, unless the pattern names it.
  const numberOf = (code: string): string => wholePattern.exec(code)?.groups?.[numberGroup] ?? code
  lastFormat = { pattern, isCode, numberOf }
  return lastFormat
}

/** The group of a pattern that is the registration number, as in `PLA/\d{4}/(?<number>\d+)`. */
export const numberGroup = 'number'

/** The pattern with anchors, so that it matches only whole codes. */
export function toWholePattern(pattern: string): string {
  return `^(?:${pattern})$`
}

/** The form in which codes are compared: NFC and upper case, so that neither the coding of accents nor case matters. */
export function foldCode(code: string): string {
  return alreadyFolded.test(code) ? code : code.normalize('NFC').toUpperCase()
}

/** Matches most codes, such as `05019-PU-20110520-202255`. The test is faster than the normalisation. */
const alreadyFolded = /^[\dA-Z._/-]*$/

/** The number of a code `<prefix>-<number>`; empty for a code of another form. */
export function numberPartOf(code: string): string {
  return isInscriptionCode(code) ? code.slice(code.lastIndexOf('-') + 1) : ''
}
