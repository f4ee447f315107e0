// Checks the regular expression of `--code-pattern`. It is matched with texts from any client, so a pattern that a text
// can make slow is refused. Repeated groups that can match in several ways, back references, lookaround and named
// groups are refused by their form; other patterns are tried with long texts.
import { codeCharactersMax, toWholePattern } from './inscription-code.ts'

/**
 * Why a pattern is refused. `unsafe`: by its form, a text could make it slow. `slow`: it was slow when tried, or has
 * too many repetitions to be tried.
 */
export type PatternFault = 'too long' | 'invalid' | 'unsafe' | 'slow' | 'matches the empty text'

const patternCharactersMax = 200
/** A pattern that takes longer for one text is slow. Matching a usual code takes some microseconds. */
const matchMsMax = 5
/** The most attempts to match a text, until one of them is fast enough. */
const attemptsMax = 3
/** A pattern with more repetitions is refused without a try, because even a short text could take long. */
const repetitionsMax = 10
/** Each text that is tried is this many times as long as the one before, so the first slow one is not very slow. */
const textGrowth = 1.5
const firstTextCharacters = 4

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
  return isSlow(wholePattern, pattern) ? { fault: 'slow' } : { pattern }
}

/**
 * Whether there are back references, lookaround, named groups, or a repeated group that can match in several ways:
 * `(a+|b)*`. A group that can match in several ways is called ambiguous below.
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
    /** `?` and `{1}` do not repeat. */
    const isRepetition = /^(?:[*+]|\{\d+,\d*\}|\{(?:[2-9]|\d{2,})\})$/.test(part)
    if (isRepetition && isAfterAmbiguousGroup) return true
    const makesGroupAmbiguous = /^(?:[*+?|]|\{\d+,\d*\})$/.test(part)
    if (makesGroupAmbiguous) markInnermostAmbiguous()
    isAfterAmbiguousGroup = part === ')' && openGroups.pop() === true
    // A group around an ambiguous group is ambiguous too.
    if (isAfterAmbiguousGroup) markInnermostAmbiguous()
    if (part.startsWith('(')) openGroups.push(false)
  }
  return false
}

/** An escape, a class in brackets, the start of a group, a count such as `{2,4}`, or a single character. */
const patternParts = /\\[pPuxk](?:\{[^}]*\}|<[^>]*>)?|\\.|\[(?:\\.|[^\]\\])*\]|\(\?[:<]?[=!]?|\{[\d,]+\}|./gsu

/**
 * Tries longer and longer texts of one repeated character, which are the worst case for repetitions that follow each
 * other (`a*a*a*`). A NUL at the end, which no code has, makes the match fail after all ways to match were tried.
 */
function isSlow(wholePattern: RegExp, pattern: string): boolean {
  // Each `?` counts too, even that of `(?:`, so a pattern with many groups may be refused without need.
  const repetitions = pattern.match(/[*+?]|\{\d+,\d*\}/g) ?? []
  if (repetitions.length > repetitionsMax) return true
  // Characters that are usual in codes, and all those of the pattern.
  const characters = new Set(['0', 'a', '-', '/', '.', '_', ' ', 'ñ', ...pattern])
  // The last text has `codeCharactersMax` characters.
  for (let length = firstTextCharacters; length < codeCharactersMax * textGrowth; length *= textGrowth) {
    const repeats = Math.min(Math.round(length), codeCharactersMax)
    for (const character of characters) {
      if (measureMs(wholePattern, `${character.repeat(repeats)}\u0000`) > matchMsMax) return true
    }
  }
  return false
}

/**
 * The time of the fastest attempt. There are several if the first is slow, because the process may have been
 * interrupted.
 */
function measureMs(wholePattern: RegExp, text: string): number {
  let fastestMs = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < attemptsMax && fastestMs > matchMsMax; attempt++) {
    const startedAt = performance.now()
    wholePattern.test(text)
    fastestMs = Math.min(fastestMs, performance.now() - startedAt)
  }
  return fastestMs
}
