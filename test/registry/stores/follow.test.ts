import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openStore } from '../../../src/snapshot/open.ts'
import { createDatabase } from '../../engines.ts'
import { publishRecords } from '../../service.ts'

test('try', async () => {
  await using db = await createDatabase()
  const a = await mkdtemp(join(tmpdir(), 'pr-'))
  const b = await mkdtemp(join(tmpdir(), 'pr-'))
  await publishRecords(db.url, [{ code: 'A-1' }], { dataDir: a })
  const store = await openStore(db.url, { dataDir: b, onRefused: console.error, onStoreLost: console.error, onSnapshot: (m, took) => console.log(m.records, took) })
  assert.equal(store.current().metadata.records, 1)
  await publishRecords(db.url, [{ code: 'A-1' }, { code: 'A-2' }], { dataDir: a })
  const at = performance.now()
  while (store.current().metadata.records === 1) await new Promise((r) => setTimeout(r, 10))
  console.log(performance.now() - at)
  await store.close()
  await rm(a, { recursive: true })
  await rm(b, { recursive: true })
})
