// Tests of a registry on PostgreSQL, besides those that SQLite shares (contract.test.ts): failures of a server,
// concurrent and failed imports, old snapshots, a registry that is moved from a file, the view `expediente`, `check`,
// roles. Failures in a cluster are in test/faults/postgres-hosts.faults.ts.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { mkdtemp, open as openFile, readdir, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import postgres from 'postgres'
import { analyseTerm } from '../../src/analysis/analyser.ts'
import { toRecordContent } from '../../src/domain/document.ts'
import type { Query } from '../../src/domain/query.ts'
import { toStoredRecord } from '../../src/domain/record.ts'
import { setLanguage } from '../../src/language.ts'
import { type RegistryStore, type Snapshot, StoreFault, StoreUnavailable } from '../../src/snapshot/contract.ts'
import { FileStorage } from '../../src/snapshot/file/file-storage.ts'
import { takeImportLock } from '../../src/snapshot/file/import-lock.ts'
import {
  checkStore,
  copyToPostgres,
  createSnapshot,
  openStore,
  storeExists,
  waitForDatabase,
} from '../../src/snapshot/open.ts'
import { parseAddress } from '../../src/snapshot/postgres/address.ts'
import { Connection } from '../../src/snapshot/postgres/connection.ts'
import { copySnapshot } from '../../src/snapshot/postgres/copy.ts'
import { Host } from '../../src/snapshot/postgres/host.ts'
import { takeServerLock } from '../../src/snapshot/postgres/load.ts'
import { toCreateSnapshot } from '../../src/snapshot/postgres/schema.ts'
import { digestTable, tables, toCreateIndexes } from '../../src/snapshot/schema.ts'
import { createDatabase, engines } from '../engines.ts'
import { findFreePort } from '../free-port.ts'
import { PostgresCluster } from '../postgres-cluster.ts'
import { PostgresServer } from '../postgres-server.ts'
import { publishRecords, type TestRecord, toRecord } from '../service.ts'
import { readCodes } from './reading.ts'
import { damageRecords } from './snapshot-file.ts'

/** The records of most tests. Only A-2 matches the term `parcial`. */
const plans: readonly TestRecord[] = [{ code: 'A-1' }, { code: 'A-2', title: 'Plan Parcial' }]

/** A statement that ends the connections of the store, which have the application name `planning-registry serve`. */
const endServiceConnections = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE application_name ~ 'serve' AND datname = current_database()`

/** Returns the id of the server process of the connection, which differs from connection to connection. */
const selectSession = { text: 'SELECT pg_backend_pid()' }

test('requests fail within a second while the server hangs, and succeed two seconds after it recovers', async () => {
  await using server = await PostgresServer.start()
  await publishRecords(server.url(), plans)
  const store = await openStore(server.url())
  try {
    server.freeze()
    const frozenAt = performance.now()
    try {
      // Each end of this range is inside a year, so the page looks up two records at once, and both lookups fail. If
      // the store handled only one of the two rejections, Node would report the other one, and this test would fail.
      const range = { from: '1990-02-03', to: '2020-05-06' }
      const snapshot = store.current()
      await Promise.all([
        assert.rejects(readCodes(snapshot, {}), StoreUnavailable),
        assert.rejects(async () => snapshot.page({ ...range, limit: 1 }), StoreUnavailable),
      ])
      const tookMs = performance.now() - frozenAt
      // Half a second is added for a busy machine.
      assert.ok(tookMs < 1500, `${tookMs} ms`)
      await waitUntil(() => isUnavailable(store), 1000)
    } finally {
      server.thaw()
    }
    await waitUntil(() => !isUnavailable(store), 2000)
    assert.deepEqual(await readCodes(store.current(), {}), ['A-1', 'A-2'])
  } finally {
    await store.close()
  }
})

test('a request succeeds although its connection was lost', async () => {
  await using database = await createDatabase()
  const { url } = database
  await publishRecords(url, plans)
  const store = await openStore(url)
  try {
    // Opens a connection for statements, which is then ended.
    await readCodes(store.current(), {})
    await runStatement(url, endServiceConnections)
    assert.deepEqual(await readCodes(store.current(), { term: analyseTerm('parcial') }), ['A-2'])
  } finally {
    await store.close()
  }
})

test('a long search continues when its connection is lost between two batches', async () => {
  await using database = await createDatabase()
  const { url } = database
  // A batch has at most 512 records.
  await publishRecords(
    url,
    Array.from({ length: 5000 }, (_, i) => ({ code: `S-${i + 1}` })),
  )
  const store = await openStore(url)
  try {
    let records = 0
    for await (const batch of store.current().search({})) {
      if (records === 0) await runStatement(url, endServiceConnections)
      records += batch.records
    }
    assert.equal(records, 5000)
  } finally {
    await store.close()
  }
})

test('a long search continues after a restart of the server', async () => {
  await using server = await PostgresServer.start()
  // Many batches: a batch of a search with a term has at most 128 records.
  await publishRecords(
    server.url(),
    Array.from({ length: 5000 }, (_, i) => ({ code: `S-${i + 1}`, content: 'suelo' })),
  )
  const store = await openStore(server.url())
  try {
    let records = 0
    let restart: Promise<void> | undefined
    for await (const batch of store.current().search({ term: analyseTerm('suelo') })) {
      records += batch.records
      if (restart !== undefined) continue
      await server.stop()
      restart = server.start()
    }
    await restart
    assert.equal(records, 5000)
  } finally {
    await store.close()
  }
})

test('the service waits for a server only while it cannot be reached, and logs in English why', async (context) => {
  await using server = await PostgresServer.start()
  await server.stop()
  context.after(() => setLanguage('en'))
  setLanguage('es')
  const waiting = Promise.withResolvers<string>()
  const reached = waitForDatabase(server.url(), waiting.resolve)
  assert.match(await waiting.promise, /connection refused/)
  await server.start()
  await reached
  // The server can be reached, but has no such database. If the service waited, it would call `assert.fail`.
  await waitForDatabase(server.url('no_such_database'), assert.fail)
})

test('the fault for an unreachable database is one line without the password', async () => {
  const address = `postgres://reader:secret%21@127.0.0.1:${await findFreePort()}/registry`
  for (const open of [openStore, createSnapshot, storeExists]) {
    await assert.rejects(open(address), (error) => {
      assert.ok(error instanceof StoreFault)
      assert.match(
        error.message,
        /^Cannot (open|write to) postgres:\/\/reader@127.0.0.1:\d+\/registry: .*connection refused/,
      )
      assert.doesNotMatch(error.message, /secret|\n/)
      return true
    })
  }
})

