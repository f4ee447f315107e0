// Processes of the service that are terminated under load, killed, or restarted. All tests tell run.ts how many faults
// they have injected, with a text such as `5 injections: …`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drainDeadlineMs } from '../../src/limits.ts'
import { seededRandom } from '../seeded-random.ts'
import { CheckedLoad, distinctRecords } from '../server/checked-load.ts'
import { startServe, until, untilReadyWorkers } from '../server/serve.ts'
import { killCount, killWorkers } from './kill.ts'
import { getStatus, Load, pause } from './load.ts'

/** All have the default date of test/service.ts, which is in 2004, so that `checkin_date=2004` finds them. */
const records = Array.from({ length: 200 }, (_, n) => ({ code: `A-${n}`, title: `Plan ${n}` }))
const paths = ['record?limit=5', 'record/A-7', 'summary', 'record?search=plan', 'record?checkin_date=2004&limit=3']

for (const workers of [1, 2]) {
  // With `--workers 1` the service is one process that serves requests itself, without a primary.
  const processesText = `${workers} ${workers === 1 ? 'process' : 'workers'}`
  test(`SIGTERM under load, ${processesText}: no request fails`, async (context) => {
    const random = seededRandom(workers)
    const injections = 5
    let answered = 0
    let longestMs = 0
    for (let n = 0; n < injections; n++) {
      await using serve = await startServe(records, { flags: ['--workers', String(workers)] })
      const load = new Load(serve.base, { connections: 32, paths })
      await until(async () => load.answered > 100)
      await pause(random() * 500)
      const terminatedAt = performance.now()
      serve.child.kill('SIGTERM')
      assert.equal(await serve.ended, 0)
      longestMs = Math.max(longestMs, performance.now() - terminatedAt)
      const summary = await load.stop()
      assert.deepEqual(summary.failed, [])
      answered += summary.answered
    }
    // Requests in progress have `drainDeadlineMs`. The process ends within a second after that.
    assert.ok(longestMs < drainDeadlineMs + 1_000, `ended after ${longestMs} ms`)
    context.diagnostic(
      `${injections} injections: ${answered} answered, 0 reset, ended within ${Math.ceil(longestMs)} ms`,
    )
  })
}

for (const connections of [1, 8, 32]) {
  const connectionsText = `${connections} keep-alive ${connections === 1 ? 'connection' : 'connections'}`
  test(`workers killed under ${connectionsText}: no response is wrong, only their own connections break`, async (context) => {
    await using serve = await startServe(distinctRecords, { flags: ['--workers', '2'] })
    const load = new CheckedLoad(serve.base, connections)
    /** The number of failed requests after each kill. */
    const failed: number[] = []
    // The number of connections is also the seed.
    const successorMs = await killWorkers(serve, connections, async () => {
      // All failures since the last kill are on connections of one process, the killed worker.
      const processes = new Set(load.failures.map((failure) => failure.process))
      assert.ok(processes.size <= 1, JSON.stringify(load.failures))
      failed.push(load.failures.splice(0).length)
      // Waits until requests have succeeded again, before the next kill.
      const { answered } = load
      await until(async () => load.answered > answered + 100)
    })
    await load.stop()
    assert.deepEqual(load.wrong, [])
    assert.ok(failed.every((failures) => failures <= connections))
    context.diagnostic(
      `${killCount} injections: ${load.answered} answered, ${failed.join(', ')} failed, ` +
        `replaced after ${successorMs.join(', ')} ms`,
    )
  })
}

test('a worker that keeps dying is restarted with growing delays, and the service still responds', async (context) => {
  await using serve = await startServe(records, { flags: ['--workers', '2'] })
  /** The log entries of workers that have died. */
  const findDeaths = (): Record<string, unknown>[] => serve.log().filter((entry) => entry.msg === 'worker died')
  const [victim = 0, survivor = 0] = await serve.workers()
  /** The victim is killed, and then five successors, each as soon as it is ready. */
  const injections = 6
  process.kill(victim, 'SIGKILL')
  for (let killed = 1; killed < injections; killed++) {
    await until(async () => findDeaths().length === killed)
    const successor = await until(async () => (await serve.workers()).find((pid) => pid !== survivor))
    await untilReadyWorkers(serve, 2)
    process.kill(successor, 'SIGKILL')
  }
  await until(async () => findDeaths().length === injections)
  const delaysMs = findDeaths().map((entry) => Number(entry.delayMs))
  for (const [n, delayMs] of delaysMs.entries()) {
    // A worker that dies soon after its start is restarted after 100 ms, and then each time after twice the delay
    // before. On a slow machine a worker may run long enough to be restarted without a delay (0), and the next delay is
    // 100 ms again.
    assert.ok([0, 100, 2 * (delaysMs[n - 1] ?? 0)].includes(delayMs), `delays: ${delaysMs}`)
  }
  assert.ok(Math.max(...delaysMs) >= 200, `delays: ${delaysMs}`)
  for (let n = 0; n < 20; n++) assert.equal(await getStatus(`${serve.base}/record?limit=1`), 200)
  context.diagnostic(`${injections} injections: delays of ${delaysMs.join(', ')} ms`)
})

test('rolling restart under load: no request fails', async (context) => {
  await using serve = await startServe(records, { flags: ['--workers', '2'] })
  const load = new Load(serve.base, { connections: 16, paths })
  const injections = 3
  for (let n = 1; n <= injections; n++) {
    serve.child.kill('SIGUSR2')
    await until(async () => serve.log().filter((entry) => entry.msg === 'all workers restarted').length === n)
  }
  const summary = await load.stop()
  assert.deepEqual(summary.failed, [])
  context.diagnostic(`${injections} injections: ${summary.answered} answered, 0 failed`)
})
