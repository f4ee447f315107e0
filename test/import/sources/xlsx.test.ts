// Excel workbooks as sources: strings, dates, formulas, and workbooks that are damaged or malicious.
// `readContent` and `readSource` return the `rows` with their line numbers, and `cells`, the same rows by heading.
// In the XML of a cell, `r` is its reference, `s` the number of its style, `t` its type (`s` is a shared string, `str`
// the text of a formula, `e` an error, `b` a boolean), `<f>` its formula and `<v>` its value.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toMessage } from '../../../src/import/rows/row-fault.ts'
import { makeFolder } from '../folder.ts'
import { faultsOf, readContent, readSource } from '../read-source.ts'
import { toSheetRow, toWorkbook, toZip } from '../workbook.ts'

const headings = toSheetRow(1, ['code', 'id', 'title', 'municipality', 'checkin_date', 'area'])
const required = ['03082-1', '1', 'Plan', 'Jávea', '2004-05-18']

/** A row of the required cells. The XML in `cells`, by column letter, replaces a cell of the row or is added to it. */
function toRow(line: number, cells: Readonly<Record<string, string>>): string {
  const row = toSheetRow(line, required)
  return Object.entries(cells).reduce((xml, [column, cell]) => {
    const old = new RegExp(`<c r="${column}${line}".*?</c>`)
    return old.test(xml) ? xml.replace(old, cell) : xml.replace('</row>', `${cell}</row>`)
  }, row)
}

// `toWorkbook` puts a hidden sheet before the visible one, whose file is sheet2.xml.
test('the first visible sheet is read, with the row numbers of the sheet', async (t) => {
  const workbook = toWorkbook({
    rows: headings + toSheetRow(2, required) + toSheetRow(5, [...required, 'UE-1 <a> & "b"']),
  })
  const { rows, cells } = await readContent(t, 'records.xlsx', workbook)
  assert.deepEqual(
    rows.map(({ line }) => line),
    [2, 5],
  )
  assert.equal(cells[1]?.area, 'UE-1 <a> & "b"')
})

test('a row is blank if it has only a note outside the table', async (t) => {
  const withBlankHeading = toSheetRow(1, ['code', 'id', 'title', 'municipality', 'checkin_date', '', 'area'])
  // The first note is in the column of the blank heading, the second to the right of the last heading.
  const notes = toSheetRow(3, ['', '', '', '', '', 'ojo']) + toSheetRow(4, ['', '', '', '', '', '', '', 'Fuente: BOP'])
  const read = await readContent(
    t,
    'records.xlsx',
    toWorkbook({ rows: withBlankHeading + toSheetRow(2, required) + notes }),
  )
  assert.equal(read.rows.length, 1)
})

test('a workbook is recognised by its content, whatever its name', async (t) => {
  const workbook = toWorkbook({ rows: headings + toSheetRow(2, required) })
  assert.equal((await readContent(t, 'records.csv', workbook)).rows.length, 1)
})

test('shared strings, rich text and escaped characters are read as their text', async (t) => {
  const strings = [
    '<t>Sector Ñ</t>',
    // Excel does not show `rPh`, which has the pronunciation, in the cell.
    '<r><t>Plan </t></r><r><rPr><b/></rPr><t xml:space="preserve">Parcial</t></r><rPh><t>no</t></rPh>',
    // The escape of a carriage return.
    '<t>uno_x000D_dos</t>',
  ]
  /** A cell of row 2 with the shared string of this index. */
  const cell = (column: string, index: number): string => `<c r="${column}2" t="s"><v>${index}</v></c>`
  const rows = headings + toRow(2, { C: cell('C', 1), F: cell('F', 0), D: cell('D', 2) })
  const { cells } = await readContent(t, 'records.xlsx', toWorkbook({ rows, strings }))
  assert.deepEqual([cells[0]?.title, cells[0]?.area, cells[0]?.municipality], ['Plan Parcial', 'Sector Ñ', 'uno\rdos'])
})

test('any of a hundred thousand shared strings is read back unchanged', async (t) => {
  const folder = await makeFolder(t)
  const strings = Array.from({ length: 100_000 }, (_, index) => `<t>texto ñ ${index} ${'x'.repeat(index % 31)}</t>`)
  // The import stores the strings in a temporary file, which it reads in blocks of 256 KiB. This string of 360,000
  // characters is longer than a block.
  strings[50_000] = `<t>${'largo '.repeat(60_000)}</t>`
  // One row for each of these strings.
  const picked = [0, 99_999, 50_000, 12_345, 77_777]
  const rows = picked.map((index, row) => toRow(row + 2, { C: `<c r="C${row + 2}" t="s"><v>${index}</v></c>` }))
  const file = await folder.write('records.xlsx', toWorkbook({ rows: headings + rows.join(''), strings }))
  const { cells } = await readSource(file)
  assert.deepEqual(
    cells.map(({ title }) => `<t>${title}</t>`),
    picked.map((index) => strings[index]),
  )
})

