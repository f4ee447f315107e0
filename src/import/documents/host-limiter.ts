// Limiter of requests per host: bounds the concurrent requests to each host, and starts none while the host is paused.
import { setTimeout as sleep } from 'node:timers/promises'
import { Slots } from './concurrent.ts'

interface HostState {
  /** A request has a slot even while it waits for the end of a pause. */
  readonly slots: Slots
  /** In milliseconds, on the clock of `performance.now()`. */
  pauseEndsAt: number
}

export class HostLimiter {
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
  run<T>(host: string, request: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const state = this.#stateOf(host)
    return state.slots.run(async () => {
      for (;;) {
        // The pause may be extended while this request waits.
        const pauseMs = state.pauseEndsAt - performance.now()
        if (pauseMs <= 0) return await request()
        await sleep(pauseMs, undefined, { signal })
      }
    })
  }

  /** For `pauseMs`, no request to the host begins. Requests in progress continue. */
  pause(host: string, pauseMs: number): void {
    const state = this.#stateOf(host)
    state.pauseEndsAt = Math.max(state.pauseEndsAt, performance.now() + pauseMs)
  }

  #stateOf(host: string): HostState {
    const state = this.#hosts.get(host) ?? { slots: new Slots(this.#requestsMax), pauseEndsAt: 0 }
    this.#hosts.set(host, state)
    return state
  }
}
