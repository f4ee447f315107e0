// Checks the pattern of `--code-pattern`. Clients decide which texts it is tested with, so a pattern on which matching
// takes longer than linear time by much is refused: nested repetition, back references and lookaround by their form,
// the rest by trying it.
import { toWholePattern } from './inscription-code.ts'

export type PatternFault = 'too long' | 'invalid' | 'unsafe' | 'slow' | 'matches nothing'

const patternCharactersMax = 200
/** The longest code that a request can contain (inscription-code.ts). */
const codeCharactersMax = 200
/** A pattern that takes longer for one text is slow. Matching a usual code takes some microseconds. */
const matchMsMax = 5
/** A text that takes long is tried this often. */
const attemptsMax = 3
/** With more repetitions, even a try on a short text could take long. */
const repetitionsMax = 10
/** The texts that are tried grow slowly, so that the first one that takes long does not take very long. */
const firstTextCharacters = 4
const textGrowth = 1.5

/** `text` may have anchors, which are removed: a pattern is always for the whole code. */
export function parseCodePattern(text: string): { readonly pattern: string } | { readonly fault: PatternFault } {
  const pattern = text
    .trim()
    .replace(/^\^/, '')
    .replace(/(?<!\\)\$$/, '')
  if (pattern.length > patternCharactersMax) return { fault: 'too long' }
  let whole: RegExp
  try {
    whole = new RegExp(toWholePattern(pattern), 'iu')
  } catch {
    return { fault: 'invalid' }
  }
  if (whole.test('')) return { fault: 'matches nothing' }
  if (hasUnsafeParts(pattern)) return { fault: 'unsafe' }
  return isSlow(whole, pattern) ? { fault: 'slow' } : { pattern }
}

/** Back references, lookaround, and a repeated group that has a repetition or an alternative inside. */
function hasUnsafeParts(pattern: string): boolean {
  /** Whether each open group has a repetition or an alternative inside. */
  const groups: boolean[] = []
  let closedGroup: boolean | undefined
  const parts =
    pattern.match(/\\[pPuxk](?:\{[^}]*\}|<[^>]*>)?|\\.|\[(?:\\.|[^\]\\])*\]|\(\?[:<]?[=!]?|\{[\d,]+\}|./gsu) ?? []
  for (const part of parts) {
    if (/^\\[1-9k]/.test(part) || /^\(\?(?!:$)/.test(part)) return true
    const isRepetition = /^(?:[*+]|\{\d+,\d*\}|\{(?:[2-9]|\d{2,})\})$/.test(part)
    if (isRepetition && closedGroup === true) return true
    const isVariable = /^(?:[*+?|]|\{\d+,\d*\})$/.test(part)
    closedGroup = undefined
    if (part.startsWith('(')) groups.push(false)
    else if (part === ')') {
      closedGroup = groups.pop() ?? false
      if (closedGroup && groups.length > 0) groups[groups.length - 1] = true
    } else if (isVariable && groups.length > 0) groups[groups.length - 1] = true
  }
  return false
}

/** Tries long texts of one character, which are the worst case for repetitions that follow each other. */
function isSlow(whole: RegExp, pattern: string): boolean {
  const repetitions = pattern.match(/[*+?]|\{\d+,\d*\}/g) ?? []
  if (repetitions.length > repetitionsMax) return true
  const characters = new Set(['0', 'a', '-', '/', '.', '_', ' ', 'ñ', ...pattern])
  for (let length = firstTextCharacters; length < codeCharactersMax * textGrowth; length *= textGrowth) {
    const repeats = Math.min(Math.round(length), codeCharactersMax)
    for (const character of characters) {
      if (measureMs(whole, `${character.repeat(repeats)}\u0000`) > matchMsMax) return true
    }
  }
  return false
}

/** The fastest of some attempts: a process that was interrupted is not a slow pattern. */
function measureMs(whole: RegExp, text: string): number {
  let fastestMs = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < attemptsMax && fastestMs > matchMsMax; attempt++) {
    const startedAt = performance.now()
    whole.test(text)
    fastestMs = Math.min(fastestMs, performance.now() - startedAt)
  }
  return fastestMs
}
