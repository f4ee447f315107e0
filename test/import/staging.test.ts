// The staging table, a temporary SQLite table in which an import sorts its rows into canonical order (newest first,
// then by code) and finds duplicate codes. It also keeps the rejected rows. A row is added with its origin: the index
// of its source and its line. Line 1 of a source has the headings. A row is read back with its record in the form that
// a snapshot stores: the wire format as JSON, and the fields for sorting and searching (`toStoredRecord`).
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { isInscriptionCode } from '../../src/domain/inscription-code.ts'
import { compareCanonically, toRegistryRecord, toStoredRecord } from '../../src/domain/record.ts'
import { type DuplicateRow, type StagedRow, Staging } from '../../src/import/staging.ts'
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

test('if rows have equal codes, in upper or lower case, the first row stays and the others refer to it', (t) => {
  const staging = openStaging(t)
  const codes = ['A-1', 'b-2', 'a-1', 'B-2', 'c-3', 'A-1']
  /** A row as it is added. Its content is its index. */
  const rowOf = (index: number) => ({ record: recordOf(codes[index] ?? ''), content: String(index), documents: [] })
  for (const index of codes.keys()) {
    // The cells of the row in its source, which go to the rejects file if the row is rejected.
    const cells = [String(index), null]
    // The last two rows are from a second source.
    staging.add(rowOf(index), { sourceIndex: index > 3 ? 1 : 0, line: index + 2 }, cells)
  }
  const duplicates: DuplicateRow[] = []
  staging.removeDuplicates('first', (duplicate) => duplicates.push(duplicate))
  /** The same row as it is read back. */
  const stagedOf = (index: number): StagedRow => ({ ...rowOf(index), record: toStoredRecord(rowOf(index).record) })
  assert.deepEqual(duplicates, [
    {
      sourceIndex: 0,
      line: 4,
      row: stagedOf(2),
      cells: ['2', null],
      kept: { sourceIndex: 0, line: 2, title: stagedOf(0).record.title },
    },
    {
      sourceIndex: 0,
      line: 5,
      row: stagedOf(3),
      cells: ['3', null],
      kept: { sourceIndex: 0, line: 3, title: stagedOf(1).record.title },
    },
    {
      sourceIndex: 1,
      line: 7,
      row: stagedOf(5),
      cells: ['5', null],
      kept: { sourceIndex: 0, line: 2, title: stagedOf(0).record.title },
    },
  ])
  assert.equal(staging.stagedCount, 3)
  assert.deepEqual([...staging.inCanonicalOrder()], [stagedOf(0), stagedOf(1), stagedOf(4)])
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
