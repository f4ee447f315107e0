// Kills workers under load, one after the other.
import { workerSettledMs } from '../../src/http/limits.ts'
import { readMetric, type ServeProcess, until } from '../server/serve.ts'
import { pause, seededRandom } from './load.ts'

export const killCount = 5

/** Calls `onReplaced` after each kill. Returns the time until each successor accepted requests. */
export async function killWorkers(
  serve: ServeProcess,
  seed: number,
  onReplaced: () => Promise<void>,
): Promise<number[]> {
  const random = seededRandom(seed)
  const successorMs: number[] = []
  for (let kill = 1; kill <= killCount; kill++) {
    // Long enough that the supervisor does not delay the restart.
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
