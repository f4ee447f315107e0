// Cells of Excel workbooks: numbers with a format of zeros or too many digits, empty cells, and formulas without a
// stored result. `cells` of a source are its rows by heading. In the XML of a cell, `r` is its reference, `s` the
// number of its style, `t` its type (`s` is a shared string, `str` the text of a formula), `<f>` its formula and `<v>`
// its value.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toMessage } from '../../../src/import/rows/row-fault.ts'
import { faultsOf, readContent } from '../read-source.ts'
import { toSheetRow, toWorkbook } from '../workbook.ts'

const headings = toSheetRow(1, ['code', 'id', 'title', 'municipality', 'checkin_date', 'area'])

/** A row whose last cell, the area, is given as XML, in which `REF` stands for the reference of the cell (`F2`). */
function toRow(line: number, areaCell: string): string {
  const row = toSheetRow(line, [`03082-${line}`, '1', 'Plan', 'Jávea', '2004-05-18'])
  return row.replace('</row>', `${areaCell.replace('REF', `F${line}`)}</row>`)
}

/**
 * How a stored number is read in a cell of a format. If the first section of the format, up to a semicolon, has only
 * texts and zeros, at least two, an integer that is not negative is read as it is shown, because the zeros and texts
 * may be part of a code. Any other number is read as it is stored.
 */
const readings: readonly [format: string | number, storedNumber: string, readText: string][] = [
  ['00000', '3065', '03065'],
  ['00000', '28079', '28079'],
  ['00000', '123456', '123456'],
  ['00000;@', '3065', '03065'],
  ['00000;-00000;;@', '3065', '03065'],
  ['[$-C0A]00000', '3065', '03065'],
  // A zero in quotes or after a backslash stands before the digits of every number.
  ['"0"0000', '3065', '03065'],
  ['\\00', '3065', '03065'],
  ['00000', '3065.5', '3065.5'],
  ['00000', '-5', '-5'],
  // The id of the built-in format `0`.
  [1, '7', '7'],
  // `_)` is a space as wide as a parenthesis, and `* ` fills the cell with spaces.
  ['00000_)', '1234', '01234'],
  ['* 00000', '1234', '01234'],
  ['00000_);[Red](00000)', '1234', '01234'],
  ['00\\-0000', '1234', '00-1234'],
  ['000-00', '7', '000-07'],
  ['00\\-0000', '1234567', '123-4567'],
  ['"EXP-"0000', '12', 'EXP-0012'],
  ['"03065-"0', '7', '03065-7'],
  ['000\\/"PL"', '7', '007/PL'],
  // Sections with a condition are not read.
  ['[>99999]00000\\-0000;0', '1234', '1234'],
  // These have more than zeros and texts.
  ['0.00', '7', '7'],
  ['0,000', '7', '7'],
  ['000%', '7', '7'],
  ['000/00', '7', '7'],
  ['[$€-C0A]000', '7', '7'],
  // A unit.
  ['0" m"', '7', '7'],
  // Longer than Excel allows.
  ['0'.repeat(300), '7', '7'],
]
for (const [format, storedNumber, readText] of readings) {
  const name = String(format).slice(0, 20)
  test(`the number ${storedNumber} in a cell of format ${name} is read as ${readText}`, async (t) => {
    const rows = headings + toRow(2, `<c r="REF" s="1"><v>${storedNumber}</v></c>`)
    const read = await readContent(t, 'records.xlsx', toWorkbook({ rows, formats: [format] }))
    assert.equal(read.cells[0]?.area, readText)
  })
}

for (const cell of ['<c r="REF" t="s"/>', '<c r="REF" t="s"><v></v></c>']) {
  test(`a cell of a shared string without its index, ${cell}, is empty`, async (t) => {
    const read = await readContent(
      t,
      'records.xlsx',
      toWorkbook({ rows: headings + toRow(2, cell), strings: ['<t>Código</t>'] }),
    )
    assert.equal(read.cells[0]?.title, 'Plan')
    assert.equal(read.cells[0]?.area ?? '', '')
  })
}

for (const empty of ['<v></v>', '<v/>', '<v> </v>', '']) {
  test(`a row is rejected if the stored result of a formula is blank: ${empty === '' ? 'no element' : empty}`, async (t) => {
    const rows = headings + toRow(2, `<c r="REF"><f>"UE-"&amp;1</f>${empty}</c>`)
    const read = await readContent(t, 'records.xlsx', toWorkbook({ rows }))
    assert.deepEqual(faultsOf(read).map(toMessage), [
      'line 2: expected the formula in area to have a stored result (save the workbook in Excel), got ""',
    ])
  })
}

