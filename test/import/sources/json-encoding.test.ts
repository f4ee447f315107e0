// JSON and NDJSON sources with bytes that are not valid UTF-8, and with a final Ctrl-Z.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { toMessage } from '../../../src/import/rows/row-fault.ts'
import { faultsOf, readContent, type SourceContent } from '../read-source.ts'

/**
 * A record with accented letters. They are written in UTF-8, so most non-ASCII characters of each file are in UTF-8.
 * The import chooses the encoding of this majority.
 */
const record = { code: '03082-1', id: '1', title: 'Ordenación', municipality: 'Jávea', checkin_date: '2004-05-18' }
const recordJson = JSON.stringify(record)
/** File names, and how records given as JSON become the text of such a file. */
const shapes: readonly [name: string, toText: (records: readonly string[]) => string][] = [
  ['records.json', (records) => `[\n${records.join(',\n')}\n]`],
  ['records.ndjson', (records) => records.join('\n')],
]

/** Reads a file in UTF-8, except that the question mark in `text` is replaced by the letter in Windows-1252. */
async function readMixed(t: TestContext, name: string, text: string, letter: string): Promise<SourceContent> {
  const [before = '', after = ''] = text.split('?')
  const bytes = Buffer.concat([Buffer.from(before), Buffer.from(letter, 'latin1'), Buffer.from(after)])
  return await readContent(t, name, bytes)
}

for (const [name, toText] of shapes) {
  test(`a row of ${name} with invalid UTF-8 is rejected on its own`, async (t) => {
    const text = toText([recordJson, recordJson.replace('Ordenación', 'Ordenaci?n'), recordJson])
    const read = await readMixed(t, name, text, 'ó')
    // The row is on line 3 of records.json and on line 2 of records.ndjson.
    assert.deepEqual(
      faultsOf(read).map((fault) => toMessage(fault).replace(/^line \d/, 'line')),
      ['line: expected text in UTF-8, like the rest of the file, got "Ordenaci\uFFFDn"'],
    )
    assert.equal(read.rows[1]?.parseFault?.value, 'Ordenaci\uFFFDn')
    assert.equal(read.rows.length, 3)
  })

  test(`a row of ${name} with invalid UTF-8 in a key is rejected`, async (t) => {
    const read = await readMixed(t, name, toText([recordJson, recordJson.replace('{', '{"?rea": "UE-1", ')]), 'á')
    assert.deepEqual(
      faultsOf(read).map(({ problems }) => problems[0].value),
      ['\uFFFDrea'],
    )
  })

  test(`the character U+FFFD is accepted in ${name} if every byte is valid UTF-8`, async (t) => {
    const text = toText([recordJson, recordJson.replace('Ordenación', 'Ordenaci\uFFFDn')])
    const read = await readContent(t, name, text)
    assert.deepEqual(faultsOf(read), [])
    assert.equal(read.cells[1]?.title, 'Ordenaci\uFFFDn')
  })

  // Old programs end a file with Ctrl-Z.
  test(`a final Ctrl-Z in ${name} is ignored`, async (t) => {
    const read = await readContent(t, name, `${toText([recordJson])}\r\n\x1A`)
    assert.deepEqual(faultsOf(read), [])
    assert.equal(read.rows.length, 1)
  })
}
