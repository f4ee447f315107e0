// The rate limit of a worker: the supervisor counts the requests of all workers (supervisor.ts), so that a client has
// one quota and the `RateLimit` headers are right, whichever worker answers. A client above its limit is remembered
// here, so that a flood of requests does not reach the supervisor.
import { LRUCache } from 'lru-cache'
import { rateLimitClientsMax } from '../http/limits.ts'
import type { CountRequests, Quota } from '../http/rate-limit.ts'
import type { FromWorker } from './messages.ts'

/** Without a reply in this time a request is admitted: a supervisor that hangs must not stop the service. */
const replyTimeoutMs = 1_000

export class SharedQuota {
  readonly #requestsMax: number
  readonly #send: (message: FromWorker) => void
  /** The requests that wait for a reply, by the id of their message. */
  readonly #waiting = new Map<number, (quota: Quota) => void>()
  /** When a client above its limit may send requests again, on the clock of `performance.now()`. */
  readonly #exceededUntil = new LRUCache<string, number>({ max: rateLimitClientsMax })
  #lastId = 0

  constructor(requestsMax: number, send: (message: FromWorker) => void) {
    this.#requestsMax = requestsMax
    this.#send = send
  }

  /** Counts requests of a client and returns what is left of its quota. */
  readonly count: CountRequests = (client, requests) => {
    const remainingMs = (this.#exceededUntil.get(client) ?? 0) - performance.now()
    if (remainingMs > 0) return { isExceeded: true, remaining: 0, resetSeconds: Math.ceil(remainingMs / 1000) }
    return this.#ask(client, requests)
  }

  /** Receives the reply of the supervisor to a message. */
  receive(id: number, quota: Quota): void {
    this.#waiting.get(id)?.(quota)
  }

  /** Asks the supervisor. */
  async #ask(client: string, requests: number): Promise<Quota> {
    this.#lastId += 1
    const id = this.#lastId
    const { promise, resolve } = Promise.withResolvers<Quota>()
    this.#waiting.set(id, resolve)
    const timer = setTimeout(() => resolve(this.#quotaWithoutReply), replyTimeoutMs)
    this.#send({ kind: 'count-requests', id, client, requests })
    const quota = await promise
    clearTimeout(timer)
    this.#waiting.delete(id)
    if (quota.isExceeded) this.#exceededUntil.set(client, performance.now() + quota.resetSeconds * 1000)
    return quota
  }

  /** A full quota that ends in one second. */
  get #quotaWithoutReply(): Quota {
    return { isExceeded: false, remaining: this.#requestsMax, resetSeconds: 1 }
  }
}
