// The optional limit on requests per client and minute. Counts in memory, bounded; with several workers each tells the
// others what it counted (operate/workers.ts), so that a client has one quota however its connections are spread.
import { rateLimitClientsMax } from './limits.ts'

/** Minutes, as the setting has it. */
export const rateLimitWindowSeconds = 60

export interface Quota {
  readonly isExceeded: boolean
  /** Requests left in this window. */
  readonly remaining: number
  /** Seconds until the window ends and the quota is whole again. */
  readonly resetSeconds: number
}

interface Window {
  readonly endsMs: number
  requests: number
  /** Counted here and not yet told to the other workers. */
  untold: number
}

export class RateLimiter {
  readonly requestsMax: number
  readonly #clientsMax: number
  /** By the beginning of their window, because a client is put at the end when its window begins. */
  readonly #windows = new Map<string, Window>()

  constructor(requestsMax: number, clientsMax: number = rateLimitClientsMax) {
    this.requestsMax = requestsMax
    this.#clientsMax = clientsMax
  }

  get clients(): number {
    return this.#windows.size
  }

  /** Counts one request; `nowMs` is of the monotonic clock, so that no clock jump opens or shuts the door. */
  count(client: string, nowMs: number): Quota {
    const window = this.#windowOf(client, nowMs)
    window.requests += 1
    window.untold += 1
    return {
      isExceeded: window.requests > this.requestsMax,
      remaining: Math.max(0, this.requestsMax - window.requests),
      resetSeconds: Math.max(1, Math.ceil((window.endsMs - nowMs) / 1000)),
    }
  }

  /** What was counted here since the last call, by client. */
  takeCounts(): [string, number][] {
    const counts: [string, number][] = []
    for (const [client, window] of this.#windows) {
      if (window.untold > 0) counts.push([client, window.untold])
      window.untold = 0
    }
    return counts
  }

  /** What other workers counted. */
  addCounts(counts: readonly (readonly [string, number])[], nowMs: number): void {
    for (const [client, requests] of counts) this.#windowOf(client, nowMs).requests += requests
  }

  #windowOf(client: string, nowMs: number): Window {
    const open = this.#windows.get(client)
    if (open !== undefined && nowMs < open.endsMs) return open
    this.#windows.delete(client)
    this.#forgetOld(nowMs)
    const window = { endsMs: nowMs + rateLimitWindowSeconds * 1000, requests: 0, untold: 0 }
    this.#windows.set(client, window)
    return window
  }

  /** The oldest stand first: those whose window is over go, and one more where the memory set aside is full. */
  #forgetOld(nowMs: number): void {
    for (const [client, { endsMs }] of this.#windows) {
      if (nowMs < endsMs && this.#windows.size < this.#clientsMax) return
      this.#windows.delete(client)
    }
  }
}

/** `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10). */
export function toRateLimitHeaders({ requestsMax }: RateLimiter, quota: Quota): [string, string][] {
  return [
    ['RateLimit-Policy', `"client";q=${requestsMax};w=${rateLimitWindowSeconds}`],
    ['RateLimit', `"client";r=${quota.remaining};t=${quota.resetSeconds}`],
  ]
}
