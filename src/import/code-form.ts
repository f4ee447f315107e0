// Proposes a `--code-pattern` for the codes of a source, if they are not of the standard form `<prefix>-<number>`.
import { t } from '../language.ts'
import { toQuoted } from './rows/quote.ts'

/** The first codes of a source, which the pattern is made from. */
const samplesMax = 2000
const digitsPattern = '\\d+'

/**
 * Returns a pattern that matches all the codes, such as `\d+/\d{4}/\d{5}` for `135/2025/00019`; undefined if they have
 * nothing in common. A code is split into numbers, words and the characters between them.
 */
export function proposeCodePattern(codes: readonly string[]): string | undefined {
  const samples = codes.slice(0, samplesMax).map((code) => code.match(/\d+|\p{L}+|[^\d\p{L}]/gu) ?? [])
  const [first = []] = samples
  const isAlike = samples.every(
    (parts) =>
      parts.length === first.length && parts.every((part, index) => kindOf(part) === kindOf(first[index] ?? '')),
  )
  if (!isAlike || first.length === 0) return undefined
  return first.map((_, index) => toPattern(samples.map((parts) => parts[index] ?? ''))).join('')
}

/** Returns a warning that says what to do about codes that were rejected. */
export function describeOtherCodes(codes: readonly string[]): string {
  const pattern = proposeCodePattern(codes)
  const advice =
    pattern === undefined
      ? t`rewrite them with "match" and "to" in a mapping, or accept them with --code-pattern`
      : t`accept them with --code-pattern '${pattern}'`
  return t`codes such as ${toQuoted(codes[0] ?? '')} are not <prefix>-<number>; ${advice}`
}

/** Returns `digits`, `letters`, or the separating character itself. */
function kindOf(part: string): string {
  if (/^\d/.test(part)) return 'digits'
  return /^\p{L}/u.test(part) ? 'letters' : part
}

/** Returns the pattern for the parts that all codes have in one position, such as `2024` and `2025`: `\d{4}`. */
function toPattern(parts: readonly string[]): string {
  const [first = ''] = parts
  const kind = kindOf(first)
  const areEqual = parts.every((part) => part === first)
  if (kind === 'digits') {
    const hasFixedLength = parts.every((part) => part.length === first.length)
    // A year has four digits, and leading zeros fill a number up. Other numbers may be longer in other codes.
    const isPadded = first.length === 4 || parts.some((part) => part.startsWith('0'))
    return hasFixedLength && isPadded ? `\\d{${first.length}}` : digitsPattern
  }
  if (kind === 'letters') return areEqual ? first : '[A-Z]+'
  const isSpecial = /[.*+?^${}()|[\]\\]/.test(first)
  return isSpecial ? `\\${first}` : first
}
