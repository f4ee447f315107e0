// Tests of the registry file: what other programs see in it, imports into it, damaged files and files that are no
// registry. file-service.test.ts tests files that change while they are in service.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { analyseTerm } from '../../src/analysis/analyser.ts'
import { toRecordContent } from '../../src/domain/document.ts'
import { toStoredRecord, type WireRecord } from '../../src/domain/record.ts'
import { StoreFault } from '../../src/registry/contract.ts'
import { toRecordDigest } from '../../src/registry/digest.ts'
import { checkStore, openStore, openTarget } from '../../src/registry/open.ts'
import { sampleRecords } from '../../src/sample/records.ts'
import { createRegistry } from '../create-registry.ts'
import { type PublishOptions, publishEntries, type TestRecord } from '../service.ts'
import { damagePages, damageRecords } from './damage.ts'
import { documentOf } from './paged-document.ts'
import { readTables } from './read-tables.ts'
import { readAll, readPages } from './reading.ts'
import { copyDamaged, folder, publishSample } from './sample-folder.ts'

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
      await readPages(snapshot, { search: term, limit: recordsPerPage }),
      await snapshot.summarise({ search: term }),
      Buffer.concat((await readAll(snapshot, { search: term })).map(({ bytes }) => bytes)).toString(),
    ]
  } finally {
    await store.close()
  }
}

test('the same records give the same tables', async () => {
  // A few records are analysed in this thread, many in others.
  for (const records of [10, 1000]) {
    const first = readTables(await publishSample('first.db', { seed: 'same', records }))
    const second = readTables(await publishSample('second.db', { seed: 'same', records }))
    assert.ok('search_data' in first && 'expediente' in first)
    assert.deepEqual(first, second)
  }
})

test('an import leaves only the registry and its lock file', async () => {
  await publishSample('alone.db', { seed: 'alone' })
  const left = readdirSync(folder).filter((name) => name.startsWith('alone.db'))
  assert.deepEqual(left.sort(), ['alone.db', 'alone.db.lock'])
})

test('a registry is a plain SQLite database without bytes after its last database page', async () => {
  // Database tools copy only the pages, so bytes after them would be lost.
  const path = await publishSample('plain.db', { seed: 'plain' })
  const database = new DatabaseSync(path, { readOnly: true })
  const { bytes } = database
    .prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size')
    .get() as { bytes: number }
  database.close()
  assert.equal(statSync(path).size, bytes)
})

