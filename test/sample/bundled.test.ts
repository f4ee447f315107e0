import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { analyseTerm } from '../../src/analysis/analyser.ts'
import { buildBundledSample, bundledSample } from '../../src/sample/bundled.ts'
import { openStore } from '../../src/snapshot/open.ts'

test('the bundled sample is a registry marked as fictional, found by words of its documents too', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'bundled-'))
  t.after(() => rm(directory, { recursive: true }))
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
