// The admin port and the log of a running service. The service reads one snapshot at a time, a complete copy of the
// registry with its index: the snapshot in service.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { connect } from 'node:net'
import { test } from 'node:test'
import { pino } from 'pino'
import { UsageFault } from '../../src/cli/config.ts'
import { explainListenError } from '../../src/http/bind.ts'
import { throttleWarnings, toPlainLine, toShortError } from '../../src/http/log.ts'
import { logTextCharactersMax } from '../../src/limits.ts'
import { writeLastImport } from '../../src/registry/stores/last-import.ts'
import { openAdminIfConfigured } from '../../src/server/admin.ts'
import { entry, runCommand } from '../command.ts'
import { publishRecords, startService } from '../service.ts'
import { readMetric, type ServeProcess, startServe, until } from './serve.ts'

/** The log entries with the message `snapshot in service` or `older snapshot in service`. */
function findSnapshotEntries(serve: ServeProcess): Record<string, unknown>[] {
  return serve.log().filter(({ msg }) => String(msg).includes('snapshot in service'))
}

test('the admin port reports liveness, readiness and metrics', async () => {
  await using serve = await startServe([{ code: 'A-1' }])
  assert.equal((await fetch(`${serve.admin}/live`)).status, 200)
  assert.equal((await fetch(`${serve.admin}/ready`)).status, 200)
  assert.equal((await fetch(`${serve.admin}/other`)).status, 404)
  assert.equal((await fetch(`${serve.admin}/live`, { method: 'POST' })).status, 405)
  // There is no record A-9, and nothing at the address `nothing`.
  const apiPaths = ['record', 'record', 'record/A-1', 'record/A-9', 'nothing']
  // 05019 is the INE code of Ávila, where records of the tests are by default.
  const pages = ['', 'expediente/A-1', 'municipio/05019']
  const catalogues = ['catalog', 'catalog.ttl']
  for (const path of [...apiPaths, ...pages, ...catalogues]) await (await fetch(`${serve.base}/${path}`)).text()
  const response = await fetch(`${serve.admin}/metrics`)
  assert.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  const metrics = await response.text()
  assert.match(metrics, /^planning_registry_requests_total\{route="record",status="200"\} 2$/m)
  assert.match(metrics, /^planning_registry_requests_total\{route="record\/\{cod_archivo\}",status="200"\} 1$/m)
  assert.match(metrics, /^planning_registry_requests_total\{route="record\/\{cod_archivo\}",status="404"\} 1$/m)
  assert.match(metrics, /^planning_registry_requests_total\{route="other",status="404"\} 1$/m)
  assert.match(metrics, /^planning_registry_requests_total\{route="page",status="200"\} 3$/m)
  assert.match(metrics, /^planning_registry_requests_total\{route="catalog",status="200"\} 2$/m)
  assert.match(metrics, /^planning_registry_request_duration_seconds_bucket\{le="\+Inf",route="record"\} 2$/m)
  assert.match(metrics, /^planning_registry_request_duration_seconds_count\{route="record"\} 2$/m)
  // The second response to `record`.
  assert.match(metrics, /^planning_registry_response_cache_hits_total 1$/m)
  assert.match(metrics, /^planning_registry_snapshot_records 1$/m)
  assert.match(metrics, /^planning_registry_snapshot_info\{id="[0-9a-f]+"\} 1$/m)
  assert.match(metrics, /^planning_registry_store_up 1$/m)
  assert.match(metrics, /^nodejs_eventloop_lag_p99_seconds \d/m)
})

test('/ready and the metrics have the outcome of the last import', async () => {
  await using serve = await startServe([{ code: 'A-1' }])
  const readReady = async (): Promise<string> => (await fetch(`${serve.admin}/ready`)).text()
  assert.equal(await readReady(), 'ready\n')
  const at = '2026-01-02T03:04:05.000Z'
  await writeLastImport(serve.file, { at, outcome: 'published', records: 3, rejected: 2, kept: 1 })
  assert.equal(
    await readReady(),
    `ready\nlast import: published at ${at}: 3 records, 2 rows rejected, 1 records kept\n`,
  )
  await writeLastImport(serve.file, { at, outcome: 'refused', records: 0, rejected: 2, fault: '2 rows rejected' })
  assert.equal(await readReady(), `ready\nlast import: refused at ${at}: 2 rows rejected\n`)
  const metric = (name: string) => readMetric(serve, `planning_registry_last_import_${name}`)
  assert.equal(await metric('timestamp_seconds'), Date.parse(at) / 1000)
  assert.equal(await metric('refused'), 1)
  assert.equal(await metric('rejected_rows'), 2)
})

test('the admin port listens only on the address of --admin-host', async () => {
  await using serve = await startServe([{ code: 'A-1' }], { flags: ['--admin-host', '127.0.0.2'] })
  const { port } = new URL(serve.admin)
  assert.equal((await fetch(`http://127.0.0.2:${port}/ready`)).status, 200)
  await assert.rejects(fetch(`http://127.0.0.1:${port}/ready`))
})

