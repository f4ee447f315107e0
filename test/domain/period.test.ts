// Tests of a period given as a year, a month or a day: its first and its last day.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePeriod } from '../../src/domain/period.ts'

test('a year, a month and a day have a first and a last day', () => {
  assert.deepEqual(parsePeriod('2015'), { first: '2015-01-01', last: '2015-12-31' })
  assert.deepEqual(parsePeriod('2015-06'), { first: '2015-06-01', last: '2015-06-30' })
  assert.deepEqual(parsePeriod('2016-02'), { first: '2016-02-01', last: '2016-02-29' })
  assert.deepEqual(parsePeriod('1900-02'), { first: '1900-02-01', last: '1900-02-28' })
  assert.deepEqual(parsePeriod('2000-02-29'), { first: '2000-02-29', last: '2000-02-29' })
  assert.deepEqual(parsePeriod('0000'), { first: '0000-01-01', last: '0000-12-31' })
})

test('a text of another form, or with a month or day that does not exist, is refused', () => {
  for (const text of ['', '15', '2015-', '2015-0', '2015-13', '2015-00', '2015-02-29', '2015-04-31', '2015-01-00']) {
    assert.equal(parsePeriod(text), undefined, text)
  }
})
