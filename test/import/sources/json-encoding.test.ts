import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toMessage } from '../../../src/import/rows/row-fault.ts'
import { makeFolder, type TestFolder } from '../folder.ts'
import { faultsOf, type ReadSource, readSource } from '../read-source.ts'

const record = { code: '03082-1', id: '1', title: 'Ordenación', municipality: 'Jávea', checkin_date: '2004-05-18' }
const accented = JSON.stringify(record)
const shapes: readonly [string, (records: readonly string[]) => string][] = [
  ['records.json', (records) => `[\n${records.join(',\n')}\n]`],
  ['records.ndjson', (records) => records.join('\n')],
]

/** The text with a byte of Windows-1252 in place of its question mark, and UTF-8 around it. */
async function readMixed(folder: TestFolder, name: string, text: string, letter: string): Promise<ReadSource> {
  const [before = '', after = ''] = text.split('?')
  const bytes = Buffer.concat([Buffer.from(before), Buffer.from(letter, 'latin1'), Buffer.from(after)])
  return await readSource(await folder.write(name, bytes))
}

for (const [name, toText] of shapes) {
  test(`a row of ${name} with bytes that are not UTF-8 in a file that otherwise is, is refused alone`, async (t) => {
    const folder = await makeFolder(t)
    const text = toText([accented, accented.replace('Ordenación', 'Ordenaci?n'), accented])
    const read = await readMixed(folder, name, text, 'ó')
    assert.deepEqual(
      faultsOf(read).map((fault) => toMessage(fault).replace(/^line \d/, 'line')),
      ['line: expected text in UTF-8, like the rest of the file, got "Ordenaci\uFFFDn"'],
    )
    assert.equal(read.rows[1]?.broken?.value, 'Ordenaci\uFFFDn')
    assert.equal(read.rows.length, 3)
  })

  test(`a row of ${name} is refused for bytes in a key as well: the column it names is not known`, async (t) => {
    const folder = await makeFolder(t)
    const read = await readMixed(folder, name, toText([accented, accented.replace('{', '{"?rea": "UE-1", ')]), 'á')
    assert.deepEqual(
      faultsOf(read).map(({ value }) => value),
      ['\uFFFDrea'],
    )
  })

  test(`the character U+FFFD in ${name} is text like any other where every byte is UTF-8`, async (t) => {
    const folder = await makeFolder(t)
    const text = toText([accented, accented.replace('Ordenación', 'Ordenaci\uFFFDn')])
    const read = await readSource(await folder.write(name, text))
    assert.deepEqual(faultsOf(read), [])
    assert.equal(read.cells[1]?.title, 'Ordenaci\uFFFDn')
  })
}

for (const [name, toText] of shapes) {
  test(`the mark that DOS ends ${name} with is no text`, async (t) => {
    const folder = await makeFolder(t)
    const read = await readSource(await folder.write(name, `${toText([accented])}\r\n\x1A`))
    assert.deepEqual(faultsOf(read), [])
    assert.equal(read.rows.length, 1)
  })
}
