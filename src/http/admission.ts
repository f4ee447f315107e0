// Admission control: decides whether a request is handled or refused (rate limit, load shedding, limit on exports), and
// counts requests. src/api/application.ts asks it before and during each request. An export is a streamed response.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '../problems.ts'
import type { TrustedProxy } from './client-address.ts'
import { toClientName } from './client-address.ts'
import { exportsMax, requestsInWorkMax, retryAfterSeconds } from './limits.ts'
import type { Pressure, ShedReason } from './overload-monitor.ts'
import { watchPressure } from './overload-monitor.ts'
import { RateLimiter, toRateLimitHeaders } from './rate-limit.ts'
import type { RequestDeadline } from './request-deadline.ts'
import type { ApiResponse } from './response.ts'
import { isStreamed } from './response.ts'
import { Traffic } from './traffic.ts'

export interface AdmissionSettings {
  readonly basePath: string
  /** Requests per client and minute; undefined means no limit. */
  readonly rateLimit?: number | undefined
  /** The proxies whose `X-Forwarded-For` header is trusted. */
  readonly trustedProxies?: readonly TrustedProxy[]
  /** Number of processes that share the memory limit. */
  readonly workers?: number
  /** Routes that are counted separately, see `Traffic`. */
  readonly routeNames?: readonly string[]
}

/** What a 429 or 503 response contains. */
export interface Refusal {
  readonly problem: Problem
  readonly retryAfterSeconds: number
}

export class AdmissionControl {
  readonly traffic: Traffic
  readonly limiter: RateLimiter | undefined
  readonly pressure: Pressure
  readonly #trustedProxies: readonly TrustedProxy[]

  constructor({ basePath, rateLimit, trustedProxies = [], workers = 1, routeNames = [] }: AdmissionSettings) {
    this.traffic = new Traffic(basePath, routeNames)
    this.limiter = rateLimit === undefined ? undefined : new RateLimiter(rateLimit)
    this.pressure = watchPressure(workers)
    this.#trustedProxies = trustedProxies
  }

  /** Counts the request for the rate limit, and sets the `RateLimit` headers, also if it is not refused. */
  refuseClient(request: IncomingMessage, response: ServerResponse): Refusal | undefined {
    if (this.limiter === undefined) return undefined
    const quota = this.limiter.count(toClientName(request, this.#trustedProxies), performance.now())
    for (const [name, value] of toRateLimitHeaders(this.limiter, quota)) response.setHeader(name, value)
    if (!quota.isExceeded) return undefined
    this.traffic.rateLimited += 1
    const detail = `This client has sent more than ${this.limiter.requestsMax} requests in a minute`
    return { problem: new Problem('too-many-requests', detail), retryAfterSeconds: quota.resetSeconds }
  }

  /** Whether one more request that reads the registry is admitted. */
  get canAdmit(): boolean {
    return this.traffic.requestsInWork < requestsInWorkMax && this.pressure.reason === undefined
  }

  /** The refusal when `canAdmit` is false. */
  refuseWork(): Refusal {
    return this.#shed(this.pressure.reason ?? 'requests')
  }

  /** Refuses a streamed response while too many are being sent. */
  refuseExport(request: IncomingMessage, { body }: ApiResponse): Refusal | undefined {
    if (!isStreamed(body) || request.method === 'HEAD') return undefined
    return this.traffic.exportsOpen < exportsMax ? undefined : this.#shed('exports')
  }

  /** Refuses a long response to a client whose send queues are full. */
  refuseSending(): Refusal {
    return this.#shed('send-queue')
  }

  /** The refusal for a cancelled search. It counts as shed only if the client is still connected. */
  refuseCancelled(deadline: RequestDeadline | undefined): Refusal {
    return deadline?.isClientGone === true ? toOverloaded('time') : this.#shed('time')
  }

  /** Counts a request that was answered before routing; its duration counts as 0. */
  countUnrouted(request: IncomingMessage, { status }: ApiResponse): void {
    this.traffic.count(this.traffic.routeOf(request.url ?? ''), status, 0)
  }

  /** Counts a request as in progress until the returned function is called, and then its route, status and duration. */
  begin(request: IncomingMessage, response: ServerResponse): () => void {
    const { traffic } = this
    const startedAt = performance.now()
    traffic.requestsInWork += 1
    return () => {
      traffic.requestsInWork -= 1
      const seconds = (performance.now() - startedAt) / 1000
      traffic.count(traffic.routeOf(request.url ?? ''), response.statusCode, seconds)
    }
  }

  end(): void {
    this.pressure.end()
  }

  #shed(reason: ShedReason): Refusal {
    this.traffic.shed[reason] += 1
    return toOverloaded(reason)
  }
}

function toOverloaded(reason: ShedReason): Refusal {
  return { problem: new Problem('overloaded', shedDetails[reason]), retryAfterSeconds }
}

const shedDetails: Readonly<Record<ShedReason, string>> = {
  requests: 'The service is handling as many requests as it can; try again soon',
  exports: 'The service is sending as many exports as it can; try again soon, or request pages with limit',
  'event-loop': 'The service is overloaded; try again soon',
  memory: 'The service is short of memory; try again soon',
  'send-queue': 'Clients at this address do not read their responses; try again soon',
  time: 'The search took too long to find its first record; try again soon, or narrow it',
}
