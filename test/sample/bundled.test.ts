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
  const reported: number[] = []
  const { facts } = await buildBundledSample(database, (_, done) => reported.push(done))
  assert.equal(facts.fictional, true)
  assert.equal(facts.records, bundledSample.records)
  assert.ok(reported.includes(bundledSample.records))

  const store = await openStore(database)
  t.after(() => store.close())
  const snapshot = store.current()
  assert.equal(snapshot.facts.fictional, true)
  const { total } = await snapshot.summarise({ term: analyseTerm('zahorra') })
  assert.ok(total > 0 && total <= bundledSample.documents, String(total))
})
