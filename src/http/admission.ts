// What stands in a request's way before it is worked on, and counts it once it is done: the rate limit, the shedding of
// load, the limit on exports. Each refusal is a Problem; app.ts answers with it.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '../problems.ts'
import type { TrustedProxy } from './client-address.ts'
import { toClientName } from './client-address.ts'
import { exportsMax, requestsInWorkMax, retryAfterSeconds } from './limits.ts'
import type { Pressure, ShedReason } from './overload-monitor.ts'
import { watchPressure } from './overload-monitor.ts'
import { RateLimiter, toRateLimitHeaders } from './rate-limit.ts'
import type { ApiResponse } from './response.ts'
import { isStreamed } from './response.ts'
import { Traffic } from './traffic.ts'

export interface AdmissionSettings {
  readonly basePath: string
  /** Requests per client and minute; no limit where undefined. */
  readonly rateLimit?: number | undefined
  /** The proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies?: readonly TrustedProxy[]
  /** Processes that share the memory of this machine. */
  readonly workers?: number
  /** Names for the request counts, see `Traffic`. */
  readonly routeNames?: readonly string[]
}

/** A request refused for now, and the seconds after which it may come again. */
export interface Refusal {
  readonly problem: Problem
  readonly retryAfterSeconds: number
}

export class AdmissionControl {
  readonly traffic: Traffic
  readonly limiter: RateLimiter | undefined
  readonly pressure: Pressure
  readonly #trusted: readonly TrustedProxy[]

  constructor({ basePath, rateLimit, trustedProxies = [], workers = 1, routeNames = [] }: AdmissionSettings) {
    this.traffic = new Traffic(basePath, routeNames)
    this.limiter = rateLimit === undefined ? undefined : new RateLimiter(rateLimit)
    this.pressure = watchPressure(workers)
    this.#trusted = trustedProxies
  }

  /** The rate limit; says on every answer what is left of it. */
  refuseClient(request: IncomingMessage, response: ServerResponse): Refusal | undefined {
    if (this.limiter === undefined) return undefined
    const quota = this.limiter.count(toClientName(request, this.#trusted), performance.now())
    for (const [name, value] of toRateLimitHeaders(this.limiter, quota)) response.setHeader(name, value)
    if (!quota.isExceeded) return undefined
    this.traffic.rateLimited += 1
    const detail = `This client has sent more than ${this.limiter.requestsMax} requests in a minute`
    return { problem: new Problem('too-many-requests', detail), retryAfterSeconds: quota.resetSeconds }
  }

  /** Whether there is room for one more request that needs work. */
  get hasRoom(): boolean {
    return this.traffic.requestsInWork < requestsInWorkMax && this.pressure.reason === undefined
  }

  /** Where there is none. */
  refuseWork(): Refusal {
    return this.#shed(this.pressure.reason ?? 'requests')
  }

  /** Whether there is room for one more answer that is made while it is sent. */
  refuseExport(request: IncomingMessage, { body }: ApiResponse): Refusal | undefined {
    if (!isStreamed(body) || request.method === 'HEAD') return undefined
    return this.traffic.exportsOpen < exportsMax ? undefined : this.#shed('exports')
  }

  /** A long answer to a client for whom too much waits already. */
  refuseSending(): Refusal {
    return this.#shed('send-queue')
  }

  /** A search that had nothing to show in time, or whose client did not wait for it, which is no fault of ours. */
  giveUp(isGone: boolean): Refusal {
    const refusal = this.#shed('time')
    if (isGone) this.traffic.shed.time -= 1
    return refusal
  }

  /** Counts a request that was answered at the door, in no time worth measuring. */
  countAtDoor(request: IncomingMessage, { status }: ApiResponse): void {
    this.traffic.count(this.traffic.routeOf(request.url ?? ''), status, 0)
  }

  /** Counts a request that is worked on, and times it until the returned function is called. */
  begin(request: IncomingMessage, response: ServerResponse): () => void {
    const { traffic } = this
    const startedMs = performance.now()
    traffic.requestsInWork += 1
    return () => {
      traffic.requestsInWork -= 1
      const seconds = (performance.now() - startedMs) / 1000
      traffic.count(traffic.routeOf(request.url ?? ''), response.statusCode, seconds)
    }
  }

  end(): void {
    this.pressure.end()
  }

  #shed(reason: ShedReason): Refusal {
    this.traffic.shed[reason] += 1
    return { problem: new Problem('overloaded', shedDetails[reason]), retryAfterSeconds }
  }
}

const shedDetails: Readonly<Record<ShedReason, string>> = {
  requests: 'The service is working on as many requests as it can; try again soon',
  exports: 'The service is sending as many long answers as it can; try again soon, or ask for pages with limit',
  'event-loop': 'The service is behind with its work; try again soon',
  memory: 'The service is short of memory; try again soon',
  'send-queue': 'Clients at this address have not read what they were sent; try again soon',
  time: 'The search took too long to find its first record; try again soon, or narrow it',
}
