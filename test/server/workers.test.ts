// Several processes behind one port: what a client notices when one of them dies, is replaced or is told to end.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { runCommand } from '../cli/run.ts'
import { publishRecords } from '../service.ts'
import { CheckedLoad, checkedRecords } from './checked-load.ts'
import { readMetric, type ServeProcess, startServe, until } from './serve.ts'

const twoWorkers = { flags: ['--workers', '2'] }

test('workers share the port, and the admin port adds up what they did', async () => {
  await using serve = await startServe([{ code: 'A-1' }], twoWorkers)
  assert.equal((await serve.workers()).length, 2)
  for (let n = 0; n < 20; n++) assert.equal(await getStatus(serve), 200)
  assert.equal(await readMetric(serve, 'planning_registry_requests_total'), 20)
  assert.equal(await readMetric(serve, 'planning_registry_ready'), 2)
  assert.equal((await fetch(`${serve.admin}/ready`)).status, 200)
})

test('a worker killed is replaced: no connection is refused meanwhile, and what was counted stays counted', async () => {
  await using serve = await startServe([{ code: 'A-1' }], twoWorkers)
  for (let n = 0; n < 10; n++) await getStatus(serve)
  assert.equal(await readMetric(serve, 'planning_registry_requests_total'), 10)
  const [victim = 0, other] = await serve.workers()
  process.kill(victim, 'SIGKILL')
  const statuses = await Promise.all(Array.from({ length: 20 }, () => getStatus(serve)))
  assert.ok(statuses.filter((status) => status !== 200).length <= 1, `failed: ${statuses}`)
  const now = await until(async () => {
    const workers = await serve.workers()
    return workers.length === 2 && !workers.includes(victim) && workers
  })
  assert.ok(now.includes(other ?? 0))
  await until(async () => (await readMetric(serve, 'planning_registry_ready')) === 2)
  assert.equal(await readMetric(serve, 'planning_registry_worker_deaths_total'), 1)
  assert.ok(((await readMetric(serve, 'planning_registry_requests_total')) ?? 0) >= 28)
})

test('a worker killed under load takes its own connections alone, and no response is wrong', async () => {
  const startedAt = performance.now()
  await using serve = await startServe(checkedRecords, twoWorkers)
  // On a machine that is busy with other things, no longer than the whole start took.
  const successorMsMax = Math.max(1_000, performance.now() - startedAt)
  const load = new CheckedLoad(serve.base, 16)
  await until(async () => load.answered > 500 && load.processes.size === 2)
  const workers = await serve.workers()
  const killedAt = performance.now()
  process.kill(workers[0] ?? 0, 'SIGKILL')
  await until(async () => serve.log().some((entry) => entry.msg === 'worker died'))
  await until(async () => (await readMetric(serve, 'planning_registry_ready')) === 2)
  const successorMs = performance.now() - killedAt
  const { answered } = load
  await until(async () => load.answered > answered + 500)
  await load.stop()
  assert.deepEqual(load.wrong, [])
  assert.ok(load.failures.length > 0, 'connections of the dead worker are closed')
  assert.equal(new Set(load.failures.map((failure) => failure.process)).size, 1, JSON.stringify(load.failures))
  assert.ok(load.failures.every(({ reason }) => reason === 'ECONNRESET'))
  assert.ok(successorMs < successorMsMax, `a successor after ${Math.ceil(successorMs)} ms`)
})

test('SIGUSR2 replaces every worker, one by one, and no request fails', async () => {
  await using serve = await startServe([{ code: 'A-1' }], twoWorkers)
  const before = await serve.workers()
  let isExpired = false
  const asking = askUntil(serve, () => isExpired)
  serve.child.kill('SIGUSR2')
  await until(async () => serve.log().some((entry) => entry.msg === 'all workers restarted'))
  isExpired = true
  assert.deepEqual(await asking, { failed: [] })
  const after = await serve.workers()
  assert.equal(after.length, 2)
  assert.ok(after.every((pid) => !before.includes(pid)))
})

for (const [index, which] of ['the one whose successor is starting', 'one whose turn comes'].entries()) {
  test(`a worker that dies while the workers are restarted has one successor: ${which}`, async () => {
    await using serve = await startServe([{ code: 'A-1' }], twoWorkers)
    const before = await serve.workers()
    serve.child.kill('SIGUSR2')
    await until(async () => (await serve.workers()).length === 3)
    process.kill(before[index] ?? 0, 'SIGKILL')
    await until(async () => serve.log().some((entry) => entry.msg === 'all workers restarted'))
    await until(async () => (await readMetric(serve, 'planning_registry_ready')) === 2)
    const after = await serve.workers()
    assert.equal(after.length, 2)
    assert.ok(after.every((pid) => !before.includes(pid)))
    assert.equal(await readMetric(serve, 'planning_registry_worker_deaths_total'), 1)
  })
}

