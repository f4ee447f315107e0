// Checks the regular expression of `--code-pattern`, the form of the inscription codes of a registry. The service
// matches it with codes from any client, so a pattern that a text can make slow is refused. Repeated groups that can
// match in several ways, back references, lookaround and named groups are refused by their form, except one named `number`; other patterns are
// refused if the slowest text may take too many steps (pattern-steps.ts).
import { numberGroup, toWholePattern } from './inscription-code.ts'
import { parseCounts, toPatternParts } from './pattern-parts.ts'
import { countStepsMax } from './pattern-steps.ts'

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
  // The pattern by itself too: `a)(b` is valid only inside the parentheses of the whole pattern.
  if (!isValid(pattern) || !isValid(toWholePattern(pattern))) return { fault: 'invalid' }
  // A code is never empty.
  if (new RegExp(toWholePattern(pattern), 'iu').test('')) return { fault: 'matches the empty text' }
  // The name of the group makes no difference to the steps.
  const unnamed = pattern.replace(`(?<${numberGroup}>`, '(')
  if (hasUnsafeParts(unnamed)) return { fault: 'unsafe' }
  return countStepsMax(unnamed) > stepsMax ? { fault: 'slow' } : { pattern }
}

function isValid(pattern: string): boolean {
  try {
    new RegExp(pattern, 'iu')
    return true
  } catch {
    return false
  }
}

/**
 * Whether the pattern has back references, lookaround, named groups, or a repeated group that is ambiguous. A group is
 * ambiguous if it can match in several ways, because of a repetition or alternatives in it: `(a+|b)*`.
 */
function hasUnsafeParts(pattern: string): boolean {
  const parts = toPatternParts(pattern)
  /** The groups that are open at this part, outermost first. */
  const openGroups: { isAmbiguous: boolean }[] = []
  const markInnermostAmbiguous = (): void => {
    const innermost = openGroups.at(-1)
    if (innermost !== undefined) innermost.isAmbiguous = true
  }
  for (const [index, part] of parts.entries()) {
    const isBackReference = /^\\[1-9k]/.test(part)
    /** Lookaround or a named group: of the groups that start with `(?`, only `(?:` is accepted. */
    const isRefusedGroup = /^\(\?(?!:$)/.test(part)
    if (isBackReference || isRefusedGroup) return true
    if (part.startsWith('(')) {
      openGroups.push({ isAmbiguous: false })
    } else if (part === ')') {
      if (openGroups.pop()?.isAmbiguous !== true) continue
      const countMax = parseCounts(parts[index + 1] ?? '')?.max ?? 1
      if (countMax > 1) return true
      // A group around an ambiguous group is ambiguous too.
      markInnermostAmbiguous()
    } else {
      const counts = parseCounts(part)
      const isVariable = counts !== undefined && counts.min !== counts.max
      if (part === '|' || isVariable) markInnermostAmbiguous()
    }
  }
  return false
}
