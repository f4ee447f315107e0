import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { KnownRecords } from '../../src/search/known-records.ts'
import { end } from '../../src/search/matcher.ts'

test('the first record at or behind a target is found, however far ahead it lies', () => {
  const records = fc.uniqueArray(fc.nat({ max: 5000 }), { maxLength: 400 }).map((found) => found.sort((a, b) => a - b))
  const targets = fc.array(fc.nat({ max: 5200 }), { maxLength: 60 }).map((found) => found.sort((a, b) => a - b))
  fc.assert(
    fc.property(records, targets, (known, asked) => {
      const matcher = new KnownRecords(Uint32Array.from(known))
      assert.equal(matcher.recordsMax, known.length)
      for (const target of asked) {
        assert.equal(matcher.advanceTo(target), known.find((record) => record >= target) ?? end)
      }
    }),
  )
})
