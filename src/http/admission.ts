// Admission control: decides whether a request is handled or refused (rate limit, load shedding, limits of concurrent
// work), and counts requests. src/api/application.ts asks it before and during each request. To shed a request is to
// refuse it with 503. Concurrent work takes places (places.ts), whose number is limited, in total and for each client.
//
// | work                                         | asked first          | begins with   | in work | takes places of   |
// | a request, until it is answered              | `findOverload`       | `begin`       | 1       | none              |
// | the same, in the router                      |                      | `beginSearch` |         | searches          |
// | sending an export (a streamed response)      | `checkExportLimit`   | `beginExport` |         | exports           |
// | reading the body of a request to MCP         | `checkBodyLimit`     | `beginBody`   | -1      | bodies            |
// | the tool calls of a request to MCP           | `findOverload`       | `beginCalls`  | calls-1 | searches, by call |
//
// "In work" is what it adds to `traffic.requestsInWork`. MCP is the Model Context Protocol (src/mcp).
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Problem } from '../problems.ts'
import type { TrustedProxy } from './client-address.ts'
import { toClientName } from './client-address.ts'
import { bodiesMax, exportsMax, requestsInWorkMax, retryAfterSeconds } from './limits.ts'
import type { CodingName } from './negotiate.ts'
import type { Pressure, ShedReason } from './overload-monitor.ts'
import { watchPressure } from './overload-monitor.ts'
import { Places } from './places.ts'
import type { CountRequests } from './rate-limit.ts'
import { RateLimiter, toRateLimitHeaders } from './rate-limit.ts'
import type { RequestDeadline } from './request-deadline.ts'
import type { ApiResponse } from './response.ts'
import { isStreamed } from './response.ts'
import type { CountedRoute } from './traffic.ts'
import { Traffic } from './traffic.ts'

export interface AdmissionSettings {
  readonly basePath: string
  /** Requests per client and minute; undefined means no limit. */
  readonly rateLimit?: number | undefined
  /** The proxies whose `X-Forwarded-For` header is trusted. */
  readonly trustedProxies?: readonly TrustedProxy[]
  /** Number of processes that share the memory limit. */
  readonly workers?: number
  /** Replaces the rate limiter of this process by a shared one. */
  readonly countRequests?: CountRequests | undefined
  /** The routes that the metrics count by name (`Traffic`); all other requests are counted together. */
  readonly routes?: readonly CountedRoute[]
}

/** What a 429 or 503 response contains. */
export interface Refusal {
  /** The JSON body (RFC 9457). */
  readonly problem: Problem
  /** The value of the header `Retry-After`. */
  readonly retryAfterSeconds: number
}

export class AdmissionControl {
  readonly traffic: Traffic
  /** The rate limiter of this process; undefined without a limit, or if a shared limiter replaces it. */
  readonly limiter: RateLimiter | undefined
  /** Requests per client and minute, and how they are counted: by `limiter` or the shared one. Undefined: no limit. */
  readonly #rateLimit: { readonly requestsMax: number; readonly count: CountRequests } | undefined
  /** Whether the process is short of time or memory. */
  readonly pressure: Pressure
  readonly #trustedProxies: readonly TrustedProxy[]
  readonly #searches = new Places(requestsInWorkMax)
  readonly #exports = new Places(exportsMax)
  readonly #bodies = new Places(bodiesMax)

  constructor(settings: AdmissionSettings) {
    const { basePath, rateLimit, trustedProxies = [], workers = 1, routes = [], countRequests } = settings
    this.traffic = new Traffic(basePath, routes)
    if (rateLimit !== undefined && countRequests === undefined) {
      const limiter = new RateLimiter(rateLimit)
      this.limiter = limiter
      const count: CountRequests = async (client, requests) => limiter.count(client, requests)
      this.#rateLimit = { requestsMax: rateLimit, count }
    } else if (rateLimit !== undefined && countRequests !== undefined) {
      this.#rateLimit = { requestsMax: rateLimit, count: countRequests }
    }
    this.pressure = watchPressure(workers)
    this.#trustedProxies = trustedProxies
  }

