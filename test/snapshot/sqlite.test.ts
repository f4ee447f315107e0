// Tests of SQLite beyond the contract: the file itself, damaged and foreign files, replacement while in service.
import assert from 'node:assert/strict'
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { analyseTerm } from '../../src/analysis/analyser.ts'
import { toRecordContent } from '../../src/domain/document.ts'
import { toStoredRecord, type WireRecord } from '../../src/domain/record.ts'
import { sampleRecords } from '../../src/sample/records.ts'
import { type RegistryStore, StoreFault, StoreUnavailable } from '../../src/snapshot/contract.ts'
import { checkStore, createSnapshot, openStore } from '../../src/snapshot/open.ts'
import { readAll, readPages } from './reading.ts'
import { damageRecords, readDigests } from './snapshot-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'planning-registry-sqlite-'))
after(() => rmSync(folder, { recursive: true }))

/** Publishes sample records of the seed in the temporary folder and returns the path of the file. */
async function build(name: string, seed: string, records = 60): Promise<string> {
  const path = join(folder, name)
  const writer = await createSnapshot(`sqlite:${path}`)
  for await (const { record, content } of sampleRecords({ records, documents: 0, seed })) {
    await writer.add(toStoredRecord(record), toRecordContent(content))
  }
  await writer.publish({ fictional: true, dryRun: false })
  return path
}

/** Copies the file and damages every record of the copy. With its own name it damages the file itself. */
function damage(path: string, name: string): string {
  const copy = join(folder, name)
  if (copy !== path) copyFileSync(path, copy)
  damageRecords(copy)
  return copy
}

async function readEverything(path: string): Promise<unknown> {
  const store = await openStore(`sqlite:${path}`)
  try {
    const snapshot = store.current()
    const term = analyseTerm('plan')
    return [
      snapshot.metadata,
      snapshot.municipalities,
      await readPages(snapshot, {}, 7),
      await readPages(snapshot, { term }, 5),
      await snapshot.summarise({ term }),
      Buffer.concat((await readAll(snapshot, { term })).map(({ bytes }) => bytes)).toString(),
    ]
  } finally {
    await store.close()
  }
}

test('the same records give the same tables', async () => {
  assert.deepEqual(readDigests(await build('first.db', 'same')), readDigests(await build('second.db', 'same')))
})

test('an import leaves only the registry and its lock file', async () => {
  await build('alone.db', 'alone')
  const left = readdirSync(folder).filter((name) => name.startsWith('alone.db'))
  assert.deepEqual(left.sort(), ['alone.db', 'alone.db.lock'])
})

test('a snapshot is a plain SQLite database without bytes after its last page', async () => {
  const path = await build('plain.db', 'plain')
  const database = new DatabaseSync(path, { readOnly: true })
  const { bytes } = database
    .prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size')
    .get() as { bytes: number }
  database.close()
  assert.equal(statSync(path).size, bytes)
})

test('the view expediente shows the records with their fields as columns', async () => {
  const path = await build('view.db', 'view')
  const store = await openStore(`sqlite:${path}`)
  const [page] = await readPages(store.current(), { year: 2015 }, 1000)
  await store.close()
  const expected = (JSON.parse(`[${page?.text ?? ''}]`) as WireRecord[]).map(({ title, municipality }) => ({
    title,
    municipality,
  }))
  assert.ok(expected.length > 0)
  const database = new DatabaseSync(path, { readOnly: true })
  const rows = database
    .prepare(
      `SELECT title, municipality FROM expediente WHERE checkin_date >= '2015' AND checkin_date < '2016'
       ORDER BY checkin_date DESC, cod_archivo`,
    )
    .all()
  database.close()
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    expected,
  )
})

test('a copy made with a database tool returns the same bytes', async () => {
  const path = await build('original.db', 'original', 200)
  const expected = await readEverything(path)
  const vacuumed = join(folder, 'vacuumed.db')
  const source = new DatabaseSync(path, { readOnly: true })
  source.prepare('VACUUM INTO ?').run(vacuumed)
  const copied = join(folder, 'copied.db')
  await backup(source, copied)
  source.close()
  assert.deepEqual(await readEverything(vacuumed), expected)
  assert.deepEqual(await readEverything(copied), expected)
  assert.deepEqual((await checkStore(`sqlite:${vacuumed}`)).faults, [])
})

test('two records with one code are not published', async () => {
  const path = join(folder, 'twice.db')
  const writer = await createSnapshot(`sqlite:${path}`)
  for await (const { record } of sampleRecords({ records: 2, documents: 0, seed: 'twice' })) {
    await writer.add(toStoredRecord({ ...record, code: 'AB-7' }), toRecordContent(''))
  }
  await assert.rejects(
    writer.publish({ fictional: true, dryRun: false }),
    /UNIQUE constraint failed: record.folded_code/,
  )
  assert.equal(existsSync(path), false)
})

test('a registry with a changed byte is not opened, and check reports the table', async () => {
  const damaged = damage(await build('whole.db', 'whole'), 'damaged.db')
  await assert.rejects(openStore(`sqlite:${damaged}`), (error: unknown) => {
    assert.ok(error instanceof StoreFault)
    assert.match(error.message, /damaged\.db: a row of the table record is damaged; restore it from a backup/)
    return true
  })
  const { faults } = await checkStore(`sqlite:${damaged}`)
  assert.match(faults.join('; '), /a row of the table record is damaged/)
})

