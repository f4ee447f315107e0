// Tests of the choice of windows: a window is a few consecutive words of a text that match a search term, and is shown
// as a passage with the words around it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compareMatches, type PageMatch } from '../../src/registry/page-matches.ts'
import { chooseBest, splitIntoWindows, type Window } from '../../src/registry/passage-windows.ts'

/** As in passage-windows.ts: all matches in a window start within this many words. The last may end later. */
const windowWords = 24

/** A clause (a word or a phrase) of a term: the words at which it matches, and how many words it has. */
interface PositionedClause {
  readonly positions: readonly number[]
  readonly words: number
}

/** The matches of the clauses in the order of the text, as `analysePage` returns them. */
function toMatches(clauses: readonly PositionedClause[]): PageMatch[] {
  return clauses
    .flatMap(({ positions, words }, clause) => positions.map((first) => ({ first, last: first + words - 1, clause })))
    .sort(compareMatches)
}

/**
 * Finds the `max` best windows by comparing all candidates: most clauses first, then the shortest, then the first in
 * the text. Two windows overlap if they start less than `windowWords` apart; only the better is chosen. A clause that
 * the term has twice is in `clauses` twice.
 */
function findBest(clauses: readonly PositionedClause[], max: number): Window[] {
  const firsts = new Set(clauses.flatMap(({ positions }) => positions))
  const candidates = Array.from(firsts, (first) => toCandidate(first, clauses))
  candidates.sort((a, b) => b.clauseCount - a.clauseCount || toLength(a) - toLength(b) || a.first - b.first)
  const chosen: Window[] = []
  for (const candidate of candidates) {
    const overlaps = chosen.some(({ first }) => Math.abs(first - candidate.first) < windowWords)
    if (!overlaps && chosen.length < max) chosen.push(candidate)
  }
  return chosen
}

/** The window that starts at `first`. It ends where each clause that matches within `windowWords` has matched once. */
function toCandidate(first: number, clauses: readonly PositionedClause[]): Window {
  // For each clause that matches in the window, the last word of its first match.
  const lasts = clauses.flatMap(({ positions, words }) => {
    const match = positions.find((position) => position >= first && position < first + windowWords)
    return match === undefined ? [] : [match + words - 1]
  })
  return { clauseCount: lasts.length, first, last: Math.max(...lasts) }
}

const toLength = ({ first, last }: Window): number => last - first

/** Each number once, in ascending order. */
const toAscending = (numbers: readonly number[]): number[] => [...new Set(numbers)].sort((a, b) => a - b)
const anyPositions = fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 40 }).map(toAscending)
/** The matches of a clause, and how often the term has the clause. */
const anyClause = fc.record({
  positions: anyPositions,
  words: fc.integer({ min: 1, max: 4 }),
  count: fc.integer({ min: 1, max: 3 }),
})

test('the best windows have the most clauses, then the fewest words', () => {
  fc.assert(
    fc.property(fc.array(anyClause, { minLength: 2, maxLength: 6 }), fc.integer({ min: 1, max: 8 }), (clauses, max) => {
      const repeats = clauses.map(({ count }) => count)
      // A clause that the term has twice counts twice.
      const repeated = clauses.flatMap((clause) => Array<typeof clause>(clause.count).fill(clause))
      assert.deepEqual(chooseBest(toMatches(clauses), repeats, max), findBest(repeated, max))
    }),
    { numRuns: 500, seed: 11 },
  )
})

test('words that stand together are in one window', () => {
  // The three words of the term (its clauses) are at the words 22, 23 and 24, and the first one also at 0. A window of
  // 24 words from 0 would have the first two and lack the third. So it ends before the window from 22, which has more.
  const matches = toMatches([[0, 22], [23], [24]].map((positions) => ({ positions, words: 1 })))
  assert.deepEqual(splitIntoWindows(matches, [1, 1, 1]), [
    { first: 0, last: 0, clauseCount: 1 },
    { first: 22, last: 24, clauseCount: 3 },
  ])
})

test('a term that repeats its only word has the windows of the word', () => {
  // All windows of a single clause are equally good, so the windows are taken in the order of the text. A window
  // contains all matches within 24 words of its first match: the first window those at 0 and 5.
  const matches = toMatches([{ positions: [0, 5, 40], words: 1 }])
  for (const repeats of [1, 2]) {
    assert.deepEqual(chooseBest(matches, [repeats], 10), [
      { first: 0, last: 5, clauseCount: repeats },
      { first: 40, last: 40, clauseCount: repeats },
    ])
  }
})
