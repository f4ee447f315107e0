// Properties of the CSV parser, checked with random texts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseRecords } from '../../../src/import/sources/csv-records.ts'
import { seed } from '../../seed.ts'

const atEnd = { delimiter: ',', isEndOfFile: true }
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
        const first = parseRecords(text.slice(0, cut), { ...atEnd, isEndOfFile: false })
        const second = parseRecords(text.slice(first.consumed), atEnd)
        assert.deepEqual(
          [...first.records, ...second.records].map(({ cells }) => cells),
          written,
        )
      }
    }),
    { seed, numRuns: 200 },
  )
})

test('white space may follow a closing quote', () => {
  for (const text of ['1,"a" ,2\n', '1,"a" \n']) {
    const { records, consumed } = parseRecords(text, atEnd)
    assert.equal(records[0]?.cells[1], 'a', text)
    assert.equal(records[0]?.hasFaultyQuote, false, text)
    assert.equal(consumed, text.length)
  }
})

test('every text is parsed completely, and no line is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (lines) => {
      const text = `${lines}\n`
      const { records, consumed } = parseRecords(text, atEnd)
      const counted = records.reduce((sum, record) => sum + record.lines, 0)
      const breaks = text.split('\n').length - 1
      assert.equal(consumed, text.length)
      assert.equal(counted, breaks)
    }),
    { seed, numRuns: 2000 },
  )
})
