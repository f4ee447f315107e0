// Rate limiter with a fixed window of a minute per client, used by admission.ts. Counts are in memory and bounded. With
// several workers only the supervisor counts, and the workers ask it (src/server/shared-quota.ts), so that a client has
// one quota for all of them.
import { rateLimitClientsMax } from './limits.ts'

/** Length of a window: `--rate-limit` is per minute. */
export const rateLimitWindowSeconds = 60

export interface Quota {
  /** Whether the client has sent more requests than it may in this window. */
  readonly isExceeded: boolean
  /** Requests left in this window. */
  readonly remaining: number
  /** Seconds until the window ends. */
  readonly resetSeconds: number
}

/** Counts requests of a client and returns what is left of its quota. */
export type CountRequests = (client: string, requests: number) => Promise<Quota>

interface Window {
  /** On the monotonic clock, in milliseconds. */
  readonly endsAt: number
  /** Requests counted so far. */
  requests: number
}

export class RateLimiter {
  readonly requestsMax: number
  readonly #clientsMax: number
  /** Windows by client in the order of insertion. It is also the order of their ends, because all are equally long. */
  readonly #windows = new Map<string, Window>()

  constructor(requestsMax: number, clientsMax: number = rateLimitClientsMax) {
    this.requestsMax = requestsMax
    this.#clientsMax = clientsMax
  }

  /** Number of clients with a window; some windows may have ended. */
  get clients(): number {
    return this.#windows.size
  }

  /** Counts requests of a client. In this class `now` is the time of the monotonic clock in milliseconds. */
  count(client: string, requests: number, now: number): Quota {
    const window = this.#windowOf(client, now)
    window.requests += requests
    return {
      isExceeded: window.requests > this.requestsMax,
      remaining: Math.max(0, this.requestsMax - window.requests),
      resetSeconds: Math.max(1, Math.ceil((window.endsAt - now) / 1000)),
    }
  }

  /** The current window of a client; a new one if the last has ended. */
  #windowOf(client: string, now: number): Window {
    const lastWindow = this.#windows.get(client)
    if (lastWindow !== undefined && now < lastWindow.endsAt) return lastWindow
    this.#windows.delete(client)
    this.#removeOld(now)
    const window = { endsAt: now + rateLimitWindowSeconds * 1000, requests: 0 }
    this.#windows.set(client, window)
    return window
  }

  /** Removes windows that have ended, or else the oldest one if there are `#clientsMax`. */
  #removeOld(now: number): void {
    for (const [client, { endsAt }] of this.#windows) {
      if (now < endsAt && this.#windows.size < this.#clientsMax) return
      this.#windows.delete(client)
    }
  }
}

/**
 * `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10): quota `q` in a window of `w` seconds,
 * `r` requests remaining, and `t` seconds until the window ends.
 */
export function toRateLimitHeaders(requestsMax: number, quota: Quota): [name: string, value: string][] {
  return [
    ['RateLimit-Policy', `"client";q=${requestsMax};w=${rateLimitWindowSeconds}`],
    ['RateLimit', `"client";r=${quota.remaining};t=${quota.resetSeconds}`],
  ]
}
