// Politeness towards the hosts of documents: a few requests at a time for each, and a pause for all of them when the
// host asks for one.
import { setTimeout as pause } from 'node:timers/promises'

interface HostState {
  active: number
  readonly waiting: (() => void)[]
  /** By the monotonic clock. */
  notBefore: number
}

export class Hosts {
  readonly #connectionsMax: number
  readonly #hosts = new Map<string, HostState>()

  constructor(connectionsMax: number) {
    this.#connectionsMax = connectionsMax
  }

  /** Runs the request when the host has room for it and its pause is over. */
  async visit<T>(host: string, request: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const state = this.#state(host)
    while (state.active >= this.#connectionsMax) await new Promise<void>((resolve) => state.waiting.push(resolve))
    state.active += 1
    try {
      for (let rest = state.notBefore - performance.now(); rest > 0; rest = state.notBefore - performance.now()) {
        await pause(rest, undefined, { signal })
      }
      return await request()
    } finally {
      state.active -= 1
      state.waiting.shift()?.()
    }
  }

  holdBack(host: string, pauseMs: number): void {
    const state = this.#state(host)
    state.notBefore = Math.max(state.notBefore, performance.now() + pauseMs)
  }

  #state(host: string): HostState {
    let state = this.#hosts.get(host)
    if (state === undefined) {
      state = { active: 0, waiting: [], notBefore: 0 }
      this.#hosts.set(host, state)
    }
    return state
  }
}
