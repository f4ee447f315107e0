// Tests of the posting iterators, most of them property tests: seeking, word positions, combined iterators, phrases,
// time slices and damaged posting lists.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Difference, Intersection, Union } from '../../src/index/iterators.ts'
import { PhraseIterator } from '../../src/index/phrase-iterator.ts'
import { end, pending } from '../../src/index/posting-iterator.ts'
import { PostingListIterator } from '../../src/index/posting-list-iterator.ts'
import { SearchContext } from '../../src/index/search-context.ts'
import { WordPositions } from '../../src/index/word-positions.ts'
import { seed } from '../seed.ts'
import { MemoryPostings, type Postings } from './memory-postings.ts'

/**
 * A random set of up to 12,000 records with gaps of up to 40. So posting lists have an inline block (up to 256
 * records), one block or several (of 4,096 records), and groups are stored as deltas or as bitmaps. All records are
 * below 12,000 × 40 = 480,000.
 */
const anyRecords = fc
  .tuple(fc.integer({ min: 1, max: 12_000 }), fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 1_000_000 }))
  .map(([count, gapMax, firstState]) => {
    const records = new Set<number>()
    // A linear congruential generator, because it is faster than a random array of fast-check.
    let state = firstState
    for (let record = -1; records.size < count; ) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      // The low bits of such a generator repeat soon.
      record += 1 + ((state >>> 8) % gapMax)
      records.add(record)
    }
    return records
  })

/** Up to `countMax` ascending targets for `seek`, none above `max`. */
const anyTargets = ({ max, countMax }: { max: number; countMax: number }): fc.Arbitrary<number[]> =>
  fc.array(fc.integer({ min: 0, max }), { maxLength: countMax }).map((values) => values.sort((a, b) => a - b))

/** Postings without word positions. */
function toPostings(records: Iterable<number>): Postings {
  return new Map(Array.from(records, (record) => [record, []]))
}

/** Writes a posting list for each set of records, and returns an iterator over each. */
function writeLists(store: MemoryPostings, sets: readonly Iterable<number>[]): PostingListIterator[] {
  return sets.map((set, index) => {
    const entry = store.write(`w${index}`, toPostings(set), { withPositions: false })
    return new PostingListIterator(entry, store.context)
  })
}

const toAscending = (records: Iterable<number>): number[] => [...records].sort((a, b) => a - b)

test('a posting list of any length returns the records that were written', () => {
  fc.assert(
    fc.property(anyRecords, (records) => {
      const store = new MemoryPostings()
      const [iterator] = writeLists(store, [records])
      assert.ok(iterator)
      assert.equal(iterator.cost, records.size)
      assert.deepEqual(store.readMatches(iterator), [...records])
    }),
    { seed, numRuns: 40 },
  )
})

test('seek returns the first record at or after the target', () => {
  fc.assert(
    // All records are below 480,000, so some targets are after the last one.
    fc.property(anyRecords, anyTargets({ max: 500_000, countMax: 20 }), (records, targets) => {
      const store = new MemoryPostings()
      const [iterator] = writeLists(store, [records])
      assert.ok(iterator)
      for (const target of targets) {
        assert.equal(store.seek(iterator, target), [...records].find((record) => record >= target) ?? end)
      }
    }),
    { seed, numRuns: 40 },
  )
})

test('word positions can be read in any record', () => {
  fc.assert(
    fc.property(anyRecords, anyTargets({ max: 200_000, countMax: 30 }), (records, targets) => {
      const store = new MemoryPostings()
      /** Two word positions that differ from record to record. */
      const positionsOf = (record: number): number[] => [record % 5, (record % 5) + 1 + (record % 300)]
      const postings = new Map([...records].map((record) => [record, positionsOf(record)]))
      const iterator = new PostingListIterator(store.write('w', postings, { withPositions: true }), store.context)
      const positions = new WordPositions()
      for (const target of targets) {
        const match = store.seek(iterator, target)
        if (match === end) break
        // `loadPositions` returns false if it had to request a chunk, which `resume` delivers.
        if (!iterator.loadPositions()) {
          store.resume()
          assert.ok(iterator.loadPositions())
        }
        iterator.readPositions(positions)
        assert.deepEqual([...positions.values], positionsOf(match))
      }
    }),
    { seed, numRuns: 60 },
  )
})

