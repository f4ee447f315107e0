import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BitmapMatcher, Bitmaps } from '../../src/search/bitmaps.ts'
import { ListMatcher } from '../../src/search/list-matcher.ts'
import { AllOf, Turn } from '../../src/search/matcher.ts'
import { MemoryLists } from './lists.ts'

const registryRecords = 20_000

/** Every record of a registry that the draw takes, one in `gap` or so. */
const records = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 1_000_000 }))
  .map(([gap, seed]) =>
    Array.from({ length: registryRecords }, (_, record) => record).filter(
      (record) => ((Math.imul(record + seed, 2_654_435_761) >>> 8) & 0xffff) % gap === 0,
    ),
  )

test('bitmaps find what the lists find, by themselves and beside another list', async () => {
  await fc.assert(
    fc.asyncProperty(records, records, records, async (a, b, c) => {
      const lists = new MemoryLists()
      const bitmaps = new Bitmaps(registryRecords)
      const turn = new Turn()
      const [one, two, three] = [a, b, c].map((found, index) =>
        lists.write(`t${index}`, new Map(found.map((record) => [record, []])), false),
      )
      assert.ok(one && two && three)
      const read = [await bitmaps.read(one, lists, turn), await bitmaps.read(two, lists, turn)]
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
    { numRuns: 5 },
  )
})

test('a list is worth a bitmap where it is long, and a good part of the registry', () => {
  const lists = new MemoryLists()
  const head = lists.write('t', new Map(Array.from({ length: 5000 }, (_, record) => [record, []])), false)
  assert.ok(new Bitmaps(100_000).isWorthwhile(head))
  assert.ok(!new Bitmaps(2_000_000).isWorthwhile(head))
  assert.ok(!new Bitmaps(6000).isWorthwhile({ ...head, records: 200 }))
})

test('a bitmap is made once', async () => {
  const lists = new MemoryLists()
  const bitmaps = new Bitmaps(10_000)
  const head = lists.write('t', new Map(Array.from({ length: 5000 }, (_, record) => [record * 2, []])), false)
  const [first, second] = [bitmaps.read(head, lists, new Turn()), bitmaps.read(head, lists, new Turn())]
  assert.equal(await first, await second, 'also by two searches at a time')
  assert.equal(await bitmaps.read(head, lists, new Turn()), await first)
})

test('where the search that makes a bitmap is given up, the one that waits for it makes it', async () => {
  const lists = new MemoryLists()
  const bitmaps = new Bitmaps(10_000)
  const found = Array.from({ length: 5000 }, (_, record) => record * 2)
  const head = lists.write('t', new Map(found.map((record) => [record, []])), false)
  const turn = new Turn()
  const given = bitmaps.read(head, lists, new Turn({ isOver: true }))
  const waiting = bitmaps.read(head, lists, turn)
  await assert.rejects(given, { name: 'SearchGivenUp' })
  assert.deepEqual(lists.matches(new BitmapMatcher([await waiting], turn), turn), found)
})
