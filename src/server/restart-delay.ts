// The delay before the successor of a dead worker is started. It is 0 for a worker that has run for long, and grows
// while a worker dies again and again soon after its start. supervisor.ts has one for each number of a worker.
import { workerBackOffMaxMs, workerSettledMs } from '../http/limits.ts'

/** The delay after the first quick death. It doubles with each further one in a row, up to `workerBackOffMaxMs`. */
const backOffMinMs = 100

export class RestartDelay {
  /** How many times in a row the worker died within `workerSettledMs` of its start, or did not start. */
  #quickDeaths = 0

  /** Counts a death. Returns the delay. A start that failed counts as a life of 0 ms, however long it took. */
  countDeath(lifeMs: number): number {
    this.#quickDeaths = lifeMs < workerSettledMs ? this.#quickDeaths + 1 : 0
    return this.#quickDeaths === 0 ? 0 : Math.min(workerBackOffMaxMs, backOffMinMs * 2 ** (this.#quickDeaths - 1))
  }
}
