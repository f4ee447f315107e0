// The form of the codes of a source. If most are not of the standard form `<prefix>-<number>`, proposes a
// `--code-pattern`, a regular expression; if only a few are not, says that they are typing errors.
import { t } from '../language.ts'
import { toQuoted } from './rows/quote.ts'

/** At most so many codes are kept of each kind, which show the form well enough. */
const samplesMax = 2000
/** A code pattern is proposed if at least this share of the codes does not have the expected form. */
const otherFormShareMin = 0.5
/**
 * The report says to correct the codes if at least this share, but less than `otherFormShareMin`, is invalid. A few
 * invalid texts may be no codes at all, but cells of other rows, such as the totals of a table.
 */
const mistypedShareMin = 0.05

/** The codes of one source: the first valid and the first invalid ones, and how many there are. */
export class CodeForms {
  readonly valid: string[] = []
  readonly invalid: string[] = []
  #count = 0
  #invalidCount = 0

  add(code: string, isValid: boolean): void {
    this.#count += 1
    if (!isValid) this.#invalidCount += 1
    const sample = isValid ? this.valid : this.invalid
    if (sample.length < samplesMax) sample.push(code)
  }

  /** Whether so many codes are invalid that the codes have another form, which needs a `--code-pattern`. */
  get haveOtherForm(): boolean {
    return this.#invalidCount > 0 && this.#invalidCount >= this.#count * otherFormShareMin
  }

  get areMistyped(): boolean {
    return this.#invalidCount > 0 && this.#invalidCount >= this.#count * mistypedShareMin && !this.haveOtherForm
  }
}

/**
 * The pattern for sources of which one or more have codes of another form; undefined if there are none, or if no
 * pattern can be proposed. It has to match the valid codes of all sources too, because it replaces the standard form.
 */
export function proposeCodePattern(sources: readonly CodeForms[]): string | undefined {
  const others = sources.filter(({ haveOtherForm }) => haveOtherForm).flatMap(({ invalid }) => invalid)
  return others.length === 0 ? undefined : toCodePattern([...others, ...sources.flatMap(({ valid }) => valid)])
}

/** A warning about the codes of the sources; undefined if they have the standard form. */
export function describeCodes(sources: readonly CodeForms[]): string | undefined {
  const [other] = sources.find(({ haveOtherForm }) => haveOtherForm)?.invalid ?? []
  if (other !== undefined) {
    const pattern = proposeCodePattern(sources)
    const advice =
      pattern === undefined
        ? t`rewrite them with "match" and "to" in a mapping, or accept them with --code-pattern`
        : t`accept them with --code-pattern '${pattern}'`
    return t`codes such as ${toQuoted(other)} are not <prefix>-<number>; ${advice}`
  }
  const [mistyped] = sources.find(({ areMistyped }) => areMistyped)?.invalid ?? []
  if (mistyped === undefined) return undefined
  return t`codes such as ${toQuoted(mistyped)} are not <prefix>-<number>, but most codes are; correct their rows`
}

/**
 * Returns a pattern that matches the first `samplesMax` codes, such as `\d+/\d{4}/\d{5}` for `135/2025/00019`. If they
 * differ in form, the pattern lists their characters: `[./0-9A-Z]+`. Returns undefined if one of the listed characters
 * is a space or a control character: such texts are probably not codes. There is at least one code, and none is empty.
 */
function toCodePattern(codes: readonly string[]): string | undefined {
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
