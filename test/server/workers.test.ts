// Several workers (processes that answer requests) behind one port: what clients notice when a worker dies, hangs, is
// replaced or ends. The primary is the process that starts, replaces and stops the workers.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { workerAnswerTimeoutMs } from '../../src/limits.ts'
import { makeTemporaryFolder } from '../cli/temporary-folder.ts'
import { runCommand } from '../command.ts'
import { publishRecords } from '../service.ts'
import { CheckedLoad, distinctRecords } from './checked-load.ts'
import { manyRecords } from './many-records.ts'
import { getResponse, getStatus, requestUntilStopped } from './requests.ts'
import { isAlive, killWorker, readMetric, readMetrics, startServe, until, untilReadyWorkers } from './serve.ts'

const twoWorkers = { flags: ['--workers', '2'] }

/** A temporary folder with a registry of `manyRecords`, which tests only read. */
let folder: string
let manyRecordsFile: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'planning-registry-workers-'))
  manyRecordsFile = join(folder, 'registry.db')
  await publishRecords(`sqlite:${manyRecordsFile}`, manyRecords)
})
after(() => rm(folder, { recursive: true }))

test('workers share the port, and the admin port has the metrics of each', async () => {
  await using serve = await startServe([{ code: 'A-1' }], twoWorkers)
  assert.equal((await serve.workers()).length, 2)
  for (let n = 0; n < 20; n++) assert.equal(await getStatus(serve), 200)
  assert.equal(await readMetric(serve, 'planning_registry_requests_total'), 20)
  const metrics = await readMetrics(serve)
  for (const worker of ['0', '1']) {
    assert.match(metrics, new RegExp(`^planning_registry_ready\\{worker="${worker}"\\} 1$`, 'm'))
    assert.match(metrics, new RegExp(`^planning_registry_snapshot_records\\{worker="${worker}"\\} 1$`, 'm'))
  }
  assert.match(metrics, /^planning_registry_workers 2$/m)
  assert.equal((await fetch(`${serve.admin}/ready`)).status, 200)
})

test('a killed worker is replaced without refused connections', async () => {
  await using serve = await startServe([{ code: 'A-1' }], twoWorkers)
  const [victim = 0, other] = await serve.workers()
  process.kill(victim, 'SIGKILL')
  // If the worker has accepted a connection before the signal ends it, this connection is reset.
  const statuses = await Promise.all(
    Array.from({ length: 20 }, () => getStatus(serve).catch((error: { code: string }) => error.code)),
  )
  assert.ok(statuses.filter((status) => status !== 200).length <= 1, `failed: ${statuses}`)
  assert.ok(!statuses.includes('ECONNREFUSED'))
  const workersAfter = await until(async () => {
    const workers = await serve.workers()
    return workers.length === 2 && !workers.includes(victim) && workers
  })
  assert.ok(workersAfter.includes(other ?? 0))
  await untilReadyWorkers(serve, 2)
  assert.equal(await readMetric(serve, 'planning_registry_worker_deaths_total'), 1)
})

test('a worker killed under load breaks only its own connections, and no response is wrong', async () => {
  const startedAt = performance.now()
  await using serve = await startServe(distinctRecords, twoWorkers)
  // The successor of the worker has a second, and the time that the start of the service took, because the machine may
  // be busy.
  const successorMsMax = 1_000 + performance.now() - startedAt
  const clients = 16
  const load = new CheckedLoad(serve.base, clients)
  // Until both workers have responded.
  await until(async () => load.answered > 500 && load.processes.size === 2)
  const workers = await serve.workers()
  const killedAt = performance.now()
  killWorker(workers[0])
  await until(async () => serve.log().some((entry) => entry.msg === 'worker died'))
  await untilReadyWorkers(serve, 2)
  const successorMs = performance.now() - killedAt
  const { answered } = load
  await until(async () => load.answered > answered + 500)
  await load.stop()
  assert.deepEqual(load.wrong, [])
  assert.ok(load.failures.length > 0, 'connections of the dead worker are closed')
  assert.equal(new Set(load.failures.map((failure) => failure.process)).size, 1, JSON.stringify(load.failures))
  assert.ok(load.failures.every(({ reason }) => reason === 'ECONNRESET'))
  assert.ok(successorMs < successorMsMax, `replaced after ${Math.ceil(successorMs)} ms`)
})

