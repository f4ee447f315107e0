import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findCut } from '../../../src/import/sources/csv-cut.ts'
import { type CsvRecord, type Dialect, parseRecords } from '../../../src/import/sources/csv-records.ts'

const letters = fc.constantFrom('a', 'ñ', '"', '""', ',', ',"', '",', '\n', '"\n', '"\r\n', '\r\n', ' ')
const dialects: readonly Dialect[] = [
  { delimiter: ',', newline: '\n' },
  { delimiter: ',', newline: '\r' },
]

/** No text behind the last line break is no line, or an empty one. */
function isWritten({ cells }: CsvRecord): boolean {
  return cells.length > 1 || cells[0] !== ''
}

test('whatever the text, it is cut only where a record ends, and its lines are counted', () => {
  fc.assert(
    fc.property(fc.string({ unit: letters, maxLength: 40 }), fc.constantFrom(...dialects), (text, dialect) => {
      const cut = findCut(Buffer.from(text), dialect)
      const piece = Buffer.from(text).toString('utf8', 0, cut.bytes)
      const whole = parseRecords(text, dialect, true).records
      const first = parseRecords(piece, dialect, false)
      const rest = parseRecords(text.slice(piece.length), dialect, true).records
      assert.equal(first.characters, piece.length)
      assert.equal(
        first.records.reduce((sum, { lines }) => sum + lines, 0),
        cut.lines,
      )
      assert.deepEqual([...first.records, ...rest].filter(isWritten), whole.filter(isWritten))
    }),
    { numRuns: 5000 },
  )
})

test('a text that follows the rules is cut behind its last whole record', () => {
  const text = 'a,"b\n""c""",d\r\n"e","f"\r\n"g","h\n'
  const { bytes, lines } = findCut(Buffer.from(text), { delimiter: ',', newline: '\n' })
  assert.equal(text.slice(0, bytes), 'a,"b\n""c""",d\r\n"e","f"\r\n')
  assert.equal(lines, 3)
})

test('a text whose quotes are used otherwise is cut before them', () => {
  const text = 'a,b\nc,"d" e\nf,g\n'
  const { bytes, lines } = findCut(Buffer.from(text), { delimiter: ',', newline: '\n' })
  assert.equal(text.slice(0, bytes), 'a,b\n')
  assert.equal(lines, 1)
})