test('check reports a missing row, and a row that was changed together with its checksum', async () => {
  const path = await build('changed.db', 'changed')
  const change = async (statement: string): Promise<string> => {
    const copy = join(folder, 'changed-copy.db')
    copyFileSync(path, copy)
    const database = new DatabaseSync(copy)
    database.exec(statement)
    database.close()
    return (await checkStore(`sqlite:${copy}`)).faults.join('; ')
  }
  const removal = `DELETE FROM term_entry WHERE term = 'wplan'`
  assert.match(await change(removal), /the table term_entry has \d+ rows instead of \d+/)
  const swap = `UPDATE record SET has_text = 1 - has_text WHERE position = 3`
  assert.match(await change(swap), /the table record is damaged: its digest differs/)
})

test('a truncated file is not opened', async () => {
  const bytes = readFileSync(await build('long.db', 'long'))
  const path = join(folder, 'short.db')
  for (const size of [100, 5000, bytes.length - 1, bytes.length - 4096, bytes.length >> 1]) {
    writeFileSync(path, bytes.subarray(0, size))
    await assert.rejects(openStore(`sqlite:${path}`), StoreFault, `${size} bytes`)
  }
})

test('a missing file and a path that cannot be followed have different faults', async () => {
  await assert.rejects(openStore(`sqlite:${join(folder, 'missing.db')}`), /missing\.db: there is no such file; create/)
  const loop = join(folder, 'loop.db')
  symlinkSync(loop, loop)
  await assert.rejects(openStore(`sqlite:${loop}`), (error: unknown) => {
    assert.ok(error instanceof StoreFault)
    assert.match(error.message, /^Cannot open .*loop\.db: ELOOP.*; correct the path or its permissions$/)
    return true
  })
})

test('an import does not replace a file that is not a registry', async () => {
  const notes = join(folder, 'notes.txt')
  writeFileSync(notes, 'somebody’s notes')
  const foreign = join(folder, 'foreign.db')
  const database = new DatabaseSync(foreign)
  database.exec('CREATE TABLE a (b); INSERT INTO a VALUES (1)')
  database.close()
  for (const path of [notes, foreign]) {
    const before = readFileSync(path)
    await assert.rejects(createSnapshot(`sqlite:${path}`), /not a planning registry; name another one/)
    assert.ok(readFileSync(path).equals(before))
  }
})

test('an import replaces a damaged registry and an empty file', async () => {
  damage(await build('broken.db', 'broken'), 'broken.db')
  writeFileSync(join(folder, 'empty.db'), '')
  for (const name of ['broken.db', 'empty.db']) {
    const store = await openStore(`sqlite:${await build(name, 'new', 20)}`)
    assert.equal(store.current().metadata.records, 20)
    await store.close()
  }
})

test('a registry renamed into place is served, and a damaged one is reported instead', async () => {
  const path = await build('live.db', 'live', 30)
  const damaged = damage(path, 'live-damaged.db')
  const newer = await build('live-newer.db', 'newer', 40)
  const refused = Promise.withResolvers<StoreFault>()
  const store = await openStore(`sqlite:${path}`, { onRefused: refused.resolve })
  try {
    renameSync(damaged, path)
    assert.match((await refused.promise).message, /a row of the table record is damaged/)
    assert.equal(store.current().metadata.records, 30)
    renameSync(newer, path)
    await store.refresh()
    assert.equal(store.current().metadata.records, 40)
    rmSync(path)
    await assert.rejects(store.refresh(), /there is no such file/)
    assert.equal(store.current().metadata.records, 40)
  } finally {
    await store.close()
  }
})

test('a request reads its snapshot to the end while another is put in service', async () => {
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

test('a second import at the same time is refused until the first has ended', async () => {
  const path = await build('locked.db', 'locked')
  const first = await createSnapshot(`sqlite:${path}`)
  await assert.rejects(createSnapshot(`sqlite:${path}`), /another import is writing to it/)
  await first.discard()
  const second = await createSnapshot(`sqlite:${path}`)
  await second.discard()
})

test('each fault is reported once while a file is overwritten in place', async () => {
  const path = await build('overwritten.db', 'overwritten')
  const messages: string[] = []
  const store = await openStore(`sqlite:${path}`, { onDamage: ({ message }) => messages.push(message) })
  try {
    damageRecords(path)
    // A new modification time looks like another write to the file.
    for (const modifiedAt of [1, 2, 3]) {
      utimesSync(path, modifiedAt, modifiedAt)
      await assert.rejects(store.refresh(), StoreFault)
    }
    assert.equal(messages.length, 2)
    assert.match(messages[0] ?? '', /the file was changed while it was in service/)
    assert.match(messages[1] ?? '', /a row of the table record is damaged/)
  } finally {
    await store.close()
  }
})

/** Resolves when the registry is in service again. */
async function untilServed(store: RegistryStore): Promise<void> {
  for (;;) {
    try {
      store.current()
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

test('a file damaged in place is not served until a valid one replaces it', async () => {
  const path = await build('in-place.db', 'in place', 400)
  const valid = readFileSync(path)
  const damages: StoreFault[] = []
  const other = await openStore(`sqlite:${path}`)
  const expected = await readPages(other.current(), {}, 7)
  await other.close()
  const store = await openStore(`sqlite:${path}`, { cacheBytes: 1, onDamage: (fault) => damages.push(fault) })
  try {
    const snapshot = store.current()
    const file = openSync(path, 'r+')
    // The remainder moves each damaged place to another offset in its 512 bytes. The first page stays valid.
    for (let offset = 4096; offset < valid.length; offset += 512) writeSync(file, 'damaged', offset + (offset % 499))
    closeSync(file)
    // Each read either returns the correct records or fails.
    let failedReads = 0
    for (let round = 0; round < 20; round++) {
      try {
        assert.deepEqual(await readPages(snapshot, {}, 7), expected)
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
    await untilServed(store)
    assert.deepEqual(await readPages(store.current(), {}, 7), expected)
  } finally {
    await store.close()
  }
})