test('an import that loses its connection before it has the lock fails with a message of one line', async () => {
  const address = parseAddress('postgres://db1/registry')
  const [host] = address.hosts
  assert.ok(host)
  const connection = new Connection(address, host, 'import')
  connection.destroy()
  await assert.rejects(takeServerLock(connection, address), {
    name: 'StoreFault',
    message: /^Cannot import into \S+: the connection was closed; import again$/,
  })
})

test('a second import at the same time is refused and the first succeeds', async () => {
  await using database = await createDatabase()
  const { url } = database
  const first = await createSnapshot(url)
  await assert.rejects(createSnapshot(url), /another import is writing to it/)
  for (const record of plans) await first.add(toStoredRecord(toRecord(record)), toRecordContent(''))
  await first.publish({ fictional: false, dryRun: false })
  // The next import is not refused.
  await publishRecords(url, plans)
})

test('an import that ends does not remove files of the next import', async (context) => {
  // Imports into the same database use the same temporary folder, which has a lock file. An import that ends must
  // remove the folder before it releases the lock: afterwards the next import may have files there.
  await using database = await createDatabase()
  const temporary = await mkdtemp(join(tmpdir(), 'planning-registry-'))
  const { TMPDIR } = process.env
  process.env.TMPDIR = temporary
  context.after(async () => {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
    await rm(temporary, { recursive: true })
  })
  const first = await createSnapshot(database.url)
  const [name = ''] = await readdir(temporary)
  const folder = join(temporary, name)
  const closing = first.discard()
  // Makes the folder and takes the lock in it as soon as the lock is free, as the next import does.
  let release: (() => void) | undefined
  while (release === undefined) {
    mkdirSync(folder, { recursive: true })
    try {
      release = takeImportLock(join(folder, 'registry.db'))
    } catch {
      await nextIteration()
    }
  }
  await closing
  assert.deepEqual(await readdir(folder), ['registry.db.lock'])
  release()
})

test('a failed import, a discarded import and a dry run leave the registry as it was', async () => {
  await using database = await createDatabase()
  const { url } = database
  await publishRecords(url, plans)
  const before = await readSnapshotSchemas(url)
  const discarded = await createSnapshot(url)
  await discarded.add(toStoredRecord(toRecord({ code: 'B-1' })), toRecordContent(''))
  await discarded.discard()
  const dryRun = await createSnapshot(url)
  await dryRun.add(toStoredRecord(toRecord({ code: 'A-1', title: 'Otro' })), toRecordContent(''))
  const { difference } = await dryRun.publish({ fictional: false, dryRun: true })
  // A-1 has another title, and A-2 is missing.
  assert.deepEqual([difference?.added, difference?.changed, difference?.gone], [0, 1, 1])
  const failing = await createSnapshot(url)
  await failing.add(toStoredRecord(toRecord({ code: 'B-2' })), toRecordContent(''))
  await assert.rejects(
    failing.publish({ fictional: false, dryRun: false, onProgress: failWhileLoading }),
    /the import failed/,
  )
  assert.deepEqual(await readSnapshotSchemas(url), before)
  const store = await openStore(url)
  assert.deepEqual(await readCodes(store.current(), {}), ['A-1', 'A-2'])
  await store.close()
})

// The import sends CREATE INDEX in its transaction, and CREATE VIEW in a savepoint of the transaction.
for (const command of ['CREATE INDEX', 'CREATE VIEW']) {
  test(`an import that loses its connection at ${command} says so in one line, and the next one succeeds`, async () => {
    await using database = await createDatabase()
    const { url } = database
    await publishRecords(url, plans)
    const before = await readSnapshotSchemas(url)
    // At the end of the command the server ends the session.
    await runStatement(
      url,
      `CREATE FUNCTION end_session() RETURNS event_trigger LANGUAGE plpgsql
         AS 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); END';
       CREATE EVENT TRIGGER end_session ON ddl_command_end WHEN TAG IN ('${command}') EXECUTE FUNCTION end_session()`,
    )
    await assert.rejects(publishRecords(url, plans), {
      name: 'StoreFault',
      message: /^Cannot import into \S+: the server closed the connection; import again$/,
    })
    assert.deepEqual(await readSnapshotSchemas(url), before)
    await runStatement(url, 'DROP EVENT TRIGGER end_session')
    await publishRecords(url, plans)
  })
}

