// Tests of the fictional registry that `npm start` builds in a fresh checkout (src/sample/bundled.ts).
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import { analyseTerm } from '../../src/analysis/analyser.ts'
import type { ClientRecord } from '../../src/client/client.ts'
import { openStore } from '../../src/registry/open.ts'
import { buildBundledSample, bundledSample } from '../../src/sample/bundled.ts'
import { makeTemporaryFolder } from '../cli/temporary-folder.ts'
import { startService } from '../service.ts'

test('the bundled sample is fictional, and its documents are found and have the SHA-256 of their files', async (t) => {
  const directory = await makeTemporaryFolder(t)
  const database = `sqlite:${join(directory, 'registry.db')}`
  /** The value of `done` in each report: records at first, later steps of the publication. */
  const progress: number[] = []
  const { metadata } = await buildBundledSample(database, directory, (_stage, done) => progress.push(done))
  assert.equal(metadata.fictional, true)
  assert.equal(metadata.records, bundledSample.records)
  assert.ok(progress.includes(bundledSample.records))

  const store = await openStore(database)
  t.after(() => store.close())
  const snapshot = store.current()
  assert.equal(snapshot.metadata.fictional, true)
  // The word `zahorra` is only in documents.
  const { total } = await snapshot.summarise({ search: analyseTerm('zahorra') })
  assert.ok(total > 0 && total <= bundledSample.documents, String(total))

  // With `wrapStore` the service uses this store; otherwise it would use one with the records of the first argument.
  await using service = await startService([], {
    wrapStore: () => store,
    documentsFolder: join(directory, 'documents/registry'),
  })
  const found = await fetch(`${service.base}/record?search=zahorra&limit=100&include=cod_archivo,documents`)
  const { resultadoBusqueda: records } = (await found.json()) as { resultadoBusqueda: ClientRecord[] }
  assert.equal(records.length, total)
  for (const { documents = [] } of records) {
    const [{ href, sha256 } = { href: null, sha256: null }] = documents
    assert.equal(href, `documento/${sha256}`)
    const file = await fetch(`${service.base}/${href}`)
    assert.equal(hash('sha256', await file.bytes()), sha256)
  }
})