test('only numbers with a date style are read as YYYY-MM-DD', async (t) => {
  // Format 14 is the built-in date. The last two are formats of numbers, one with the letters of a date in quotes.
  const formats = [14, 'yyyy\\-mm\\-dd;@', '[$-C0A]d" de "mmmm" de "yyyy', '0.00', '"dym"0']
  // One row for each format, from style 1 on: style 0 is `General`. Day 38125 from 1900 is 18 May 2004, and
  // the fraction .75 is the time 18:00.
  const serials = ['38125', '38125.75', '1', '38125', '38125']
  const rows = serials.map((serial, index) =>
    toRow(index + 2, { E: `<c r="E${index + 2}" s="${index + 1}"><v>${serial}</v></c>` }),
  )
  const read = await readContent(t, 'r.xlsx', toWorkbook({ rows: headings + rows.join(''), formats }))
  assert.deepEqual(
    read.cells.map((row) => row.checkin_date),
    ['2004-05-18', '2004-05-18', '1900-01-01', '38125', '38125'],
  )
  assert.equal(faultsOf(read).map(toMessage)[0], 'line 5, checkin_date: expected YYYY-MM-DD or DD/MM/YYYY, got "38125"')
})

test('dates of a workbook with the 1904 date system are read correctly', async (t) => {
  const folder = await makeFolder(t)
  // Day 36663 from 1904 is 18 May 2004.
  const rows = headings + toRow(2, { E: '<c r="E2" s="1"><v>36663</v></c>' })
  const file = await folder.write('records.xlsx', toWorkbook({ rows, formats: [14], countsFrom1904: true }))
  assert.equal((await readSource(file)).cells[0]?.checkin_date, '2004-05-18')
})

test('a day after the year 9999 stays a number, also in the 1904 date system', async (t) => {
  // `lastDay` is the number of 31 December 9999.
  for (const [lastDay, countsFrom1904] of [
    [2_958_465, false],
    [2_957_003, true],
  ] as const) {
    const days = [lastDay, lastDay + 1].map((day, index) => {
      const row = index + 2
      return toRow(row, { E: `<c r="E${row}" s="1"><v>${day}</v></c>` })
    })
    const workbook = toWorkbook({ rows: headings + days.join(''), formats: [14], countsFrom1904 })
    const { cells } = await readContent(t, 'records.xlsx', workbook)
    assert.deepEqual(
      cells.map(({ checkin_date }) => checkin_date),
      ['9999-12-31', String(lastDay + 1)],
    )
  }
})

test('29 February 1900, which exists only in Excel, is rejected', async (t) => {
  // Day 60: Excel counts 1900 as a leap year.
  const rows = headings + toRow(2, { E: '<c r="E2" s="1"><v>60</v></c>' })
  const read = await readContent(t, 'records.xlsx', toWorkbook({ rows, formats: [14] }))
  assert.equal(faultsOf(read)[0]?.problems[0].column, 'checkin_date')
})

// Only a formula that gives a text (`t="str"`) may have no stored value: its result is the empty text.
test('a formula gives its stored value', async (t) => {
  const rows =
    headings +
    toRow(2, {
      // Not what the formula gives: the import does not calculate.
      A: '<c r="A2" t="str"><f>B2&amp;"-1"</f><v>03082-7</v></c>',
      B: '<c r="B2"><f>1+1</f><v>2</v></c>',
      F: '<c r="F2" t="str"><f>IF(1,"","")</f></c>',
    })
  const read = await readContent(t, 'records.xlsx', toWorkbook({ rows }))
  assert.deepEqual(faultsOf(read), [])
  assert.deepEqual([read.cells[0]?.code, read.cells[0]?.id, read.cells[0]?.area], ['03082-7', '2', ''])
})

test('a row is rejected if a formula has no stored value or a cell has an error', async (t) => {
  const rows =
    headings +
    // The formula has neither the type `str` nor a value, so it was not calculated.
    toRow(2, { C: '<c r="C2"><f>X1</f></c>' }) +
    toRow(3, { C: '<c r="C3" t="e"><f>X1</f><v>#REF!</v></c>' }) +
    // Column G has no heading, so its error does not matter.
    toRow(4, { G: '<c r="G4" t="e"><v>#N/A</v></c>' })
  const read = await readContent(t, 'records.xlsx', toWorkbook({ rows }))
  assert.deepEqual(faultsOf(read).map(toMessage), [
    'line 2: expected the formula in title to have a stored result (save the workbook in Excel), got ""',
    'line 3: expected a value in title, got "#REF!"',
  ])
})