test('a registry that is moved from a file keeps its metadata, municipalities and records', async () => {
  await using database = await createDatabase()
  const { url } = database
  const [sqlite] = engines
  assert.ok(sqlite)
  await using registry = await sqlite.createRegistry()
  await registry.publish([...plans, { code: 'A-3', content: 'ordenanzas' }], { fictional: true })
  const before = (await registry.open()).current()
  await copyToPostgres(registry.database, url, { dryRun: false })
  const store = await openStore(url)
  const moved = store.current()
  // The moved registry has a time of publication of its own.
  assert.deepEqual({ ...moved.metadata, publishedAt: null }, { ...before.metadata, publishedAt: null })
  assert.deepEqual(moved.municipalities, before.municipalities)
  assert.deepEqual(await readCodes(moved, { term: analyseTerm('ordenanza') }), ['A-3'])
  await store.close()
})

test('a file with a damaged row is not moved', async () => {
  await using database = await createDatabase()
  const [sqlite] = engines
  assert.ok(sqlite)
  await using registry = await sqlite.createRegistry()
  await registry.publish(plans)
  damageRecords(registry.database.slice('sqlite:'.length))
  await assert.rejects(copyToPostgres(registry.database, database.url, { dryRun: false }), (error: unknown) => {
    assert.ok(error instanceof StoreFault)
    assert.match(error.message, /a row of the table record is damaged/)
    return true
  })
  assert.equal(await storeExists(database.url), false)
})

test('copying to PostgreSQL refuses a file as the target', async () => {
  const url = 'sqlite:registry.db'
  await assert.rejects(copyToPostgres(url, url, { dryRun: false }), /copy the file itself instead/)
})

test('the view expediente shows the records of the snapshot in service', async () => {
  await using database = await createDatabase()
  const { url } = database
  await publishRecords(url, plans)
  await runStatement(url, 'CREATE VIEW report AS SELECT count(*)::integer AS records FROM registry.expediente')
  await publishRecords(url, [{ code: 'A-3', title: 'Estudio "de" detalle', municipality: 'Segovia' }])
  const found = await runStatement(url, `SELECT title, municipality, cod_archivo, ine_code FROM registry.expediente`)
  assert.deepEqual(
    [...found],
    [{ title: 'Estudio "de" detalle', municipality: 'Segovia', cod_archivo: 'A-3', ine_code: '40194' }],
  )
  // A view that others have made of this view shows the new snapshot too.
  assert.deepEqual([...(await runStatement(url, 'SELECT records FROM report'))], [{ records: 1 }])
})

test('a dry run and a refused import do not wait for a session that reads the view expediente', async () => {
  await using database = await createDatabase()
  const { url } = database
  await publishRecords(url, plans)
  // The view `report` depends on the view `expediente`. A dry run is refused because of such a view only if
  // `expediente` gets other columns.
  await runStatement(url, 'CREATE VIEW report AS SELECT title FROM registry.expediente')
  const sql = postgres(url, { max: 1 })
  try {
    // Like a tool that leaves its transaction open. The transaction has a lock on `expediente`; an import that is
    // published would wait for it.
    await sql.begin(async (transaction) => {
      await transaction.unsafe('SELECT FROM registry.expediente')
      for (const options of [{ dryRun: true }, { dryRun: false, accepts: () => false }]) {
        const writer = await createSnapshot(url)
        await writer.add(toStoredRecord(toRecord({ code: 'A-3' })), toRecordContent(''))
        const { isPublished, difference } = await writer.publish({ fictional: false, ...options })
        assert.deepEqual([isPublished, difference?.gone], [false, plans.length])
      }
    })
  } finally {
    await sql.end()
  }
})

test('a view of an older format, with other columns, is replaced if no other view depends on it', async () => {
  await using database = await createDatabase()
  const { url } = database
  await publishRecords(url, plans)
  await runStatement(
    url,
    `DROP VIEW registry.expediente; CREATE VIEW registry.expediente AS SELECT 1 AS number;
     CREATE VIEW one AS SELECT number FROM registry.expediente; CREATE VIEW two AS SELECT number FROM one`,
  )
  await assert.rejects(publishRecords(url, plans), {
    name: 'StoreFault',
    message:
      /: registry\.expediente has other columns now, and view one depends on view registry\.expediente; view two depends on view one; drop what depends on it, import, and create it again$/,
  })
  // The error of the server names all views that depend on `expediente`. A dry run replaces no view; it reads the names
  // of those that depend on it directly.
  const dryRun = async (): Promise<void> => {
    const writer = await createSnapshot(url)
    await writer.add(toStoredRecord(toRecord({ code: 'A-3' })), toRecordContent(''))
    await writer.publish({ fictional: false, dryRun: true })
  }
  await assert.rejects(dryRun(), {
    name: 'StoreFault',
    message:
      /: registry\.expediente has other columns now, and view one depends on view registry\.expediente; drop what/,
  })
  await runStatement(url, 'DROP VIEW one CASCADE')
  await dryRun()
  await publishRecords(url, plans)
  assert.equal((await runStatement(url, 'SELECT title FROM registry.expediente')).length, plans.length)
})

test('a copy fails if the server refuses it after the last row', async () => {
  await using database = await createDatabase()
  const [sqlite] = engines
  assert.ok(sqlite)
  await using registry = await sqlite.createRegistry()
  await registry.publish(plans)
  const storage = new FileStorage(registry.database.slice('sqlite:'.length))
  const sql = postgres(database.url, { max: 1 })
  try {
    // A-2 is the last row, so the server refuses the table only after all rows were sent.
    const copying = sql.begin(async (transaction) => {
      await transaction.unsafe(`${toCreateSnapshot('refused')} ALTER TABLE refused.record ADD CHECK (code <> 'A-2')`)
      await copySnapshot(storage.database, transaction, 'refused', () => undefined, new AbortController().signal)
    })
    // The driver does not report the refusal itself. The next statement of the transaction fails with this code,
    // in_failed_sql_transaction.
    await assert.rejects(copying, { code: '25P02' })
  } finally {
    await sql.end()
    storage.closeWhenUnused()
  }
})

