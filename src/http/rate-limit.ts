// Rate limiter with a fixed window of a minute for each client, used by admission.ts. With several workers only the
// primary counts, and the workers ask it (src/server/worker.ts), so that a client has one quota for all of them.
import { LRUCache } from 'lru-cache'
import { rateLimitClientsMax } from '../limits.ts'
import type { ResponseHeaders } from './response-headers.ts'

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

/** Counts a request of a client and returns what is left of its quota. */
export type CountRequest = (client: string) => Quota | Promise<Quota>

export class RateLimiter {
  readonly requestsMax: number
  /** The requests of each client in its window, which ends when the entry expires, on the monotonic clock. */
  readonly #windows: LRUCache<string, { requests: number }>

  constructor(requestsMax: number, clientsMax: number = rateLimitClientsMax) {
    this.requestsMax = requestsMax
    this.#windows = new LRUCache({ max: clientsMax, ttl: rateLimitWindowSeconds * 1000 })
  }

  /** Number of clients with a window. */
  get clients(): number {
    this.#windows.purgeStale()
    return this.#windows.size
  }

  /** Counts a request of a client. */
  readonly count = (client: string): Quota => {
    const window = this.#windows.get(client) ?? { requests: 0 }
    if (window.requests === 0) this.#windows.set(client, window)
    window.requests += 1
    return {
      isExceeded: window.requests > this.requestsMax,
      remaining: Math.max(0, this.requestsMax - window.requests),
      resetSeconds: Math.max(1, Math.ceil(this.#windows.getRemainingTTL(client) / 1000)),
    }
  }
}

/**
 * `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10): quota `q` in a window of `w` seconds,
 * `r` requests remaining, and `t` seconds until the window ends.
 */
export function toRateLimitHeaders(requestsMax: number, quota: Quota): ResponseHeaders {
  return {
    'RateLimit-Policy': `"client";q=${requestsMax};w=${rateLimitWindowSeconds}`,
    RateLimit: `"client";r=${quota.remaining};t=${quota.resetSeconds}`,
  }
}
