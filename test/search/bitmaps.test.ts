import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BitmapMatcher, Bitmaps, bitmapBytesMax } from '../../src/search/bitmaps.ts'
import { ListMatcher, markRecords } from '../../src/search/list-matcher.ts'
import type { ChunkRequest, ListHead } from '../../src/search/lists.ts'
import { AllOf, Turn } from '../../src/search/matcher.ts'
import { MemoryLists } from './lists.ts'

const registryRecords = 20_000

/** Every record of a registry that the draw takes, one in `gap` or so. */
const records = fc
  .tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 1_000_000 }))
  .map(([gap, seed]) =>
    Array.from({ length: registryRecords }, (_, record) => record).filter(
      (record) => ((Math.imul(record + seed, 2_654_435_761) >>> 8) & 0xffff) % gap === 0,
    ),
  )

class CountingLists extends MemoryLists {
  reads = 0

  override readChunks(requests: readonly ChunkRequest[]): void {
    this.reads++
    super.readChunks(requests)
  }
}

class FailingLists extends MemoryLists {
  override readChunks(): void {
    throw new Error('the disk is gone')
  }
}

/** Made, and found. */
async function bitsOf(bitmaps: Bitmaps, head: ListHead, lists: MemoryLists): Promise<Uint32Array> {
  await bitmaps.make(head, lists)
  const bits = bitmaps.find(head)
  assert.ok(bits)
  return bits
}

/** A list of titles that holds these. */
function listOf(lists: MemoryLists, key: string, found: readonly number[]): ListHead {
  return lists.write(key, new Map(found.map((record) => [record, []])), false)
}

test('bitmaps find what the lists find, by themselves and beside another list', async () => {
  await fc.assert(
    fc.asyncProperty(records, records, records, async (a, b, c) => {
      const lists = new MemoryLists()
      const bitmaps = new Bitmaps(registryRecords)
      const turn = new Turn()
      const [one, two, three] = [a, b, c].map((found, index) => listOf(lists, `t${index}`, found))
      assert.ok(one && two && three)
      const read = [await bitsOf(bitmaps, one, lists), await bitsOf(bitmaps, two, lists)]
      const inTwo = new Set(b)
      const both = a.filter((record) => inTwo.has(record))
      assert.deepEqual(lists.matches(new BitmapMatcher(read, turn), turn), both)
      const beside = new AllOf([new BitmapMatcher(read, turn), new ListMatcher(three, turn)], turn)
      const inAll = new Set(c)
      assert.deepEqual(
        lists.matches(beside, turn),
        both.filter((record) => inAll.has(record)),
      )
    }),
    { numRuns: 8 },
  )
})

/** Whether it is to be made, when it is wanted for the first and for the second time. */
function isWorthMaking(registry: number, head: ListHead): boolean[] {
  const bitmaps = new Bitmaps(registry)
  return [bitmaps.find(head) === null, bitmaps.find(head) === null]
}

test('a list is worth a bitmap where it is long, a good part of the registry, and wanted again', () => {
  const lists = new MemoryLists()
  const found = Array.from({ length: 5000 }, (_, record) => record)
  const [inTitles, anywhere] = [listOf(lists, 't', found), listOf(lists, 'w', found)]
  assert.deepEqual(isWorthMaking(1_000_000, inTitles), [false, true])
  assert.deepEqual(isWorthMaking(2_000_000, inTitles), [false, false])
  assert.deepEqual(isWorthMaking(160_000, anywhere), [false, true])
  assert.deepEqual(isWorthMaking(161_000, anywhere), [false, false])
  assert.deepEqual(isWorthMaking(300, listOf(lists, 't', found.slice(0, 256))), [false, false])
})

test('a short list, which has no block of its own, is never taken for the long one that is written behind it', async () => {
  const lists = new MemoryLists()
  const bitmaps = new Bitmaps(5000)
  const short = listOf(lists, 't1', [7])
  const long = listOf(
    lists,
    't2',
    Array.from({ length: 5000 }, (_, record) => record),
  )
  assert.equal(short.firstBlock, long.firstBlock)
  await bitmaps.make(long, lists)
  assert.ok(bitmaps.find(long))
  assert.equal(bitmaps.find(short), undefined)
})

test('a bitmap is made once', async () => {
  const lists = new CountingLists()
  const bitmaps = new Bitmaps(200_000)
  const head = listOf(
    lists,
    't',
    Array.from({ length: 100_000 }, (_, record) => record * 2),
  )
  await Promise.all([bitmaps.make(head, lists), bitmaps.make(head, lists)])
  await bitmaps.make(head, lists)
  assert.equal(lists.reads, 2, 'of 25 blocks, also by two searches at a time')
})

test('where there is no room for another bitmap, those that there are stay', async () => {
  const lists = new MemoryLists()
  const registry = bitmapBytesMax * 4
  const bitmaps = new Bitmaps(registry)
  const found = Array.from({ length: 300 }, (_, record) => record)
  const [first, second] = ['t1', 't2'].map((key) => ({ ...listOf(lists, key, found), records: registry }))
  assert.ok(first && second)
  bitmaps.find(first)
  assert.equal(bitmaps.find(first), null)
  await bitmaps.make(first, lists)
  assert.ok(bitmaps.find(first))
  bitmaps.find(second)
  assert.equal(bitmaps.find(second), undefined, 'half of the room is not enough for another, with the word of its end')
})

test('a bitmap that could not be made is made by the next who wants it', async () => {
  const lists = new MemoryLists()
  const bitmaps = new Bitmaps(10_000)
  const found = Array.from({ length: 5000 }, (_, record) => record * 2)
  const head = listOf(lists, 't', found)
  await assert.rejects(bitmaps.make(head, new FailingLists()), /the disk is gone/)
  const turn = new Turn()
  assert.deepEqual(lists.matches(new BitmapMatcher([await bitsOf(bitmaps, head, lists)], turn), turn), found)
})

test('a list that is cut short is no bitmap, and no endless loop', () => {
  const bits = new Uint32Array(64)
  // A group of a hundred bytes, of which three are there.
  assert.throws(() => markRecords(Uint8Array.of(100, 200, 1, 1, 1, 1), bits), /damaged/)
})