test('a row with a number that has lost digits in an imported column is rejected', async (t) => {
  const rows = [
    // The largest number without a loss, and two numbers that JavaScript cannot tell from their neighbours.
    toRow(2, '<c r="REF"><v>9007199254740991</v></c>'),
    toRow(3, '<c r="REF"><v>9007199254740993</v></c>'),
    toRow(4, '<c r="REF"><v>2.80792024000012E+17</v></c>'),
    // Column G, with the heading `Notas`, is not imported.
    toRow(5, '<c r="G5"><v>9007199254740993</v></c>'),
  ]
  const withNotes = headings.replace('</row>', '<c r="G1" t="str"><v>Notas</v></c></row>')
  const read = await readContent(t, 'records.xlsx', toWorkbook({ rows: withNotes + rows.join('') }))
  const expected = 'text in area, because so long a number loses digits (format the column as text and enter it again)'
  assert.deepEqual(faultsOf(read).map(toMessage), [
    `line 3: expected ${expected}, got "9007199254740993"`,
    `line 4: expected ${expected}, got "2.80792024000012E+17"`,
  ])
  assert.equal(read.cells[0]?.area, '9007199254740991')
})

test('a row of formulas without stored results is rejected, not skipped as blank', async (t) => {
  const formulas = ['A', 'B', 'C', 'D', 'E'].map((column) => `<c r="${column}2"><f>Otra!${column}2</f><v></v></c>`)
  const rows = `${headings}<row r="2">${formulas.join('')}</row>`
  const read = await readContent(t, 'records.xlsx', toWorkbook({ rows }))
  assert.match(faultsOf(read).map(toMessage).join(), /^line 2: expected the formula in code to have a stored result/)
})

// The type `str` says that the result of the formula is a text, so the absence of a value means the empty text.
test('a formula with an empty text as result, and an empty cell, are empty', async (t) => {
  const rows = [
    toRow(2, '<c r="REF" t="str"><f>IF(1,"","")</f><v></v></c>'),
    toRow(3, '<c r="REF" t="str"><f>IF(1,"","")</f></c>'),
    toRow(4, '<c r="REF"><v></v></c>'),
    toRow(5, '<c r="REF" t="inlineStr"></c>'),
  ]
  const read = await readContent(t, 'records.xlsx', toWorkbook({ rows: headings + rows.join('') }))
  assert.deepEqual(faultsOf(read), [])
  assert.deepEqual(
    read.cells.map(({ area }) => area),
    ['', '', '', ''],
  )
})

test('a row is rejected if Excel has made a date of its code, its id or its registration number', async (t) => {
  // Style 1 is a date (14 is the id of the built-in format), and day 38058 from 1900 is 12 March 2004. Cell E2, the
  // column `checkin_date`, is rightly a date.
  const date = (reference: string): string => `<c r="${reference}" s="1"><v>38058</v></c>`
  /** Reads a row that has a date in the column and in E2. */
  const readWithDate = (column: string): ReturnType<typeof readContent> => {
    const row = toSheetRow(2, ['03082-1', '1', 'Plan', 'Jávea'])
      .replace('</row>', `${date('E2')}<c r="F2"><v>5</v></c></row>`)
      .replace(new RegExp(`<c r="${column}2".*?</c>`), date(`${column}2`))
    const headingsWithNumber = headings.replace('>area<', '>registration_number<')
    return readContent(t, 'records.xlsx', toWorkbook({ rows: headingsWithNumber + row, formats: [14] }))
  }
  const withDateCode = await readWithDate('A')
  assert.deepEqual(faultsOf(withDateCode).map(toMessage), [
    'line 2: expected text in code, of which Excel has made a date (format the column as text and enter the value ' +
      'again), got "2004-03-12"',
  ])
  // The rejects file gets this cell. The mark `???` makes an import reject the row again if nobody corrects the cell.
  assert.equal(withDateCode.cells[0]?.code, '??? 2004-03-12')
  for (const [column, name] of [
    ['B', 'id'],
    ['F', 'registration_number'],
  ] as const) {
    const messages = faultsOf(await readWithDate(column)).map(toMessage)
    assert.match(messages.join(), new RegExp(`expected text in ${name}, of which Excel has made a date`))
  }
})
