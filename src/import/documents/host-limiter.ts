// Limiter of requests per host: bounds the concurrent requests to each host, and starts none while the host is paused.
import { setTimeout as sleep } from 'node:timers/promises'

interface HostState {
  /** Requests that have a slot. */
  activeRequests: number
  /** Each function gives a slot to one request that waits for it, in order of arrival. */
  readonly waiting: (() => void)[]
  /** In milliseconds, on the clock of `performance.now()`. */
  pauseEndsAt: number
}

export class HostLimiter {
  /** The number of slots of each host. A request takes a slot, even while it waits for the end of a pause. */
  readonly #requestsMax: number
  /** By host name and port. */
  readonly #hosts = new Map<string, HostState>()

  constructor(requestsMax: number) {
    this.#requestsMax = requestsMax
  }

  /**
   * Runs the request once the host has a free slot and is not paused. `signal` ends the wait during a pause, with an
   * error. It does not end the wait for a slot: that ends when an earlier request ends, and each request has a timeout.
   */
  async run<T>(host: string, request: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const state = this.#stateOf(host)
    if (state.activeRequests < this.#requestsMax) state.activeRequests += 1
    else await new Promise<void>((resolve) => state.waiting.push(resolve))
    try {
      // The pause may be extended while this request waits.
      for (let pauseMs = toRemainingPauseMs(state); pauseMs > 0; pauseMs = toRemainingPauseMs(state))
        await sleep(pauseMs, undefined, { signal })
      return await request()
    } finally {
      // The slot passes to the request that has waited longest. If it were free in between, a later request that starts
      // now could take it.
      const passSlot = state.waiting.shift()
      if (passSlot === undefined) state.activeRequests -= 1
      else passSlot()
    }
  }

  /** For `pauseMs`, no request to the host begins. Requests in progress continue. */
  pause(host: string, pauseMs: number): void {
    const state = this.#stateOf(host)
    state.pauseEndsAt = Math.max(state.pauseEndsAt, performance.now() + pauseMs)
  }

  #stateOf(host: string): HostState {
    let state = this.#hosts.get(host)
    if (state === undefined) {
      state = { activeRequests: 0, waiting: [], pauseEndsAt: 0 }
      this.#hosts.set(host, state)
    }
    return state
  }
}

/** Zero or less if the pause is over. */
function toRemainingPauseMs({ pauseEndsAt }: HostState): number {
  return pauseEndsAt - performance.now()
}
