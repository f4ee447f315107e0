// Dead-link checker of the command `check --links`. It sends HEAD requests, and GET if HEAD gets an error, a few at a
// time per host, and connects to public addresses only. check.ts reads the links from the registry.
import { isIP } from 'node:net'
import { Agent, request } from 'undici'
import { toSpanishReason } from '../domain/document-reason.ts'
import { currentLanguage, t } from '../language.ts'
import { systemReasonOf } from '../system-reason.ts'
import { type AddressRule, ForbiddenAddress, isForbiddenAddress, pinnedLookup } from './documents/address-policy.ts'
import { forEachConcurrent } from './documents/concurrent.ts'
import { findFirstValue, parseRetryAfter } from './documents/download.ts'
import { HostLimiter } from './documents/host-limiter.ts'

export interface Link {
  /** Id of the first record that has the link. */
  readonly id: string
  readonly address: string
}

/** What is known about each link, in the order of the records; undefined for a link that was not looked at yet. */
export type LinkOutcomes = readonly (LinkOutcome | undefined)[]

export interface LinkOptions {
  /** By default, addresses that are not public are forbidden. */
  readonly isForbidden?: AddressRule
  /** Limit for one request, from connecting to the headers of the response. */
  readonly timeoutMs?: number
  /** Called after each link with what is known so far, and with the number of links that were looked at. */
  readonly onProgress?: (outcomes: LinkOutcomes, done: number) => Promise<void>
}

/** Concurrent requests to one host. */
const hostConnectionsMax = 2
/** Links that are checked concurrently, on all hosts together. */
const concurrentLinksMax = 16
const redirectsMax = 5
const defaultTimeoutMs = 20_000
/** The longest pause (`Retry-After`) that a host gets. If it asks for a longer one, there is no pause at all. */
const retryAfterMsMax = 30_000
/**
 * A request waits while its host has `hostConnectionsMax` requests or has asked for a pause. If the host is still
 * paused after `retryAfterMsMax` plus the timeouts of this many earlier requests, the link is not checked.
 */
const timeoutsAwaited = 4

/** `links` has each address once. */
export async function checkEachLink(links: readonly Link[], options: LinkOptions = {}): Promise<LinkOutcomes> {
  const isForbidden = options.isForbidden ?? isForbiddenAddress
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs
  const agent = new Agent({
    connect: { lookup: pinnedLookup(isForbidden), timeout: timeoutMs },
    connections: hostConnectionsMax,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  })
  const checker = new LinkChecker(agent, isForbidden, timeoutMs)
  const outcomes = new Array<LinkOutcome | undefined>(links.length)
  let done = 0
  // The links of one host wait for each other only: a slow host holds `hostConnectionsMax` of the concurrent checks.
  const byHost = Map.groupBy(links.entries(), ([, { address }]) => URL.parse(address)?.host)
  const queues = [...byHost.values()].flatMap((hostLinks) => Array(hostConnectionsMax).fill(hostLinks.values()))
  const checkQueue = async (queue: Iterable<[number, Link]>): Promise<void> => {
    for (const [index, { address }] of queue) {
      outcomes[index] = await checker.check(address)
      await options.onProgress?.(outcomes, ++done)
    }
  }
  try {
    await forEachConcurrent(queues, concurrentLinksMax, checkQueue, () => void agent.destroy())
  } finally {
    await agent.destroy()
  }
  return outcomes
}

/** What is known about a link; for a dead link, the reason. `not checked`: its host or this machine's network fails. */
export type LinkOutcome = 'works' | 'not checked' | { readonly reason: string }

class LinkChecker {
  readonly #agent: Agent
  readonly #isForbidden: AddressRule
  readonly #timeoutMs: number
  readonly #hostLimiter = new HostLimiter(hostConnectionsMax)

  constructor(agent: Agent, isForbidden: AddressRule, timeoutMs: number) {
    this.#agent = agent
    this.#isForbidden = isForbidden
    this.#timeoutMs = timeoutMs
  }

