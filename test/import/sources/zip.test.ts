// Zip archives: exports that an office has compressed, archives that are refused, and workbooks that would fill the
// memory or have impossible row numbers. `cells` of a source are its rows by heading.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSource } from '../../../src/import/sources/open.ts'
import { makeFolder } from '../folder.ts'
import { emptyInput, readContent, readSource } from '../read-source.ts'
import { toSheetRow, toWorkbook, toZip } from '../workbook.ts'

const headings = ['code', 'id', 'title', 'municipality', 'checkin_date']
const values = ['03082-1', '1', 'Plan', 'Jávea', '2004-05-18']
const csv = `${headings.join(';')}\n${values.join(';')}\n`
const record = Object.fromEntries(headings.map((heading, index) => [heading, values[index]]))

test('the only data file of an archive is read', async (t) => {
  for (const entries of [
    // LEEME.md is no data file by its extension. macOS adds the folder __MACOSX, which has no data of the user.
    { 'datos/records.csv': Buffer.from(csv, 'latin1'), 'LEEME.md': 'x', '__MACOSX/records.csv': 'x' },
    { 'records.json': JSON.stringify({ total: 1, items: [record] }) },
    { 'records.xlsx': toWorkbook({ rows: toSheetRow(1, headings) + toSheetRow(2, values) }) },
    // A file without an extension.
    { export: csv },
  ]) {
    const { cells } = await readContent(t, 'export.zip', toZip(entries))
    assert.deepEqual(cells, [record])
  }
})

test('the message for an archive that cannot be read says why', async (t) => {
  const folder = await makeFolder(t)
  const valid = toZip({ 'records.csv': csv })
  const manyFiles = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`${index}.csv`, '']))
  for (const [content, message] of [
    [toZip({ 'a.csv': csv, 'b.csv': csv }), /several files: a\.csv, b\.csv; extract it/],
    [toZip({ 'LEEME/': '' }), /the archive has no file with records/],
    [toZip({ 'a.zip': valid }), /an archive in an archive/],
    [toZip({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': '<x/>' }), /save it as \.xlsx/],
    [toZip({ '[Content_Types].xml': '<x/>', 'word/document.xml': '<x/>' }), /an Office file without sheets; save the/],
    [toZip({ 'records.csv': Buffer.alloc(40_000_000) }), /to 40000000 bytes, which is too much; extract it and import/],
    [toZip(manyFiles), /more than 10,000 parts; save a workbook as CSV, or extract an archive and import/],
    [valid.subarray(0, 60), /the archive is damaged/],
  ] as const) {
    const file = await folder.write('export.zip', content)
    await assert.rejects(readSource(file), { name: 'SourceFault', message })
  }
})

test('a workbook with deeply nested elements is refused before it fills the memory', async (t) => {
  const folder = await makeFolder(t)
  // Nine megabytes of XML.
  const nested = '<a>'.repeat(3_000_000)
  // The most memory that the process has ever had, in kilobytes.
  const peakBefore = process.resourceUsage().maxRSS
  for (const parts of [
    { rows: nested },
    { rows: '', files: { 'xl/sharedStrings.xml': `<sst>${nested}` } },
    { rows: '', files: { 'xl/workbook.xml': `<workbook>${nested}` } },
  ]) {
    const file = await folder.write('bomb.xlsx', toWorkbook(parts))
    await assert.rejects(readSource(file), { name: 'SourceFault', message: /elements in elements more than 64 deep/ })
  }
  const grownBy = process.resourceUsage().maxRSS - peakBefore
  assert.ok(grownBy < 200_000, `${grownBy} KB`)
})

test('a row whose cells refer to one long shared string again and again is refused', async (t) => {
  // The letter Ж is outside Latin-1, so each takes two bytes of memory.
  const longString = '\u0416'.repeat(900_000)
  const cells = Array.from({ length: 4000 }, () => '<c t="s"><v>0</v></c>').join('')
  const rows = `${toSheetRow(1, headings)}<row r="2">${cells}</row>`
  await assert.rejects(readContent(t, 'records.xlsx', toWorkbook({ rows, strings: [`<t>${longString}</t>`] })), {
    message: /row 2 has more than 1,?048,?576 characters; save it as CSV/,
  })
})

test('rows that refer to long shared strings are read in batches that fit into memory', async (t) => {
  // The letter Ж is outside Latin-1, so each takes two bytes of memory.
  const longString = '\u0416'.repeat(900_000)
  const rows = Array.from({ length: 200 }, (_, n) => `<row r="${n + 2}"><c t="s"><v>0</v></c></row>`).join('')
  const workbook = toWorkbook({ rows: toSheetRow(1, headings) + rows, strings: [`<t>${longString}</t>`] })
  const folder = await makeFolder(t)
  const file = await folder.write('records.xlsx', workbook)
  const source = await openSource(file, { mapping: new Map(), standardInput: emptyInput() })
  t.after(() => source.close())
  let rowsRead = 0
  for await (const batch of source.rows()) {
    rowsRead += batch.length
    const characters = batch.reduce((sum, row) => sum + (row.cells[0]?.length ?? 0), 0)
    // A batch ends when it has eight million characters. That is checked after each kilobyte of XML, which has a few
    // dozen rows. All rows together have 180 million characters.
    assert.ok(characters < 64_000_000, `a batch of ${characters} characters`)
  }
  assert.equal(rowsRead, 200)
})

test('a workbook with one text in more than a million elements is refused', async (t) => {
  const folder = await makeFolder(t)
  // A text may have 1024 * 1024 characters.
  const texts = '<t>a</t>'.repeat(1_100_000)
  for (const [part, parts] of [
    ['xl/sharedStrings.xml', { rows: '', strings: [texts] }],
    ['xl/worksheets/sheet2.xml', { rows: `<row r="1"><c r="A1" t="inlineStr"><is>${texts}</is></c></row>` }],
  ] as const) {
    const file = await folder.write('bomb.xlsx', toWorkbook(parts))
    await assert.rejects(readSource(file), {
      name: 'SourceFault',
      message: new RegExp(`part ${part} has a text of more than 1,?048,?576 characters`),
    })
  }
})

test('a workbook with an impossible row number is refused, and the message has the number', async (t) => {
  const folder = await makeFolder(t)
  // A sheet has at most 1,048,576 rows.
  for (const number of ['1e999', '0', '-1', 'x', '1048577', '1.5']) {
    const rows = toSheetRow(1, headings) + toSheetRow(2, values).replace('r="2"', `r="${number}"`)
    const file = await folder.write('records.xlsx', toWorkbook({ rows }))
    await assert.rejects(readSource(file), { message: new RegExp(`a row has the number "${number}", but rows are`) })
  }
})
