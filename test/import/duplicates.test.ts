// Rows with the same code, and `--duplicates`: `refuse` rejects all except the first. `first` keeps the first and
// `last` the last, and the others are left out without being rejected. `merge` makes one record of all.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type RegistryRecord, toRegistryRecord } from '../../src/domain/record.ts'
import { Duplicates } from '../../src/import/duplicates.ts'
import { ImportReport } from '../../src/import/report.ts'
import { Staging } from '../../src/import/staging.ts'
import { recordOf } from './record.ts'
import { assertUsageError, makeRegistry } from './registry.ts'

/**
 * Three rows have the code A-1, one of them in lower case. They differ in the column `Notas` too, but the import does
 * not read this column.
 */
const csvLines = [
  'code;id;title;area;municipality;checkin_date;links;content;Notas',
  'A-1;1;Plan;Norte;Ibi;2004-05-18;https://example.org/1.pdf;volumetría;x',
  'B-1;2;Otro;;Ibi;2004-05-18;;;',
  'a-1;3;Plan bis;Sur;Ibi;2005-05-18;https://example.org/2.pdf;edificabilidad;y',
  'A-1;4;Plan;Norte;Ibi;2006-05-18;https://example.org/3.pdf;;z',
]

test('--duplicates refuses rows with the same code, keeps one of them or merges them', async (t) => {
  const registry = await makeRegistry(t)
  const source = await registry.write('r.csv', `${csvLines.join('\n')}\n`)
  // The row that `last` keeps has no text, so the record loses its text. `--max-texts-gone` allows this.
  const importWith = (rule: string) => registry.runImport(source, '--duplicates', rule, '--max-texts-gone', '100%')
  // By default no row may be rejected, so nothing is published.
  assert.equal((await importWith('refuse')).status, 1)
  await assertUsageError(
    [source, '--database', `sqlite:${registry.file}`, '--duplicates', 'none'],
    /^Cannot read --duplicates: expected one of refuse, first, last, merge, got "none"$/,
  )

  const first = await importWith('first')
  assert.match(first.stdout, /duplicates {6}2 rows left out, because another row has the same code\n/)
  // The titles of the rows with the code A-1 have the word `plan`, that of B-1 does not.
  const idsOf = async (term: string) => (await registry.search(term)).map(({ id }) => id)
  assert.deepEqual(await idsOf('plan'), ['1'])
  assert.equal((await importWith('last')).status, 0)
  assert.deepEqual(await idsOf('plan'), ['4'])

  const merged = await importWith('merge')
  assert.match(merged.stdout, /^published 2 records/)
  assert.match(merged.stdout, /2 rows merged into the record with the same code\n/)
  // The three rows of A-1 have three addresses in `links`; none of them is an agreement.
  assert.match(merged.stdout, /warning .*one address in links and one in agreement_link: 2 more/)
  const [record] = await registry.search('edificabilidad')
  assert.equal(record?.id, '1')
  assert.equal(record?.area, 'Norte; Sur')
  assert.equal(record?.checkin_date, '2004-05-18')
  assert.equal(record?.links, 'https://example.org/1.pdf')
  assert.equal(record?.agreement_link, undefined)
  assert.deepEqual(await idsOf('volumetría'), ['1'])
})

test('merged rows have each text and each address once', (t) => {
  const { record, content, documents, warnings } = mergeRows(t, [
    { title: 'Plan', area: 'Norte; Sur', content: 'a', documents: ['a.pdf'] },
    { title: 'Plan bis', area: 'Sur', content: 'b', address: 'https://example.org/1', documents: ['b.pdf', 'a.pdf'] },
    { title: 'Plan', content: 'a', address: 'https://example.org/2', inscriptionDate: '2004-06-01' },
    { title: 'Plan bis', content: 'c', address: 'https://example.org/3', inscriptionDate: '2004-06-02' },
    { title: 'Plan bis', content: 'b', address: 'https://example.org/3' },
  ])
  // The record keeps the title of the first row. The other title becomes part of the text.
  assert.equal(content, 'a\nPlan bis\nb\nc')
  assert.equal(record.area, 'Norte; Sur')
  assert.equal(record.inscriptionDate, '2004-06-01')
  assert.deepEqual([record.links, record.agreementLink], ['https://example.org/1', null])
  assert.deepEqual(documents, ['a.pdf', 'b.pdf'])
  assert.deepEqual(warnings, [
    'a record has one address in links and one in agreement_link: 2 more of merged rows are not kept',
  ])
})

test('the agreement of merged rows stays the agreement, whichever row has it', (t) => {
  const [plan, agreement] = ['https://example.org/plan.pdf', 'https://example.org/acuerdo.pdf']
  const rows = [
    { content: 'a', agreementLink: agreement },
    { content: 'b', address: plan },
    { content: 'c', address: agreement },
  ]
  for (const ordered of [rows, rows.slice(0, 2).reverse()]) {
    const { record, warnings } = mergeRows(t, ordered)
    assert.deepEqual([record.links, record.agreementLink], [plan, agreement])
    // The address of the third row is kept already.
    assert.deepEqual(warnings, [])
  }
})

test('the text of many merged rows is cut at the limit of a record, with a warning', (t) => {
  const rows = Array.from({ length: 3000 }, (_, index) => ({ content: `${index} ${'palabra '.repeat(500)}` }))
  const { content, warnings } = mergeRows(t, rows)
  assert.equal(content.length, 8 * 1024 * 1024)
  assert.ok(content.startsWith(`${rows[0]?.content}\n${rows[1]?.content}\n`))
  assert.deepEqual(warnings, [
    'merged rows of 1 record are too long: text after 8,388,608 characters, or area after 10,000, is not kept',
  ])
})

/** Merges rows with one code. Returns the record, its texts and documents, and the warnings in the report. */
function mergeRows(
  t: TestContext,
  rows: readonly (Partial<RegistryRecord> & {
    readonly content: string
    readonly address?: string
    readonly documents?: readonly string[]
  })[],
) {
  const staging = new Staging()
  t.after(() => staging.close())
  // Only the rule `refuse` rejects rows, for which it needs the headings of the sources.
  const duplicates = new Duplicates('merge', staging, [])
  for (const [line, { content, address = '', documents = [], ...fields }] of rows.entries()) {
    const record = { ...recordOf('A-1'), links: address, agreementLink: null, ...fields }
    const row = { record, content, documents }
    const origin = { sourceIndex: 0, line }
    if (!staging.add(row, origin)) assert.equal(duplicates.add(row, origin), undefined)
  }
  const isDryRun = false
  const report = new ImportReport('registry', isDryRun)
  duplicates.finish(report)
  const { warnings } = report.toJson()
  assert.deepEqual(report.duplicates, { rule: 'merge', rows: rows.length - 1 })
  assert.equal(staging.stagedCount, 1)
  const [merged, ...others] = staging.inCanonicalOrder()
  assert.ok(merged)
  assert.equal(others.length, 0)
  return { ...merged, record: toRegistryRecord(merged.record), warnings }
}