test('the table expediente shows the fields of the records as columns', async () => {
  const path = await publishSample('view.db', { seed: 'view' })
  const store = await openStore(`sqlite:${path}`)
  const [page] = await readPages(store.current(), { checkin_date: '2015', limit: 1000 })
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

test('every table and the full-text indexes can be read with the command sqlite3', async () => {
  const path = await publishSample('command.db', { seed: 'command' })
  const run = (sql: string): string =>
    hasSqlite3
      ? execFileSync('sqlite3', ['-readonly', path, sql], { encoding: 'utf8' }).trim()
      : readValues(path, sql).join('|')
  using database = new DatabaseSync(path, { readOnly: true })
  // Tools such as Datasette count the rows of full-text indexes too, which these need `columnsize` for.
  const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all()
  assert.ok(tables.length > 10)
  for (const { name } of tables) assert.match(run(`SELECT count(*) FROM ${name}`), /^\d+$/, String(name))
  const found = `SELECT count(*) FROM expediente WHERE position IN (SELECT rowid FROM search WHERE search MATCH 'wplan')`
  assert.ok(Number(run(found)) > 0)
  for (const index of ['search', 'prefix', 'page_words']) {
    assert.match(run(`SELECT count(*) FROM ${index} WHERE ${index} MATCH 'fplan OR wplan'`), /^\d+$/)
  }
  const [title, municipality] = readValues(path, 'SELECT title, municipality FROM expediente LIMIT 1')
  assert.equal(run('SELECT title, municipality FROM expediente LIMIT 1'), `${title}|${municipality}`)
  assert.equal(run('PRAGMA integrity_check'), 'ok')
})

/** Whether the command-line program of SQLite is installed. */
const hasSqlite3 = spawnSync('sqlite3', ['--version']).status === 0

/** The first row that the query selects. */
function readValues(path: string, sql: string): unknown[] {
  using database = new DatabaseSync(path, { readOnly: true, returnArrays: true })
  return database.prepare(sql).get() as unknown as unknown[]
}

test('a file contains nothing of records that were removed or changed', async () => {
  await using registry = await createRegistry()
  const filler = Array.from({ length: 50 }, (_, index) => ({ code: `A-${index}`, content: `texto ${index}` }))
  await registry.publish([
    ...filler,
    { code: 'B-1', title: 'Reparcelacionsecreta' },
    { code: 'B-2', content: 'memoriaretirada' },
  ])
  for (const word of ['reparcelacionsecreta', 'memoriaretirada']) assert.ok(readLowerCase(registry.path).includes(word))
  await registry.publish([...filler, { code: 'B-2', content: 'otra' }])
  for (const word of ['reparcelacionsecreta', 'memoriaretirada', 'secreta', 'retirada']) {
    assert.ok(!readLowerCase(registry.path).includes(word), word)
  }
})

function readLowerCase(path: string): string {
  return readFileSync(path, 'latin1').toLowerCase()
}

test('an import of what is already there writes nothing', async () => {
  await using registry = await createRegistry()
  const records = [
    { code: 'A-1', content: 'suelo', documents: [documentOf(['Memoria.'])] },
    { code: 'A-2', municipality: 'Segovia' },
  ]
  const first = await registry.publish(records, { codePattern: 'A-.*' })
  assert.equal(first.outcome, 'published')
  const facts = (): unknown[] => {
    const { ino, mtimeMs, size } = statSync(registry.path)
    return [ino, mtimeMs, size]
  }
  const before = facts()
  const same = await registry.publish(records.toReversed(), { codePattern: 'A-.*' })
  assert.deepEqual([same.outcome, same.metadata], ['unchanged', first.metadata])
  assert.deepEqual(facts(), before)
  const dry = await registry.publish(records.slice(1), { codePattern: 'A-.*', dryRun: true })
  assert.equal(dry.outcome, 'checked')
  assert.deepEqual(facts(), before)
  const rebuilt = await registry.publish(records, { codePattern: 'A-.*', rebuilds: true })
  assert.deepEqual([rebuilt.outcome, rebuilt.metadata.id], ['published', first.metadata.id])
  assert.notDeepEqual(facts(), before)
})

test('the id of a registry changes with everything that changes responses', async () => {
  await using registry = await createRegistry()
  const records = [{ code: 'A-1', title: 'Plan', content: 'suelo', documents: [documentOf(['Memoria.'])] }]
  const ids = new Set<string>()
  const publications: [records: readonly TestRecord[], options?: PublishOptions][] = [
    [records],
    [records, { codePattern: 'A-.*' }],
    [records, { withPassages: false }],
    [records, { fictional: true }],
    [[{ ...records[0], code: 'A-1', content: 'otro' }]],
    [[{ ...records[0], code: 'A-1', documents: [documentOf(['Otra.'])] }]],
    [[{ ...records[0], code: 'A-1', documents: [documentOf(['Memoria.'], null)] }]],
    [[{ ...records[0], code: 'a-1' }]],
  ]
  for (const [published, options] of publications) {
    const { outcome, metadata } = await registry.publish(published, options)
    assert.equal(outcome, 'published')
    ids.add(metadata.id)
  }
  assert.equal(ids.size, publications.length)
  const digested = { code: 'A-1', wire: '{}', documents: [], pages: [] }
  const [known, unknown] = ['05019', null].map((ineCode) => toRecordDigest({ ...digested, fields: null, ineCode }))
  assert.notDeepEqual(known, unknown, 'a new list of municipalities')
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

test('two records with one code are not published', async () => {
  const entries = await Array.fromAsync(sampleRecords({ records: 2, documents: 0, seed: 'twice' }), ({ record }) => ({
    record: toStoredRecord({ ...record, code: 'AB-7' }),
    content: toRecordContent(''),
  }))
  const path = join(folder, 'twice.db')
  await assert.rejects(
    publishEntries(`sqlite:${path}`, () => entries),
    /UNIQUE constraint failed: expediente.folded_code/,
  )
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('twice.db')),
    ['twice.db.lock'],
  )
})

/** Runs SQL on a copy of the registry. Returns the path of the copy. */
function changeCopy(path: string, sql: string): string {
  const copy = join(folder, 'changed-copy.db')
  copyFileSync(path, copy)
  using database = new DatabaseSync(copy)
  database.exec(sql)
  return copy
}

test('check reports damage that SQLite does not notice', async () => {
  // Of more than 400 records, every second one is compared with its tokens.
  const path = await publishSample('checked.db', { seed: 'checked', records: 450 })
  /** The faults that `check` finds after the SQL has changed a copy of the registry. */
  const checkAfter = async (sql: string, options = {}): Promise<string[]> => [
    ...(await checkStore(`sqlite:${changeCopy(path, sql)}`, options)).faults,
  ]
  using database = new DatabaseSync(path, { readOnly: true, returnArrays: true })
  /** The position and the code of a record at an odd position that has the word in its title. */
  const [position, code] = database
    .prepare(
      `SELECT position, cod_archivo FROM expediente
       WHERE position % 2 = 1 AND position IN (SELECT rowid FROM search('tplan')) LIMIT 1`,
    )
    .get() as unknown as [number, string]
  const ofRecord = `WHERE position = ${position}`
  const isDamaged = [`the record ${code} is damaged`]
  assert.deepEqual(await checkAfter('SELECT 1'), [])
  assert.deepEqual(await checkAfter(`UPDATE expediente SET wire = replace(wire, 'a', 'o') ${ofRecord}`), isDamaged)
  assert.deepEqual(await checkAfter(`UPDATE expediente SET digest = x'00' ${ofRecord}`), isDamaged)
  assert.deepEqual(await checkAfter(`UPDATE page SET text = text || ' más' ${ofRecord}`), isDamaged)
  assert.deepEqual(await checkAfter(`DELETE FROM page ${ofRecord}`), isDamaged)
  assert.deepEqual(await checkAfter(`DELETE FROM expediente ${ofRecord}`), [
    'expected 450 records, found 449 by counting records',
    `the record at position ${position} is missing`,
  ])
  const removal = `INSERT INTO search (search, rowid, tokens) VALUES ('delete', ${position}, 'tplan')`
  assert.deepEqual(await checkAfter(removal), [])
  assert.deepEqual(await checkAfter(removal, { full: true }), [
    `a search does not find the record ${code} by its words`,
  ])
})

test('a registry with a changed byte in its records is opened, and check reports the records', async () => {
  const path = await publishSample('damaged.db', { seed: 'damaged' })
  damageRecords(path)
  const store = await openStore(`sqlite:${path}`)
  await store.close()
  const { faults } = await checkStore(`sqlite:${path}`)
  assert.match(faults[0] ?? '', /^the record \S+ is damaged$/)
})

test('a registry with damaged pages is not opened, and check reports why', async () => {
  const damaged = copyDamaged(await publishSample('valid.db', { seed: 'valid' }), 'damaged-pages.db')
  const message = /damaged-pages\.db: database disk image is malformed; restore it from a backup or import it again/
  for (const use of [openStore, checkStore]) {
    await assert.rejects(
      use(`sqlite:${damaged}`),
      (error) => error instanceof StoreFault && message.test(error.message),
    )
  }
})

test('a truncated file is not opened', async () => {
  const bytes = readFileSync(await publishSample('long.db', { seed: 'long' }))
  const path = join(folder, 'short.db')
  const databasePageBytes = 16 * 1024
  // The file header alone, the first database page and a part of the second, all but the last byte, all but the last
  // database page, and half of the file.
  for (const size of [100, 20_000, bytes.length - 1, bytes.length - databasePageBytes, bytes.length >> 1]) {
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
    await assert.rejects(
      publishEntries(`sqlite:${path}`, () => []),
      /not a planning registry; name another one/,
    )
    assert.ok(readFileSync(path).equals(before))
  }
})

test('a pipe is neither replaced by an import nor opened', async () => {
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const message = /pipe: it is not a file; give the path of a file/
  for (const use of [openTarget, openStore]) await assert.rejects(use(`sqlite:${pipe}`), message)
})

test('an import of what is already there replaces a file in which SQLite finds damage', async () => {
  const path = await publishSample('same-damaged.db', { seed: 'same damaged' })
  const bytes = readFileSync(path)
  // The end of the file has the full-text indexes. What it says about itself stays valid.
  writeFileSync(path, bytes.fill(0, bytes.length - 64 * 1024))
  await publishSample('same-damaged.db', { seed: 'same damaged' })
  assert.deepEqual((await checkStore(`sqlite:${path}`)).faults, [])
})

test('an import replaces a damaged registry and an empty file', async () => {
  damagePages(await publishSample('broken.db', { seed: 'broken' }))
  writeFileSync(join(folder, 'empty.db'), '')
  for (const name of ['broken.db', 'empty.db']) {
    const store = await openStore(`sqlite:${await publishSample(name, { seed: 'new', records: 20 })}`)
    assert.equal(store.current().metadata.records, 20)
    await store.close()
  }
})

test('an import warns that it cannot compare the registry in service if that is damaged', async () => {
  const path = await publishSample('in-service.db', { seed: 'in service' })
  const truncated = join(folder, 'truncated.db')
  const bytes = readFileSync(path)
  writeFileSync(truncated, bytes.subarray(0, bytes.length >> 1))
  assert.deepEqual(await publishOver(truncated), [
    'The registry in service is damaged and was not compared: database disk image is malformed',
  ])
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
  const { difference, outcome } = await publishEntries(`sqlite:${path}`, () => [], {
    accepts: () => false,
    onWarning: (warning) => warnings.push(warning),
  })
  assert.deepEqual([difference, outcome], [null, 'published'])
  return warnings
}

test('a second import at the same time is refused until the first has ended', async () => {
  const path = await publishSample('locked.db', { seed: 'locked' })
  const first = await openTarget(`sqlite:${path}`)
  await assert.rejects(openTarget(`sqlite:${path}`), /another import is writing to it/)
  await first.release()
  await (await openTarget(`sqlite:${path}`)).release()
})