test('requests are served on the open connections if the server accepts no more', async () => {
  await using server = await PostgresServer.start()
  await publishRecords(server.url(), plans)
  // One connection for the health check and two for statements. The store would open up to ten for statements.
  await runStatement(server.url(), 'CREATE ROLE reader LOGIN CONNECTION LIMIT 3 IN ROLE pg_read_all_data')
  const store = await openStore(server.url().replace('postgres@', 'reader@'))
  try {
    const searches = Array.from({ length: 40 }, () => readCodes(store.current(), { term: analyseTerm('parcial') }))
    for (const codes of await Promise.all(searches)) assert.deepEqual(codes, ['A-2'])
  } finally {
    await store.close()
  }
})

test('a statement that times out because it has waited for its connection leaves the connection open', async () => {
  await using database = await createDatabase()
  await withHost(`${database.url}?pool_max=1`, async (host) => {
    const before = await host.query(selectSession, 5000)
    const sleep = { text: 'SELECT pg_sleep(0.4)' }
    const first = host.query(sleep, 600)
    // This second statement waits 400 ms for the only connection. Its timeout includes the wait, so it has 200 ms left,
    // half of what it needs.
    await assert.rejects(host.query(sleep, 600), { name: 'NoAnswer' })
    await first
    // A statement that loses its connection would make the host suspect.
    assert.equal(host.isSuspect, false)
    assert.deepEqual(await host.query(selectSession, 5000), before)
  })
})

test('the server ends the session of a statement that has timed out', async () => {
  await using database = await createDatabase()
  await withHost(database.url, async (host) => {
    await assert.rejects(host.query({ text: 'SELECT pg_sleep(30)' }, 600), { name: 'NoAnswer' })
    const mustEndAt = performance.now() + 3000
    const selectSleeping = `
      SELECT FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND datname = current_database()`
    // The client has closed the connection after 600 ms. The server notices that, because it checks the connection
    // every half second. Its `statement_timeout` of 5 s would end the statement only after `mustEndAt`.
    while ((await runStatement(database.url, selectSleeping)).length > 0) {
      assert.ok(performance.now() < mustEndAt, 'the session has not ended')
    }
  })
})

