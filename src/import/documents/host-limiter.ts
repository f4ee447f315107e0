// Per-host rate limiter: bounds the concurrent requests to each host, and pauses all of them when the host asks for it.
import { setTimeout as sleep } from 'node:timers/promises'

interface HostState {
  active: number
  readonly waiting: (() => void)[]
  /** On the clock of `performance.now()`. */
  pausedUntil: number
}

export class HostLimiter {
  readonly #connectionsMax: number
  readonly #hosts = new Map<string, HostState>()

  constructor(connectionsMax: number) {
    this.#connectionsMax = connectionsMax
  }

  /** Runs the request once the host has a free slot and is not paused. */
  async run<T>(host: string, request: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const state = this.#state(host)
    while (state.active >= this.#connectionsMax) await new Promise<void>((resolve) => state.waiting.push(resolve))
    state.active += 1
    try {
      // The pause may be extended while this request waits.
      for (let restMs = toRestMs(state); restMs > 0; restMs = toRestMs(state))
        await sleep(restMs, undefined, { signal })
      return await request()
    } finally {
      state.active -= 1
      state.waiting.shift()?.()
    }
  }

  pause(host: string, pauseMs: number): void {
    const state = this.#state(host)
    state.pausedUntil = Math.max(state.pausedUntil, performance.now() + pauseMs)
  }

  #state(host: string): HostState {
    let state = this.#hosts.get(host)
    if (state === undefined) {
      state = { active: 0, waiting: [], pausedUntil: 0 }
      this.#hosts.set(host, state)
    }
    return state
  }
}

function toRestMs({ pausedUntil }: HostState): number {
  return pausedUntil - performance.now()
}
