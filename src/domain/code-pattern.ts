// Checks the regular expression of `--code-pattern`, the form of the inscription codes of a registry. The service
// matches it with codes from any client, so a pattern that a text can make slow is refused. Repeated groups that can
// match in several ways, back references, lookaround and named groups are refused by their form. For other patterns, an
// upper bound of the steps that the slowest text takes is calculated.
import { codeCharactersMax, toWholePattern } from './inscription-code.ts'

/**
 * Why a pattern is refused. `unsafe`: by its form, a text could make it slow. `slow`: a text could take more than
 * `stepsMax` steps.
 */
export type PatternFault = 'too long' | 'invalid' | 'unsafe' | 'slow' | 'matches the empty text'

const patternCharactersMax = 200
/**
 * The most steps for one text. A matcher takes a few milliseconds for so many. `[\w-]+-\d+` takes at most 81,000, and
 * `\d+/\d{4}/\d{5}` a few hundred.
 */
const stepsMax = 200_000

/** Returns the pattern without anchors, which `text` may have: a pattern is always for the whole code. */
export function parseCodePattern(text: string): { readonly pattern: string } | { readonly fault: PatternFault } {
  const pattern = text
    .trim()
    .replace(/^\^/, '')
    .replace(/(?<!\\)\$$/, '')
  if (pattern.length > patternCharactersMax) return { fault: 'too long' }
  let wholePattern: RegExp
  try {
    wholePattern = new RegExp(toWholePattern(pattern), 'iu')
  } catch {
    return { fault: 'invalid' }
  }
  // A code is never empty.
  if (wholePattern.test('')) return { fault: 'matches the empty text' }
  if (hasUnsafeParts(pattern)) return { fault: 'unsafe' }
  return countStepsMax(pattern) > stepsMax ? { fault: 'slow' } : { pattern }
}

/**
 * Whether the pattern has back references, lookaround, named groups, or a repeated group that is ambiguous. A group is
 * ambiguous if it can match in several ways, because of a repetition or alternatives in it: `(a+|b)*`.
 */