test('serve ends with status 2 if --admin-host is not an address of the machine', async () => {
  await using registry = await startService([{ code: 'A-1' }])
  // An address for documentation (RFC 5737), which no machine has.
  const adminFlags = ['--admin-host', '192.0.2.1', '--admin-port', '0']
  const args = ['serve', '--database', registry.database, '--port', '0', ...adminFlags]
  const { status, stderr } = await runCommand(args)
  assert.equal(status, 2)
  assert.match(stderr, /this machine has no such address; choose another with --admin-host/)
})

test('an error behind /metrics is a 500, and its reason is logged', async () => {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'error' }, { write: (line) => lines.push(JSON.parse(line)) })
  const readMetrics = (): Promise<string> => Promise.reject(new Error('two metrics of one name'))
  const settings = { adminHost: '127.0.0.1', adminPort: 0 }
  const admin = await openAdminIfConfigured(settings, log)
  admin?.setHandlers({ isReady: () => true, readLastImport: async () => null, readMetrics })
  const response = await fetch(`http://127.0.0.1:${admin?.port}/metrics`)
  admin?.close()
  assert.equal(response.status, 500)
  assert.match(JSON.stringify(lines), /two metrics of one name/)
})

test('the log does not warn of a newer snapshot that a machine with a slow clock has published', async (t) => {
  // The first snapshot gets a later time than the second, as if the second import ran on a machine whose clock is slow.
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_600_000 })
  await using serve = await startServe([{ code: 'A-1' }])
  t.mock.timers.reset()
  await publishRecords(`sqlite:${serve.file}`, [{ code: 'A-1' }, { code: 'A-2' }])
  await until(async () => findSnapshotEntries(serve).length === 2)
  assert.deepEqual(
    findSnapshotEntries(serve).map(({ level, msg, records, new: added }) => [level, msg, records, added]),
    [
      // Level 30 is `info` of pino. The last value is the number of new records, which the first snapshot lacks.
      [30, 'snapshot in service', 1, undefined],
      [30, 'snapshot in service', 2, 1],
    ],
  )
})

test('the log warns of an older snapshot with another change log, such as a restored backup', async () => {
  // `other` is published first, so it is the older one. The two have different change logs (the lists of new, changed
  // and removed records), so the log entry has no number of new records.
  await using other = await startServe([{ code: 'B-1' }])
  await using serve = await startServe([{ code: 'A-1' }])
  await rename(other.file, serve.file)
  await until(async () => findSnapshotEntries(serve).length === 2)
  const last = findSnapshotEntries(serve).at(-1)
  // Level 40 is `warn` of pino.
  assert.deepEqual([last?.level, last?.msg, last?.new], [40, 'older snapshot in service', undefined])
})

for (const workers of ['1', '2']) {
  test(`a host on which the machine cannot listen is a usage error, --workers ${workers}`, async () => {
    await using registry = await startService([{ code: 'A-1' }])
    // A link-local address needs a zone, as in `fe80::1%eth0`.
    const args = ['serve', '--database', registry.database, '--host', 'fe80::1', '--port', '0', '--workers', workers]
    const { status, stderr } = await runCommand(args)
    assert.equal(status, 2)
    assert.match(stderr, /^planning-registry: Cannot listen on .*; choose another with --host\n$/)
  })
}

test('a machine without IPv6 cannot listen on an IPv6 address: a usage error', () => {
  const noIpv6 = Object.assign(new Error('listen EAFNOSUPPORT'), { code: 'EAFNOSUPPORT' })
  assert.ok(explainListenError(noIpv6, '::1', 8080) instanceof UsageFault)
})

for (const workers of [1, 2]) {
  test(`the log has a line for each snapshot, reload and shutdown, --workers ${workers}`, async () => {
    await using serve = await startServe([{ code: 'A-1' }], { flags: ['--workers', String(workers)] })
    /** The entries with this message; every worker writes its own. */
    const findEntries = (message: string) => serve.log().filter(({ msg }) => msg === message)
    assert.deepEqual(
      findEntries('snapshot in service').map(({ records }) => records),
      Array(workers).fill(1),
    )
    await publishRecords(`sqlite:${serve.file}`, [{ code: 'A-1' }, { code: 'A-2' }])
    serve.child.kill('SIGHUP')
    await until(async () => findEntries('snapshot in service').length === 2 * workers)
    assert.equal(findEntries('reloading certificate and registry').length, workers)
    const last = findEntries('snapshot in service').at(-1)
    assert.equal(last?.records, 2)
    assert.match(String(last?.snapshot), /^[0-9a-f]+$/)
    assert.deepEqual([last?.new, last?.changed, last?.gone], [1, 0, 0])
    assert.equal(typeof last?.tookMs, 'number')
    serve.child.kill('SIGTERM')
    await serve.ended
    assert.deepEqual(
      serve
        .log()
        .map(({ msg }) => msg)
        .slice(-2),
      ['shutting down, requests in progress finish', 'ended'],
    )
  })
}