test('SIGHUP reaches every worker', async () => {
  await using serve = await startServe([{ code: 'A-1' }], twoWorkers)
  await publishRecords(`sqlite:${serve.file}`, [{ code: 'A-1' }, { code: 'B-1' }])
  serve.child.kill('SIGHUP')
  await until(async () => (await readMetric(serve, 'planning_registry_snapshot_records')) === 2)
  // The metric is that of the worker that is ahead.
  let inARow = 0
  await until(async () => {
    inARow = (await getStatus(serve, 'record/B-1')) === 200 ? inARow + 1 : 0
    return inARow === 20
  })
})

test('SIGTERM under load ends every worker without a reset', async () => {
  await using serve = await startServe([{ code: 'A-1' }], twoWorkers)
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  let isExpired = false
  const asking = Promise.all(Array.from({ length: 8 }, () => askUntil(serve, () => isExpired, agent)))
  await until(async () => ((await readMetric(serve, 'planning_registry_requests_total')) ?? 0) > 200)
  serve.child.kill('SIGTERM')
  assert.equal(await serve.ended, 0)
  isExpired = true
  const failed = (await asking).flatMap((client) => client.failed)
  assert.deepEqual(
    failed.filter((code) => code !== 'ECONNREFUSED'),
    [],
  )
  agent.destroy()
})

test('when the first process is killed its workers end too, and leave neither port nor files', async () => {
  const serve = await startServe([{ code: 'A-1' }], twoWorkers)
  const workers = await serve.workers()
  const [, , folder = ''] = (await readFile(`/proc/${workers[0]}/cmdline`, 'utf8')).split('\0')
  assert.ok(existsSync(folder))
  serve.child.kill('SIGKILL')
  await until(async () => workers.every((pid) => !isAlive(pid)))
  assert.equal(existsSync(folder), false)
  await assert.rejects(getStatus(serve))
  await serve[Symbol.asyncDispose]()
})

test('when the first process is killed its workers end within two seconds, even with a reader that takes nothing', async () => {
  const many = Array.from({ length: 8_000 }, (_, n) => ({ code: `A-${n}`, title: `Plan ${'x'.repeat(1_000)}` }))
  const serve = await startServe(many, twoWorkers)
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
  test(`a second SIGTERM does not cut short what the first one lets end: ${workers}`, async () => {
    const many = Array.from({ length: 8_000 }, (_, n) => ({ code: `A-${n}`, title: `Plan ${'x'.repeat(1_000)}` }))
    await using serve = await startServe(many, { flags: ['--workers', String(workers)] })
    const response = await fetch(`${serve.base}/record`)
    for (let n = 0; n < 3; n++) {
      serve.child.kill('SIGTERM')
      await until(async () => (await fetch(`${serve.admin}/ready`)).status === 503)
    }
    assert.equal(JSON.parse(await response.text()).resultadoBusqueda.length, many.length)
    assert.equal(await serve.ended, 0)
  })
}

test('a client has one quota, whichever workers its connections come to', async () => {
  await using serve = await startServe([{ code: 'A-1' }], { flags: ['--workers', '2', '--rate-limit', '5'] })
  const statuses: number[] = []
  for (let n = 0; n < 6; n++) {
    statuses.push(await getStatus(serve))
  }
  await until(async () => {
    statuses.push(await getStatus(serve))
    return statuses.slice(-4).every((status) => status === 429)
  })
  assert.ok(statuses.filter((status) => status === 200).length <= 10, 'at worst each lets in what it has not heard of')
})

test('what is wrong with the registry is said once, and serve ends with status 2', async () => {
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

test('a port that is taken is said, even where the other service shares its port too', async () => {
  await using serve = await startServe([{ code: 'A-1' }], twoWorkers)
  const args = ['serve', '--workers', '2', '--database', `sqlite:${serve.file}`, '--port', String(serve.port)]
  const { status, stderr } = await runCommand(args)
  assert.equal(status, 2)
  assert.match(stderr, /the port is taken; choose another with --port/)
})

/** One request on a connection of its own, or of the agent's. */
function getStatus(serve: ServeProcess, path: string = 'record', agent?: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${serve.base}/${path}`, { agent: agent ?? false }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode ?? 0))
      response.once('error', reject)
    })
    outgoing.once('error', reject)
    outgoing.end()
  })
}

/** Asks again and again, and notes what failed. */
async function askUntil(serve: ServeProcess, isExpired: () => boolean, agent?: Agent): Promise<{ failed: string[] }> {
  const failed: string[] = []
  while (!isExpired()) {
    try {
      const status = await getStatus(serve, 'record', agent)
      if (status !== 200) failed.push(String(status))
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
      failed.push(code)
      if (code === 'ECONNREFUSED') break
    }
  }
  return { failed }
}

/** A process that has ended and waits for init to take notice (a zombie, state Z) is not alive. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
