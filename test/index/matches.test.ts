// Tests that two lists of matches are merged (src/index/matches.ts). A match is where a search term occurs in a record,
// from its first word to its last.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Matches, mergeMatches } from '../../src/index/matches.ts'
import { seed } from '../seed.ts'

/** A list of matches as a map from the first word to the last. */
type LastByFirst = ReadonlyMap<number, number>

// `any…` is an arbitrary of fast-check, which draws random lists.
const anyLastByFirst: fc.Arbitrary<LastByFirst> = fc
  .array(fc.tuple(fc.nat(30), fc.nat(5)), { maxLength: 12 })
  .map((matches) => new Map(matches.map(([first, wordsAfterFirst]) => [first, first + wordsAfterFirst])))

/** Sorted by first word. */
function toMatches(list: LastByFirst): Matches {
  const sorted = [...list].sort(([a], [b]) => a - b)
  return { firsts: Uint32Array.from(sorted, ([first]) => first), lasts: Uint32Array.from(sorted, ([, last]) => last) }
}

test('merging keeps the first matches; if two have the same first word, only the longer one stays', () => {
  fc.assert(
    // Each list has at most 12 matches, so neither has more than `countMax`, as `mergeMatches` requires.
    fc.property(anyLastByFirst, anyLastByFirst, fc.integer({ min: 12, max: 20 }), (a, b, countMax) => {
      const longest = new Map(a)
      for (const [first, last] of b) longest.set(first, Math.max(last, longest.get(first) ?? 0))
      const { firsts, lasts } = toMatches(longest)
      const merged = mergeMatches(toMatches(a), toMatches(b), countMax)
      assert.deepEqual([...merged.firsts], [...firsts.subarray(0, countMax)])
      assert.deepEqual([...merged.lasts], [...lasts.subarray(0, countMax)])
    }),
    { seed, numRuns: 1000 },
  )
})
