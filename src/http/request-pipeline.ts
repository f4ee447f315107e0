// The door every request comes in by, before the router: refuses what no route should see, answers what was answered
// before, and hands the rest on.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Problem, quote } from '../problems.ts'
import { isNotModified } from './conditional.ts'
import { urlCharactersMax } from './limits.ts'
import type { Coding } from './negotiate.ts'
import { negotiateCoding } from './negotiate.ts'
import { http } from './node-http.ts'
import { RequestDeadline } from './request-deadline.ts'
import type { ApiRequest, ApiResponse } from './response.ts'
import { allowedMethods, toProblemResponse } from './response.ts'
import type { ResponseCache } from './response-cache.ts'
import type { HttpSettings } from './settings.ts'
import type { Target } from './target.ts'
import { toOriginForm, toTarget } from './target.ts'

export interface FrontDoor {
  /** The data that responses are made from now, as in `ApiResponse.dataVersion`; undefined if it is unavailable. */
  readonly currentDataVersion: () => object | undefined
  readonly cache: ResponseCache
  readonly settings: HttpSettings
  readonly finish: Finish
  /** Takes requests that are not of the specification; false for the rest. */
  readonly aside: (request: IncomingMessage, response: ServerResponse) => boolean
  /** The router, for what is not settled here. */
  readonly route: (request: IncomingMessage, response: ServerResponse) => void
}

/** Writes an answer and looks after what can go wrong with that; a promise where that takes its time. */
export type Finish = (
  request: IncomingMessage,
  response: ServerResponse,
  answer: ApiResponse,
  apiRequest: RequestIdentity,
) => Promise<void> | undefined

type RequestIdentity = Pick<ApiRequest, 'id' | 'baseAddress'>

/** A request that came over a connection. */
export class NodeRequest implements ApiRequest {
  readonly id: string = nextRequestId()
  readonly method: string
  readonly target: Target
  readonly coding: Coding
  readonly ifNoneMatch: string | undefined
  readonly ifModifiedSince: string | undefined
  readonly deadline: RequestDeadline
  readonly #request: IncomingMessage
  readonly #settings: HttpSettings

  constructor(request: IncomingMessage, settings: HttpSettings) {
    const { headers } = request
    this.method = request.method ?? 'GET'
    this.target = toTarget(request.url ?? '/')
    this.coding = negotiateCoding(headers['accept-encoding']?.toString())
    this.ifNoneMatch = headers['if-none-match']
    this.ifModifiedSince = headers['if-modified-since']
    this.deadline = new RequestDeadline(request)
    this.#request = request
    this.#settings = settings
  }

  /** Most answers do not name it. */
  get baseAddress(): string {
    return toBaseAddress(this.#request, this.#settings)
  }
}

export function enter(door: FrontDoor, request: IncomingMessage, response: ServerResponse): void {
  const problem = refuse(request)
  if (problem !== undefined) {
    const apiRequest = new NodeRequest(request, door.settings)
    const closing = request.httpVersionMajor === 1 ? ['Connection', 'close'] : []
    const own = problem.code === 'method-not-allowed' ? ['Allow', allowedMethods] : closing
    door.finish(request, response, toProblemResponse(problem, apiRequest, own), apiRequest)
    return
  }
  if (request.url !== undefined && !request.url.startsWith('/')) request.url = toOriginForm(request.url)
  if (serveFromCache(door, request, response) || door.aside(request, response)) return
  door.route(request, response)
}

function refuse(request: IncomingMessage): Problem | undefined {
  const length = request.url?.length ?? 0
  if (length > urlCharactersMax) {
    const detail = `Cannot read the address: expected at most ${urlCharactersMax} characters, got ${length}`
    return new Problem('address-too-long', detail)
  }
  // HTTP/2 lets any word through as a method; the parser of HTTP/1.1 has refused it before.
  const { method = 'GET' } = request
  if (request.httpVersionMajor === 2 && !http.METHODS.includes(method)) {
    return new Problem('method-not-allowed', `Cannot ${quote(method)}: the service is read-only`)
  }
  // RFC 9112, section 3.2: a request with no Host, with two, or with one that is no host is answered 400. Two of them
  // are how a request is smuggled past a proxy that reads the other one.
  if (request.httpVersionMajor === 2) return undefined
  const { rawHeaders } = request
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  if (hosts > 1) return new Problem('malformed-request', 'Cannot read Host: it is given twice')
  if (hosts === 0 && request.httpVersion !== '1.0') {
    return new Problem('malformed-request', 'Cannot read Host: a request has one')
  }
  const host = request.headers.host ?? ''
  if (host !== '' && !isHost(host)) return new Problem('malformed-request', 'Cannot read Host: it is not a host')
  return undefined
}

/** The same question again: nothing to parse, nothing to search, nothing to compress. */
function serveFromCache(door: FrontDoor, request: IncomingMessage, response: ServerResponse): boolean {
  if (request.method !== 'GET' || request.url === undefined) return false
  const { headers } = request
  const dataVersion = door.currentDataVersion()
  if (dataVersion === undefined) return false
  const coding = negotiateCoding(headers['accept-encoding']?.toString())
  const cached = door.cache.find(request.url, coding, dataVersion)
  if (cached === undefined) return false
  const id = nextRequestId()
  const baseAddress = cached.next === undefined ? '' : toBaseAddress(request, door.settings)
  const conditions = { ifNoneMatch: headers['if-none-match'], ifModifiedSince: headers['if-modified-since'] }
  const answer = isNotModified(conditions, cached.entityTag, cached.headers) ? cached.notModified : cached
  door.finish(request, response, answer, { id, baseAddress })
  return true
}

/**
 * The base address as this client sees it. `Host` is the client's own word for it; `X-Forwarded-*` is anybody's, and
 * ignored: behind a proxy `--public-url` says it.
 */
export function toBaseAddress(request: IncomingMessage, settings: HttpSettings): string {
  if (settings.publicUrl !== undefined) return settings.publicUrl
  const named = request.headers.host ?? request.headers[':authority']?.toString() ?? ''
  const scheme = settings.isSecure ? 'https' : 'http'
  return `${scheme}://${isHost(named) ? named : toLocalHost(request.socket)}${settings.basePath}`
}

/** What a socket was reached at, for requests that name no host. */
export function toLocalHost({ localAddress = '127.0.0.1', localPort = 0 }: Partial<Socket>): string {
  return `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`
}

function isHost(text: string): boolean {
  return /^(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.test(text)
}

const requestIdPrefix = randomBytes(6).toString('base64url')
let requestCount = 0

/** Unique among processes by its beginning, within one by its end; nothing a client sends goes into it. */
export function nextRequestId(): string {
  requestCount += 1
  return `${requestIdPrefix}-${requestCount}`
}
