// The rate limit of a worker: the supervisor counts the requests of all workers (supervisor.ts), so that a client has
// one quota and the `RateLimit` headers are right, whichever worker answers. A client above its limit is remembered
// here, so that a flood of requests does not reach the supervisor.
import { LRUCache } from 'lru-cache'
import { rateLimitClientsMax } from '../http/limits.ts'
import { type CountRequests, type Quota, rateLimitWindowSeconds } from '../http/rate-limit.ts'
import type { FromWorker } from './messages.ts'

/** Without a reply in this time a request is admitted: a supervisor that hangs must not stop the service. */
const replyTimeoutMs = 1_000

export class SharedQuota {
  /** Requests that a client may send in a minute. */
  readonly #requestsMax: number
  readonly #send: (message: FromWorker) => void
  /** For each message without a reply, by its id, the function that receives the reply. */
  readonly #onReply = new Map<number, (quota: Quota) => void>()
  /** When a client above its limit may send requests again, on the clock of `performance.now()`. */
  readonly #exceededUntil = new LRUCache<string, number>({
    max: rateLimitClientsMax,
    ttl: rateLimitWindowSeconds * 1000,
    ttlAutopurge: true,
  })
  #lastId = 0
  /**
   * Set while the supervisor does not reply: before this time, on the clock of `performance.now()`, no request asks it.
   * The requests are admitted at once, and send no message that the supervisor would count much later. Undefined while
   * the supervisor replies.
   */
  #askAgainAt: number | undefined

  constructor(requestsMax: number, send: (message: FromWorker) => void) {
    this.#requestsMax = requestsMax
    this.#send = send
  }

  /**
   * Counts requests of a client, unless it is above its limit, and returns what is left of its quota. A property,
   * because it is passed on as a function.
   */
  readonly count: CountRequests = async (client, requests) => {
    const now = performance.now()
    const remainingMs = (this.#exceededUntil.get(client) ?? 0) - now
    if (remainingMs > 0) return { isExceeded: true, remaining: 0, resetSeconds: Math.ceil(remainingMs / 1000) }
    if (this.#askAgainAt !== undefined) {
      if (now < this.#askAgainAt) return this.#quotaWithoutReply
      // This request asks again. Those after it are admitted at once until its reply comes or the new time is over.
      this.#askAgainAt = now + replyTimeoutMs
    }
    return this.#ask(client, requests)
  }

  /**
   * Receives the reply of the supervisor to the message with this id. A reply that comes too late only shows that the
   * supervisor replies again.
   */
  receive(id: number, quota: Quota): void {
    this.#askAgainAt = undefined
    this.#onReply.get(id)?.(quota)
  }

  /** Asks the supervisor to count the requests. */
  async #ask(client: string, requests: number): Promise<Quota> {
    this.#lastId += 1
    const id = this.#lastId
    const { promise, resolve } = Promise.withResolvers<Quota>()
    this.#onReply.set(id, resolve)
    const timer = setTimeout(() => {
      this.#askAgainAt = performance.now() + replyTimeoutMs
      resolve(this.#quotaWithoutReply)
    }, replyTimeoutMs)
    this.#send({ kind: 'count-requests', id, client, requests })
    const quota = await promise
    clearTimeout(timer)
    this.#onReply.delete(id)
    if (quota.isExceeded) this.#exceededUntil.set(client, performance.now() + quota.resetSeconds * 1000)
    return quota
  }

  /** The quota that is assumed without a reply: a full one, in a window that ends in one second. */
  get #quotaWithoutReply(): Quota {
    return { isExceeded: false, remaining: this.#requestsMax, resetSeconds: 1 }
  }
}
