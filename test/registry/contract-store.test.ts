// Tests of a registry as a whole (src/registry/contract.ts): cursors and searches when a new snapshot is published, ids
// of snapshots, empty and missing registries, the command `check`, and that every character of a record is kept. The
// records AV-1 to AV-3, SG-1 and SG-2 are from plans.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyseTerm } from '../../src/analysis/analyser.ts'
import type { RecordDocument } from '../../src/domain/document.ts'
import { StoreFault } from '../../src/registry/contract.ts'
import { checkStore, storeExists } from '../../src/registry/open.ts'
import { createRegistry } from '../create-registry.ts'
import { plans } from './plans.ts'
import { readAll, readCodes, toPageCodes, toRecords } from './reading.ts'

test('a cursor still works after its record is removed and others are added', async () => {
  await using registry = await createRegistry()
  await registry.publish(plans)
  const store = await registry.open()
  const first = await store.current().page({ limit: 2 })
  assert.ok(first?.next)
  assert.deepEqual(toPageCodes([first]), ['SG-1', 'AV-2'])
  await registry.publish([
    ...plans.filter(({ code }) => code !== 'AV-2'),
    // The cursor is that of AV-2. Only AV-22 comes after it: AV-0 and AV-22 have its date, so the code decides, and
    // ZZ-1 is newer, so it comes first of all.
    { code: 'AV-0', checkinDate: '2010-01-02' },
    { code: 'AV-22', checkinDate: '2010-01-02' },
    { code: 'ZZ-1', checkinDate: '2026-01-01' },
  ])
  await store.refresh()
  assert.deepEqual(await readCodes(store.current(), { after: first.next }), ['AV-22', 'AV-3', 'AV-1', 'SG-2'])
})

test('a search in progress reads its snapshot to the end while a newer one is published', async () => {
  await using registry = await createRegistry()
  // The search returns these records in batches, the first with 64 records and the others with 256 at most. So
  // most records are not read yet when the newer snapshot is published.
  const many = Array.from({ length: 2000 }, (_, i) => ({ code: `OLD-${i + 1}`, content: 'viejo' }))
  await registry.publish(many)
  const store = await registry.open()
  const reading = store.current().search({ search: analyseTerm('viejo') })
  const first = await reading.next()
  await registry.publish(plans)
  await store.refresh()
  assert.equal(store.current().metadata.records, plans.length)
  let records = first.done ? 0 : first.value.records
  for await (const batch of reading) records += batch.records
  assert.equal(records, many.length)
})

test('a newer snapshot is served within a second, without a call of refresh', async () => {
  await using registry = await createRegistry()
  await registry.publish(plans)
  const store = await registry.open()
  const before = store.current().metadata.id
  await registry.publish(plans.slice(1))
  const startedAt = performance.now()
  const giveUpAt = startedAt + 5000
  while (store.current().metadata.id === before && performance.now() < giveUpAt) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  assert.equal(store.current().metadata.records, plans.length - 1)
  assert.ok(performance.now() - startedAt < 1000, `${performance.now() - startedAt} ms`)
})

test('snapshots of the same records have the same id, and a fictional one has another', async () => {
  await using registry = await createRegistry()
  await registry.publish(plans)
  const store = await registry.open()
  const { id, fictional } = store.current().metadata
  assert.equal(fictional, false)
  await registry.publish(plans.toReversed())
  await store.refresh()
  assert.equal(store.current().metadata.id, id)
  await registry.publish(plans, { fictional: true })
  await store.refresh()
  assert.notEqual(store.current().metadata.id, id)
  assert.equal(store.current().metadata.fictional, true)
})

test('a registry without records can be searched', async () => {
  await using registry = await createRegistry()
  const snapshot = await registry.snapshotOf([])
  assert.deepEqual(await readCodes(snapshot, {}), [])
  assert.deepEqual(await readCodes(snapshot, { search: analyseTerm('plan') }), [])
  assert.equal((await snapshot.summarise({})).total, 0)
})

test('a missing registry is a fault that mentions the command import', async () => {
  await using registry = await createRegistry()
  assert.equal(await storeExists(registry.database), false)
  await assert.rejects(registry.open(), (error) => error instanceof StoreFault && /import/.test(error.message))
})

test('check reports no faults in a valid registry and counts records without text', async () => {
  await using registry = await createRegistry()
  const reason = 'there is no such file'
  const counts = { pages: 0, read: 0, recognised: 0, unread: 0 }
  const missing: RecordDocument = { href: null, sha256: null, ...counts, reason, texts: [] }
  await registry.publish([...plans, { code: 'SG-9', documents: [missing] }])
  assert.equal(await storeExists(registry.database), true)
  const { metadata, faults, recordsWithoutText, documents } = await checkStore(registry.database)
  assert.deepEqual(faults, [])
  assert.equal(metadata?.records, plans.length + 1)
  assert.equal(recordsWithoutText, 3, 'AV-3 and SG-1 have no content, SG-9 has a document without text')
  assert.deepEqual(documents, { ...counts, withoutText: 1 })
})

test('every character of a record is kept', async () => {
  await using registry = await createRegistry()
  // The title has control characters, a lone surrogate, and what SQL and JSON would take for escapes.
  const title = 'Plan "X" \\ 𝄞 \u0007 \u2028 ñ \t {a,b} \\x41 \ud800 \u0000'
  await registry.publish([{ code: 'C-1', title, links: 'https://example.es/%F1?a=\\&b="' }])
  const [record] = toRecords(await readAll((await registry.open()).current(), {}))
  assert.equal(record?.title, title)
  assert.equal(record?.links, 'https://example.es/%F1?a=\\&b="')
})
