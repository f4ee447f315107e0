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
  if (!sources.some(({ haveOtherForm }) => haveOtherForm)) return undefined
  return toCodePattern(sources.flatMap((source) => (source.haveOtherForm ? usualCodes(source) : source.valid)))
}

/** The codes are of one form if at least this share has it. The others are typing errors. */
const oneFormShareMin = 0.95

function usualCodes({ invalid, valid }: CodeForms): readonly string[] {
  const codes = [...invalid, ...valid]
  const [alike = []] = groupByForm(codes)
  return alike.length >= codes.length * oneFormShareMin ? alike : codes
}

/** The most frequent form first. */
function groupByForm(codes: readonly string[]): string[][] {
  const byForm = Map.groupBy(codes, (code) => toParts(code).map(kindOf).join(' '))
  return [...byForm.values()].sort((a, b) => b.length - a.length)
}

/** The numbers of a code, its words and the characters between them: `135`, `/` and `2025`. */
function toParts(code: string): readonly string[] {
  return code.match(/\d+|\p{L}+|[^\d\p{L}]/gu) ?? []
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
 * Returns a pattern such as `\d+/\d{4}/\d{5}` for `135/2025/00019` if all codes have this form. If they differ in form,
 * the pattern lists their characters: `[./0-9A-Z]+`. Returns undefined if one of the listed characters is a space or a
 * control character: such texts are probably not codes. No code is empty.
 */
function toCodePattern(codes: readonly string[]): string | undefined {
  const [alike = [], ...others] = groupByForm(codes)
  if (others.length > 0) return toCharacterClass(codes)
  const parts = alike.map(toParts)
  return parts[0]?.map((_, index) => toPattern(parts.map((each) => each[index] ?? ''))).join('')
}

/** Patterns ignore case, so capital letters suffice. */
function toCharacterClass(codes: readonly string[]): string | undefined {
  const characters = new Set(codes.join('').toUpperCase())
  const classes = Array.from(characters, (character) => {
    if (/\d/.test(character)) return '0-9'
    if (/[A-Z]/.test(character)) return 'A-Z'
    if (/\p{L}/u.test(character)) return '\\p{L}'
    return character.replace(/[-\]\\^[]/, '\\$&')
  })
  return classes.some((each) => /[\s\p{C}]/u.test(each)) ? undefined : `[${[...new Set(classes)].sort().join('')}]+`
}

/** Returns `digits`, `letters`, or the separating character itself. */
function kindOf(part: string): string {
  if (/^\d/.test(part)) return 'digits'
  return /^\p{L}/u.test(part) ? 'letters' : part
}

/** Returns the pattern for the parts that the codes have in the same place: `\d{4}` for `2024` and `2025`. */
function toPattern(parts: readonly string[]): string {
  const [first = ''] = parts
  if (kindOf(first) === 'digits') {
    const hasFixedLength = parts.every((part) => part.length === first.length)
    // Four digits are probably a year, and a leading zero means that numbers are padded to this length. Any other
    // number may be longer in codes that are not among the samples.
    const keepsLength = first.length === 4 || parts.some((part) => part.startsWith('0'))
    return hasFixedLength && keepsLength ? `\\d{${first.length}}` : '\\d+'
  }
  if (parts.every((part) => part === first)) return first.replace(/[.*+?^${}()|[\]\\]/, '\\$&')
  return parts.every((part) => /^[a-z]+$/i.test(part)) ? '[A-Z]+' : '\\p{L}+'
}
