import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeptRecords } from '../../src/store/sqlite/kept-records.ts'

const recordOf = (text: string) => ({ text, place: undefined })

test('a record is kept from the second time on, until another comes to its place', () => {
  const kept = new KeptRecords()
  kept.offer(5, recordOf('five'))
  assert.equal(kept.get(5), undefined)
  kept.offer(5, recordOf('five'))
  assert.equal(kept.get(5)?.text, 'five')
  kept.offer(5 + 8192, recordOf('far away'))
  assert.equal(kept.get(5), undefined)
  assert.equal(kept.get(5 + 8192), undefined)
  kept.offer(0, recordOf('newest'))
  kept.offer(0, recordOf('newest'))
  assert.equal(kept.get(0)?.text, 'newest')
})

test('a record too long to keep is not kept, however often it comes', () => {
  const kept = new KeptRecords()
  for (let time = 0; time < 3; time++) kept.offer(7, recordOf('x'.repeat(2000)))
  assert.equal(kept.get(7), undefined)
})
