// Kills workers one after the other, for the tests of the service alone and behind nginx or Caddy.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { workerSettledMs } from '../../src/limits.ts'
import { seededRandom } from '../seeded-random.ts'
import { CheckedLoad } from '../server/checked-load.ts'
import { killWorker, type ServeProcess, until, untilReadyWorkers } from '../server/serve.ts'
import { pause } from './load.ts'

/** Number of workers that `killWorkers` kills. */
export const killCount = 5

/**
 * Kills workers of a service that has two, at times that the seed determines. After each kill it waits until the
 * successor of the killed worker is ready, and then for `onReplaced`. Returns for each kill the milliseconds until the
 * successor was ready.
 */
export async function killWorkers(
  serve: ServeProcess,
  seed: number,
  onReplaced: () => Promise<void>,
): Promise<number[]> {
  const random = seededRandom(seed)
  const successorMs: number[] = []
  for (let kill = 1; kill <= killCount; kill++) {
    // The primary would delay the restart of a worker that dies before it has run for `workerSettledMs`.
    await pause(workerSettledMs + random() * 200)
    const workers = await serve.workers()
    const victim = workers[random() < 0.5 ? 0 : 1]
    const killedAt = performance.now()
    killWorker(victim)
    await until(async () => serve.log().filter((entry) => entry.msg === 'worker died').length === kill)
    await untilReadyWorkers(serve, 2)
    successorMs.push(Math.ceil(performance.now() - killedAt))
    await onReplaced()
  }
  return successorMs
}

/**
 * Kills workers while clients send requests to the proxy. The proxy repeats the requests of a killed worker, so none
 * may fail.
 */
export async function killWorkersBehindProxy(
  serve: ServeProcess,
  proxy: { readonly base: string },
  { connections, context }: { readonly connections: number; readonly context: TestContext },
): Promise<void> {
  const load = new CheckedLoad(proxy.base, connections)
  // The number of connections is also the seed.
  const successorMs = await killWorkers(serve, connections, async () => {
    // Waits until requests have succeeded again, before the next kill.
    const { answered } = load
    await until(async () => load.answered > answered + 100)
  })
  await load.stop()
  assert.deepEqual(load.wrong, [])
  assert.deepEqual(load.failures, [])
  // run.ts reads the number of injected faults from this text.
  context.diagnostic(
    `${killCount} injections: ${load.answered} answered, 0 failed, replaced after ${successorMs.join(', ')} ms`,
  )
}
