// Admission control: decides whether a request is handled or refused, by the rate limit and by the number of searches
// and exports in progress, in all and for each client. Also has the counters of requests for the metrics.

import { clientShareMax, exportsMax, retryAfterSeconds, searchesMax } from '../limits.ts'
import { Problem } from '../problems.ts'
import type { CountRequest } from './rate-limit.ts'
import { RateLimiter, toRateLimitHeaders } from './rate-limit.ts'
import type { ResponseHeaders } from './response-headers.ts'

/** Why a request is refused with 503, or was not answered before its deadline (`time`). */
export type ShedReason = 'requests' | 'client-requests' | 'exports' | 'client-exports' | 'time'

/** The sentence that tells the client why it was refused. */
const shedDetails: Readonly<Record<ShedReason, string>> = {
  requests: 'The service is handling as many requests as it can; try again soon',
  'client-requests': 'This client has as many requests in work as one client may; wait for their responses',
  exports: 'The service is sending as many exports as it can; try again soon, or request pages with limit',
  'client-exports': 'This client is receiving as many exports as one client may; finish them first, or request pages',
  time: 'The search took too long to find its first record; try again soon, or narrow it',
}

/** Work in progress of one kind: a number of slots, of which one client may use a share (`clientShareMax`). */
class Slots {
  readonly #max: number
  /** A client without any has no entry. */
  readonly #usedByClient = new Map<string, number>()
  used = 0

  constructor(max: number) {
    this.#max = max
  }

  isFullFor(client: string): boolean {
    return (this.#usedByClient.get(client) ?? 0) >= this.#max * clientShareMax
  }

  get isFull(): boolean {
    return this.used >= this.#max
  }

  /** Takes a slot until the returned function is called. */
  take(client: string): () => void {
    this.#add(client, 1)
    return () => this.#add(client, -1)
  }

  #add(client: string, difference: number): void {
    this.used += difference
    const usedByClient = (this.#usedByClient.get(client) ?? 0) + difference
    if (usedByClient === 0) this.#usedByClient.delete(client)
    else this.#usedByClient.set(client, usedByClient)
  }
}

export interface AdmissionSettings {
  /** Requests per client and minute; undefined means no limit. */
  readonly rateLimit?: number | undefined
  /** Counts the requests of all workers; undefined means that this process counts its own. */
  readonly countRequest?: CountRequest | undefined
}

export class Admission {
  readonly #requestsMax: number | undefined
  readonly #countRequest: CountRequest | undefined
  readonly #searches = new Slots(searchesMax)
  readonly #exports = new Slots(exportsMax)
  /** Requests refused with 503, by reason. */
  readonly shed: Record<ShedReason, number> = {
    requests: 0,
    'client-requests': 0,
    exports: 0,
    'client-exports': 0,
    time: 0,
  }
  /** Requests refused with 429. */
  rateLimited = 0
  /** The rate limiter of this process; undefined without a limit, or if a shared one replaces it. */
  readonly limiter: RateLimiter | undefined

  constructor({ rateLimit, countRequest }: AdmissionSettings) {
    this.#requestsMax = rateLimit
    const isOwn = rateLimit !== undefined && countRequest === undefined
    this.limiter = isOwn ? new RateLimiter(rateLimit) : undefined
    this.#countRequest = countRequest ?? this.limiter?.count
  }

  /** Requests in progress. */
  get searchesInWork(): number {
    return this.#searches.used
  }

  /** Streamed responses being sent. */
  get exportsOpen(): number {
    return this.#exports.used
  }

  get hasRateLimit(): boolean {
    return this.#requestsMax !== undefined
  }

  /** Counts a request for the rate limit: the headers of its response, or the refusal (429). */
  async countRequest(client: string): Promise<ResponseHeaders | Problem> {
    const requestsMax = this.#requestsMax
    const quota = await this.#countRequest?.(client)
    if (requestsMax === undefined || quota === undefined) return {}
    const headers = toRateLimitHeaders(requestsMax, quota)
    if (!quota.isExceeded) return headers
    this.rateLimited += 1
    const detail = `This client has sent more than ${requestsMax} requests in a minute`
    const refusalHeaders = { ...headers, 'Retry-After': String(quota.resetSeconds) }
    return new Problem('too-many-requests', detail, { headers: refusalHeaders })
  }

  /** Takes a slot for a request that may search, until the returned function is called; or refuses the request. */
  beginSearch(client: string): (() => void) | Problem {
    if (this.#searches.isFull) return this.refuse('requests')
    return this.#searches.isFullFor(client) ? this.refuse('client-requests') : this.#searches.take(client)
  }

  /** Takes a slot for a streamed response, until the returned function is called; or refuses it. */
  beginExport(client: string): (() => void) | Problem {
    if (this.#exports.isFull) return this.refuse('exports')
    return this.#exports.isFullFor(client) ? this.refuse('client-exports') : this.#exports.take(client)
  }

  /** Counts a refusal with 503 and returns it. */
  refuse(reason: ShedReason): Problem {
    this.shed[reason] += 1
    return new Problem('overloaded', shedDetails[reason], { headers: { 'Retry-After': `${retryAfterSeconds}` } })
  }
}
