// Calculates an upper bound of the steps that a backtracking matcher takes for a pattern of inscription codes, in two
// stages: parses the pattern into a tree, and adds up the costs of its nodes from the last to the first.
import { codeCharactersMax } from './inscription-code.ts'
import { type Counts, parseCounts, toPatternParts } from './pattern-parts.ts'

/**
 * Returns an upper bound of the steps that a backtracking matcher takes for any code, of at most 200 characters. `\d+`
 * takes 201 steps, because it tries one digit more than there are. It can end after each of the 200 digits, and each
 * time the matcher tries what follows. If that cannot begin with a digit, all tries but one fail at once.
 *
 * | pattern | its first `+` | tries of what follows | steps |
 * |---|---|---|---|
 * | `\d+/\d+` | 201 | 200 that fail in 1 step, and one of the 403 steps of `/\d+` | 804 |
 * | `[\w-]+-\d+` | 201 | 200 of the 403 steps of `-\d+`, which can begin like `[\w-]` | 80,801 |
 */
export function countStepsMax(pattern: string): number {
  return addCost(parseGroup(toPatternParts(pattern).values()), { first: '', steps: 1, failingSteps: 1 }).steps
}

type PatternNode =
  /** A character, an escape or a class: `a`, `\d`, `[a-z]`. */
  | { readonly kind: 'character'; readonly source: string }
  /** `\b`, `\B`, `^` and `$` match no character. They can only make a match fail. */
  | { readonly kind: 'assertion' }
  | { readonly kind: 'repetition'; readonly repeated: PatternNode; readonly counts: Counts }
  | { readonly kind: 'group'; readonly alternatives: readonly Sequence[] }

type Sequence = readonly PatternNode[]

/** Parses a group, up to its `)`, or the whole pattern. A nested call parses a group in it. */
function parseGroup(parts: Iterator<string, undefined>): PatternNode {
  const alternatives: PatternNode[][] = [[]]
  for (let part = parts.next().value; part !== undefined && part !== ')'; part = parts.next().value) {
    const sequence = alternatives.at(-1) ?? []
    const counts = parseCounts(part)
    if (part === '|') alternatives.push([])
    else if (part.startsWith('(')) sequence.push(parseGroup(parts))
    else if (/^(?:\\b|\^|\$)$/i.test(part)) sequence.push({ kind: 'assertion' })
    else if (counts === undefined) sequence.push({ kind: 'character', source: part })
    else {
      // A quantifier follows a part, or the pattern would be invalid; the empty character is there for the compiler.
      const repeated = sequence.pop() ?? { kind: 'character', source: '' }
      sequence.push({ kind: 'repetition', repeated, counts })
    }
  }
  return { kind: 'group', alternatives }
}

/** What it costs to match the rest of a pattern, from one of its parts to its end: `/\d+` in `\d+/\d+`. */
interface Cost {
  /** What can match its first character, as alternatives of a regular expression: `a|b` for `a*b`. Empty at the end. */
  readonly first: string
  /** An upper bound of the steps that it takes to try all ways to match it with a text. */
  readonly steps: number
  /** The same for a text whose first character `first` does not match: 1 for `/\d+`, which fails at the slash. */
  readonly failingSteps: number
}

/** Returns the cost of `node` and what follows it, whose cost is `next`. */
function addCost(node: PatternNode, next: Cost): Cost {
  switch (node.kind) {
    case 'character':
      return { first: node.source, steps: 1 + next.steps, failingSteps: 1 }
    case 'assertion':
      return { first: next.first, steps: 1 + next.steps, failingSteps: 1 + next.failingSteps }
    case 'repetition':
      return addRepetition(node.repeated, node.counts, next)
    case 'group':
      return node.alternatives
        .map((sequence) => sequence.reduceRight((cost, each) => addCost(each, cost), next))
        .reduce(toEither)
  }
}

function addRepetition(repeated: PatternNode, { min, max }: Counts, next: Cost): Cost {
  const repeatsMax = Number.isFinite(max) ? max : Math.max(min, codeCharactersMax)
  const once = addCost(repeated, next)
  const ownSteps = (repeatsMax + 1) * (once.steps - next.steps)
  /** How many times `next` is tried: after each repetition from `min` on. */
  const tries = repeatsMax - min + 1
  const canBeginAlike = tries > 1 && haveCommonCharacter(once.first, next.first)
  return {
    first: min === 0 ? joinAlternatives(once.first, next.first) : once.first,
    steps: ownSteps + (canBeginAlike ? tries * next.steps : tries * next.failingSteps + next.steps),
    failingSteps: once.failingSteps + (min === 0 ? next.failingSteps : 0),
  }
}

/** Either alternative. If no character can begin both, one of them fails at its first character. */
function toEither(a: Cost, b: Cost): Cost {
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

/** Whether a character matches both `a` and `b`, which are alternatives as in `Cost.first`. */
function haveCommonCharacter(a: string, b: string): boolean {
  return a !== '' && b !== '' && new RegExp(`(?=${a})(?:${b})`, 'iu').test(codeCharacters)
}