  /**
   * Counts the request for the rate limit and sets the `RateLimit` headers. Returns the refusal (429) if the client is
   * above its limit, otherwise undefined. `requests` may be more than one for MCP: a batch has several messages.
   */
  async checkRateLimit(
    request: IncomingMessage,
    response: ServerResponse,
    requests: number = 1,
  ): Promise<Refusal | undefined> {
    if (this.#rateLimit === undefined) return undefined
    const { requestsMax, count } = this.#rateLimit
    const quota = await count(this.#toClientName(request), requests)
    for (const [name, value] of toRateLimitHeaders(requestsMax, quota)) response.setHeader(name, value)
    if (!quota.isExceeded) return undefined
    this.traffic.rateLimited += 1
    const detail = `This client has sent more than ${requestsMax} requests in a minute`
    return { problem: new Problem('too-many-requests', detail), retryAfterSeconds: quota.resetSeconds }
  }

  /**
   * Why a request that reads the registry is refused: overload, or too many in work, of all clients or of this one.
   * Undefined if it is admitted. `requests` may be more than one for MCP: a batch is admitted with all its tool calls.
   * The limit for all clients is for requests in work, the limit for one client only for its searches.
   */
  findOverload(request: IncomingMessage, requests: number = 1): ShedReason | undefined {
    if (this.pressure.reason !== undefined) return this.pressure.reason
    if (this.traffic.requestsInWork + requests > requestsInWorkMax) return 'requests'
    // Computing the name of the client takes time, so it is done only if one client could have used up its share.
    const exceedsShare =
      this.#searches.used + requests > this.#searches.clientMax &&
      this.#searches.isFullFor(this.#toClientName(request), requests)
    return exceedsShare ? 'client-requests' : undefined
  }

  /**
   * The refusal of a request to MCP under overload (`findOverload`), or while too many bodies are being read, of all
   * clients or of this one; else undefined. Too many bodies of all clients are counted under the reason `requests`.
   */
  checkBodyLimit(request: IncomingMessage): Refusal | undefined {
    const overload = this.findOverload(request)
    if (overload !== undefined) return this.shed(overload)
    if (this.#bodies.isFull) return this.shed('requests')
    return this.#bodies.isFullFor(this.#toClientName(request)) ? this.shed('client-bodies') : undefined
  }

  /** Takes a place for a request to the router, until the returned function is called. */
  beginSearch(request: IncomingMessage): () => void {
    return this.#searches.take(this.#toClientName(request))
  }

  /** Streamed responses being sent. */
  get exportsOpen(): number {
    return this.#exports.used
  }

  /**
   * The refusal of a streamed response while too many are sent, to all clients or to this one, or while
   * `findQueueOverload` returns a reason: the send queues have no room for another export. Else undefined, also for
   * HEAD and for a response that is not streamed.
   */
  checkExportLimit(
    request: IncomingMessage,
    { body }: ApiResponse,
    findQueueOverload: (socket: Socket, coding: CodingName) => ShedReason | undefined = () => undefined,
  ): Refusal | undefined {
    if (!isStreamed(body) || request.method === 'HEAD') return undefined
    if (this.#exports.isFull) return this.shed('exports')
    const isClientFull = this.#exports.isFullFor(this.#toClientName(request))
    const reason = isClientFull ? 'client-exports' : findQueueOverload(request.socket, body.coding)
    return reason === undefined ? undefined : this.shed(reason)
  }

  /** Takes a place for a streamed response until the returned function is called. */
  beginExport(request: IncomingMessage): () => void {
    return this.#exports.take(this.#toClientName(request))
  }

  /**
   * The refusal for a search that its deadline ended. It counts as shed only if the time limit ended the search: if the
   * client has disconnected, nobody gets the refusal.
   */
  shedCancelledSearch(deadline: RequestDeadline | undefined): Refusal {
    return deadline?.isClientGone === true ? toOverloadRefusal('time') : this.shed('time')
  }

  /** Counts a request that was answered before routing; its duration counts as 0. */
  countUnrouted(request: IncomingMessage, { statusCode }: ServerResponse): void {
    this.traffic.count(request.url ?? '', statusCode, 0)
  }

  /** Counts a request as in work until the returned function is called, and then its route, status and duration. */
  begin(request: IncomingMessage, response: ServerResponse): () => void {
    const { traffic } = this
    const startedAt = performance.now()
    traffic.requestsInWork += 1
    return () => {
      traffic.requestsInWork -= 1
      const seconds = (performance.now() - startedAt) / 1000
      traffic.count(request.url ?? '', response.statusCode, seconds)
    }
  }

  /**
   * Counts the body of a request as being read until the returned function is called. Meanwhile the request, which
   * `begin` has counted, does not count as in work, so that clients that send slowly leave room for other requests.
   */
  beginBody(request: IncomingMessage): () => void {
    const release = this.#bodies.take(this.#toClientName(request))
    this.traffic.requestsInWork -= 1
    return () => {
      release()
      this.traffic.requestsInWork += 1
    }
  }

  /** Each tool call of a request to MCP takes a place, and is in work, until the returned function is called. */
  beginCalls(request: IncomingMessage, calls: number): () => void {
    const release = this.#searches.take(this.#toClientName(request), calls)
    // `begin` has counted the first call as the request itself.
    const furtherCalls = Math.max(0, calls - 1)
    this.traffic.requestsInWork += furtherCalls
    return () => {
      release()
      this.traffic.requestsInWork -= furtherCalls
    }
  }

  /** Stops the checks of `pressure`. */
  end(): void {
    this.pressure.end()
  }

  #toClientName(request: IncomingMessage): string {
    return toClientName(request, this.#trustedProxies)
  }

  /** Counts a refusal with 503 and returns it. */
  shed(reason: ShedReason): Refusal {
    this.traffic.shed[reason] += 1
    return toOverloadRefusal(reason)
  }
}

function toOverloadRefusal(reason: ShedReason): Refusal {
  return { problem: new Problem('overloaded', shedDetails[reason]), retryAfterSeconds }
}

/** The sentence that tells the client why it was refused. */
const shedDetails: Readonly<Record<ShedReason, string>> = {
  requests: 'The service is handling as many requests as it can; try again soon',
  'client-requests': 'This client has as many requests in work as one client may; wait for their responses',
  exports: 'The service is sending as many exports as it can; try again soon, or request pages with limit',
  'client-exports': 'This client is receiving as many exports as one client may; finish them first, or request pages',
  'client-bodies': 'This client is sending as many requests to MCP as one client may; finish them first',
  'event-loop': 'The service is overloaded; try again soon',
  memory: 'The service is short of memory; try again soon',
  'send-queue': 'Clients at this address do not read their responses; try again soon',
  time: 'The search took too long to find its first record; try again soon, or narrow it',
}
