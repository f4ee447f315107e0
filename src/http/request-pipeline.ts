// The first stages of a request, before the router: validation, response cache, and requests outside the router.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem, quote } from '../problems.ts'
import { isNotModified } from './conditional.ts'
import { urlCharactersMax } from './limits.ts'
import { negotiateCoding } from './negotiate.ts'
import { http } from './node-http.ts'
import { isHost, NodeRequest, nextRequestId, toBaseAddress } from './node-request.ts'
import type { ApiRequest, ApiResponse } from './response.ts'
import { allowedMethods, toProblemResponse } from './response.ts'
import type { ResponseCache } from './response-cache.ts'
import type { HttpSettings } from './settings.ts'
import { toOriginForm } from './target.ts'

export interface RequestPipeline {
  /** The current `ApiResponse.dataVersion`; undefined if the data is unavailable. */
  readonly currentDataVersion: () => object | undefined
  readonly cache: ResponseCache
  readonly settings: HttpSettings
  readonly sendResponse: SendResponse
  /** Handles a request outside the router, such as MCP; returns false for any other request. */
  readonly intercept: (request: IncomingMessage, response: ServerResponse) => boolean
  readonly route: (request: IncomingMessage, response: ServerResponse) => void
}

/** Sends a response and handles errors of sending. Returns a promise if the body is streamed. */
export type SendResponse = (
  request: IncomingMessage,
  response: ServerResponse,
  apiResponse: ApiResponse,
  apiRequest: Pick<ApiRequest, 'id' | 'baseAddress'>,
) => Promise<void> | undefined

export function runPipeline(pipeline: RequestPipeline, request: IncomingMessage, response: ServerResponse): void {
  const problem = validate(request)
  if (problem !== undefined) {
    const apiRequest = new NodeRequest(request, pipeline.settings)
    const closing = request.httpVersionMajor === 1 ? ['Connection', 'close'] : []
    const ownHeaders = problem.code === 'method-not-allowed' ? ['Allow', allowedMethods] : closing
    pipeline.sendResponse(request, response, toProblemResponse(problem, apiRequest, ownHeaders), apiRequest)
    return
  }
  if (request.url !== undefined && !request.url.startsWith('/')) request.url = toOriginForm(request.url)
  if (serveFromCache(pipeline, request, response) || pipeline.intercept(request, response)) return
  pipeline.route(request, response)
}

function validate(request: IncomingMessage): Problem | undefined {
  const length = request.url?.length ?? 0
  if (length > urlCharactersMax) {
    const detail = `Cannot read the address: expected at most ${urlCharactersMax} characters, got ${length}`
    return new Problem('address-too-long', detail)
  }
  // HTTP/2 accepts any method name; the parser of HTTP/1.1 accepts known methods only.
  const { method = 'GET' } = request
  if (request.httpVersionMajor === 2 && !http.METHODS.includes(method)) {
    return new Problem('method-not-allowed', `Cannot ${quote(method)}: the service is read-only`)
  }
  // RFC 9112, section 3.2: a request with no Host, several or an invalid one gets a 400. Several Host headers allow
  // request smuggling, because a proxy may read another one than the service.
  if (request.httpVersionMajor === 2) return undefined
  const { rawHeaders } = request
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  if (hosts > 1) return new Problem('malformed-request', 'Cannot read Host: it is given more than once')
  if (hosts === 0 && request.httpVersion !== '1.0') {
    return new Problem('malformed-request', 'Cannot read Host: it is missing')
  }
  const host = request.headers.host ?? ''
  if (host !== '' && !isHost(host)) return new Problem('malformed-request', 'Cannot read Host: it is not a valid host')
  return undefined
}

function serveFromCache(pipeline: RequestPipeline, request: IncomingMessage, response: ServerResponse): boolean {
  if (request.method !== 'GET' || request.url === undefined) return false
  const { headers } = request
  const dataVersion = pipeline.currentDataVersion()
  if (dataVersion === undefined) return false
  const coding = negotiateCoding(headers['accept-encoding']?.toString())
  const cached = pipeline.cache.find(request.url, coding, dataVersion)
  if (cached === undefined) return false
  const id = nextRequestId()
  const baseAddress = cached.next === undefined ? '' : toBaseAddress(request, pipeline.settings)
  const conditions = { ifNoneMatch: headers['if-none-match'], ifModifiedSince: headers['if-modified-since'] }
  const apiResponse = isNotModified(conditions, cached.entityTag, cached.headers) ? cached.notModified : cached
  pipeline.sendResponse(request, response, apiResponse, { id, baseAddress })
  return true
}
