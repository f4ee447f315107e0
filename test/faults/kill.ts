// Kills workers under load, one after the other.
import { workerSettledMs } from '../../src/http/limits.ts'
import { readMetric, type ServeProcess, until } from '../server/serve.ts'
import { chanceFrom, pause } from './load.ts'

export const killsOfEach = 5

/** `whenReplaced` runs after each kill. Gives back after how many milliseconds each successor took requests. */
export async function killWorkers(
  serve: ServeProcess,
  seed: number,
  whenReplaced: () => Promise<void>,
): Promise<number[]> {
  const chance = chanceFrom(seed)
  const successorMs: number[] = []
  for (let kill = 1; kill <= killsOfEach; kill++) {
    // So long that this is no crash loop.
    await pause(workerSettledMs + chance() * 200)
    const workers = await serve.workers()
    const killedAt = performance.now()
    process.kill(workers[chance() < 0.5 ? 0 : 1] ?? 0, 'SIGKILL')
    await until(async () => serve.log().filter((entry) => entry.msg === 'worker died').length === kill)
    await until(async () => (await readMetric(serve, 'planning_registry_ready')) === 2)
    successorMs.push(Math.ceil(performance.now() - killedAt))
    await whenReplaced()
  }
  return successorMs
}
