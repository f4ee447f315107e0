// An import with documents from end to end: which documents and texts the snapshot has, and the check of
// `--ocr-languages`.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { jbig2Scan, makePdf } from './documents/pdf.ts'
import { assertUsageError, makeRegistry } from './registry.ts'

/** A page of text and a scan. */
const planPdf = makePdf([{ lines: ['Memoria de la urbani-', 'zación'] }, { image: jbig2Scan }])
const source = `code,id,title,municipality,checkin_date,links,document
03082-1,1,Plan,Ávila,2004-05-18,https://example.org/plan.pdf,plan.pdf;otro.pdf
`

test('a snapshot has the text of the documents and says what was not read', async (t) => {
  const registry = await makeRegistryWithDocument(t)
  assert.equal((await registry.runImport()).status, 0)
  const sha256 = createHash('sha256').update(planPdf).digest('hex')
  const columns = 'href, pages, read, recognised, unread, reason, sha256'
  assert.deepEqual(registry.select(`SELECT ${columns} FROM document ORDER BY number`), [
    {
      href: 'https://example.org/plan.pdf',
      pages: 2,
      read: 1,
      recognised: 0,
      unread: 1,
      reason: '1 of 2 pages are scans and were not recognised',
      sha256,
    },
    { href: null, pages: 0, read: 0, recognised: 0, unread: 0, reason: 'the file is missing', sha256: null },
  ])
  // The stored text, from which passages are cut.
  assert.deepEqual(registry.select('SELECT text FROM page'), [{ text: 'Memoria de la urbanización' }])
  assert.equal((await registry.search('urbanización')).length, 1)
})

test('rows that name documents without a folder are the same records the next time', async (t) => {
  const registry = await makeRegistry(t)
  await registry.write('r.csv', source)
  assert.match((await registry.runImport('r.csv')).stdout, /^published 1 record/)
  assert.match((await registry.runImport('r.csv')).stdout, /^nothing to publish: /)
})

test('--no-passages indexes the text without storing it', async (t) => {
  const registry = await makeRegistryWithDocument(t)
  assert.equal((await registry.runImport('--no-passages')).status, 0)
  assert.deepEqual(registry.select('SELECT text FROM page'), [])
  assert.equal((await registry.search('urbanización')).length, 1)
})

test('--ocr-languages needs --ocr and an installed model', async (t) => {
  const registry = await makeRegistryWithDocument(t)
  await assertUsageError(['records.csv', '--ocr-languages', 'spa'], /^Cannot use --ocr-languages without --ocr$/)
  const missing = await registry.runImport('--ocr', '--ocr-languages', 'spa,zzz')
  assert.equal(missing.status, 2)
  assert.match(missing.stderr, /model of zzz is not installed; run npm install @tesseract\.js-data\/zzz/)
})

/** A folder with the source and one of its two documents, `plan.pdf`. The first import creates the registry in it. */
async function makeRegistryWithDocument(t: TestContext) {
  const registry = await makeRegistry(t)
  await registry.write('records.csv', source)
  await mkdir(join(registry.path, 'documents'))
  await registry.write('documents/plan.pdf', planPdf)
  return {
    search: registry.search,
    runImport: (...flags: string[]) => registry.runImport('records.csv', '--documents', 'documents', ...flags),
    /** The rows that the query selects. */
    select: (sql: string): unknown[] => {
      using database = new DatabaseSync(registry.file, { readOnly: true })
      return database
        .prepare(sql)
        .all()
        .map((row) => ({ ...row }))
    },
  }
}
