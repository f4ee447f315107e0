// Tests of registries on PostgreSQL: what an import leaves in the database, and services that follow it with a local
// copy. Each test has a database of its own on a real server.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import type { RegistryStore, StoreFault } from '../../../src/registry/contract.ts'
import { checkStore, copyToPostgres, openStore, openTarget, saveLinkCheck } from '../../../src/registry/open.ts'
import { createRegistry } from '../../create-registry.ts'
import { findFreePort } from '../../free-port.ts'
import { copyDataFolder, PostgresServer } from '../../postgres-server.ts'
import { readMetric, startServe, until } from '../../server/serve.ts'
import type { TestRecord } from '../../service.ts'
import { damagePages } from '../damage.ts'
import { createStoredRegistry, longRecords, makeDataDir, type StoredRegistry } from './fixture.ts'

const one: readonly TestRecord[] = [{ code: 'A-1' }]
const two: readonly TestRecord[] = [{ code: 'A-1' }, { code: 'A-2' }]
const three: readonly TestRecord[] = [{ code: 'A-1' }, { code: 'A-2' }, { code: 'A-3' }]

/** Opens the registry, and collects what the store reports. */
async function follow(
  url: string,
  dataDir: string,
): Promise<AsyncDisposable & { readonly store: RegistryStore; readonly reports: string[] }> {
  const reports: string[] = []
  const report = (kind: string) => (fault: StoreFault) => void reports.push(`${kind}: ${fault.message}`)
  const store = await openStore(url, {
    dataDir,
    onRefused: report('refused'),
    onStoreLost: report('lost'),
    onDamage: report('damaged'),
    onRecovered: () => void reports.push('recovered'),
  })
  return { store, reports, [Symbol.asyncDispose]: () => store.close() }
}

/** Whether the registry is available with so many records. */
function isServed(store: RegistryStore, records: number): boolean {
  try {
    return recordsOf(store) === records
  } catch {
    return false
  }
}

const recordsOf = (store: RegistryStore): number => store.current().metadata.records

/** The files of all local copies in a `--data-dir`. */
function listFiles(dataDir: string): string[] {
  return readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
}

function findCopy(dataDir: string): string {
  const path = listFiles(dataDir).find((name) => name.endsWith('registry.db'))
  return join(dataDir, path ?? assert.fail('there is no copy'))
}

test('a service on another machine serves what an import publishes within a second, and one worker fetches it', async (t) => {
  await using registry = await createStoredRegistry()
  await registry.publish(one)
  await using serve = await startServe([], { database: registry.url, flags: ['--workers', '2'] })
  const readSnapshots = async (): Promise<number> => (await fetch(`${serve.base}/record/A-2`)).status
  assert.equal(await readSnapshots(), 404)
  await registry.publish(two)
  const publishedAt = performance.now()
  await until(async () => (await readSnapshots()) === 200)
  const tookMs = performance.now() - publishedAt
  t.diagnostic(`in service after ${Math.round(tookMs)} ms`)
  // Usually half a second; the machine of the tests may be busy.
  assert.ok(tookMs < 2000, `${tookMs} ms`)
  const followers = `SELECT count(*)::integer AS count FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'planning-registry follow'`
  assert.deepEqual(await registry.query(followers), [{ count: 1 }])
})

test('if the worker that follows is killed, another process takes over', async () => {
  await using registry = await createStoredRegistry()
  await registry.publish(one)
  await using dir = await makeDataDir()
  await using first = await startServe([], { database: registry.url, dataDir: dir.path })
  await using second = await startServe([], { database: registry.url, dataDir: dir.path })
  first.child.kill('SIGKILL')
  await first.ended
  await registry.publish(two)
  await until(async () => (await fetch(`${second.base}/record/A-2`)).status === 200)
})

