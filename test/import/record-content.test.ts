// The searchable content of a record.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toStoredRecord } from '../../src/domain/record.ts'
import { readContent } from '../../src/import/record-content.ts'
import { recordOf } from './record.ts'

test('the content of a record is its own text and that of its documents, up to a limit', async () => {
  const textsOf = (text: string) => ({
    outcomes: { text: 2, scan: 0, unreadable: 0, missing: 0 },
    problems: [],
    problemCount: 0,
    read: async () => text,
    close: async () => {},
  })
  const row = { record: toStoredRecord(recordOf('A-1')), content: 'fila', documents: ['a.pdf', 'b.pdf'] }
  assert.equal(await readContent(row, textsOf('memoria'), { fetch: false }), 'fila\nmemoria\nmemoria')
  const long = await readContent(row, textsOf('palabra '.repeat(800_000)), { fetch: false })
  assert.equal(long.length, 8 * 1024 * 1024)
  assert.ok(long.startsWith('fila\npalabra palabra'))
  assert.equal(await readContent({ ...row, documents: [] }, textsOf('memoria'), { fetch: false }), 'fila')
})