test('the public port does not serve the paths of the admin port', async () => {
  await using serve = await startServe([{ code: 'A-1' }])
  for (const path of ['metrics', 'live', 'ready']) {
    assert.equal((await fetch(`${serve.base}/${path}`)).status, 404)
    assert.equal((await fetch(`http://127.0.0.1:${serve.port}/${path}`)).status, 404)
  }
})

test('a draining service is live and not ready', async () => {
  await using serve = await startServe([{ code: 'A-1' }])
  // A request whose headers never end keeps the process draining for a while.
  const slow = connect(serve.port, '127.0.0.1')
  slow.on('error', () => {})
  slow.write('GET /registry/record HTTP/1.1\r\nHost: a\r\n')
  await until(async () => ((await readMetric(serve, 'planning_registry_connections_open')) ?? 0) > 0)
  serve.child.kill('SIGTERM')
  await until(async () => (await fetch(`${serve.admin}/ready`)).status === 503)
  assert.equal((await fetch(`${serve.admin}/live`)).status, 200)
  slow.destroy()
  assert.equal(await serve.ended, 0)
})

test('at the level debug the log has the id and the URL of each request, and no client address', async () => {
  await using serve = await startServe([{ code: 'A-1' }], { flags: ['--log-level', 'debug'] })
  // The line break in the address stays percent-encoded in the log.
  const response = await fetch(`${serve.base}/record?search=calle%0Amayor`, {
    headers: { 'X-Forwarded-For': '198.51.100.77', 'X-Request-Id': 'forged' },
  })
  await response.text()
  const line = await until(async () => serve.log().find((entry) => entry.msg === 'response'))
  assert.equal(line.requestId, response.headers.get('x-request-id'))
  // 404 is the status of a search that finds nothing.
  assert.equal(line.status, 404)
  assert.equal(line.url, '/registry/record?search=calle%0Amayor')
  assert.doesNotMatch(JSON.stringify(serve.log()), /198\.51\.100\.77|127\.0\.0\.1|forged/)
})

test('by default the log contains no URLs', async () => {
  await using serve = await startServe([{ code: 'A-1' }])
  await (await fetch(`${serve.base}/record?search=personal`)).text()
  // The byte FF is not valid UTF-8, so the response is an error.
  await (await fetch(`${serve.base}/record?search=%FF`)).text()
  serve.child.kill('SIGTERM')
  await serve.ended
  assert.doesNotMatch(JSON.stringify(serve.log()), /personal|%FF/)
})

test('a repeated warning is logged once within its interval', () => {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'warn' }, { write: (line) => lines.push(JSON.parse(line)) })
  const warn = throttleWarnings(log)
  for (let n = 0; n < 1_000; n++) warn({ requestId: String(n) }, 'registry unavailable')
  // `suppressed` is the number of warnings that were left out before this one.
  assert.deepEqual(
    lines.map(({ requestId, suppressed }) => [requestId, suppressed]),
    [['0', 0]],
  )
})

test('an error in the log is truncated, and on a terminal it is one line without control characters', () => {
  const error = new Error(`the term ${'x'.repeat(100_000)}`)
  // Message and stack are truncated to the limit each; the rest allows for names and escapes of the JSON.
  assert.ok(JSON.stringify(toShortError(error)).length < 4 * logTextCharactersMax)
  const line = toPlainLine({
    // The level `error` of pino.
    level: 50,
    time: '2026-01-01T10:00:00.000Z',
    msg: 'broken',
    // `ESC [2J` clears a terminal.
    err: { message: 'a\n\u001b[2Jb' },
  })
  assert.equal(line, '10:00:00 error broken: a\u{FFFD}\u{FFFD}[2Jb\n')
})

test('a log that cannot be written, to a full disk for example, does not end the service', async () => {
  await using registry = await startService([{ code: 'A-1' }])
  // Writing to this device of Linux always fails with ENOSPC.
  const fullDisk = openSync('/dev/full', 'w')
  const args = ['serve', '--database', registry.database, '--port', '0']
  const child = spawn(process.execPath, [entry, ...args], { stdio: ['ignore', 'pipe', fullDisk] })
  closeSync(fullDisk)
  try {
    assert.ok(child.stdout)
    const firstOutput = once(child.stdout, 'data')
    // If the service ends instead, this is its exit status.
    const [output] = await Promise.race([firstOutput, once(child, 'exit')])
    const address = /http:\S+/.exec(String(output))?.[0]
    assert.ok(address, String(output))
    // A service of one process answers SIGUSR2, the signal for a rolling restart, with a warning in the log.
    for (let n = 0; n < 3; n++) {
      child.kill('SIGUSR2')
      assert.equal((await fetch(`${address}/record/A-1`)).status, 200)
    }
    assert.equal(child.exitCode, null)
  } finally {
    child.kill('SIGKILL')
  }
})
