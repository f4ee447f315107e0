// Proposes a `--code-pattern`, a regular expression, for the codes of a source, if they are not of the standard form
// `<prefix>-<number>`.
import { t } from '../language.ts'
import { toQuoted } from './rows/quote.ts'

/** The pattern is made from at most this many codes, which show the form well enough. */
const samplesMax = 2000
/** A code pattern is proposed if at least this share of the codes does not have the expected form. */
const otherFormShareMin = 0.5
/** The report says to correct the codes if at least this share, but less than `otherFormShareMin`, is invalid. */
const mistypedShareMin = 0.05

/**
 * Whether so many codes of a source are invalid that its codes have another form, which needs a `--code-pattern`.
 * `codeCount` includes the invalid codes.
 */
export function needsCodePattern(invalidCount: number, codeCount: number): boolean {
  return invalidCount > 0 && invalidCount >= codeCount * otherFormShareMin
}

/**
 * Whether most codes have the expected form, and so many do not that the report says that they are typing errors. A few
 * invalid texts may be no codes at all, but cells of other rows, such as the totals of a table. `codeCount` includes
 * the invalid codes.
 */
export function areMistyped(invalidCount: number, codeCount: number): boolean {
  return invalidCount >= codeCount * mistypedShareMin && invalidCount > 0 && !needsCodePattern(invalidCount, codeCount)
}

/** Returns a warning about mistyped codes, of which `code` is one. */
export function describeMistypedCodes(code: string): string {
  return t`codes such as ${toQuoted(code)} are not <prefix>-<number>, but most codes are; correct their rows`
}

/**
 * Returns a pattern that matches the first `samplesMax` codes, such as `\d+/\d{4}/\d{5}` for `135/2025/00019`. If they
 * differ in form, the pattern lists their characters: `[./0-9A-Z]+`. Returns undefined if there are no codes, or if one
 * of the listed characters is a space or a control character: such texts are probably not codes. The caller passes no
 * empty code.
 */
export function proposeCodePattern(codes: readonly string[]): string | undefined {
  // The parts of each code are its numbers, its words and the characters between them: `135`, `/` and `2025`.
  const samples = codes
    .slice(0, samplesMax)
    .map((code): readonly string[] => code.match(/\d+|\p{L}+|[^\d\p{L}]/gu) ?? [])
  const [first] = samples
  if (first === undefined) return undefined
  /** Whether a code has as many parts as the first code, each of the same kind. */
  const isLikeFirst = (parts: readonly string[]): boolean =>
    parts.length === first.length && parts.every((part, index) => kindOf(part) === kindOf(first[index] ?? ''))
  if (!samples.every(isLikeFirst)) return toCharacterClass(codes)
  return first.map((_, index) => toPattern(samples.map((parts) => parts[index] ?? ''))).join('')
}

/**
 * Returns a pattern such as `[./0-9A-Z]+`; undefined if a code has a space or a control character. Patterns ignore
 * case, so capital letters suffice.
 */
function toCharacterClass(codes: readonly string[]): string | undefined {
  const characters = new Set(codes.slice(0, samplesMax).flatMap((code) => [...code.toUpperCase()]))
  const classes = new Set<string>()
  for (const character of characters) {
    if (/\d/.test(character)) classes.add('0-9')
    else if (/[A-Z]/.test(character)) classes.add('A-Z')
    else if (/\p{L}/u.test(character)) classes.add('\\p{L}')
    else if (/[\s\p{C}]/u.test(character)) return undefined
    else {
      const isSpecialInClass = /[-\]\\^[]/.test(character)
      classes.add(isSpecialInClass ? `\\${character}` : character)
    }
  }
  return `[${[...classes].sort().join('')}]+`
}

/**
 * Returns a warning that says what to do about the rejected codes. The pattern has to match the accepted codes too,
 * because it replaces the standard form. It is made from the rejected codes first, then from the accepted ones, up to
 * `samplesMax` together.
 */
export function describeOtherCodes(rejected: readonly string[], accepted: readonly string[]): string {
  const pattern = proposeCodePattern([...rejected, ...accepted])
  const advice =
    pattern === undefined
      ? t`rewrite them with "match" and "to" in a mapping, or accept them with --code-pattern`
      : t`accept them with --code-pattern '${pattern}'`
  return t`codes such as ${toQuoted(rejected[0] ?? '')} are not <prefix>-<number>; ${advice}`
}

/** Returns `digits`, `letters`, or the separating character itself. */
function kindOf(part: string): string {
  if (/^\d/.test(part)) return 'digits'
  return /^\p{L}/u.test(part) ? 'letters' : part
}

/** Returns the pattern for the parts that the codes have in the same place: `\d{4}` for `2024` and `2025`. */
function toPattern(parts: readonly string[]): string {
  const [first = ''] = parts
  const kind = kindOf(first)
  const areEqual = parts.every((part) => part === first)
  if (kind === 'digits') {
    const hasFixedLength = parts.every((part) => part.length === first.length)
    // Four digits are probably a year, and a leading zero means that numbers are padded to this length. Any other
    // number may be longer in codes that are not among the samples.
    const keepsLength = first.length === 4 || parts.some((part) => part.startsWith('0'))
    return hasFixedLength && keepsLength ? `\\d{${first.length}}` : '\\d+'
  }
  if (kind === 'letters') {
    if (areEqual) return first
    return parts.every((part) => /^[a-z]+$/i.test(part)) ? '[A-Z]+' : '\\p{L}+'
  }
  const isSpecial = /[.*+?^${}()|[\]\\]/.test(first)
  return isSpecial ? `\\${first}` : first
}
