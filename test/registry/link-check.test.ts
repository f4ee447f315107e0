// Tests of the outcome of `check --links`: it is stored apart from the registry, and the pages of records show it.
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { openStore, saveLinkCheck } from '../../src/registry/open.ts'
import { runCommand } from '../command.ts'
import { createRegistry } from '../create-registry.ts'
import { startService, type TestRecord } from '../service.ts'

// A link to a loopback address counts as dead: the check connects to public addresses only. Its `%E9`, an `é` in
// Latin-1, must be stored as it is.
const deadLink = 'http://127.0.0.1:1/memoria%E9.pdf'
const records: readonly TestRecord[] = [
  { code: '05019-1', title: 'Plan Parcial', municipality: 'Ávila', links: deadLink },
  { code: '05019-2', title: 'Plan Especial', municipality: 'Ávila', links: '' },
]

test('check --links stores the dead links without changing the snapshot', async () => {
  await using registry = await createRegistry()
  await registry.publish(records)
  const store = await registry.open()
  const snapshot = store.current()
  assert.equal(await store.readLinkCheck([deadLink]), null)
  const startedAt = Date.now()
  const { status, stdout, stderr } = await runCommand(['check', '--links', '--database', registry.database])
  assert.equal(status, 1, stderr)
  assert.match(stdout, /links {9}1 checked, 1 dead/)
  // The second address was not checked. Its quotes and backslash must be escaped in the query to the database.
  const check = await store.readLinkCheck([deadLink, 'https://example.org/"other"\\.pdf'])
  assert.deepEqual(check?.dead, [deadLink])
  assert.ok(check.checkedAt.getTime() >= startedAt && check.checkedAt.getTime() <= Date.now())
  await store.refresh()
  assert.equal(store.current(), snapshot)
})

test('the outcome of a check replaces the previous outcome, and the next import keeps it', async () => {
  await using registry = await createRegistry()
  await registry.publish(records)
  const store = await registry.open()
  // The second check saves this long link twice, but reading returns it once.
  const long = `https://example.org/${'a'.repeat(5000)}`
  await saveLinkCheck(registry.database, { checkedAt: new Date('2026-11-01'), dead: [deadLink] })
  await saveLinkCheck(registry.database, { checkedAt: new Date('2026-11-12T10:00:00Z'), dead: [long, long] })
  await registry.publish(records.slice(0, 1))
  await store.refresh()
  const check = await store.readLinkCheck([deadLink, long])
  assert.deepEqual(check, { checkedAt: new Date('2026-11-12T10:00:00Z'), dead: [long] })
})

test('reading the outcome succeeds without a check, and from a closed store', async () => {
  await using registry = await createRegistry()
  await registry.publish(records)
  const store = await registry.open()
  assert.equal(await store.readLinkCheck([]), null)
  await store.close()
  // It may resolve to null: the pages are then served without the outcome.
  await assert.doesNotReject(store.readLinkCheck([deadLink]))
})

test('the page of a record says that its document could not be opened, and when', async () => {
  await using service = await startService([...records, { code: '05019-3', title: 'Otro', links: 'https://a.es/b' }])
  await saveLinkCheck(service.database, { checkedAt: new Date('2026-11-12T10:00:00Z'), dead: [deadLink] })
  /** The page of a record. `path` is its code, and may have a query. */
  const readPage = async (path: string): Promise<string> => (await fetch(`${service.base}/expediente/${path}`)).text()
  assert.match(await readPage('05019-1'), /No se pudo abrir en la última comprobación \(12 de noviembre de 2026\)/)
  assert.match(await readPage('05019-1?lang=en'), /It could not be opened at the last check \(12 November 2026\)/)
  assert.doesNotMatch(await readPage('05019-3'), /última comprobación/)
})

test('a damaged file of checked links counts as no check, and pages are served without it', async () => {
  await using service = await startService(records)
  const path = service.database.replace('sqlite:', '')
  // An empty file, a text file, and a file that has only the header of a SQLite database.
  for (const content of ['', 'not a database', 'SQLite format 3\0'.padEnd(4096, '\0')]) {
    await writeFile(`${path}.links`, content)
    assert.equal(await service.store.readLinkCheck([deadLink]), null)
  }
  const response = await fetch(`${service.base}/expediente/05019-1`)
  assert.equal(response.status, 200)
  assert.doesNotMatch(await response.text(), /última comprobación/)
})

test('check --links still lists the dead links if it cannot store them', async () => {
  await using service = await startService(records)
  // A folder is where the file of checked links should be.
  await mkdir(`${service.database.replace('sqlite:', '')}.links`)
  const { status, stdout, stderr } = await runCommand(['check', '--links', '--database', service.database])
  assert.equal(status, 1)
  // Before the address comes the id of the record.
  assert.match(stdout, /1 dead\n {4}\S+ {2}http:\/\/127\.0\.0\.1:1\/memoria%E9\.pdf/)
  assert.match(stderr, /^planning-registry: The pages will not show the dead links: /m)
  const store = await openStore(service.database)
  assert.equal(await store.readLinkCheck([deadLink]), null)
  await store.close()
})
