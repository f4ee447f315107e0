// The staging table, a temporary SQLite table in which an import sorts its rows into canonical order (newest first,
// then by code) and finds duplicate codes. It also keeps the rejected rows. A row is added with its origin: the index
// of its source and its line. Line 1 of a source has the headings. A row is read back with its record in the form that
// a snapshot stores: the wire format as JSON, and the fields for sorting and searching (`toStoredRecord`).
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { isInscriptionCode } from '../../src/domain/inscription-code.ts'
import { compareCanonically, toRegistryRecord, toStoredRecord } from '../../src/domain/record.ts'
import { Staging } from '../../src/import/staging.ts'
import { seed } from '../seed.ts'
import { recordOf } from './record.ts'

function openStaging(t: TestContext): Staging {
  const staging = new Staging()
  t.after(() => staging.close())
  return staging
}

test('a staged row is read back unchanged', (t) => {
  const staging = openStaging(t)
  const texts = { content: 'texto\ny más', documents: ['a.pdf', 'b;c.pdf'] }
  staging.add({ record: recordOf('ñ/2-1'), ...texts }, { sourceIndex: 0, line: 2 })
  staging.add({ record: recordOf('ñ/2-2'), content: '', documents: [] }, { sourceIndex: 0, line: 3 })
  assert.deepEqual(
    [...staging.inCanonicalOrder()],
    [
      { record: toStoredRecord(recordOf('ñ/2-1')), ...texts },
      { record: toStoredRecord(recordOf('ñ/2-2')), content: '', documents: [] },
    ],
  )
})

test('rows are read in canonical order, whatever order they were added in', () => {
  const anyPrefix = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.string({ unit: 'binary', minLength: 1 }),
    // JavaScript compares UTF-16 and SQLite UTF-8. The two orders differ only if a code has a character above U+FFFF,
    // such as an emoji, which `isInscriptionCode` refuses. If it let one through, the first two prefixes of this list
    // would show the difference: they come after an emoji in UTF-16, and before it in UTF-8.
    fc.constantFrom('\uffdc', '\ufb00', '\ud7a3', 'a', 'A', 'ñ', 'a/1'),
  )
  const anyCode = fc
    .tuple(anyPrefix, fc.nat(20))
    .map(([start, number]) => `${start}-${number}`)
    .filter(isInscriptionCode)
  const anyDate = fc.constantFrom('2004-05-18', '2004-05-17', '1999-12-31')
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(anyCode, anyDate), { maxLength: 40, selector: ([code]) => code }),
      (codesAndDates) => {
        const staging = new Staging()
        try {
          for (const [line, codeAndDate] of codesAndDates.entries()) {
            staging.add({ record: recordOf(...codeAndDate), content: '', documents: [] }, { sourceIndex: 0, line })
          }
          const staged = Array.from(staging.inCanonicalOrder(), ({ record }) => toRegistryRecord(record))
          const sorted = codesAndDates.map((codeAndDate) => recordOf(...codeAndDate)).sort(compareCanonically)
          assert.deepEqual(staged, sorted)
        } finally {
          staging.close()
        }
      },
    ),
    { seed, numRuns: 50 },
  )
})

test('rows that exceed the page cache of 16 MiB are read in order and unchanged', (t) => {
  const staging = openStaging(t)
  const dates = ['2004-05-18', '1999-12-31', '2021-01-01']
  // Every second row is small, the others have about half a megabyte, and one has 16 megabytes.
  const repetitionsOf = (index: number): number => {
    if (index === 30) return 4_000_000
    return index % 2 === 0 ? 150_000 : 1
  }
  // 37 and 60 have no common divisor, so every code occurs once and out of order.
  const rows = Array.from({ length: 60 }, (_, index) => ({
    record: recordOf(`c-${(index * 37) % 60}`, dates[index % 3]),
    content: `${index}ñ`.repeat(repetitionsOf(index)),
    documents: [],
  }))
  for (const [line, row] of rows.entries()) staging.add(row, { sourceIndex: 0, line })
  const sorted = rows.toSorted((a, b) => compareCanonically(a.record, b.record))
  const staged = [...staging.inCanonicalOrder()]
  assert.deepEqual(
    staged.map(({ record }) => toRegistryRecord(record)),
    sorted.map(({ record }) => record),
  )
  assert.ok(staged.every(({ content }, index) => content === sorted[index]?.content))
})

test('a row with the code of a staged row, in upper or lower case, is not staged, and its first row is known', (t) => {
  const staging = openStaging(t)
  /** A row as it is added. Its content is its index. */
  const rowOf = (code: string, index: number) => ({ record: recordOf(code), content: String(index), documents: [] })
  const rows = ['A-1', 'b-2', 'a-1', 'c-3', 'A-1'].map(rowOf)
  const added = rows.map((row, index) => staging.add(row, { sourceIndex: 0, line: index + 2 }))
  assert.deepEqual(added, [true, true, false, true, false])
  assert.deepEqual(staging.findOrigin('a-1'), { sourceIndex: 0, line: 2, title: recordOf('A-1').title })
  assert.equal(staging.stagedCount, 3)
  staging.replace(rowOf('A-1', 4))
  const contents = Array.from(staging.inCanonicalOrder(), ({ record, content }) => [record.code, content])
  assert.deepEqual(contents.sort(), [
    ['A-1', '4'],
    ['b-2', '1'],
    ['c-3', '3'],
  ])
})

test('the rejected rows of a source are read in the order of their lines', (t) => {
  const staging = openStaging(t)
  staging.addRejected({ sourceIndex: 1, line: 3, reason: 'b', cells: ['x', null] })
  staging.addRejected({ sourceIndex: 0, line: 9, reason: 'a', cells: [] })
  staging.addRejected({ sourceIndex: 1, line: 2, reason: 'c', cells: ['y'] })
  assert.deepEqual(
    [...staging.rejectedRows(1)],
    [
      { sourceIndex: 1, line: 2, reason: 'c', cells: ['y'] },
      { sourceIndex: 1, line: 3, reason: 'b', cells: ['x', null] },
    ],
  )
  assert.equal(staging.rejectedCount, 3)
})
