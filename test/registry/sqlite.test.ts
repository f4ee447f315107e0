// Tests of a registry on SQLite, which is a file, besides those that PostgreSQL shares (contract.test.ts): the file
// itself, damaged files and files that are no registry. sqlite-service.test.ts tests files that change while they are
// in service.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { analyseTerm } from '../../src/analysis/analyser.ts'
import { toRecordContent } from '../../src/domain/document.ts'
import { foldCode } from '../../src/domain/inscription-code.ts'
import { toStoredRecord, type WireRecord } from '../../src/domain/record.ts'
import { type Snapshot, StoreFault, StoreUnavailable } from '../../src/registry/contract.ts'
import { FileStorage } from '../../src/registry/file/file-storage.ts'
import { checkStore, createSnapshot, openStore } from '../../src/registry/open.ts'
import { sampleRecords } from '../../src/sample/records.ts'
import { readAll, readPages } from './reading.ts'
import { damageRecords, readDigests } from './snapshot-file.ts'
import { copyDamaged, folder, publishSample } from './sqlite-folder.ts'

/** Small enough that the results of a registry have several pages. */
const recordsPerPage = 7

/** Metadata, municipalities and search results of the registry, to compare it with another. */
async function readEverything(path: string): Promise<unknown> {
  const store = await openStore(`sqlite:${path}`)
  try {
    const snapshot = store.current()
    const term = analyseTerm('plan')
    return [
      snapshot.metadata,
      snapshot.municipalities,
      await readPages(snapshot, { limit: recordsPerPage }),
      await readPages(snapshot, { term, limit: recordsPerPage }),
      await snapshot.summarise({ term }),
      Buffer.concat((await readAll(snapshot, { term })).map(({ bytes }) => bytes)).toString(),
    ]
  } finally {
    await store.close()
  }
}

test('the same records give the same tables', async () => {
  const first = readDigests(await publishSample('first.db', { seed: 'same' }))
  const second = readDigests(await publishSample('second.db', { seed: 'same' }))
  assert.deepEqual(first, second)
})

test('an import leaves only the registry and its lock file', async () => {
  await publishSample('alone.db', { seed: 'alone' })
  const left = readdirSync(folder).filter((name) => name.startsWith('alone.db'))
  assert.deepEqual(left.sort(), ['alone.db', 'alone.db.lock'])
})

test('a snapshot is a plain SQLite database without bytes after its last database page', async () => {
  // Database tools copy only the pages, so bytes after them would be lost.
  const path = await publishSample('plain.db', { seed: 'plain' })
  const database = new DatabaseSync(path, { readOnly: true })
  const { bytes } = database
    .prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size')
    .get() as { bytes: number }
  database.close()
  assert.equal(statSync(path).size, bytes)
})