test('concurrent requests to the admin port do not wait for a timeout', async () => {
  await using serve = await startServe([{ code: 'A-1' }], twoWorkers)
  // The admin port asks each worker for its metrics, and waits no longer than `workerAnswerTimeoutMs`. An answer may be
  // late on a busy machine, so the test repeats the requests until they take less than this.
  await until(async () => {
    const startedAt = performance.now()
    const paths = ['metrics', 'ready', 'metrics', 'ready']
    const responses = await Promise.all(paths.map((path) => fetch(`${serve.admin}/${path}`)))
    for (const response of responses) assert.equal(response.status, 200)
    return performance.now() - startedAt < workerAnswerTimeoutMs
  })
})

test('SIGHUP reaches every worker', async () => {
  await using serve = await startServe([{ code: 'A-1' }], twoWorkers)
  await publishRecords(`sqlite:${serve.file}`, [{ code: 'A-1' }, { code: 'B-1' }])
  serve.child.kill('SIGHUP')
  // The sum of both workers, which have two records each.
  await until(async () => (await readMetric(serve, 'planning_registry_snapshot_records')) === 4)
  for (let n = 0; n < 10; n++) assert.equal(await getStatus(serve, 'record/B-1'), 200)
})

test('SIGTERM under load ends every worker without a reset', async () => {
  await using serve = await startServe([{ code: 'A-1' }], twoWorkers)
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  let isStopped = false
  const requesting = Promise.all(Array.from({ length: 8 }, () => requestUntilStopped(serve, () => isStopped, agent)))
  await until(async () => ((await readMetric(serve, 'planning_registry_requests_total')) ?? 0) > 200)
  serve.child.kill('SIGTERM')
  assert.equal(await serve.ended, 0)
  isStopped = true
  const failed = (await requesting).flatMap((client) => client.failed)
  // After the end of the service, new connections are refused.
  assert.deepEqual(
    failed.filter((code) => code !== 'ECONNREFUSED'),
    [],
  )
  agent.destroy()
})

test('if the primary is killed its workers end too, close the port and leave no files', async (t) => {
  const temporaryFolder = await makeTemporaryFolder(t)
  // `npm test` sets NODE_COMPILE_CACHE. It is emptied here, so that the workers have the compile cache that the command
  // chooses.
  const variables = { TMPDIR: temporaryFolder, NODE_COMPILE_CACHE: '' }
  await using serve = await startServe([{ code: 'A-1' }], { ...twoWorkers, variables })
  const workers = await serve.workers()
  const environment = (await readFile(`/proc/${workers[0]}/environ`, 'utf8')).split('\0')
  const compileCache = join(import.meta.dirname, '../../node_modules/.cache/planning-registry')
  assert.ok(environment.includes(`NODE_COMPILE_CACHE=${compileCache}`))
  // The service keeps no file in the temporary folder, which is cleaned now and then and to which every user can write.
  assert.deepEqual(await readdir(temporaryFolder), [])
  serve.child.kill('SIGKILL')
  await until(async () => workers.every((pid) => !isAlive(pid)))
  assert.deepEqual(await readdir(temporaryFolder), [])
  await assert.rejects(getStatus(serve))
})

test('if the primary is killed its workers end within two seconds, even with clients that do not read', async () => {
  const serve = await startServe([], { ...twoWorkers, file: manyRecordsFile })
  const workers = await serve.workers()
  const stalled = Array.from({ length: 8 }, () => {
    const socket = connect(serve.port, '127.0.0.1')
    socket.on('error', () => {}).pause()
    socket.write('GET /registry/record HTTP/1.1\r\nHost: a\r\n\r\n')
    return socket
  })
  await until(async () => (await readMetric(serve, 'planning_registry_exports_open')) === stalled.length)
  const killedAt = performance.now()
  serve.child.kill('SIGKILL')
  await until(async () => workers.every((pid) => !isAlive(pid)))
  const endedMs = performance.now() - killedAt
  assert.ok(endedMs < 2_000, `ended after ${Math.ceil(endedMs)} ms`)
  for (const socket of stalled) socket.destroy()
  await serve[Symbol.asyncDispose]()
})

