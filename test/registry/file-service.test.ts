// Tests of a registry file that is replaced, overwritten or damaged while it is in service.
import assert from 'node:assert/strict'
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type RegistryStore, StoreFault, StoreUnavailable } from '../../src/registry/contract.ts'
import { openStore } from '../../src/registry/open.ts'
import { damagePages } from './damage.ts'
import { readPages } from './reading.ts'
import { copyDamaged, folder, publishSample, sampleRecordCount } from './sample-folder.ts'

/** Small enough that the results of a registry have several pages. */
const recordsPerPage = 7

test('a registry that is renamed into place is served if it is valid, and reported if it is damaged', async () => {
  const path = await publishSample('live.db', { seed: 'live', records: 30 })
  const damaged = copyDamaged(path, 'live-damaged.db')
  const newer = await publishSample('live-newer.db', { seed: 'newer', records: 40 })
  const refused = Promise.withResolvers<StoreFault>()
  const store = await openStore(`sqlite:${path}`, { onRefused: refused.resolve })
  try {
    renameSync(damaged, path)
    assert.match((await refused.promise).message, /database disk image is malformed/)
    assert.equal(store.current().metadata.records, 30)
    renameSync(newer, path)
    await store.refresh()
    assert.equal(store.current().metadata.records, 40)
    rmSync(path)
    await assert.rejects(store.refresh(), /there is no such file/)
    // Like a pipe, which would block the thread that opens it.
    mkdirSync(path)
    await assert.rejects(store.refresh(), /it is not a file; give the path of a file/)
    assert.equal(store.current().metadata.records, 40)
  } finally {
    await store.close()
  }
})

test('two refreshes at the same time put a new registry in service once', async () => {
  const path = await publishSample('twice.db', { seed: 'twice', records: 30 })
  const newer = await publishSample('twice-newer.db', { seed: 'twice newer', records: 40 })
  const served: number[] = []
  const store = await openStore(`sqlite:${path}`, { onSnapshot: ({ records }) => served.push(records) })
  try {
    renameSync(newer, path)
    await Promise.all([store.refresh(), store.refresh()])
    assert.deepEqual(served, [30, 40])
  } finally {
    await store.close()
  }
})

test('a snapshot can be read to the end after a newer one was put in service', async () => {
  const path = await publishSample('held.db', { seed: 'held', records: 30 })
  const newer = await publishSample('held-newer.db', { seed: 'held newer', records: 40 })
  const store = await openStore(`sqlite:${path}`)
  try {
    const held = store.current()
    const pages = await readPages(held, { limit: recordsPerPage })
    renameSync(newer, path)
    await store.refresh()
    assert.deepEqual(await readPages(held, { limit: recordsPerPage }), pages)
    assert.notDeepEqual(await readPages(store.current(), { limit: recordsPerPage }), pages)
  } finally {
    await store.close()
  }
})

test('each fault is reported once while a file is overwritten in place', async () => {
  const path = await publishSample('overwritten.db', { seed: 'overwritten' })
  const messages: string[] = []
  const store = await openStore(`sqlite:${path}`, { onDamage: ({ message }) => messages.push(message) })
  try {
    damagePages(path)
    // Each new modification time looks like another write to the file, so the registry is opened again.
    for (const seconds of [1, 2, 3]) {
      utimesSync(path, seconds, seconds)
      await assert.rejects(store.refresh(), StoreFault)
    }
    // The first check of the file reports the write and then the damage. The others find the same again.
    assert.equal(messages.length, 2)
    assert.match(messages[0] ?? '', /the file was changed while it was in service/)
    assert.match(messages[1] ?? '', /database disk image is malformed/)
  } finally {
    await store.close()
  }
})

/** A modification time in seconds since 1970. Whole seconds can be restored on every file system. */
const modifiedAtSeconds = 1_000

