import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeptRecords } from '../../src/store/sqlite/kept-records.ts'

/** What is kept of a record, as text; empty where it is not. */
function read(kept: KeptRecords, position: number): string {
  const page = Buffer.alloc(2048)
  return page.toString('latin1', 10, 10 + kept.copyTo(position, page, 10))
}

function offer(kept: KeptRecords, position: number, text: string): void {
  const page = Buffer.from(`..${text}..`)
  kept.offer(position, page, 2, page.length - 2)
}

test('a record is kept from the second time on, until another comes to its place', () => {
  const kept = new KeptRecords()
  offer(kept, 5, 'five')
  assert.equal(read(kept, 5), '')
  offer(kept, 5, 'five')
  assert.equal(read(kept, 5), 'five')
  offer(kept, 5 + 8192, 'far away')
  assert.equal(read(kept, 5), '')
  assert.equal(read(kept, 5 + 8192), '')
  offer(kept, 0, 'newest')
  offer(kept, 0, 'newest')
  assert.equal(read(kept, 0), 'newest')
})

test('a record too long to keep is not kept, however often it comes', () => {
  const kept = new KeptRecords()
  for (let time = 0; time < 3; time++) offer(kept, 7, 'x'.repeat(2000))
  assert.equal(read(kept, 7), '')
})

test('a place in the order is read once, and anew when another record came meanwhile', () => {
  const kept = new KeptRecords()
  const reads: number[] = []
  const orderKeyOf = (position: number): string =>
    kept.orderKeyOf(position, (asked) => {
      reads.push(asked)
      return { checkinDate: '2004-01-01', code: `A-${asked}` }
    }).code
  offer(kept, 5, 'five')
  assert.deepEqual([orderKeyOf(5), orderKeyOf(5), orderKeyOf(5 + 8192)], ['A-5', 'A-5', 'A-8197'])
  offer(kept, 5 + 8192, 'far away')
  assert.deepEqual([orderKeyOf(5 + 8192), orderKeyOf(5)], ['A-8197', 'A-5'])
  assert.deepEqual(reads, [5, 8197, 8197, 5])
})