test('requests go on while the database is away, and a service starts from its local copy', async () => {
  await using server = await PostgresServer.start()
  await using registry = await createStoredRegistry(server.url())
  await registry.publish(one)
  await using dir = await makeDataDir()
  await using serve = await startServe([], { database: registry.url, dataDir: dir.path })
  const isLogged = (message: string): boolean => serve.log().some(({ msg }) => msg === message)
  await server.stop()
  await until(async () => {
    assert.equal((await fetch(`${serve.base}/record/A-1`)).status, 200)
    return isLogged('store of the registry does not answer, the local copy stays in service')
  })
  assert.equal(await readMetric(serve, 'planning_registry_store_reachable'), 0)
  await using other = await startServe([], { database: registry.url, dataDir: dir.path })
  assert.equal((await fetch(`${other.base}/record/A-1`)).status, 200)
  await server.start()
  await until(async () => isLogged('store of the registry answers again'))
  await registry.publish(two)
  await until(async () => (await fetch(`${serve.base}/record/A-2`)).status === 200)
  await until(async () => (await fetch(`${other.base}/record/A-2`)).status === 200)
})

test('a database that hangs holds up neither requests nor the end of the service', async () => {
  await using server = await PostgresServer.start()
  await using registry = await createStoredRegistry(server.url())
  await registry.publish(one)
  await using serve = await startServe([], { database: registry.url })
  server.freeze()
  try {
    await until(async () => {
      assert.equal((await fetch(`${serve.base}/record/A-1`)).status, 200)
      return (await readMetric(serve, 'planning_registry_store_reachable')) === 0
    })
    const endedAt = performance.now()
    serve.child.kill('SIGTERM')
    assert.equal(await serve.ended, 0)
    assert.ok(performance.now() - endedAt < 5000)
  } finally {
    server.thaw()
  }
})

test('an import writes only the rows of records that have changed, and keeps two versions of the file', async () => {
  await using registry = await createStoredRegistry()
  const readRows = () =>
    registry.query('SELECT cod_archivo, title, xmin::text FROM registry.record ORDER BY cod_archivo')
  await registry.publish(three)
  const before = await readRows()
  await registry.publish([{ code: 'A-1' }, { code: 'A-2', title: 'Otro' }, { code: 'A-4' }])
  const after = await readRows()
  assert.deepEqual(after[0], before[0])
  assert.deepEqual([after[1]?.title, after[1]?.xmin !== before[1]?.xmin], ['Otro', true])
  assert.deepEqual(
    after.map((row) => row.cod_archivo),
    ['A-1', 'A-2', 'A-4'],
  )
  await registry.publish(one)
  const versions = await registry.query(`
    SELECT manifest.number, manifest.bytes::integer, (SELECT sum(octet_length(piece.bytes)) FROM registry.piece
      WHERE piece.sha256 = manifest.sha256)::integer AS stored FROM registry.manifest ORDER BY number`)
  assert.deepEqual(
    versions.map(({ number, bytes, stored }) => [number, stored === bytes]),
    [
      [2, true],
      [3, true],
    ],
  )
  assert.deepEqual(
    await registry.query('SELECT DISTINCT sha256 FROM registry.piece EXCEPT SELECT sha256 FROM registry.manifest'),
    [],
  )
})

test('the view shows the fields of the records, and views and privileges of others survive a publication', async () => {
  await using registry = await createStoredRegistry()
  await registry.publish([{ code: 'A-1', title: 'Plan "A"', municipality: 'Ávila', links: '', agreementLink: null }])
  await registry.query(`
    CREATE VIEW titles AS SELECT cod_archivo, title FROM registry.expediente;
    GRANT SELECT ON registry.expediente TO pg_monitor`)
  await registry.publish([{ code: 'A-1', title: 'Plan "B"' }, { code: 'A-2' }])
  assert.deepEqual(await registry.query('SELECT title FROM titles ORDER BY 1'), [
    { title: 'Plan "B"' },
    { title: 'Plan General' },
  ])
  const granted = `SELECT has_table_privilege('pg_monitor', 'registry.expediente', 'SELECT') AS granted`
  assert.deepEqual(await registry.query(granted), [{ granted: true }])
  const [row = {}] = await registry.query(`SELECT * FROM registry.expediente WHERE cod_archivo = 'A-1'`)
  assert.deepEqual(
    [row.checkin_date, row.ine_code, row.municipality, row.registration_number, row.agreement_link],
    ['2004-05-17', '05019', 'Ávila', '1', null],
  )
})

