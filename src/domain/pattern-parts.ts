// Divides a regular expression into its parts, the smallest pieces that mean something, and reads quantifiers. The
// pattern is valid: both checks of a code pattern (code-pattern.ts, pattern-steps.ts) come after its compilation.

/** `\d`, `\p{L}`, `\k<name>`, `\u{e1}`, `\u00e1`, `\xe1`. */
const escapeSequence = String.raw`\\(?:[pu]\{[^}]*\}|k<[^>]*>|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|.)`
/** `[a-z\]]`. */
const characterClass = String.raw`\[(?:\\.|[^\]\\])*\]`
/** `(?:`, `(?=`, `(?<!`, and the first two characters of a group that begins in another way with `(?`. */
const specialGroupStart = String.raw`\(\?[:<]?[=!]?`
/** `+`, `{2,4}`, `*?`. */
const quantifier = String.raw`(?:[*+?]|\{[\d,]+\})\??`
/** Any other part is one character. */
const patternPart = new RegExp(`${escapeSequence}|${characterClass}|${specialGroupStart}|${quantifier}|.`, 'gisu')

/** Returns `[A-Z]`, `{2}`, `-`, `\d` and `+` for `[A-Z]{2}-\d+`. */
export function toPatternParts(pattern: string): readonly string[] {
  return pattern.match(patternPart) ?? []
}

export interface Counts {
  readonly min: number
  /** Infinite for `*`, `+` and `{2,}`. */
  readonly max: number
}

/** Returns the counts of a quantifier: 2 and 4 for `{2,4}`; undefined for another part of a pattern. */
export function parseCounts(part: string): Counts | undefined {
  if (part.startsWith('?')) return { min: 0, max: 1 }
  if (part.startsWith('*')) return { min: 0, max: Number.POSITIVE_INFINITY }
  if (part.startsWith('+')) return { min: 1, max: Number.POSITIVE_INFINITY }
  const [, min, comma, max] = /^\{(\d+)(,?)(\d*)\}/.exec(part) ?? []
  if (min === undefined) return undefined
  if (comma === '') return { min: Number(min), max: Number(min) }
  return { min: Number(min), max: max === '' ? Number.POSITIVE_INFINITY : Number(max) }
}