for (const workers of [1, 2]) {
  const processCount = `${workers} ${workers === 1 ? 'process' : 'workers'}`
  test(`further SIGTERMs do not interrupt draining, ${processCount}`, async () => {
    await using serve = await startServe([], { flags: ['--workers', String(workers)], file: manyRecordsFile })
    const response = await fetch(`${serve.base}/record`)
    for (let n = 0; n < 3; n++) {
      serve.child.kill('SIGTERM')
      await until(async () => (await fetch(`${serve.admin}/ready`)).status === 503)
    }
    assert.equal(JSON.parse(await response.text()).resultadoBusqueda.length, manyRecords.length)
    assert.equal(await serve.ended, 0)
  })
}

test('a client has one quota for all workers', async () => {
  await using serve = await startServe([{ code: 'A-1' }], { flags: ['--workers', '2', '--rate-limit', '5'] })
  // Each request has its own connection, and the kernel distributes them.
  const responses = await Promise.all(Array.from({ length: 20 }, () => getResponse(serve)))
  // The part of a request id before its last hyphen identifies the process.
  const processes = new Set(responses.map(({ headers }) => String(headers['x-request-id']).replace(/-[^-]*$/, '')))
  const admitted = responses.filter(({ statusCode }) => statusCode === 200)
  // The header is such as `"client";r=4;t=60`.
  const remaining = admitted.map(({ headers }) => /;r=(\d+);/.exec(String(headers.ratelimit))?.[1])
  assert.deepEqual(remaining.sort(), ['0', '1', '2', '3', '4'])
  assert.equal(responses.filter(({ statusCode }) => statusCode === 429).length, 15)
  assert.ok(processes.size === 2, 'both workers have responded')
  assert.equal(await readMetric(serve, 'planning_registry_rate_limit_clients'), 1)
})

test('while the primary hangs, requests are answered, with a rate limit too', async () => {
  await using serve = await startServe([{ code: 'A-1' }], { flags: ['--workers', '2', '--rate-limit', '5'] })
  serve.child.kill('SIGSTOP')
  try {
    const statuses = await Promise.all(Array.from({ length: 20 }, () => getStatus(serve)))
    assert.deepEqual(new Set(statuses), new Set([200]))
  } finally {
    serve.child.kill('SIGCONT')
  }
})

test('a worker that hangs is replaced, and the requests that wait for it are answered', async () => {
  await using serve = await startServe([{ code: 'A-1' }], twoWorkers)
  const [victim = 0] = await serve.workers()
  process.kill(victim, 'SIGSTOP')
  const statuses = Array.from({ length: 20 }, () => getStatus(serve).catch((error: { code: string }) => error.code))
  await until(async () => (await fetch(`${serve.admin}/ready`)).status === 503)
  // The metrics of the worker that hangs are missing.
  assert.equal(await readMetric(serve, 'planning_registry_ready'), 1)
  await until(async () => (await fetch(`${serve.admin}/ready`)).status === 200)
  assert.ok(!(await serve.workers()).includes(victim))
  assert.ok(serve.log().some(({ msg }) => msg === 'worker hangs, it is killed'))
  // If the worker has accepted a connection before the signal stops it, this connection is reset. The other worker
  // accepts all others.
  const failed = (await Promise.all(statuses)).filter((status) => status !== 200)
  assert.ok(failed.length <= 1, `failed: ${failed}`)
  await untilReadyWorkers(serve, 2)
})

test('an error of the registry is reported once, not by each worker, and serve ends with status 2', async () => {
  const { status, stderr } = await runCommand([
    'serve',
    '--workers',
    '2',
    '--database',
    'sqlite:/nowhere/at.db',
    '--port',
    '0',
  ])
  assert.equal(status, 2)
  assert.match(stderr, /^planning-registry: Cannot open \/nowhere\/at\.db: there is no such file.*\n$/)
})

test('a port in use is reported once, and serve ends with status 2', async () => {
  await using serve = await startServe([{ code: 'A-1' }], twoWorkers)
  const args = ['serve', '--workers', '2', '--database', `sqlite:${serve.file}`, '--port', String(serve.port)]
  const { status, stderr } = await runCommand(args)
  assert.equal(status, 2)
  assert.match(stderr, /the port is taken; choose another with --port/)
})