test('the first import replaces a registry of an older version, whose view and views on it survive', async () => {
  await using registry = await createStoredRegistry()
  // What f7a1196 left in a database, reduced to what matters here.
  await registry.query(`
    CREATE SCHEMA registry;
    CREATE TABLE registry.snapshot (
      number integer PRIMARY KEY, name text NOT NULL, id text NOT NULL, format integer NOT NULL, records integer NOT NULL,
      fictional boolean NOT NULL, published_at timestamptz NOT NULL, retired_at timestamptz);
    CREATE SCHEMA registry_1_0a1b2c3d;
    CREATE TABLE registry_1_0a1b2c3d.record (position integer PRIMARY KEY, code text COLLATE "C" NOT NULL,
      checkin_date text COLLATE "C" NOT NULL, ine_code text COLLATE "C", wire text COLLATE "C" NOT NULL);
    CREATE VIEW registry_1_0a1b2c3d.expediente AS SELECT position, code AS cod_archivo, checkin_date, ine_code,
      ${oldFields.map((name) => `(wire::json ->> '${name}') AS ${name}`).join(', ')} FROM registry_1_0a1b2c3d.record;
    CREATE VIEW registry.expediente AS SELECT * FROM registry_1_0a1b2c3d.expediente;
    INSERT INTO registry.snapshot VALUES (1, 'registry_1_0a1b2c3d', '0a1b2c3d', 18, 0, false, now());
    CREATE VIEW public.by_position AS SELECT position, cod_archivo, title FROM registry.expediente`)
  await assert.rejects(
    checkStore(registry.url, { dataDir: registry.dataDir }),
    /an earlier version wrote it; import it again/,
  )
  await registry.publish(one)
  assert.deepEqual(await registry.query('SELECT * FROM public.by_position'), [
    { position: null, cod_archivo: 'A-1', title: 'Plan General' },
  ])
  const left = `SELECT nspname FROM pg_namespace WHERE nspname LIKE 'registry%' UNION SELECT to_regclass('registry.snapshot')::text`
  assert.deepEqual((await registry.query(left)).map(({ nspname }) => nspname).filter(Boolean), ['registry'])
  await registry.publish(two)
  assert.deepEqual(await registry.query('SELECT count(*)::integer AS count FROM public.by_position'), [{ count: 2 }])
})

const oldFields = [
  'id',
  'registration_number',
  'title',
  'area',
  'inscription_date',
  'municipality',
  'links',
  'agreement_link',
]

test('what an import compares with is the version in the database, also on a machine without a copy', async () => {
  await using registry = await createStoredRegistry()
  await registry.publish(three)
  await using dir = await makeDataDir()
  const { difference } = await registry.publish(two, { dataDir: dir.path })
  assert.deepEqual([difference?.added, difference?.changed, difference?.gone], [0, 0, 1])
  const refused = await registry.publish(one, { accepts: () => false })
  assert.deepEqual([refused.outcome, refused.difference?.gone], ['refused', 1])
  const same = await registry.publish(two)
  assert.equal(same.outcome, 'unchanged')
})

test('a second import at the same time is refused, from any machine', async () => {
  await using registry = await createStoredRegistry()
  await using dir = await makeDataDir()
  const target = await openTarget(registry.url, { dataDir: registry.dataDir })
  await assert.rejects(registry.publish(one), /another import is writing to it; wait until it has finished/)
  await assert.rejects(registry.publish(one, { dataDir: dir.path }), /another import is writing to it/)
  await target.release()
  await registry.publish(one)
})