  /** Follows redirects. */
  async check(address: string): Promise<LinkOutcome> {
    let target = address
    for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
      if (!URL.canParse(target)) return { reason: t`it is not a valid address` }
      const url = new URL(target)
      if (url.protocol !== 'http:' && url.protocol !== 'https:')
        return { reason: t`${url.protocol} is not supported, only http: and https:` }
      // `pinnedLookup` checks host names. An IP address is not looked up, so it is checked here. An IPv6 address is in
      // brackets: `[::1]`.
      const hostname = url.hostname.replace(/^\[|\]$/g, '')
      if (isIP(hostname) !== 0 && this.#isForbidden(hostname)) return { reason: t`${hostname} is not a public address` }
      const response = await this.#request(url)
      if (response === 'not checked' || 'reason' in response) return response
      const { statusCode, location } = response
      if (statusCode < 300) return 'works'
      if (isBusy(statusCode)) return 'not checked'
      // A status from 300 to 399 without an address cannot be followed.
      if (statusCode >= 400 || location === undefined)
        return { reason: t`the host responded with ${String(statusCode)}` }
      if (!URL.canParse(location, url)) return { reason: t`it redirects to an invalid address` }
      target = new URL(location, url).href
    }
    return { reason: t`it redirects more than ${redirectsMax} times` }
  }

  /** Returns the response or, if there is none, the outcome. */
  async #request(url: URL): Promise<LinkResponse | Exclude<LinkOutcome, 'works'>> {
    // Limits the wait for a host that asks for one pause after another. The request itself has its own timeout.
    const waitSignal = AbortSignal.timeout(retryAfterMsMax + this.#timeoutMs * timeoutsAwaited)
    try {
      return await this.#hostLimiter.run(url.host, () => this.#sendHeadOrGet(url), waitSignal)
    } catch (error) {
      // The message is one of the reasons of address-policy.ts, which are in English.
      if (error instanceof ForbiddenAddress)
        return { reason: currentLanguage() === 'es' ? toSpanishReason(error.message) : error.message }
      // The host limiter ends a wait with an `AbortError`. A request that takes too long fails with another error.
      if (waitSignal.aborted && error instanceof Error && error.name === 'AbortError') return 'not checked'
      if (isLocalFailure(error)) return 'not checked'
      return { reason: t`no response: ${systemReasonOf(error)}` }
    }
  }

  /** Some servers forbid HEAD or lack it, so after an error status other than `isBusy`, a GET of one byte decides. */
  async #sendHeadOrGet(url: URL): Promise<LinkResponse> {
    const response = await this.#send(url, 'HEAD')
    const isError = response.statusCode >= 400 && !isBusy(response.statusCode)
    return isError ? await this.#send(url, 'GET') : response
  }

  async #send(url: URL, method: 'HEAD' | 'GET'): Promise<LinkResponse> {
    const response = await request(url, {
      dispatcher: this.#agent,
      method,
      signal: AbortSignal.timeout(this.#timeoutMs),
      headers: { 'user-agent': 'planning-registry', ...(method === 'GET' ? { range: 'bytes=0-0' } : {}) },
    })
    // Only status and headers are needed. Destroying the body emits an error, which would end the process if nobody
    // listened.
    response.body.on('error', () => {})
    response.body.destroy()
    // Any response may ask for a pause, which the following links wait for. This link is not tried again.
    const retryAfterMs = parseRetryAfter(findFirstValue(response.headers['retry-after'])) ?? 0
    if (retryAfterMs > 0 && retryAfterMs <= retryAfterMsMax) this.#hostLimiter.pause(url.host, retryAfterMs)
    return { statusCode: response.statusCode, location: findFirstValue(response.headers.location) }
  }
}

interface LinkResponse {
  readonly statusCode: number
  /** Where a redirect leads; it may be relative. */
  readonly location: string | undefined
}

/** Whether the network of this machine has failed, which says nothing about the link. */
function isLocalFailure(error: unknown): boolean {
  return error instanceof Error && 'code' in error && localFailures.includes(String(error.code))
}

const localFailures: readonly string[] = ['EADDRNOTAVAIL', 'EAI_AGAIN', 'ENETDOWN', 'ENETUNREACH']

/** Whether the host is overloaded or limits requests, which says nothing about the link. */
function isBusy(statusCode: number): boolean {
  return statusCode === 429 || statusCode === 503
}
