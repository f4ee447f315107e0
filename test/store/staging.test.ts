import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { hashText } from '../../src/hash.ts'
import { foldCode } from '../../src/record/code.ts'
import { compareCanonically, fromStored, type RegistryRecord, toStored } from '../../src/record/record.ts'
import { SqliteWriter } from '../../src/store/sqlite/writer.ts'
import { type DuplicateRow, Staging } from '../../src/store/staging.ts'

function recordOf(code: string, checkinDate = '2004-05-18'): RegistryRecord {
  return {
    code,
    id: `id of ${code}`,
    registrationNumber: '1',
    title: 'Plan "Ñ" \\ 😀',
    area: '',
    checkinDate,
    inscriptionDate: null,
    municipality: 'Jávea',
    links: 'https://example.org/%F3.pdf',
    agreementLink: 'https://example.org/a.pdf',
  }
}

test('staged rows come back as they were put in', (t) => {
  const staging = new Staging()
  t.after(() => staging.close())
  const row = { record: recordOf('ñ/2-1'), content: 'texto\ny más', documents: ['a.pdf', 'b;c.pdf'] }
  staging.add(row, { source: 0, line: 2 })
  const stored = toStored(row.record)
  const digest = createHash('sha1').update(`${stored.code}\0`).update(stored.wire).update(`\0${row.content}`).digest()
  const entry = Buffer.concat([digest, Buffer.from(`1${stored.checkinDate}${stored.code}`)])
  const staged = Array.from(staging.inCanonicalOrder(), (each) => {
    const { checkinDate, code, codeHash, title, municipality, content, documents, number, place } = each
    const texts = { checkinDate, code, codeHash, title, municipality, wire: new Uint8Array(each.wire) }
    const entry = Buffer.from(each.bytes.subarray(each.entryStart, each.entryEnd))
    return { ...texts, entry, content, documents, number, place }
  })
  const { content, documents } = row
  const codeHash = hashText(foldCode(stored.code))
  assert.deepEqual(staged, [
    { ...stored, codeHash, entry, content, documents, number: 0, place: { source: 0, line: 2 } },
  ])
  assert.deepEqual(fromStored(stored), row.record)
})

test('rows come back in the canonical order of the registry, whatever order they came in', () => {
  const code = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\u{1f600}-1', '\uffee-1', 'a-1', 'a-10', 'a-9', 'A-1'),
  )
  const date = fc.constantFrom('2004-05-18', '2004-05-17', '1999-12-31')
  fc.assert(
    fc.property(fc.array(fc.tuple(code, date), { maxLength: 40 }), (keys) => {
      const staging = new Staging()
      try {
        for (const [line, key] of keys.entries()) {
          staging.add({ record: recordOf(...key), content: '', documents: [] }, { source: 0, line })
        }
        const staged = Array.from(staging.inCanonicalOrder(), fromStored)
        const sorted = keys.map((key) => recordOf(...key)).sort(compareCanonically)
        assert.deepEqual(staged, sorted)
      } finally {
        staging.close()
      }
    }),
    { numRuns: 50 },
  )
})

test('rows that do not fit into memory at once come back in order too, each as it was', (t) => {
  const staging = new Staging()
  t.after(() => staging.close())
  const dates = ['2004-05-18', '1999-12-31', '2021-01-01']
  // Half a megabyte each, and one of many times that, beside small ones.
  const rows = Array.from({ length: 60 }, (_, n) => ({
    record: recordOf(`c-${(n * 37) % 60}`, dates[n % 3]),
    content: `${n}ñ`.repeat(n === 30 ? 4_000_000 : n % 2 === 0 ? 150_000 : 1),
    documents: [],
  }))
  for (const [line, row] of rows.entries()) staging.add(row, { source: 0, line })
  const sorted = rows.toSorted((a, b) => compareCanonically(a.record, b.record))
  const staged = Array.from(staging.inCanonicalOrder(), (row) => ({ record: fromStored(row), content: row.content }))
  assert.deepEqual(
    staged.map(({ record }) => record),
    sorted.map(({ record }) => record),
  )
  assert.ok(staged.every(({ content }, n) => content === sorted[n]?.content))
})

test('of rows with one code, without regard to case, the first stays and the others name it', (t) => {
  const staging = new Staging()
  t.after(() => staging.close())
  const codes = ['A-1', 'b-2', 'a-1', 'B-2', 'c-3', 'A-1']
  for (const [index, code] of codes.entries()) {
    staging.add(
      { record: recordOf(code), content: String(index), documents: [] },
      { source: index > 3 ? 1 : 0, line: index + 2 },
    )
  }
  const duplicates: DuplicateRow[] = []
  staging.refuseDuplicates((duplicate) => duplicates.push(duplicate))
  duplicates.sort((a, b) => a.line - b.line)
  assert.deepEqual(duplicates, [
    { source: 0, line: 4, code: 'a-1', first: { source: 0, line: 2 } },
    { source: 0, line: 5, code: 'B-2', first: { source: 0, line: 3 } },
    { source: 1, line: 7, code: 'A-1', first: { source: 0, line: 2 } },
  ])
  assert.equal(staging.rows, 3)
  assert.deepEqual(
    Array.from(staging.inCanonicalOrder(), ({ content }) => content),
    ['0', '1', '4'],
  )
})

test('refused rows are kept by source and line', (t) => {
  const staging = new Staging()
  t.after(() => staging.close())
  staging.refuse({ source: 1, line: 3, reason: 'b', cells: ['x', null] })
  staging.refuse({ source: 0, line: 9, reason: 'a', cells: [] })
  staging.refuse({ source: 1, line: 2, reason: 'c', cells: ['y'] })
  assert.deepEqual(
    [...staging.refusedRows(1)].map(({ line, cells }) => [line, cells]),
    [
      [2, ['y']],
      [3, ['x', null]],
    ],
  )
  assert.equal(staging.refused, 3)
})

test('a row moved on as it lies gives the snapshot of one that is taken apart, however long its text', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'staged-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const staging = new Staging()
  t.after(() => staging.close())
  const lengths = [0, 1, 2, 3, 5, 4096, 65_533, 65_536, 70_001, 5_000_000]
  for (let line = 0; line < 400; line++) {
    const content = 'suelo urbanizable ñ\u{1f600} '.repeat(400_000).slice(0, lengths[line % (line < 390 ? 6 : 10)])
    const record = { ...recordOf(`A-${line}`), municipality: ['Cieza', 'Ávila', 'Nadie'][line % 3] ?? '' }
    staging.add({ record, content: content.toWellFormed(), documents: [] }, { source: 0, line })
  }
  const files = ['moved', 'apart'].map((name) => join(folder, name))
  for (const file of files) {
    const writer = new SqliteWriter(file)
    for (const row of staging.inCanonicalOrder()) {
      await (file === files[0] ? writer.addStaged(row) : writer.add(row, row.content))
    }
    await writer.publish({ fictional: false, dryRun: false })
  }
  const [moved, apart] = files.map((file) => readFileSync(file))
  assert.ok(moved !== undefined && apart !== undefined && moved.equals(apart))
})
