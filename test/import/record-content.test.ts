// The searchable content of a record.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toUnpagedDocument } from '../../src/domain/document.ts'
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
  const documents = [toUnpagedDocument('memoria'), toUnpagedDocument('memoria')]
  assert.deepEqual(await readContent(row, textsOf('memoria'), { fetch: false }), { text: 'fila', documents })
  const long = await readContent(row, textsOf('palabra '.repeat(800_000)), { fetch: false })
  const pages = long.documents.flatMap(({ texts }) => texts.map(({ text }) => text))
  assert.equal([long.text, ...pages].join('').length, 8 * 1024 * 1024)
  assert.ok(pages[0]?.startsWith('palabra palabra'))
  const withoutDocuments = await readContent({ ...row, documents: [] }, textsOf('memoria'), { fetch: false })
  assert.deepEqual(withoutDocuments, { text: 'fila', documents: [] })
})