test('numbers are read without exponents and rounding errors', async (t) => {
  const rows =
    headings + toRow(2, { B: '<c r="B2"><v>2.0180525294919E13</v></c>', F: '<c r="F2"><v>0.10000000000000001</v></c>' })
  const { cells } = await readContent(t, 'records.xlsx', toWorkbook({ rows }))
  assert.deepEqual([cells[0]?.id, cells[0]?.area], ['20180525294919', '0.1'])
})

test('a cell of type boolean is empty if it has no value, and `false` if its value is 0', async (t) => {
  const rows = headings + toRow(2, { F: '<c r="F2" t="b"/>' }) + toRow(3, { F: '<c r="F3" t="b"><v>0</v></c>' })
  const { cells } = await readContent(t, 'records.xlsx', toWorkbook({ rows }))
  assert.deepEqual([cells[0]?.area, cells[1]?.area], ['', 'false'])
})

test('rows and cells without references are numbered in order', async (t) => {
  const rows = (headings + toSheetRow(2, required)).replaceAll(/ r="[A-Z]*\d+"/g, '')
  const read = await readContent(t, 'records.xlsx', toWorkbook({ rows }))
  assert.equal(read.cells[0]?.checkin_date, '2004-05-18')
  assert.equal(read.rows[0]?.line, 2)
})

test('a zip bomb is rejected before it is inflated', async (t) => {
  const folder = await makeFolder(t)
  // A part of more than 32 megabytes is refused if it is more than 150 times its compressed size. For these spaces, the
  // factor is about 1,000.
  const bomb = Buffer.alloc(64 * 1024 * 1024, 0x20)
  const file = await folder.write('records.xlsx', toWorkbook({ rows: '', files: { 'xl/worksheets/sheet2.xml': bomb } }))
  await assert.rejects(
    readSource(file),
    /Cannot read .*: part xl\/worksheets\/sheet2.xml inflates from \d+ to 67108864 bytes, which is too much; save the sheet as CSV/,
  )
})

test('a workbook with too long a text in a cell is refused', async (t) => {
  const folder = await makeFolder(t)
  // Three million characters; a cell may have one million. With three megabytes, the part is too small for a zip bomb.
  // The import refuses the text before its end, so the XML need not be complete.
  const letters = Buffer.alloc(3 * 1024 * 1024, 'letras')
  const sheet = Buffer.concat([Buffer.from('<worksheet><sheetData><row><c t="inlineStr"><is><t>'), letters])
  const file = await folder.write(
    'records.xlsx',
    toWorkbook({ rows: '', files: { 'xl/worksheets/sheet2.xml': sheet } }),
  )
  await assert.rejects(readSource(file), {
    name: 'SourceFault',
    message: /has a text of more than [\d,]+ characters, which no cell has/,
  })
})

test('the message for a file that cannot be read as a workbook says what is wrong', async (t) => {
  const valid = toWorkbook({ rows: headings + toSheetRow(2, required) })
  const broken: readonly [name: string, bytes: Buffer, message: RegExp][] = [
    ['cut.xlsx', valid.subarray(0, valid.length - 40), /the workbook is damaged; open it in Excel and save it again/],
    // An archive without a workbook is read as a compressed export: its only file should be a table.
    ['other.zip', toZip({ 'readme.txt': 'hello' }), /other\.zip\/readme\.txt: none of its headings is known/],
    ['xml.xlsx', toWorkbook({ rows: '<row><c' }), /part xl\/worksheets\/sheet2.xml is damaged/],
    [
      'binary.xlsb',
      toZip({
        '_rels/.rels':
          '<Relationships><Relationship Id="r" Type="x/officeDocument" Target="xl/workbook.bin"/></Relationships>',
        // The id of BrtBeginBook, the first record of such a workbook.
        'xl/workbook.bin': Buffer.from('8301', 'hex'),
      }),
      /binary\.xlsb: it is a workbook in the binary format; save it as \.xlsx/,
    ],
    // The signature of a compound file, which contains an old or an encrypted workbook.
    ['old.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /in the old .xls format or with a password; save it as .xlsx/],
  ]
  for (const [name, bytes, message] of broken) {
    await assert.rejects(readContent(t, name, bytes), { name: 'SourceFault', message })
  }
})

test('a workbook that uses an XML entity declared in it is refused as damaged', async (t) => {
  const folder = await makeFolder(t)
  const sheet =
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>' +
    '<worksheet><sheetData><row><c t="inlineStr"><is><t>&b;</t></is></c></row></sheetData></worksheet>'
  const file = await folder.write(
    'records.xlsx',
    toWorkbook({ rows: '', files: { 'xl/worksheets/sheet2.xml': sheet } }),
  )
  await assert.rejects(readSource(file), { name: 'SourceFault', message: /is damaged/ })
})