test('intersection, union and difference match the same records as the operations on sets', () => {
  fc.assert(
    fc.property(anyRecords, anyRecords, anyRecords, (a, b, c) => {
      const store = new MemoryPostings()
      const { context } = store
      const intersection = new Intersection(writeLists(store, [a, b, c]), context)
      assert.deepEqual(store.readMatches(intersection), toAscending(a.intersection(b).intersection(c)))
      assert.deepEqual(store.readMatches(new Union(writeLists(store, [a, b, c]))), toAscending(a.union(b).union(c)))
      const [included, excluded] = writeLists(store, [a, b])
      assert.ok(included && excluded)
      assert.deepEqual(store.readMatches(new Difference(included, excluded, context)), toAscending(a.difference(b)))
    }),
    { seed, numRuns: 25 },
  )
})

test('a phrase matches the records that have its words side by side, in the same order', () => {
  // A word is a number from 0 to 3, in a text and in the phrase.
  const text = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 12 })
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 700 }),
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 3 }),
      (texts, phrase) => {
        const store = new MemoryPostings()
        const entries = [0, 1, 2, 3].map((word) => {
          const postings = texts.flatMap((words, record): [number, number[]][] => {
            const positions = words.flatMap((each, position) => (each === word ? [position] : []))
            return positions.length > 0 ? [[record, positions]] : []
          })
          return store.write(`w${word}`, new Map(postings), { withPositions: true })
        })
        const phraseEntries = phrase.flatMap((word) => entries[word] ?? [])
        const iterator = new PhraseIterator(
          phraseEntries.map((entry) => new PostingListIterator(entry, store.context)),
          store.context,
        )
        // The words of a text and of the phrase with commas: `,1,2,3,` contains `,2,3,`.
        const expected = texts.flatMap((words, record) => (`,${words},`.includes(`,${phrase},`) ? [record] : []))
        assert.deepEqual(store.readMatches(iterator), expected)
      },
    ),
    { seed, numRuns: 60 },
  )
})

test('an intersection without matches yields after each time slice', () => {
  const store = new MemoryPostings()
  const even = Array.from({ length: 5000 }, (_, i) => 2 * i)
  const odd = Array.from({ length: 5000 }, (_, i) => 2 * i + 1)
  const iterator = new Intersection(writeLists(store, [even, odd]), store.context)
  const stepsPerSlice = 50
  store.context.stepsLeft = stepsPerSlice
  let slices = 0
  for (let match = iterator.seek(0); match !== end; match = iterator.seek(0)) {
    assert.equal(match, pending)
    store.resume({ stepsLeft: stepsPerSlice })
    slices++
  }
  // Each step passes one of the 10,000 records, so the search takes about 200 time slices of 50 steps.
  assert.ok(slices > 100, `${slices} time slices`)
})

test('reading long position chunks uses up the time slice', () => {
  const store = new MemoryPostings()
  // The chunk has 400,000 word positions of one byte each. Reading 32 bytes counts as a step, and a time slice has
  // 10,000 steps (search-context.ts), so 320,000 bytes use it up.
  const positions = Array.from({ length: 400_000 }, (_, index) => index)
  const entry = store.write('w', new Map([[0, positions]]), { withPositions: true })
  const iterator = new PostingListIterator(entry, store.context)
  assert.equal(iterator.seek(0), 0)
  assert.ok(!iterator.loadPositions())
  // `resume` would start another time slice, so the chunk is delivered without it.
  store.readChunks(store.context.chunkRequests.splice(0))
  assert.ok(iterator.loadPositions())
  assert.ok(store.context.stepsLeft <= 0, `${store.context.stepsLeft} steps left`)
})

test('decoding a damaged posting list always ends', () => {
  let errors = 0
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.integer({ min: 0, max: 5000 }), (inlineBlock, last) => {
      // According to the entry, the list has 9 records up to `last`, but its only block is random bytes.
      const skipTable = Uint32Array.of(last)
      const entry = {
        key: 'wx',
        recordCount: 9,
        skipTable,
        firstBlockNumber: 0,
        firstPositionChunkNumber: null,
        inlineBlock,
      }
      const iterator = new PostingListIterator(entry, new SearchContext())
      try {
        for (let target = 0; target <= last; target++) iterator.seek(target)
      } catch (error) {
        assert.match(String(error), /the registry is damaged/)
        errors++
      }
    }),
    { seed, numRuns: 2000 },
  )
  // Random bytes may be a valid block. Enough of the 2,000 are not, so the error is really tested.
  assert.ok(errors > 500, `${errors} errors`)
})

test('records that do not ascend are refused', () => {
  const { writer } = new MemoryPostings()
  writer.begin({ withPositions: false })
  writer.add(7)
  assert.throws(() => writer.add(7), /records of a posting list ascend/)
})