test('the view expediente shows the records with their fields as columns', async () => {
  const path = await publishSample('view.db', { seed: 'view' })
  const store = await openStore(`sqlite:${path}`)
  const [page] = await readPages(store.current(), { year: 2015, limit: 1000 })
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

test('a copy made with a database tool gives the same results', async () => {
  const path = await publishSample('original.db', { seed: 'original', records: 200 })
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

test('only the first page of the entries of a prefix is cached', async () => {
  const storage = new FileStorage(await publishSample('prefix.db', { seed: 'prefix' }))
  try {
    // A term is a letter for its kind, then a word: `f` is for forms (folded words). The first page has the forms that
    // start with `p`. A further page begins later in their order, here with the first form from `pl` on. The registry
    // has few forms, so each page has all forms from its first one on.
    const prefix = 'fp'
    const from = 'fpl'
    const firstPage = storage.readEntriesOfPrefix(prefix)
    const furtherPage = storage.readEntriesOfPrefix(prefix, from)
    // A page that is cached is the same object each time.
    assert.equal(storage.readEntriesOfPrefix(prefix), firstPage)
    assert.notEqual(storage.readEntriesOfPrefix(prefix, from), furtherPage)
    assert.deepEqual(storage.readEntriesOfPrefix(prefix, from), furtherPage)
    assert.ok(furtherPage.length > 0 && furtherPage.length < firstPage.length)
  } finally {
    storage.closeWhenUnused()
  }
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

test('a registry with a changed byte in its records is not opened, and check reports the table', async () => {
  const damaged = copyDamaged(await publishSample('valid.db', { seed: 'valid' }), 'damaged.db')
  await assert.rejects(openStore(`sqlite:${damaged}`), (error: unknown) => {
    assert.ok(error instanceof StoreFault)
    assert.match(error.message, /damaged\.db: a row of the table record is damaged; restore it from a backup/)
    return true
  })
  const { faults } = await checkStore(`sqlite:${damaged}`)
  assert.match(faults.join('; '), /a row of the table record is damaged/)
})

test('check reports a missing row, and a changed column that the checksum of its row does not cover', async () => {
  const path = await publishSample('changed.db', { seed: 'changed' })
  /** Runs the statement on a copy of the registry and returns the faults that `check` finds in it. */
  const checkAfter = async (statement: string): Promise<string> =>
    (await checkStore(`sqlite:${changeCopy(path, statement)}`)).faults.join('; ')
  // The term of the word `plan`: the letter `w` is the kind of its posting list.
  const removal = `DELETE FROM term_entry WHERE term = 'wplan'`
  assert.match(await checkAfter(removal), /the table term_entry has [\d,]+ rows instead of [\d,]+/)
  // The checksum of a row does not cover `has_text`, so the row still matches it. Only the digest of the table differs.
  const change = `UPDATE record SET has_text = 1 - has_text WHERE position = 3`
  assert.match(await checkAfter(change), /the table record is damaged: its digest differs/)
})

/** Runs the statement on a copy of the registry, whose digests stay as they were. Returns the path of the copy. */
function changeCopy(path: string, statement: string): string {
  const copy = join(folder, 'changed-copy.db')
  copyFileSync(path, copy)
  const database = new DatabaseSync(copy)
  database.exec(statement)
  database.close()
  return copy
}

test('a table whose rows have no checksums is verified at every opening', async () => {
  const path = await publishSample('whole-tables.db', { seed: 'whole tables' })
  const changes = {
    municipality: `UPDATE municipality SET name = 'X' || substr(name, 2) WHERE number = 1`,
    year: 'UPDATE year SET first = first + 1',
    property: `UPDATE property SET value = '1999-01-01T00:00:00.000Z' WHERE name = 'published_at'`,
  }
  for (const [table, statement] of Object.entries(changes)) {
    const changed = changeCopy(path, statement)
    const differs = new RegExp(`changed-copy\\.db: the table ${table} is damaged: its digest differs; restore it`)
    // With `skipsVerification` the store does not verify the file as a whole. These tables have no checksums of rows
    // and are read into memory as a whole, so they are verified even then.
    await assert.rejects(openStore(`sqlite:${changed}`, { skipsVerification: true }), differs, table)
    const { faults } = await checkStore(`sqlite:${changed}`)
    assert.match(faults.join('; '), new RegExp(`the table ${table} is damaged`))
  }
})

test('the newest change is verified when the file is opened', async () => {
  // The second import into the same file writes a change log.
  await publishSample('log.db', { seed: 'log', records: 30 })
  const path = await publishSample('log.db', { seed: 'log', records: 40 })
  const changed = changeCopy(path, 'UPDATE change SET number = number + 100')
  await assert.rejects(
    openStore(`sqlite:${changed}`, { skipsVerification: true }),
    /a row of the table change is damaged/,
  )
})

test('a record whose position was changed in the file is not served at its new position', async () => {
  const path = await publishSample('positions.db', { seed: 'positions' })
  // Exchanges the first two records, as flipped bits in the keys of the table could do.
  const exchange = `UPDATE record SET position = -2 WHERE position = 0;
    UPDATE record SET position = 0 WHERE position = 1; UPDATE record SET position = 1 WHERE position = -2`
  const changed = changeCopy(path, exchange)
  const reads: Readonly<Record<string, (snapshot: Snapshot) => unknown>> = {
    'a page': (snapshot) => snapshot.page({ limit: 5 }),
    'a page with codes': (snapshot) => snapshot.page({ limit: 5, include: ['cod_archivo'] }),
    'all records': (snapshot) => readAll(snapshot, {}),
    'the record with a code': (snapshot) => snapshot.page({ code: foldCode(readFirstCode(path)), limit: 1 }),
  }
  for (const [name, read] of Object.entries(reads)) {
    const store = await openStore(`sqlite:${changed}`, { skipsVerification: true })
    await assert.rejects(async () => read(store.current()), StoreUnavailable, name)
    await store.close()
  }
})

/** Reads the inscription code of the first record. */
function readFirstCode(path: string): string {
  using database = new DatabaseSync(path, { readOnly: true })
  return String(database.prepare('SELECT code FROM record WHERE position = 0').get()?.code)
}

test('a missing change is noticed when the changes are read', async () => {
  // The second import writes a change log with more than five changes.
  await publishSample('missing-change.db', { seed: 'log', records: 30 })
  const path = await publishSample('missing-change.db', { seed: 'log', records: 40 })
  const changed = changeCopy(path, 'DELETE FROM change WHERE number = 5')
  const store = await openStore(`sqlite:${changed}`, { skipsVerification: true })
  await assert.rejects(async () => store.current().changes.readAfter(0, { filters: {}, limit: 10 }), StoreUnavailable)
  await store.close()
})

test('a page whose cursor would contain a damaged code is not returned', async () => {
  const path = await publishSample('cursor.db', { seed: 'cursor' })
  // The cursor of the first page has the code of the last record on it. The records themselves come from the column
  // `wire`, which is valid.
  const changed = changeCopy(
    path,
    `UPDATE record SET code = 'Z' || substr(code, 2) WHERE position = ${recordsPerPage - 1}`,
  )
  const store = await openStore(`sqlite:${changed}`, { skipsVerification: true })
  try {
    await assert.rejects(readPages(store.current(), { limit: recordsPerPage }), /a row of the table record is damaged/)
  } finally {
    await store.close()
  }
})

test('the page after a cursor is not read from a damaged index', async () => {
  const path = await publishSample('index.db', { seed: 'index' })
  const database = new DatabaseSync(path, { readOnly: true })
  // The record after the cursor of the first page.
  const row = database.prepare(`SELECT checkin_date AS date, code FROM record WHERE position = ${recordsPerPage}`).get()
  database.close()
  const { date, code } = row as { date: string; code: string }
  const bytes = readFileSync(path)
  // In the file the code follows the date directly only in the index, not in the row of the record.
  const offset = bytes.indexOf(`${date}${code}`)
  assert.ok(offset > 0)
  // Changes the first digit of the date.
  bytes.write('9', offset)
  const damaged = join(folder, 'index-damaged.db')
  writeFileSync(damaged, bytes)
  const store = await openStore(`sqlite:${damaged}`, { skipsVerification: true })
  try {
    await assert.rejects(readPages(store.current(), { limit: recordsPerPage }), /the index record_order is damaged/)
  } finally {
    await store.close()
  }
})

test('a truncated file is not opened', async () => {
  const bytes = readFileSync(await publishSample('long.db', { seed: 'long' }))
  const path = join(folder, 'short.db')
  const databasePageBytes = 4096
  // The file header alone, the first database page and a part of the second, all but the last byte, all but the last
  // database page, and half of the file.
  for (const size of [100, 5000, bytes.length - 1, bytes.length - databasePageBytes, bytes.length >> 1]) {
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

test('a pipe is neither replaced by an import nor opened', async () => {
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const message = /pipe: it is not a file; give the path of a file/
  for (const use of [createSnapshot, openStore]) await assert.rejects(use(`sqlite:${pipe}`), message)
})

test('an import replaces a damaged registry and an empty file', async () => {
  damageRecords(await publishSample('broken.db', { seed: 'broken' }))
  writeFileSync(join(folder, 'empty.db'), '')
  for (const name of ['broken.db', 'empty.db']) {
    const store = await openStore(`sqlite:${await publishSample(name, { seed: 'new', records: 20 })}`)
    assert.equal(store.current().metadata.records, 20)
    await store.close()
  }
})

test('an import warns that it cannot compare the registry in service only if that is damaged', async () => {
  const path = await publishSample('in-service.db', { seed: 'in service' })
  const truncated = join(folder, 'truncated.db')
  const bytes = readFileSync(path)
  writeFileSync(truncated, bytes.subarray(0, bytes.length >> 1))
  assert.deepEqual(await publishOver(truncated), [
    'The registry in service is damaged, and its change log is not continued: database disk image is malformed',
    'The registry in service is damaged and was not compared: database disk image is malformed',
  ])
  // A valid registry of format 1 (`user_version`) cannot be compared either, because its records have no `digest`.
  const olderFormat = changeCopy(path, 'PRAGMA user_version = 1; ALTER TABLE record RENAME COLUMN digest TO other')
  assert.deepEqual(await publishOver(olderFormat), [])
  const empty = join(folder, 'empty-before.db')
  writeFileSync(empty, '')
  assert.deepEqual(await publishOver(empty), [])
})

/**
 * Publishes a registry without records in place of the file, checks that the two were not compared, and returns the
 * warnings. `accepts` decides by the comparison. Without one it is not called, so the registry is published although
 * `accepts` would refuse it.
 */
async function publishOver(path: string): Promise<string[]> {
  const warnings: string[] = []
  const writer = await createSnapshot(`sqlite:${path}`)
  const { difference, isPublished } = await writer.publish({
    fictional: false,
    dryRun: false,
    accepts: () => false,
    onWarning: (warning) => warnings.push(warning),
  })
  assert.deepEqual([difference, isPublished], [null, true])
  return warnings
}

test('a second import at the same time is refused until the first has ended', async () => {
  const path = await publishSample('locked.db', { seed: 'locked' })
  const first = await createSnapshot(`sqlite:${path}`)
  await assert.rejects(createSnapshot(`sqlite:${path}`), /another import is writing to it/)
  await first.discard()
  const second = await createSnapshot(`sqlite:${path}`)
  await second.discard()
})
