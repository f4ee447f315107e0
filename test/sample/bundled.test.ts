// The registry that `npm start` builds in a fresh checkout (src/sample/bundled.ts).
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { analyseTerm } from '../../src/analysis/analyser.ts'
import { buildBundledSample, bundledSample } from '../../src/sample/bundled.ts'
import { openStore } from '../../src/snapshot/open.ts'
import { makeTemporaryFolder } from '../cli/temporary-folder.ts'

test('the bundled sample is marked as fictional, and its documents can be searched', async (t) => {
  const directory = await makeTemporaryFolder(t)
  const database = `sqlite:${join(directory, 'registry.db')}`
  /** The value of `done` in each report: records at first, later steps of the publication. */
  const progress: number[] = []
  const { metadata } = await buildBundledSample(database, (_stage, done) => progress.push(done))
  assert.equal(metadata.fictional, true)
  assert.equal(metadata.records, bundledSample.records)
  assert.ok(progress.includes(bundledSample.records))

  const store = await openStore(database)
  t.after(() => store.close())
  const snapshot = store.current()
  assert.equal(snapshot.metadata.fictional, true)
  // The word `zahorra` is only in documents.
  const { total } = await snapshot.summarise({ term: analyseTerm('zahorra') })
  assert.ok(total > 0 && total <= bundledSample.documents, String(total))
})