function hasUnsafeParts(pattern: string): boolean {
  /** For each open group, outermost first: whether it is ambiguous. */
  const openGroups: boolean[] = []
  /** Whether the previous part closes an ambiguous group. */
  let isAfterAmbiguousGroup = false
  const markInnermostAmbiguous = (): void => {
    if (openGroups.length > 0) openGroups[openGroups.length - 1] = true
  }
  for (const part of pattern.match(patternParts) ?? []) {
    const isBackReference = /^\\[1-9k]/.test(part)
    /** Lookaround or a named group: of the groups that start with `(?`, only `(?:` is accepted. */
    const isRefusedGroup = /^\(\?(?!:$)/.test(part)
    if (isBackReference || isRefusedGroup) return true
    const counts = parseCounts(part)
    if (isAfterAmbiguousGroup && counts !== undefined && counts.max > 1) return true
    const makesGroupAmbiguous = part === '|' || (counts !== undefined && counts.min !== counts.max)
    if (makesGroupAmbiguous) markInnermostAmbiguous()
    isAfterAmbiguousGroup = part === ')' && openGroups.pop() === true
    // A group around an ambiguous group is ambiguous too.
    if (isAfterAmbiguousGroup) markInnermostAmbiguous()
    if (part.startsWith('(')) openGroups.push(false)
  }
  return false
}

/** An escape, a class in brackets, the start of a group, a quantifier such as `+`, `{2,4}` or `*?`, or a character. */
const patternParts =
  /\\(?:[pu]\{[^}]*\}|k<[^>]*>|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|.)|\[(?:\\.|[^\]\\])*\]|\(\?[:<]?[=!]?|(?:[*+?]|\{[\d,]+\})\??|./gisu

interface Counts {
  readonly min: number
  /** Infinite for `*`, `+` and `{2,}`. */
  readonly max: number
}

/** Returns the counts of a quantifier: 2 and 4 for `{2,4}`; undefined for another part of a pattern. */
function parseCounts(part: string): Counts | undefined {
  if (part.startsWith('?')) return { min: 0, max: 1 }
  if (part.startsWith('*')) return { min: 0, max: Number.POSITIVE_INFINITY }
  if (part.startsWith('+')) return { min: 1, max: Number.POSITIVE_INFINITY }
  const [, min, comma, max] = /^\{(\d+)(,?)(\d*)\}/.exec(part) ?? []
  if (min === undefined) return undefined
  if (comma === '') return { min: Number(min), max: Number(min) }
  return { min: Number(min), max: max === '' ? Number.POSITIVE_INFINITY : Number(max) }
}

/** The rest of a pattern, from one of its parts to its end: `/\d+` in `\d+/\d+`. */
interface PatternEnd {
  /** What can match its first character, as alternatives of a regular expression: `a|b` for `a*b`. Empty at the end. */
  readonly first: string
  /** An upper bound of the steps that it takes to try all ways to match it with a text. */
  readonly steps: number
  /** The same for a text that `first` does not match, so that the attempt fails at the first character. */
  readonly failingSteps: number
}

/** Puts a part of the pattern before the rest: for the part `\d+`, it turns the end `/\d+` into `\d+/\d+`. */
type Prepend = (next: PatternEnd) => PatternEnd

/**
 * Returns an upper bound of the steps that a backtracking matcher takes for any code, of at most 200 characters. `\d+`
 * can end after each of 200 digits, and each time the matcher tries what follows. If that cannot begin with a digit, as
 * in `\d+/\d+`, all but the last of these tries fail at once. Otherwise, as in `\d+\d+`, each try may take all steps of
 * what follows.
 */
function countStepsMax(pattern: string): number {
  const parts = pattern.match(patternParts) ?? []
  return readAlternatives(parts.values())({ first: '', steps: 1, failingSteps: 1 }).steps
}

/** Reads the alternatives of a group, up to its `)`, or of the whole pattern. A nested call reads a group in it. */
function readAlternatives(parts: Iterator<string, undefined>): Prepend {
  const sequences: Prepend[][] = [[]]
  for (let part = parts.next().value; part !== undefined && part !== ')'; part = parts.next().value) {
    const sequence = sequences.at(-1) ?? []
    const counts = parseCounts(part)
    // A quantifier follows a part, or the pattern would be invalid; `toCharacter('')` is there for the compiler.
    if (part === '|') sequences.push([])
    else if (counts !== undefined) sequence.push(toRepeated(sequence.pop() ?? toCharacter(''), counts))
    else if (part.startsWith('(')) sequence.push(readAlternatives(parts))
    else sequence.push(/^(?:\\b|\^|\$)$/i.test(part) ? prependAssertion : toCharacter(part))
  }
  return (next) => {
    const alternatives = sequences.map((sequence) => sequence.reduceRight((end, prepend) => prepend(end), next))
    return alternatives.reduce(toEither)
  }
}

function toCharacter(part: string): Prepend {
  return (next) => ({ first: part, steps: 1 + next.steps, failingSteps: 1 })
}

/** `\b`, `\B`, `^` and `$` match no character. They can only make a match fail. */
function prependAssertion({ first, steps, failingSteps }: PatternEnd): PatternEnd {
  return { first, steps: 1 + steps, failingSteps: 1 + failingSteps }
}

/**
 * A part with a quantifier. Its own steps are those of each repetition and of one more, which fails. What follows
 * (`next`) is tried after each repetition from `min` on. If `next` can begin like the repeated part, each try may take
 * all steps of `next`. Otherwise only one try does, and the others fail at the first character of `next`.
 */
function toRepeated(prepend: Prepend, { min, max }: Counts): Prepend {
  const repeatsMax = Number.isFinite(max) ? max : Math.max(min, codeCharactersMax)
  /** How many times `next` is tried. */
  const tries = repeatsMax - min + 1
  return (next) => {
    const once = prepend(next)
    const stepsOfPart = once.steps - next.steps
    const repeatingSteps = (repeatsMax + 1) * stepsOfPart
    const canBeginAlike = tries > 1 && haveCommonCharacter(once.first, next.first)
    return {
      first: min === 0 ? joinAlternatives(once.first, next.first) : once.first,
      steps: repeatingSteps + (canBeginAlike ? tries * next.steps : tries * next.failingSteps + next.steps),
      failingSteps: once.failingSteps + (min === 0 ? next.failingSteps : 0),
    }
  }
}

/** Either alternative. If no character can begin both, one of them fails at its first character. */
function toEither(a: PatternEnd, b: PatternEnd): PatternEnd {
  const failingSteps = a.failingSteps + b.failingSteps
  return {
    first: joinAlternatives(a.first, b.first),
    steps: haveCommonCharacter(a.first, b.first) ? a.steps + b.steps : Math.max(a.steps, b.steps) + failingSteps,
    failingSteps,
  }
}

function joinAlternatives(a: string, b: string): string {
  return a === '' || b === '' ? a + b : `${a}|${b}`
}

/** A text of all UTF-16 code units, among them all characters that a code can have. */
const codeCharacters = Buffer.from(Uint16Array.from({ length: 0x10000 }, (_, code) => code).buffer).toString('utf16le')

/** Whether a character matches both `a` and `b`, which are alternatives as in `PatternEnd.first`. */
function haveCommonCharacter(a: string, b: string): boolean {
  return a !== '' && b !== '' && new RegExp(`(?=${a})(?:${b})`, 'iu').test(codeCharacters)
}