/** Waits until the condition is met. Fails if it is not met within ten seconds. */
async function waitUntil(isMet: () => boolean): Promise<void> {
  const deadlineAt = performance.now() + 10_000
  while (!isMet()) {
    assert.ok(performance.now() < deadlineAt)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Waits until the registry is in service again. */
async function waitUntilServed(store: RegistryStore): Promise<void> {
  await waitUntil(() => {
    try {
      store.current()
      return true
    } catch {
      return false
    }
  })
}

test('a file damaged in place is not served until a valid one replaces it', async () => {
  const path = await publishSample('in-place.db', { seed: 'in place', records: 400 })
  const valid = readFileSync(path)
  const damages: StoreFault[] = []
  // Another store reads the expected records, and a cache of one byte holds nothing, so that the tested store has
  // nothing in memory.
  const other = await openStore(`sqlite:${path}`)
  const expected = await readPages(other.current(), { limit: recordsPerPage })
  await other.close()
  const store = await openStore(`sqlite:${path}`, { cacheBytes: 1, onDamage: (fault) => damages.push(fault) })
  try {
    const snapshot = store.current()
    damagePages(path)
    // Each read either returns the correct records or fails.
    let failedReads = 0
    for (let round = 0; round < 20; round++) {
      try {
        assert.deepEqual(await readPages(snapshot, { limit: recordsPerPage }), expected)
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
        failedReads++
      }
    }
    assert.ok(failedReads > 0)
    await assert.rejects(store.refresh(), StoreFault)
    assert.throws(() => store.current(), StoreUnavailable)
    assert.ok(damages.length > 0)
    assert.match(damages[0]?.message ?? '', /in-place\.db/)
    const repaired = join(folder, 'repaired.db')
    writeFileSync(repaired, valid)
    renameSync(repaired, path)
    await waitUntilServed(store)
    assert.deepEqual(await readPages(store.current(), { limit: recordsPerPage }), expected)
  } finally {
    await store.close()
  }
})

test('a file that could not be opened is tried again, although it has not changed', async () => {
  const path = await publishSample('later.db', { seed: 'later', records: 30 })
  const newer = await publishSample('later-newer.db', { seed: 'later newer', records: 40 })
  const refused = Promise.withResolvers<StoreFault>()
  const store = await openStore(`sqlite:${path}`, { onRefused: refused.resolve })
  try {
    // SQLite does not open a file read-only next to the journal of a write that was not completed.
    writeFileSync(`${path}-journal`, 'journal')
    renameSync(newer, path)
    assert.match((await refused.promise).message, /later\.db: .*; check its permissions, the disk and the memory$/)
    await assert.rejects(store.refresh(), StoreFault)
    assert.equal(store.current().metadata.records, 30)
    rmSync(`${path}-journal`)
    await waitUntil(() => store.current().metadata.records === 40)
  } finally {
    await store.close()
  }
})

/**
 * Makes further reads of the only connection to the file fail with an I/O error: its descriptor becomes the
 * descriptor of a folder, which cannot be read.
 */
function failReads(path: string): void {
  const target = realpathSync(path)
  const [descriptor, ...others] = readdirSync('/proc/self/fd').filter((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`) === target
    } catch {
      // The descriptor with which /proc/self/fd was listed, which is closed by now.
      return false
    }
  })
  assert.deepEqual(others, [])
  closeSync(Number(descriptor))
  // A new descriptor has the lowest free number, so sooner or later it has the number that the file had.
  while (openSync(folder, 'r') !== Number(descriptor));
}

/** A cache of one byte holds nothing, so that every read reaches the file. */
const withoutCache = { cacheBytes: 1 }

const needsProc = { skip: process.platform === 'linux' ? false : 'needs /proc' }

test('the file is opened and served again after a failed read', needsProc, async () => {
  const path = await publishSample('failing-read.db', { seed: 'failing read', records: 400 })
  const damages: StoreFault[] = []
  const store = await openStore(`sqlite:${path}`, { ...withoutCache, onDamage: (fault) => damages.push(fault) })
  try {
    failReads(path)
    const snapshot = store.current()
    await assert.rejects(readPages(snapshot, { limit: recordsPerPage }), StoreUnavailable)
    assert.throws(() => store.current(), StoreUnavailable)
    assert.match(damages[0]?.message ?? '', /failing-read\.db: disk I\/O error; check the disk and the memory$/)
    await waitUntilServed(store)
    assert.equal((await readPages(store.current(), { limit: recordsPerPage })).length, Math.ceil(400 / recordsPerPage))
    assert.equal(damages.length, 1)
  } finally {
    await store.close()
  }
})

test('a file found damaged after a failed read is not served again', needsProc, async () => {
  const path = await publishSample('failing-disk.db', { seed: 'failing disk', records: 400 })
  utimesSync(path, modifiedAtSeconds, modifiedAtSeconds)
  const damages: string[] = []
  const store = await openStore(`sqlite:${path}`, {
    ...withoutCache,
    onDamage: ({ message }) => damages.push(message),
  })
  try {
    failReads(path)
    damagePages(path)
    // The file looks unchanged, so that only the failed read makes the store open it again.
    utimesSync(path, modifiedAtSeconds, modifiedAtSeconds)
    await assert.rejects(readPages(store.current(), { limit: recordsPerPage }), StoreUnavailable)
    await waitUntil(() => damages.some((message) => message.includes('database disk image is malformed')))
    await assert.rejects(store.refresh(), /database disk image is malformed/)
    assert.throws(() => store.current(), StoreUnavailable)
  } finally {
    await store.close()
  }
})

test('a file that was overwritten in place and put back with its modification time is served', async () => {
  const path = await publishSample('put-back.db', { seed: 'put back' })
  const valid = readFileSync(path)
  utimesSync(path, modifiedAtSeconds, modifiedAtSeconds)
  const store = await openStore(`sqlite:${path}`)
  try {
    damagePages(path)
    await assert.rejects(store.refresh(), StoreFault)
    assert.throws(() => store.current(), StoreUnavailable)
    writeFileSync(path, valid)
    utimesSync(path, modifiedAtSeconds, modifiedAtSeconds)
    await waitUntilServed(store)
    assert.equal(store.current().metadata.records, sampleRecordCount)
  } finally {
    await store.close()
  }
})
