// Tests of the CSV lines in the response `record.csv` of the service, in the output of the command `search`, and in the
// file of rejected rows that an import writes.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import Papa from 'papaparse'
import { toCsvLine, withoutFormulaApostrophe } from '../src/csv.ts'
import { seed } from './seed.ts'

suite('a line of CSV', () => {
  test('quotes cells that contain separators, quotes or line breaks', () => {
    assert.equal(toCsvLine(['Plan "A"; uno', 'a\nb', 'c'], ';'), '"Plan ""A""; uno";"a\nb";c\r\n')
  })

  test('has an apostrophe only before cells that start like a formula', () => {
    // A spreadsheet would calculate such a cell; the apostrophe makes it text. The last four begin with the full-width
    // forms of = + - @, which spreadsheets accept as well.
    for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1', '＋1', '－1', '＠x']) {
      // A cell with a tab or a line break is also quoted, so the apostrophe may follow a quote.
      assert.match(toCsvLine([text], ','), /^"?'/, JSON.stringify(text))
    }
    // A formula that has an apostrophe of its own gets another one, so that it can be read back.
    assert.equal(toCsvLine(["'=1"], ','), "''=1\r\n")
    // The apostrophe of the third cell is its own.
    assert.equal(toCsvLine(['A=1', '1-2', "'x"], ','), "A=1,1-2,'x\r\n")
  })

  test('is read back as it was, without the apostrophe before a formula', () => {
    /** Rows of up to five cells, which may contain any character. */
    const anyRow = fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(anyRow, fc.constantFrom(',' as const, ';' as const), (row, delimiter) => {
        const [cells = []] = Papa.parse<string[]>(toCsvLine(row, delimiter), { delimiter, newline: '\r\n' }).data
        assert.deepEqual(cells.map(withoutFormulaApostrophe), row)
      }),
      { seed },
    )
  })
})
