import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AllOf, AnyOf, end, pending, Turn, Without } from '../../src/index/iterators.ts'
import { ListMatcher, Phrase } from '../../src/index/posting-list-iterator.ts'
import { Positions } from '../../src/index/word-positions.ts'
import { MemoryLists, type Postings } from './memory-postings.ts'

// Gaps from one to many thousands, so that lists are inline, of one block and of several.
const records = fc
  .tuple(fc.integer({ min: 1, max: 12_000 }), fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 1_000_000 }))
  .map(([count, gapMax, seed]) => {
    const found = new Set<number>()
    let state = seed
    for (let i = 0, record = -1; i < count; i++) {
      state = (state * 1_103_515_245 + 12_345) & 0x7fffffff
      record += 1 + (state % gapMax)
      found.add(record)
    }
    return found
  })

function toPostings(found: ReadonlySet<number>): Postings {
  return new Map([...found].map((record) => [record, []]))
}

test('a list gives back the records it was written with, however long it is', () => {
  fc.assert(
    fc.property(records, (found) => {
      const lists = new MemoryLists()
      const turn = new Turn()
      const head = lists.write('w', toPostings(found), false)
      assert.equal(head.records, found.size)
      assert.deepEqual(lists.matches(new ListMatcher(head, turn), turn), [...found])
    }),
    { numRuns: 40 },
  )
})

test('a list skips to the first record at or after any target', () => {
  fc.assert(
    fc.property(records, fc.array(fc.integer({ min: 0, max: 500_000 }), { maxLength: 20 }), (found, jumps) => {
      const lists = new MemoryLists()
      const turn = new Turn()
      const matcher = new ListMatcher(lists.write('w', toPostings(found), false), turn)
      for (const target of jumps.sort((a, b) => a - b)) {
        let match = matcher.advanceTo(target)
        if (match === pending) {
          lists.readChunks(turn.requests.splice(0))
          match = matcher.advanceTo(target)
        }
        assert.equal(match, [...found].find((record) => record >= target) ?? end)
      }
    }),
    { numRuns: 40 },
  )
})

test('a list tells the word positions in any record it skips to, however dense it is', () => {
  fc.assert(
    fc.property(records, fc.array(fc.integer({ min: 0, max: 200_000 }), { maxLength: 30 }), (found, jumps) => {
      const lists = new MemoryLists()
      const turn = new Turn()
      const positionsOf = (record: number): number[] => [record % 5, (record % 5) + 1 + (record % 300)]
      const postings = new Map([...found].map((record) => [record, positionsOf(record)]))
      const matcher = new ListMatcher(lists.write('w', postings, true), turn)
      const positions = new Positions()
      const settle = <T>(ask: () => T, isSettled: (answer: T) => boolean): T => {
        const answer = ask()
        if (isSettled(answer)) return answer
        lists.readChunks(turn.requests.splice(0))
        return ask()
      }
      for (const target of jumps.sort((a, b) => a - b)) {
        const match = settle(
          () => matcher.advanceTo(target),
          (record) => record !== pending,
        )
        if (match === end) break
        const isAtHand = settle(
          () => matcher.hasPositions(),
          (answer) => answer,
        )
        assert.ok(isAtHand)
        matcher.readPositions(positions)
        assert.deepEqual([...positions.values], positionsOf(match))
      }
    }),
    { numRuns: 60 },
  )
})

test('all of, any of and without are intersection, union and difference', () => {
  fc.assert(
    fc.property(records, records, records, (a, b, c) => {
      const lists = new MemoryLists()
      const turn = new Turn()
      const heads = [a, b, c].map((found, i) => lists.write(`w${i}`, toPostings(found), false))
      const fresh = (): ListMatcher[] => heads.map((head) => new ListMatcher(head, turn))
      const ascending = (found: Set<number>): number[] => [...found].sort((x, y) => x - y)
      assert.deepEqual(lists.matches(new AllOf(fresh(), turn), turn), ascending(a.intersection(b).intersection(c)))
      assert.deepEqual(lists.matches(new AnyOf(fresh()), turn), ascending(a.union(b).union(c)))
      const [first, second] = fresh()
      assert.ok(first && second)
      assert.deepEqual(lists.matches(new Without(first, second, turn), turn), ascending(a.difference(b)))
    }),
    { numRuns: 25 },
  )
})

test('a phrase matches the records in which its stems follow each other', () => {
  const text = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 12 })
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 700 }),
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 3 }),
      (texts, phrase) => {
        const lists = new MemoryLists()
        const turn = new Turn()
        const heads = [0, 1, 2, 3].map((word) => {
          const postings = texts.flatMap((words, record): [number, number[]][] => {
            const positions = words.flatMap((each, position) => (each === word ? [position] : []))
            return positions.length > 0 ? [[record, positions]] : []
          })
          return lists.write(`w${word}`, new Map(postings), true)
        })
        const stems = phrase.flatMap((word) => heads[word] ?? [])
        const matcher = new Phrase(
          stems.map((head) => new ListMatcher(head, turn)),
          turn,
        )
        const naive = texts.flatMap((words, record) => (`,${words},`.includes(`,${phrase},`) ? [record] : []))
        assert.deepEqual(lists.matches(matcher, turn), naive)
      },
    ),
    { numRuns: 60 },
  )
})

test('a search that finds nothing for long hands its turn over instead of going on', () => {
  const lists = new MemoryLists()
  const turn = new Turn()
  const even = lists.write('w0', new Map(Array.from({ length: 5000 }, (_, i) => [2 * i, []])), false)
  const odd = lists.write('w1', new Map(Array.from({ length: 5000 }, (_, i) => [2 * i + 1, []])), false)
  const matcher = new AllOf([new ListMatcher(even, turn), new ListMatcher(odd, turn)], turn)
  turn.steps = 50
  let turns = 0
  for (let match = matcher.advanceTo(0); match !== end; match = matcher.advanceTo(0)) {
    assert.equal(match, pending)
    lists.readChunks(turn.requests.splice(0))
    turn.steps = 50
    turns++
  }
  assert.ok(turns > 100, `${turns} turns`)
})

test('a damaged list ends in an error or in wrong records, and never goes on for ever', () => {
  let errors = 0
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.integer({ min: 0, max: 5000 }), (inline, last) => {
      const turn = new Turn()
      const head = { key: 'wx', records: 9, lasts: Uint32Array.of(last), firstBlock: 0, firstPlace: null, inline }
      const matcher = new ListMatcher(head, turn)
      try {
        for (let target = 0; target <= last; target++) matcher.advanceTo(target)
      } catch (error) {
        assert.match(String(error), /the registry is damaged/)
        errors++
      }
    }),
    { numRuns: 2000 },
  )
  assert.ok(errors > 500, String(errors))
})
