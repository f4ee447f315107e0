import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { toStored } from '../../src/record/record.ts'
import { sampleRecords } from '../../src/sample/records.ts'
import { createSnapshot, openStore } from '../../src/store/open.ts'
import { StoreFault } from '../../src/store/store.ts'
import { readPages } from './reading.ts'

const folder = mkdtempSync(join(tmpdir(), 'planning-registry-sqlite-'))
after(() => rmSync(folder, { recursive: true }))

async function build(name: string, seed: string, records = 60): Promise<string> {
  const path = join(folder, name)
  const writer = await createSnapshot(`sqlite:${path}`)
  for await (const { record, content } of sampleRecords({ records, documents: 0, seed })) {
    await writer.add(toStored(record), content)
  }
  await writer.publish({ fictional: true, dryRun: false })
  return path
}

/** A copy with one byte changed in the middle. */
function damage(path: string, name: string): string {
  const bytes = readFileSync(path)
  const middle = bytes.length >> 1
  bytes.writeUInt8((bytes.readUInt8(middle) + 1) % 256, middle)
  const copy = join(folder, name)
  writeFileSync(copy, bytes)
  return copy
}

test('the same records give the same bytes', async () => {
  const first = readFileSync(await build('first.db', 'same'))
  const second = readFileSync(await build('second.db', 'same'))
  assert.ok(first.equals(second))
})

test('an import leaves nothing beside the registry but its lock', async () => {
  await build('alone.db', 'alone')
  const beside = readdirSync(folder).filter((name) => name.startsWith('alone.db'))
  assert.deepEqual(beside.sort(), ['alone.db', 'alone.db.lock'])
})

test('two records that bear one code are not published', async () => {
  const path = join(folder, 'twice.db')
  const writer = await createSnapshot(`sqlite:${path}`)
  for await (const { record } of sampleRecords({ records: 2, documents: 0, seed: 'twice' })) {
    await writer.add(toStored({ ...record, code: 'AB-7' }), '')
  }
  await assert.rejects(
    writer.publish({ fictional: true, dryRun: false }),
    /twice\.db\.building: two records bear the code AB-7/,
  )
  assert.equal(existsSync(path), false)
})

test('one changed byte keeps a registry from being opened', async () => {
  const damaged = damage(await build('whole.db', 'whole'), 'damaged.db')
  await assert.rejects(openStore(`sqlite:${damaged}`), (error: unknown) => {
    assert.ok(error instanceof StoreFault)
    assert.match(error.message, /damaged\.db: its checksum differs/)
    return true
  })
})

test('tables of one snapshot and the seal of another are not opened, nor is a file cut short', async () => {
  const sealBytes = 65
  const bytes = readFileSync(await build('one.db', 'one'))
  const other = readFileSync(await build('other.db', 'other'))
  const mixed = join(folder, 'mixed.db')
  writeFileSync(mixed, Buffer.concat([bytes.subarray(0, -sealBytes), other.subarray(-sealBytes)]))
  await assert.rejects(openStore(`sqlite:${mixed}`), /its seal is that of another snapshot; restore it/)
  writeFileSync(mixed, bytes.subarray(0, -sealBytes - 1))
  await assert.rejects(openStore(`sqlite:${mixed}`), /the file is cut short; restore it/)
  writeFileSync(mixed, bytes.subarray(0, -1))
  await assert.rejects(openStore(`sqlite:${mixed}`), /it bears no checksum, the file is cut short; restore it/)
})

test('an import never replaces a file that is no registry', async () => {
  const notes = join(folder, 'notes.txt')
  writeFileSync(notes, 'somebody’s notes')
  const foreign = join(folder, 'foreign.db')
  const database = new DatabaseSync(foreign)
  database.exec('CREATE TABLE a (b); INSERT INTO a VALUES (1)')
  database.close()
  for (const path of [notes, foreign]) {
    const before = readFileSync(path)
    await assert.rejects(createSnapshot(`sqlite:${path}`), /no planning registry; name another one/)
    assert.ok(readFileSync(path).equals(before))
  }
})

test('an import replaces a registry that is damaged, and a file that is empty', async () => {
  damage(await build('broken.db', 'broken'), 'broken.db')
  writeFileSync(join(folder, 'empty.db'), '')
  for (const name of ['broken.db', 'empty.db']) {
    const store = await openStore(`sqlite:${await build(name, 'anew', 20)}`)
    assert.equal(store.current().facts.records, 20)
    await store.close()
  }
})

test('a registry put in place by rename is served; a damaged one is refused aloud, and the old one stays', async () => {
  const path = await build('live.db', 'live', 30)
  const damaged = damage(path, 'live-damaged.db')
  const newer = await build('live-newer.db', 'newer', 40)
  const refused = Promise.withResolvers<StoreFault>()
  const store = await openStore(`sqlite:${path}`, { onRefused: refused.resolve })
  try {
    renameSync(damaged, path)
    assert.match((await refused.promise).message, /its checksum differs/)
    assert.equal(store.current().facts.records, 30)
    renameSync(newer, path)
    await store.refresh()
    assert.equal(store.current().facts.records, 40)
    rmSync(path)
    await assert.rejects(store.refresh(), /there is no such file/)
    assert.equal(store.current().facts.records, 40)
  } finally {
    await store.close()
  }
})

test('a request that holds a snapshot reads it on while another takes its place', async () => {
  const path = await build('held.db', 'held', 30)
  const newer = await build('held-newer.db', 'held newer', 40)
  const store = await openStore(`sqlite:${path}`)
  try {
    const held = store.current()
    const pages = await readPages(held, {}, 7)
    renameSync(newer, path)
    await store.refresh()
    assert.deepEqual(await readPages(held, {}, 7), pages)
    assert.notDeepEqual(await readPages(store.current(), {}, 7), pages)
  } finally {
    await store.close()
  }
})

test('two imports into one registry keep apart, and a dead one does not block', async () => {
  const path = await build('locked.db', 'locked')
  const first = await createSnapshot(`sqlite:${path}`)
  await assert.rejects(createSnapshot(`sqlite:${path}`), /another import is writing to it/)
  await first.discard()
  const second = await createSnapshot(`sqlite:${path}`)
  await second.discard()
})
