// Properties of the CSV parser, checked with random texts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseRecords } from '../../../src/import/sources/csv-records.ts'
import { seed } from '../../seed.ts'

const dialect = { delimiter: ',', newline: '\n' } as const
/** A semicolon is an ordinary character in this dialect; a space may stand between a closing quote and a comma. */
const anyCharacter = fc.constantFrom('a', 'ñ', '"', ',', '\n', ' ', ';')

test('records that are quoted as RFC 4180 requires are read back, wherever the text is split', () => {
  const anyCell = fc.string({ unit: anyCharacter, maxLength: 6 })
  // Two cells or more, so that every row has a delimiter.
  const anyRows = fc.array(fc.array(anyCell, { minLength: 2, maxLength: 4 }), { maxLength: 8 })
  fc.assert(
    fc.property(anyRows, fc.boolean(), (written, quoteAll) => {
      const toField = (text: string): string =>
        quoteAll || /["\n,]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
      const text = written.map((row) => `${row.map(toField).join(',')}\n`).join('')
      for (let cut = 0; cut <= text.length; cut += 1) {
        // The first part may end inside a record. That record is not returned, and is parsed with the second part.
        const first = parseRecords(text.slice(0, cut), dialect, { isEndOfFile: false })
        const second = parseRecords(text.slice(first.charactersConsumed), dialect, { isEndOfFile: true })
        assert.deepEqual(
          [...first.records, ...second.records].map(({ cells }) => cells),
          written,
        )
      }
    }),
    { seed, numRuns: 200 },
  )
})

test('white space may follow a closing quote, also at the end of the file', () => {
  for (const text of ['1,"a" ,2\n', '1,"a" \n', '1,"a" ']) {
    const { records, charactersConsumed } = parseRecords(text, dialect, { isEndOfFile: true })
    assert.equal(records[0]?.cells[1], 'a', text)
    assert.equal(records[0]?.quoteFault, undefined, text)
    assert.equal(charactersConsumed, text.length)
  }
})

test('every text is parsed completely, and no line is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (text) => {
      const { records, charactersConsumed } = parseRecords(text, dialect, { isEndOfFile: true })
      const lines = records.reduce((sum, record) => sum + record.lines, 0)
      const breaks = text.split('\n').length - 1
      assert.equal(charactersConsumed, text.length)
      // The last line may end without a line break.
      assert.ok(lines === breaks || lines === breaks + 1)
    }),
    { seed, numRuns: 2000 },
  )
})
