// Kills workers one after the other, for the tests in processes.faults.ts and nginx.faults.ts.
import { workerSettledMs } from '../../src/http/limits.ts'
import { readMetric, type ServeProcess, until } from '../server/serve.ts'
import { pause, seededRandom } from './load.ts'

/** Number of workers that `killWorkers` kills. */
export const killCount = 5

/**
 * Needs a service with two workers. Calls `onReplaced` when a killed worker has a successor. Returns the time until
 * then.
 */
export async function killWorkers(
  serve: ServeProcess,
  seed: number,
  onReplaced: () => Promise<void>,
): Promise<number[]> {
  const random = seededRandom(seed)
  const successorMs: number[] = []
  for (let kill = 1; kill <= killCount; kill++) {
    // The supervisor delays the restart of a worker that dies sooner.
    await pause(workerSettledMs + random() * 200)
    const workers = await serve.workers()
    const killedAt = performance.now()
    process.kill(workers[random() < 0.5 ? 0 : 1] ?? 0, 'SIGKILL')
    await until(async () => serve.log().filter((entry) => entry.msg === 'worker died').length === kill)
    await until(async () => (await readMetric(serve, 'planning_registry_ready')) === 2)
    successorMs.push(Math.ceil(performance.now() - killedAt))
    await onReplaced()
  }
  return successorMs
}