test('a file that is not the one of the manifest is never put in service, and the next sound one is', async () => {
  await using registry = await createStoredRegistry()
  await registry.publish(one)
  await using dir = await makeDataDir()
  const inService = `WHERE sha256 = (SELECT sha256 FROM registry.manifest ORDER BY number DESC LIMIT 1)`
  const faults: readonly [statement: string, reason: RegExp][] = [
    // A byte is changed, a piece is truncated, a piece is missing, the manifest has another size or another format.
    [
      `UPDATE registry.piece SET bytes = set_byte(bytes, 5000, 255 - get_byte(bytes, 5000)) ${inService}`,
      /has the SHA-256/,
    ],
    [`UPDATE registry.piece SET bytes = substring(bytes FOR 5000) ${inService}`, /broke off after 5000 of/],
    [`DELETE FROM registry.piece ${inService}`, /piece 0 of the registry file is missing/],
    [`UPDATE registry.manifest SET bytes = 100 ${inService}`, /longer than 100 bytes/],
    [`UPDATE registry.manifest SET format = 1 ${inService}`, /another version \(format 1,/],
  ]
  await using serve = await startServe([], { database: registry.url, dataDir: dir.path })
  let records = 1
  for (const [statement, reason] of faults) {
    // The service must not see the version before it is damaged, so it is stopped meanwhile.
    serve.child.kill('SIGSTOP')
    records += 1
    await registry.publish(Array.from({ length: records }, (_, index) => ({ code: `A-${index + 1}` })))
    await registry.query(statement)
    serve.child.kill('SIGCONT')
    await until(async () => {
      assert.equal((await fetch(`${serve.base}/record/A-${records}`)).status, 404)
      return serve
        .log()
        .some(
          (line) =>
            line.msg === 'new registry rejected, the old one stays in service' && reason.test(JSON.stringify(line.err)),
        )
    })
    assert.ok(((await readMetric(serve, 'planning_registry_store_refused_total')) ?? 0) > 0)
    records += 1
    await registry.publish(Array.from({ length: records }, (_, index) => ({ code: `A-${index + 1}` })))
    await until(async () => (await fetch(`${serve.base}/record/A-${records}`)).status === 200)
  }
  assert.deepEqual(listFiles(dir.path).filter((name) => name.endsWith('.part')).length <= faults.length, true)
})

test('a restored, older version is followed like a newer one', async () => {
  await using registry = await createStoredRegistry()
  await registry.publish(one)
  await registry.publish(two)
  await using serve = await startServe([], { database: registry.url })
  assert.equal((await fetch(`${serve.base}/record/A-2`)).status, 200)
  await registry.query('DELETE FROM registry.manifest WHERE number = 2')
  await until(async () => (await fetch(`${serve.base}/record/A-2`)).status === 404)
  assert.ok(serve.log().some(({ msg }) => msg === 'older snapshot in service'))
})

test('a standby that lags does not take a service back to an older version; a promoted one does', async () => {
  await using ahead = await PostgresServer.start()
  await using registry = await createStoredRegistry(ahead.url())
  await registry.publish(one)
  await ahead.stop()
  // A copy of the first host before the second version, which it never gets.
  await using behind = new PostgresServer(await copyDataFolder(ahead.folder), await findFreePort())
  await writeFile(join(behind.folder, 'standby.signal'), '')
  await behind.start()
  await ahead.start()
  await registry.publish(two)
  await using serve = await startServe([], {
    database: `postgres://postgres@127.0.0.1:${behind.port},127.0.0.1:${ahead.port}/postgres`,
  })
  await ahead.stop()
  await using standby = await createStoredRegistry(behind.url())
  const follower = `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'planning-registry follow'`
  await until(async () => (await standby.query(follower))[0]?.count === '1')
  assert.equal((await fetch(`${serve.base}/record/A-2`)).status, 200)
  await standby.query('SELECT pg_promote()')
  await until(async () => (await fetch(`${serve.base}/record/A-2`)).status === 404)
  assert.ok(serve.log().some(({ msg }) => msg === 'older snapshot in service'))
})

test('a transfer that breaks off goes on where it stopped', async () => {
  await using registry = await createStoredRegistry()
  await registry.publish(longRecords)
  const [sizes] = await registry.query('SELECT bytes::integer FROM registry.manifest')
  const bytes = Number(sizes?.bytes)
  assert.ok(bytes > 4_000_000, `${bytes} bytes`)
  // Forwards connections; cuts the first one after a part of the file. Bytes are sent as hexadecimal text.
  let forwarded = 0
  let cutAfter = bytes
  const proxy = createServer((client) => {
    const server = connect(Number(new URL(registry.url).port), '127.0.0.1')
    client.on('error', () => {}).pipe(server.on('error', () => {}))
    server.on('data', (chunk) => {
      forwarded += chunk.length
      client.write(chunk)
      if (forwarded > cutAfter) client.destroy()
    })
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = new URL(registry.url)
  address.port = String((proxy.address() as AddressInfo).port)
  await using dir = await makeDataDir()
  await assert.rejects(openStore(address.href, { dataDir: dir.path }), { name: 'StoreFault' })
  assert.ok(listFiles(dir.path).some((name) => name.endsWith('.part')))
  cutAfter = Number.POSITIVE_INFINITY
  forwarded = 0
  await using followed = await follow(address.href, dir.path)
  assert.equal(recordsOf(followed.store), longRecords.length)
  // Less than the whole file: a piece that was cut is sent again.
  assert.ok(forwarded < 2 * bytes * 0.8, `${forwarded} of ${2 * bytes}`)
  assert.ok(listFiles(dir.path).every((name) => !name.endsWith('.part')))
  proxy.close()
})

test('a damaged local copy is fetched again, at the start and while it is in service', async () => {
  await using registry = await createStoredRegistry()
  await registry.publish(three)
  await using dir = await makeDataDir()
  {
    await using followed = await follow(registry.url, dir.path)
    assert.equal(recordsOf(followed.store), 3)
  }
  const damage = (): void => {
    const copy = findCopy(dir.path)
    const bytes = readFileSync(copy)
    writeFileSync(copy, bytes.fill(0, 4096))
  }
  damage()
  await using followed = await follow(registry.url, dir.path)
  assert.equal(recordsOf(followed.store), 3)
  assert.match(followed.reports.join(), /^refused: Cannot open /)
  const damaged = statSync(findCopy(dir.path)).ino
  damage()
  await until(async () => statSync(findCopy(dir.path)).ino !== damaged)
  await until(async () => isServed(followed.store, 3))
  assert.deepEqual((await checkStore(registry.url, { dataDir: dir.path })).faults, [])
})

test('a removed local copy is fetched again', async () => {
  await using registry = await createStoredRegistry()
  await registry.publish(one)
  await using dir = await makeDataDir()
  await using followed = await follow(registry.url, dir.path)
  const copy = findCopy(dir.path)
  unlinkSync(copy)
  await until(async () => existsSync(copy))
  assert.equal(recordsOf(followed.store), 1)
})

test('an address with several hosts works while some are down or hang', async () => {
  await using server = await PostgresServer.start()
  await using hanging = await PostgresServer.start()
  await using registry = await createStoredRegistry(server.url())
  hanging.freeze()
  try {
    const hosts = `127.0.0.1:${await findFreePort()},127.0.0.1:${hanging.port},127.0.0.1:${server.port}`
    const url = `postgres://postgres@${hosts}/postgres`
    await using dir = await makeDataDir()
    await registry.publish(one, { dataDir: dir.path })
    await using followed = await follow(url, dir.path)
    await using importing: StoredRegistry = await createStoredRegistry(url)
    await importing.publish(two)
    await until(async () => recordsOf(followed.store) === 2)
  } finally {
    hanging.thaw()
  }
})

test('a fault names every host with its reason, and whether waiting may help', async () => {
  await using server = await PostgresServer.start()
  await using dir = await makeDataDir()
  const port = await findFreePort()
  const open = (url: string) => openStore(url, { dataDir: dir.path })
  await assert.rejects(open(`postgres://postgres@127.0.0.1:${port}/postgres`), {
    message: new RegExp(`: 127.0.0.1:${port}: connection refused; start the database or correct --database$`),
  })
  await assert.rejects(open(`postgres://postgres@127.0.0.1:${port},127.0.0.1:${server.port}/missing`), {
    message: /connection refused; 127.0.0.1:\d+: database "missing" does not exist$/,
  })
  await assert.rejects(open(server.url()), /it has no registry yet; create it with planning-registry import/)
})

test('the outcome of check --links reaches services on other machines', async () => {
  await using registry = await createStoredRegistry()
  const dead = `https://example.org/${'x'.repeat(5000)}`
  await registry.publish(one)
  await using dir = await makeDataDir()
  await using followed = await follow(registry.url, dir.path)
  for (const second of [1, 2]) {
    const checkedAt = new Date(Date.UTC(2024, 0, 1, 0, 0, second))
    await saveLinkCheck(registry.url, { checkedAt, dead: [dead] }, { dataDir: registry.dataDir })
    const found = await until(async () => {
      const check = await followed.store.readLinkCheck([dead, 'https://example.org/alive'])
      return check?.checkedAt.getTime() === checkedAt.getTime() && check
    })
    assert.deepEqual(found.dead, [dead])
  }
})

test('old partial files are removed, and no password is in the name of the folder', async () => {
  await using registry = await createStoredRegistry()
  await registry.publish(one)
  await using dir = await makeDataDir()
  const url = registry.url.replace('postgres@', 'postgres:secret@')
  {
    await using followed = await follow(url, dir.path)
    assert.equal(recordsOf(followed.store), 1)
  }
  const [folder = ''] = readdirSync(dir.path)
  assert.match(folder, /^127\.0\.0\.1-\d+-test_\w+-[0-9a-f]{8}$/)
  const old = join(dir.path, folder, `${'0'.repeat(64)}.part`)
  await mkdir(join(dir.path, folder), { recursive: true })
  await writeFile(old, 'part')
  utimesSync(old, new Date(0), new Date(0))
  await using followed = await follow(url, dir.path)
  await registry.publish(two)
  await until(async () => recordsOf(followed.store) === 2)
  assert.ok(!existsSync(old))
})

test('a registry that is moved from a file keeps its id and its change log', async () => {
  await using source = await createRegistry()
  await source.publish(one)
  const { metadata } = await source.publish(two)
  await using target = await createStoredRegistry()
  const { dataDir } = target
  const moved = await copyToPostgres(source.database, target.url, { dataDir })
  assert.deepEqual([moved.outcome, moved.metadata.id], ['published', metadata.id])
  await using followed = await follow(target.url, dataDir)
  const { changes } = followed.store.current()
  assert.deepEqual(
    (await changes.readAfter(0, { filters: undefined, limit: 10 })).changes.map(({ kind, code }) => `${kind} ${code}`),
    ['new A-2'],
  )
  assert.deepEqual((await checkStore(target.url, { dataDir })).faults, [])
  assert.equal((await copyToPostgres(source.database, target.url, { dataDir })).outcome, 'unchanged')
  const refused = await source.publish(one)
  assert.equal(refused.outcome, 'published')
  const compared = await copyToPostgres(source.database, target.url, { dataDir, accepts: () => false })
  assert.deepEqual([compared.outcome, compared.difference?.gone], ['refused', 1])
})

test('a damaged registry is not moved', async () => {
  await using source = await createRegistry()
  await source.publish(three)
  damagePages(source.path)
  await using target = await createStoredRegistry()
  await assert.rejects(copyToPostgres(source.database, target.url, { dataDir: target.dataDir }))
})
