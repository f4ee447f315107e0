// Router: finds the handler for a path and calls it, and builds the 404, 405, 204 (OPTIONS) and error responses. It
// runs after admission control; src/api/application.ts passes the routes.
import type { Logger } from 'pino'
import { nearestWords } from '../analysis/nearest.ts'
import { SearchCancelled } from '../domain/deadline.ts'
import { Problem } from '../problems.ts'
import type { AdmissionControl, Refusal } from './admission.ts'
import type { HeaderList } from './header-list.ts'
import type { ApiRequest, ApiResponse, Handler } from './response.ts'
import { allowedMethods, crossOriginHeaders, isGetOrHead, isStreamed, toProblemResponse } from './response.ts'
import { type HttpSettings, toPublicPath } from './settings.ts'

export interface RouterParts {
  /** Handlers by path below the base path; a path that ends in `*` matches everything below it. */
  readonly routes: Readonly<Record<string, Handler>>
  /** Handlers outside the base path, by whole path. */
  readonly rootRoutes: Readonly<Record<string, Handler>>
  readonly settings: HttpSettings
  readonly admission: AdmissionControl
  /** The paths that a 404 may suggest, relative to the base path and without a slash at the start, such as `record`. */
  readonly suggestedPaths: readonly string[]
  /** The 404 at an unknown address below the base path: a page for browsers, the problem (RFC 9457) for programs. */
  readonly serveUnknownAddress: (request: ApiRequest, problem: Problem) => Promise<ApiResponse>
  /** The response to an error that the application expects; undefined for any other error. */
  readonly toExpectedErrorResponse: (error: unknown, request: ApiRequest) => ApiResponse | undefined
  readonly log: Logger
}

/** The promise of the returned handler is never rejected; an error of a route becomes a response. */
export function buildRouter(parts: RouterParts): Handler {
  const { routes, rootRoutes, settings, admission, suggestedPaths, serveUnknownAddress, toExpectedErrorResponse, log } =
    parts
  const { basePath } = settings
  const handlersByPath = new Map<string, Handler>(Object.entries(rootRoutes))
  /** The handlers of the routes that end in `*`, by the path before it. */
  const handlersByPrefix = new Map<string, Handler>()
  for (const [path, handler] of Object.entries(routes)) {
    if (path.endsWith('*')) handlersByPrefix.set(basePath + path.slice(0, -1), handler)
    else handlersByPath.set(basePath + path, handler)
  }
  /**
   * Finds the handler of the whole path, or else of its prefix, which ends after the first segment below the base path:
   * `/base/record/` for `/base/record/A-1`. The handler of a prefix reads the rest of the path itself. In
   * `/base/record` no slash follows the segment, so its prefix is empty, which no route has.
   */
  const findHandler = (path: string): Handler | undefined => {
    const prefixLength = path.indexOf('/', basePath.length + 1) + 1
    return handlersByPath.get(path) ?? handlersByPrefix.get(path.slice(0, prefixLength))
  }
  const handleUnknownAddress: Handler = async (request) => {
    const problem = toUnknownAddressProblem(request, settings, suggestedPaths)
    const mayBePage = isGetOrHead(request) && request.target.path.startsWith(`${basePath}/`)
    return mayBePage ? serveUnknownAddress(request, problem) : toProblemResponse(problem, request)
  }
  const toErrorResponse = (error: unknown, request: ApiRequest): ApiResponse => {
    const expected = toExpectedErrorResponse(error, request)
    if (expected !== undefined) return expected
    if (error instanceof SearchCancelled) {
      return toRefusalResponse(admission.shedCancelledSearch(request.deadline), request)
    }
    log.error({ err: error, requestId: request.id, path: request.target.path }, 'internal error')
    const detail = `An error in the service; please report it with the request and its id ${request.id}`
    return toProblemResponse(new Problem('internal-error', detail), request)
  }
  return async (request) => {
    const { path } = request.target
    // Clients may percent-encode any letter of a path; most do not, so the path as sent is tried first.
    const decodedPath = findHandler(path) === undefined ? decodePath(path) : path
    if (decodedPath instanceof Problem) return toProblemResponse(decodedPath, request)
    const handler = findHandler(decodedPath) ?? handleUnknownAddress
    // `OPTIONS *` asks about the service as a whole (RFC 9110, section 9.3.7).
    if (request.method === 'OPTIONS' && path === '*') return toOtherMethodResponse(request)
    // An unknown address gets a 404 for every method.
    if (handler !== handleUnknownAddress && !isGetOrHead(request)) return toOtherMethodResponse(request)
    try {
      return await handler(request)
    } catch (error) {
      return toErrorResponse(error, request)
    }
  }
}

/** Decodes percent-encoded characters except reserved ones: a slash written as %2F does not separate segments. */
function decodePath(path: string): string | Problem {
  try {
    return decodeURI(path)
  } catch {
    return new Problem('malformed-encoding', 'Cannot read the path: it is not percent-encoded UTF-8')
  }
}

/**
 * The 429 or 503 response. `unsent` is the response that was ready and is not sent because of the refusal. If its body
 * is streamed, the search that produces the body is ended.
 */
export function toRefusalResponse(
  refusal: Refusal,
  request: Pick<ApiRequest, 'baseUrl'>,
  unsent?: ApiResponse,
): ApiResponse {
  if (unsent !== undefined && isStreamed(unsent.body)) void unsent.body.end()
  return toProblemResponse(refusal.problem, request, ['Retry-After', String(refusal.retryAfterSeconds)])
}

/** The response to a method other than GET and HEAD, at a known address: 204 to OPTIONS, 405 to any other method. */
function toOtherMethodResponse(request: ApiRequest): ApiResponse {
  if (request.method === 'OPTIONS') return { status: 204, headers: preflightHeaders, body: null }
  const problem = new Problem('method-not-allowed', `Cannot ${request.method}: the service is read-only`)
  return toProblemResponse(problem, request, ['Allow', allowedMethods])
}

/** The headers of a 204 to OPTIONS. If it answers a CORS preflight (Fetch standard), browsers may keep it for a day. */
const preflightHeaders: HeaderList = [
  'Allow',
  allowedMethods,
  'Access-Control-Allow-Methods',
  allowedMethods,
  'Access-Control-Allow-Headers',
  '*',
  'Access-Control-Max-Age',
  '86400',
  ...crossOriginHeaders,
]

/** A path is suggested if at most this number of edits turn the first segment of the requested path into it. */
const suggestionEditsMax = 3

/**
 * The 404, which suggests the path most similar to the requested one, or else the base path, where the web page is. The
 * suggestion is a path that clients use (`toPublicPath`).
 */
function toUnknownAddressProblem(
  { target }: ApiRequest,
  settings: HttpSettings,
  suggestedPaths: readonly string[],
): Problem {
  const { basePath } = settings
  const isBelowBase = target.path.startsWith(`${basePath}/`)
  const relativePath = isBelowBase ? target.path.slice(basePath.length + 1) : target.path.slice(1)
  const [firstSegment = ''] = relativePath.split('/')
  const [nearest] = nearestWords(firstSegment, suggestedPaths, suggestionEditsMax)
  const suggestion = `${toPublicPath(settings)}/${nearest ?? ''}`
  return new Problem('unknown-address', `There is nothing at this address; did you mean ${suggestion}?`, {
    suggestions: [suggestion],
  })
}
