// The first stages of a request, after the rate limit and before the router: validation, response cache, and MCP (Model
// Context Protocol), which is outside the router. src/api/application.ts supplies what the stages need, and calls
// `runPipeline` for every request that the rate limit admits.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem, quote } from '../problems.ts'
import { isNotModified } from './conditional.ts'
import { urlCharactersMax } from './limits.ts'
import { negotiateCoding } from './negotiate.ts'
import { http } from './node-http.ts'
import { isHost, NodeRequest, nextRequestId, toBaseUrl } from './node-request.ts'
import type { ApiRequest, ApiResponse } from './response.ts'
import { allowedMethods, isGetOrHead, toProblemResponse } from './response.ts'
import type { ResponseCache } from './response-cache.ts'
import type { HttpSettings } from './settings.ts'
import { toAuthority, toOriginForm } from './target.ts'

export interface PipelineStages {
  /**
   * The current `ApiResponse.dataVersion`: the object of the snapshot in service. Every import makes a new one, so two
   * versions are equal only if they are the same object. Undefined if the registry is unavailable.
   */
  readonly currentDataVersion: () => object | undefined
  readonly cache: ResponseCache
  readonly settings: HttpSettings
  readonly sendResponse: SendResponse
  /** Handles a request to MCP; returns false for any other request. */
  readonly intercept: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Handles every other request. */
  readonly route: (request: IncomingMessage, response: ServerResponse) => void
}

/** Sends a response and handles errors of sending. Returns a promise if the body is streamed. */
export type SendResponse = (
  request: IncomingMessage,
  response: ServerResponse,
  apiResponse: ApiResponse,
  apiRequest: Pick<ApiRequest, 'id' | 'baseUrl'>,
) => Promise<void> | undefined

/** Responds to an invalid request, or from the cache; otherwise passes the request to `intercept` and `route`. */
export function runPipeline(stages: PipelineStages, request: IncomingMessage, response: ServerResponse): void {
  const problem = validate(request) ?? acceptAbsoluteTarget(request)
  if (problem !== undefined) {
    const apiRequest = new NodeRequest(request, stages.settings)
    const problemResponse = toProblemResponse(problem, apiRequest, toRejectionHeaders(request, problem))
    stages.sendResponse(request, response, problemResponse, apiRequest)
    return
  }
  if (serveFromCache(stages, request, response) || stages.intercept(request, response)) return
  stages.route(request, response)
}

/** Further headers of an error: `Allow` for a 405. After any other error a connection of HTTP/1.1 is closed. */
function toRejectionHeaders({ httpVersionMajor }: IncomingMessage, problem: Problem): string[] {
  if (problem.code === 'method-not-allowed') return ['Allow', allowedMethods]
  return httpVersionMajor === 1 ? ['Connection', 'close'] : []
}

/** What is wrong with the length of the address, the `Host` (HTTP/1.1) or the method (HTTP/2); undefined if nothing. */
function validate(request: IncomingMessage): Problem | undefined {
  const urlCharacters = request.url?.length ?? 0
  if (urlCharacters > urlCharactersMax) {
    const detail = `Cannot read the address: expected at most ${urlCharactersMax} characters, got ${urlCharacters}`
    return new Problem('address-too-long', detail)
  }
  return request.httpVersionMajor === 2 ? validateHttp2Method(request) : validateHost(request)
}

/**
 * Changes a request with an absolute target (`http://host/path`): its `url` becomes the path and query, and the host of
 * the target replaces the `Host` header, which must be ignored (RFC 9112, section 3.2.2). Returns a problem if the host
 * is not valid.
 */
function acceptAbsoluteTarget(request: IncomingMessage): Problem | undefined {
  if (request.url === undefined || request.url.startsWith('/')) return undefined
  const authority = toAuthority(request.url)
  // Any other target, such as the `*` of OPTIONS, is left to the router.
  if (authority === undefined) return undefined
  if (!isHost(authority)) return new Problem('malformed-request', 'Cannot read the address: its host is not valid')
  request.headers.host = authority
  request.url = toOriginForm(request.url)
  return undefined
}

/**
 * Refuses the methods that with HTTP/1.1 are refused before the pipeline: unknown ones by Node's parser, and CONNECT by
 * protocol-errors.ts. Known methods such as POST get their 405 from the router.
 */
function validateHttp2Method({ method = 'GET' }: IncomingMessage): Problem | undefined {
  if (method === 'CONNECT') return new Problem('method-not-allowed', 'Cannot CONNECT: the service is not a proxy')
  if (http.METHODS.includes(method)) return undefined
  return new Problem('method-not-allowed', `Cannot ${quote(method)}: the service is read-only`)
}

/**
 * Returns a problem (400) if there are several Host headers, an invalid one or, except with HTTP/1.0, none (RFC 9112,
 * section 3.2). Several allow request smuggling, because a proxy may read another one than the service. An empty value
 * is valid.
 */
function validateHost(request: IncomingMessage): Problem | undefined {
  const { rawHeaders } = request
  let hostHeaderCount = 0
  // Names and values alternate.
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    // The length is compared first, because most headers differ in it.
    if (name?.length === 'host'.length && name.toLowerCase() === 'host') hostHeaderCount++
  }
  if (hostHeaderCount > 1) return new Problem('malformed-request', 'Cannot read Host: it is given more than once')
  if (hostHeaderCount === 0 && request.httpVersion !== '1.0') {
    return new Problem('malformed-request', 'Cannot read Host: it is missing')
  }
  const host = request.headers.host ?? ''
  if (host !== '' && !isHost(host)) return new Problem('malformed-request', 'Cannot read Host: it is not a valid host')
  return undefined
}

/** Sends the cached response, or its 304. Returns false if none is current, or if the method is not GET or HEAD. */
function serveFromCache(stages: PipelineStages, request: IncomingMessage, response: ServerResponse): boolean {
  if (!isGetOrHead(request) || request.url === undefined) return false
  const { headers } = request
  const dataVersion = stages.currentDataVersion()
  if (dataVersion === undefined) return false
  const coding = negotiateCoding(headers['accept-encoding']?.toString())
  const cached = stages.cache.find(request.url, coding, dataVersion)
  if (cached === undefined) return false
  const id = nextRequestId()
  const baseUrl = toBaseUrl(request, stages.settings)
  const conditions = { ifNoneMatch: headers['if-none-match'], ifModifiedSince: headers['if-modified-since'] }
  const apiResponse = isNotModified(conditions, cached.entityTag, cached.headers) ? cached.notModified : cached
  stages.sendResponse(request, response, apiResponse, { id, baseUrl })
  return true
}