test('a server that refuses to check its connections, as on Windows, is used all the same', async () => {
  await using database = await createDatabase()
  // The host sets the session parameter `client_connection_check_interval` to 500ms, which a server on Windows refuses.
  // This proxy replaces the value by -99ms, which a server on Linux refuses with the same error code.
  const proxy = createServer((client) => {
    const server = connect(Number(new URL(database.url).port), '127.0.0.1')
    client.on('error', () => server.destroy()).on('close', () => server.destroy())
    client.on('data', (bytes) =>
      server.write(Buffer.from(bytes.toString('latin1').replace('500ms', '-99ms'), 'latin1')),
    )
    server.on('error', () => client.destroy()).pipe(client)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = new URL(database.url)
  url.port = String((proxy.address() as AddressInfo).port)
  try {
    await withHost(url.href, async (host) => {
      await host.probe()
      assert.equal(host.state.kind, 'up')
      assert.deepEqual([...(await host.query({ text: 'SELECT 1' }, 5000))], [[1]])
    })
  } finally {
    proxy.close()
  }
})

test('the connection of the health check is kept whatever its age', async (context) => {
  await using database = await createDatabase()
  const selectSessions = `
    SELECT pid FROM pg_stat_activity WHERE application_name ~ 'serve' AND datname = current_database()`
  // By default the driver closes a connection at an age of 30 minutes × (1 + `Math.random()`). Here that is 18 ms, less
  // than the sleep between the two checks.
  context.mock.method(Math, 'random', () => -0.99999)
  await withHost(database.url, async (host) => {
    await host.probe()
    const before = await runStatement(database.url, selectSessions)
    assert.equal(before.length, 1)
    await runStatement(database.url, 'SELECT pg_sleep(0.1)')
    await host.probe()
    assert.deepEqual(await runStatement(database.url, selectSessions), before)
  })
})

test('a statement whose time is over when it gets its connection causes no warning of Node', async () => {
  // Node warns if a timer is set to a negative time, such as the time that this statement has left.
  await using database = await createDatabase()
  await withHost(database.url, async (host) => {
    await host.query(selectSession, 5000)
    const warnings: Error[] = []
    const onWarning = (warning: Error): unknown => warnings.push(warning)
    process.on('warning', onWarning)
    const timeoutMs = 5
    const startedAt = performance.now()
    const query = host.query(selectSession, timeoutMs).catch(() => undefined)
    // Keeps the event loop busy until the time of the statement is over, as other work of the process may.
    while (performance.now() - startedAt <= timeoutMs);
    await query
    await nextIteration()
    process.off('warning', onWarning)
    assert.deepEqual(warnings, [])
  })
})

test('a request that needs a missing row fails instead of returning a wrong response', async () => {
  await using database = await createDatabase()
  const { url } = database
  // A posting list of more than 256 records has a row of its own in `posting_block`.
  const records = Array.from({ length: 600 }, (_, i) => ({
    code: `A-${i + 1}`,
    content: i % 2 === 0 ? 'suelo urbano' : 'suelo',
  }))
  await publishRecords(url, records)
  const [schema] = await readSnapshotSchemas(url)
  const term = analyseTerm('urbano')
  const readPage = (query: Query) => async (snapshot: Snapshot) => snapshot.page({ ...query, limit: 300 })
  // Tables, and reads that need their rows. Of `record` only the row of the first record is deleted, which all reads of
  // `record` need. Of the other tables all rows are deleted.
  const reads: [table: string, read: (snapshot: Snapshot) => Promise<unknown>][] = [
    ['record', readPage({})],
    ['record', readPage({ include: ['cod_archivo'] })],
    ['record', (snapshot) => readCodes(snapshot, {})],
    // The matches are scattered records, which are read by another statement.
    ['record', (snapshot) => readCodes(snapshot, { term })],
    ['posting_block', readPage({ term })],
    ['position_chunk', readPage({ term: analyseTerm('"suelo urbano"') })],
    ['text_chunk', readPage({ term, include: ['passages'] })],
    ['municipality_chunk', (snapshot) => snapshot.summarise({ term })],
    ['document_chunk', (snapshot) => snapshot.summarise({}, undefined, { withDocuments: true })],
  ]
  for (const [table, read] of reads) {
    await runStatement(
      url,
      `CREATE TABLE backup AS SELECT * FROM ${schema}.${table};
       DELETE FROM ${schema}.${table} ${table === 'record' ? 'WHERE position = 0' : ''}`,
    )
    const store = await openStore(url)
    await assert.rejects(read(store.current()), (error) => {
      assert.ok(error instanceof StoreUnavailable, String(error))
      assert.match(error.message, new RegExp(`a row of the table ${table} is missing; restore it from a backup`))
      return true
    })
    await store.close()
    await runStatement(
      url,
      `TRUNCATE ${schema}.${table}; INSERT INTO ${schema}.${table} SELECT * FROM backup; DROP TABLE backup`,
    )
  }
})

test('check reports a changed row', async () => {
  await using database = await createDatabase()
  const { url } = database
  await publishRecords(url, plans)
  assert.deepEqual((await checkStore(url)).faults, [])
  const [schema] = await readSnapshotSchemas(url)
  await runStatement(url, `UPDATE ${schema}.record SET wire = replace(wire, 'Plan', 'Plam') WHERE code = 'A-2'`)
  assert.match((await checkStore(url)).faults.join('; '), /a row of the table record is damaged/)
})

test('check reports a changed row with pgbouncer=true, too', async () => {
  // With this parameter, `check` reads each table in a transaction, in which it turns the timeout of the server off. No
  // PgBouncer is needed for this test.
  await using database = await createDatabase()
  const url = `${database.url}?pgbouncer=true`
  await publishRecords(url, plans)
  assert.deepEqual((await checkStore(url)).faults, [])
  const [schema] = await readSnapshotSchemas(database.url)
  await runStatement(database.url, `UPDATE ${schema}.record SET wire = replace(wire, 'Plan', 'Plam')`)
  assert.match((await checkStore(url)).faults.join('; '), /a row of the table record is damaged/)
})

test('check has no statement timeout, even if its role has one', async () => {
  await using server = await PostgresServer.start()
  // To read so many records takes longer than the timeout of the role, a millisecond.
  await publishRecords(
    server.url(),
    Array.from({ length: 5000 }, (_, i) => ({ code: `S-${i + 1}` })),
  )
  await runStatement(server.url(), 'CREATE ROLE reader LOGIN IN ROLE pg_read_all_data')
  await runStatement(server.url(), `ALTER ROLE reader SET statement_timeout = '1ms'`)
  assert.deepEqual((await checkStore(server.url().replace('postgres@', 'reader@'))).faults, [])
})

test('check fails, and reports no damage, if it may not read a table', async () => {
  await using server = await PostgresServer.start()
  await publishRecords(server.url(), plans)
  const [schema] = await readSnapshotSchemas(server.url())
  await runStatement(
    server.url(),
    `CREATE ROLE reader LOGIN;
     GRANT USAGE ON SCHEMA registry, ${schema} TO reader;
     GRANT SELECT ON ALL TABLES IN SCHEMA registry, ${schema} TO reader;
     REVOKE SELECT ON ${schema}.term_entry FROM reader`,
  )
  await assert.rejects(checkStore(server.url().replace('postgres@', 'reader@')), (error: unknown) => {
    assert.ok(error instanceof StoreFault)
    assert.match(error.message, /^Cannot check .*: permission denied for table term_entry/)
    return true
  })
})

test('check reads the newest snapshot, although the first host does not have it yet', async () => {
  await using behind = await PostgresServer.start()
  await using ahead = await PostgresServer.start()
  await publishRecords(behind.url(), plans)
  // A second publication makes the snapshot of this host the newest.
  for (const records of [plans, plans.slice(1)]) await publishRecords(ahead.url(), records)
  const url = `postgres://postgres@127.0.0.1:${behind.port},127.0.0.1:${ahead.port}/postgres`
  const { metadata, faults } = await checkStore(url)
  assert.deepEqual(faults, [])
  assert.equal(metadata?.records, plans.length - 1)
})

const damages = {
  'a row of the change log with a wrong checksum': (schema: string) =>
    `UPDATE ${schema}.change SET checksum = checksum + 1`,
  'a missing table': (schema: string) => `DROP TABLE ${schema}.property`,
  'a missing schema': (schema: string) => `DROP SCHEMA ${schema} CASCADE`,
}

for (const [damage, toStatement] of Object.entries(damages)) {
  test(`an import replaces a damaged registry: ${damage}`, async () => {
    await using database = await createDatabase()
    const { url } = database
    await publishRecords(url, plans.slice(1))
    // A-1 is new, so the change log has a row.
    await publishRecords(url, plans)
    const schema = (await readSnapshotSchemas(url)).at(-1) ?? ''
    await runStatement(url, toStatement(schema))
    await publishRecords(url, [{ code: 'A-3' }])
    const store = await openStore(url)
    assert.deepEqual(await readCodes(store.current(), {}), ['A-3'])
    // The change log begins again.
    assert.equal(store.current().changes.facts.last, 0)
    await store.close()
    assert.deepEqual((await checkStore(url)).faults, [])
  })
}

test('check reports a damaged database page, and the next import replaces the damaged registry', async () => {
  await using server = await PostgresServer.start()
  const url = server.url()
  await publishRecords(url, plans)
  await damageRecordPage(server)
  const { faults } = await checkStore(url)
  assert.match(faults.join('; '), /invalid page/)
  const writer = await createSnapshot(url)
  await writer.add(toStoredRecord(toRecord({ code: 'A-3' })), toRecordContent(''))
  // `accepts` decides by the difference from the registry in service. That one is damaged, so there is no difference,
  // and `accepts` is not called.
  const { isPublished, difference } = await writer.publish({ fictional: false, dryRun: false, accepts: () => false })
  assert.deepEqual([isPublished, difference], [true, null])
  assert.deepEqual((await checkStore(url)).faults, [])
})

test('of two snapshots with the same number, as after a failover, the later one is served', async () => {
  await using first = await PostgresServer.start()
  await using second = await PostgresServer.start()
  await publishRecords(first.url(), plans)
  await publishRecords(second.url(), plans.slice(1))
  // Both snapshots have the number 1. The one of `second` was published later, and it has one record less.
  const firstHost = `127.0.0.1:${first.port}`
  const secondHost = `127.0.0.1:${second.port}`
  for (const hosts of [`${firstHost},${secondHost}`, `${secondHost},${firstHost}`]) {
    const store = await openStore(`postgres://postgres@${hosts}/postgres`)
    assert.equal(store.current().metadata.records, plans.length - 1)
    await store.close()
  }
})

test('searches succeed although each evicts from the cache what another one needs', async () => {
  await using database = await createDatabase()
  const words = 'uno dos tres cuatro cinco seis siete ocho nueve diez once doce'.split(' ')
  await publishRecords(database.url, [{ code: 'A-1', title: words.join(' ') }])
  // Each phrase needs a position chunk of each of its two words. The cache counts more than 300 bytes for each value,
  // such as a chunk (src/snapshot/cache.ts), so each of the three caches below holds fewer values than `valuesMax`.
  const phrases = words.slice(1).map((word, index) => `"${words[index]} ${word}"`)
  for (const valuesMax of [6, 12, 24]) {
    const store = await openStore(database.url, { cacheBytes: valuesMax * 300 })
    try {
      // Eight clients search at the same time for all phrases, each in another order: client 3 begins with phrase 3.
      const searchAll = async (_: unknown, client: number): Promise<void> => {
        for (const phrase of [...phrases.slice(client), ...phrases.slice(0, client)]) {
          assert.deepEqual(await readCodes(store.current(), { term: analyseTerm(phrase) }), ['A-1'])
        }
      }
      await Promise.all(Array.from({ length: 8 }, searchAll))
    } finally {
      await store.close()
    }
  }
})

test('a snapshot that is being restored is served only when the restore is complete', async () => {
  await using database = await createDatabase()
  const { url } = database
  await publishRecords(url, plans)
  const refused = Promise.withResolvers<string>()
  const store = await openStore(url, { onRefused: ({ message }) => refused.resolve(message) })
  try {
    await publishRecords(url, plans.slice(1))
    await store.refresh()
    const newest = (await readSnapshotSchemas(url)).at(-1) ?? ''
    // pg_restore fills the list of snapshots first, and the tables of a snapshot in the order of their names. A row of
    // the list has number, name, id, format, records, fictional, published_at, and retired_at: null while in service.
    const restored = 'registry_3_restored'
    await runStatement(
      url,
      `${toCreateSnapshot(restored)}
       UPDATE registry.snapshot SET retired_at = now();
       INSERT INTO registry.snapshot
         SELECT 3, '${restored}', id, format, records, fictional, now() FROM registry.snapshot WHERE name = '${newest}'`,
    )
    assert.match(await refused.promise, /its tables do not match registry.snapshot/)
    // A process that starts now refuses the restored snapshot, too, and serves the previous one.
    const refusedAtStart = Promise.withResolvers<string>()
    const second = await openStore(url, { onRefused: ({ message }) => refusedAtStart.resolve(message) })
    assert.match(await refusedAtStart.promise, /Cannot read registry_3_restored/)
    assert.deepEqual(await readCodes(second.current(), {}), ['A-2'])
    await second.close()
    assert.match((await checkStore(url)).faults.join('; '), /its tables do not match registry.snapshot/)
    for (const name of [...tables, digestTable].map((table) => table.name).sort()) {
      assert.equal(store.current().metadata.records, 1)
      await assert.rejects(store.refresh(), StoreUnavailable)
      await runStatement(url, `INSERT INTO ${restored}.${name} SELECT * FROM ${newest}.${name}`)
    }
    await assert.rejects(store.refresh(), /indexes are missing; if it is being restored, wait/)
    await runStatement(url, toCreateIndexes(`${restored}.`))
    await store.refresh()
    // The restored snapshot has the same record as the previous one. Only the restored one is still in the list now, so
    // the store would refuse requests if it served the previous one.
    await runStatement(url, `DELETE FROM registry.snapshot WHERE name <> '${restored}'`)
    await store.refresh()
    assert.deepEqual(await readCodes(store.current(), {}), ['A-2'])
  } finally {
    await store.close()
  }
})

test('a snapshot that the service may not read is reported once, and served as soon as it may', async () => {
  await using server = await PostgresServer.start()
  const toGrant = (schema: string): string =>
    `GRANT USAGE ON SCHEMA registry, ${schema} TO reader;
     GRANT SELECT ON ALL TABLES IN SCHEMA registry, ${schema} TO reader`
  await publishRecords(server.url(), plans)
  const [first = ''] = await readSnapshotSchemas(server.url())
  await runStatement(server.url(), `CREATE ROLE reader LOGIN; ${toGrant(first)}`)
  const faults: StoreFault[] = []
  const refused = Promise.withResolvers<void>()
  const onRefused = (fault: StoreFault): void => {
    faults.push(fault)
    refused.resolve()
  }
  const reader = server.url().replace('postgres@', 'reader@')
  const store = await openStore(reader, { onRefused })
  try {
    await publishRecords(server.url(), plans.slice(1))
    await refused.promise
    await assert.rejects(store.refresh(), /permission denied/)
    assert.equal(faults.length, 1)
    assert.match(String(faults[0]?.message), /permission denied for schema registry_2_/)
    assert.equal(store.current().metadata.records, plans.length)
    await assert.rejects(checkStore(reader), /permission denied for schema registry_2_.*; see docs\/postgres\.md/)
    const second = (await readSnapshotSchemas(server.url())).at(-1) ?? ''
    await runStatement(server.url(), toGrant(second))
    await store.refresh()
    assert.equal(store.current().metadata.records, plans.length - 1)
  } finally {
    await store.close()
  }
})

test('the store fails instead of opening an older snapshot if the newest one is locked', async () => {
  // The newest snapshot may be readable a moment later. With `lock_timeout`, the server ends a statement that has
  // waited for a lock for 100 ms. The store would end it after ten seconds.
  await using database = await createDatabase()
  const { url } = database
  await publishRecords(url, plans)
  await publishRecords(url, plans.slice(1))
  const newest = (await readSnapshotSchemas(url)).at(-1) ?? ''
  const sql = postgres(url, { max: 1 })
  try {
    await sql.unsafe(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET lock_timeout = '100ms'`)
    await sql.begin(async (transaction) => {
      await transaction.unsafe(`LOCK TABLE ${newest}.year`)
      await assert.rejects(openStore(url), { name: 'StoreFault', message: /locked/ })
    })
  } finally {
    await sql.end()
  }
})

test('the server notices within a minute that the machine of an import is lost', async () => {
  await using database = await createDatabase()
  const address = parseAddress(database.url)
  const [host] = address.hosts
  assert.ok(host)
  const connection = new Connection(address, host, 'import')
  // After 30 idle seconds the server sends a probe every 10 seconds, and ends the session after 3 without an answer.
  const settings = ['idle', 'interval', 'count'].map((name) => `current_setting('tcp_keepalives_${name}')`)
  assert.deepEqual([...(await connection.query({ text: `SELECT ${settings}` }, 5000))], [['30', '10', '3']])
  await connection.close()
})

test('an import warns of an old snapshot that is being read, and drops the other old one', async () => {
  await using database = await createDatabase()
  const { url } = database
  for (let n = 1; n <= 3; n++) await publishRecords(url, [{ code: `A-${n}` }])
  // A snapshot is old if it was replaced more than an hour ago.
  await runStatement(url, `UPDATE registry.snapshot SET retired_at = retired_at - interval '61 minutes'`)
  const [first] = await readSnapshotSchemas(url)
  const sql = postgres(url, { max: 1 })
  try {
    const warnings: string[] = []
    // Like pg_dump, this transaction keeps its locks to its end.
    await sql.begin(async (transaction) => {
      await transaction.unsafe(`SELECT FROM ${first}.record`)
      const writer = await createSnapshot(url)
      await writer.add(toStoredRecord(toRecord({ code: 'A-4' })), toRecordContent(''))
      await writer.publish({ fictional: false, dryRun: false, onWarning: (warning) => warnings.push(warning) })
    })
    assert.deepEqual(warnings, [
      '1 replaced snapshot not dropped: in use by another session; the next import tries again',
    ])
    // The first snapshot is being read, the third was replaced just now, and the fourth is in service.
    const numbers = (await readSnapshotSchemas(url)).map((name) => name.split('_')[1])
    assert.deepEqual(numbers, ['1', '3', '4'])
  } finally {
    await sql.end()
  }
})

test('an import drops snapshots that were replaced more than an hour ago', async () => {
  await using database = await createDatabase()
  const { url } = database
  await publishRecords(url, plans)
  await publishRecords(url, plans.slice(1))
  assert.equal((await readSnapshotSchemas(url)).length, 2)
  await runStatement(url, `UPDATE registry.snapshot SET retired_at = retired_at - interval '61 minutes'`)
  await publishRecords(url, plans)
  // Only the first snapshot is gone, because the second was replaced just now. The name of a schema has the number of
  // its snapshot: `registry_1_…`.
  const left = await readSnapshotSchemas(url)
  assert.equal(left.length, 2)
  assert.ok(left.every((name) => !name.startsWith('registry_1_')))
})

test('a snapshot of another format is ignored if there is one of this format, and refused otherwise', async () => {
  await using database = await createDatabase()
  const { url } = database
  await publishRecords(url, plans)
  await publishRecords(url, plans.slice(1))
  // The second snapshot, which has not been replaced.
  await runStatement(url, 'UPDATE registry.snapshot SET format = 99 WHERE retired_at IS NULL')
  const store = await openStore(url)
  assert.equal(store.current().metadata.records, plans.length, 'the first snapshot')
  await store.close()
  await runStatement(url, 'UPDATE registry.snapshot SET format = 99')
  await assert.rejects(openStore(url), /format 99/)
})

test('the roles of docs/postgres.md have the privileges they need, and the reader cannot write', async () => {
  await using server = await PostgresServer.start()
  const guide = await readFile(new URL('../../docs/postgres.md', import.meta.url), 'utf8')
  // The block of SQL in the guide: statements for the server, then, after \connect, those for the database.
  const [, roles = ''] = /```sql\n(-- As a superuser[^`]*)```/.exec(guide) ?? []
  const [onServer = '', inDatabase = ''] = roles.split('\\connect registry')
  for (const statement of onServer.split(';')) await runStatement(server.url(), statement)
  await runStatement(server.url('registry'), inDatabase)
  const urlAs = (role: string): string => server.url('registry').replace('postgres@', `${role}@`)
  await publishRecords(urlAs('registry_import'), plans)
  await publishRecords(urlAs('registry_import'), plans.slice(1))
  const store = await openStore(urlAs('registry_read'))
  assert.deepEqual(await readCodes(store.current(), { term: analyseTerm('parcial') }), ['A-2'])
  await store.close()
  const [snapshot] = await readSnapshotSchemas(server.url('registry'))
  const forbidden = ['CREATE SCHEMA x', 'DELETE FROM registry.snapshot', `UPDATE ${snapshot}.record SET wire = ''`]
  for (const statement of forbidden) {
    // Transactions of the role are read-only by default and would refuse any write. In this one only privileges do.
    await assert.rejects(runStatement(urlAs('registry_read'), `BEGIN READ WRITE; ${statement}`), /permission/)
  }
  const useRole = /use the role for imports, registry_import in docs\/postgres\.md$/
  await assert.rejects(publishRecords(urlAs('registry_read'), plans), {
    name: 'StoreFault',
    message: new RegExp(`^Cannot write to .*: this role may only read; ${useRole.source}`),
  })
  // A role without a setting for its transactions.
  await runStatement(server.url(), 'CREATE ROLE other LOGIN')
  await assert.rejects(publishRecords(urlAs('other'), plans), {
    name: 'StoreFault',
    message: new RegExp(`^Cannot import into .*: permission denied .*; ${useRole.source}`),
  })
})

test('an import without a primary names each host with its port, and says what to do', async () => {
  await using cluster = await PostgresCluster.start(1)
  const [standby] = cluster.standbys
  assert.ok(standby)
  const toFault = (reasons: string) => ({ name: 'StoreFault', message: `Cannot write to ${cluster.url}: ${reasons}` })
  const [primaryName, standbyName] = cluster.servers.map(({ port }) => `127.0.0.1:${port}`)
  await cluster.primary.stop()
  await assert.rejects(
    createSnapshot(cluster.url),
    toFault(
      `${primaryName}: connection refused; ${standbyName}: it is a standby; start the database on ${primaryName} or correct --database`,
    ),
  )
  await assert.rejects(createSnapshot(standby.url()), {
    message: `Cannot write to ${standby.url()}: ${standbyName}: it is a standby; add the primary to the address`,
  })
})

/** Calls `use` with the only host of the address, which is closed afterwards. */
async function withHost(url: string, use: (host: Host) => Promise<void>): Promise<void> {
  const address = parseAddress(url)
  const [hostAddress] = address.hosts
  assert.ok(hostAddress)
  const host = new Host(address, hostAddress, () => undefined)
  try {
    await use(host)
  } finally {
    await host.close()
  }
}

/** Overwrites the start of the first database page of the table `record` of the only snapshot. Restarts the server. */
async function damageRecordPage(server: PostgresServer): Promise<void> {
  const [schema] = await readSnapshotSchemas(server.url())
  const [row] = await runStatement(server.url(), `SELECT pg_relation_filepath('${schema}.record') AS path`)
  await server.stop()
  const file = await openFile(join(server.folder, String(row?.path)), 'r+')
  await file.write(Buffer.alloc(100, 0xff), 0, 100, 0)
  await file.close()
  await server.start()
}

/** A handler of progress that fails when the import has begun to load its tables. */
function failWhileLoading(stage: string): void {
  if (stage === 'load') throw new Error('the import failed')
}

/** Whether the store refuses to give its current snapshot. */
function isUnavailable(store: RegistryStore): boolean {
  try {
    store.current()
    return false
  } catch (error) {
    assert.ok(error instanceof StoreUnavailable)
    return true
  }
}

/** Waits until the condition is met. Fails if it is not met in time. */
async function waitUntil(condition: () => boolean, timeoutMs: number): Promise<void> {
  const startedAt = performance.now()
  while (!condition()) {
    assert.ok(performance.now() - startedAt < timeoutMs, `not within ${timeoutMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Runs SQL on a connection of its own and returns the rows. */
async function runStatement(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    return await sql.unsafe(statement)
  } finally {
    await sql.end()
  }
}

/** The names of the schemas of all snapshots in the database, such as `registry_1_…`, in order. */
async function readSnapshotSchemas(url: string): Promise<string[]> {
  const rows = await runStatement(url, `SELECT nspname FROM pg_namespace WHERE nspname ~ '^registry_' ORDER BY nspname`)
  return rows.map(({ nspname }) => String(nspname))
}
