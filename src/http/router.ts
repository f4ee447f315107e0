// Which handler an address belongs to, and the ways out: no such address, no such method, and whatever a handler
// throws, each turned into an answer here and nowhere else. What there is to route to stands in app.ts.
import type { Logger } from 'pino'
import { nearestWords } from '../analysis/nearest.ts'
import { SearchCancelled } from '../domain/deadline.ts'
import { Problem } from '../problems.ts'
import type { AdmissionControl, Refusal } from './admission.ts'
import type { ApiRequest, ApiResponse, Handler } from './response.ts'
import { allowedMethods, crossOriginHeaders, isStreamed, toProblemResponse } from './response.ts'
import type { HttpSettings } from './settings.ts'

export interface RouterParts {
  /** By path below the base; one that ends in a star stands for any further path. */
  readonly routes: Readonly<Record<string, Handler>>
  readonly settings: HttpSettings
  readonly guard: AdmissionControl
  /** Paths below the base that a 404 may suggest. */
  readonly suggestedPaths: readonly string[]
  /** The response to an error that the application expects; undefined for any other error. */
  readonly toExpectedErrorResponse: (error: unknown, request: ApiRequest) => ApiResponse | undefined
  readonly log: Logger
}

/** Answers whatever is asked; never throws. */
export function buildRouter(parts: RouterParts): Handler {
  const { routes, settings, guard, suggestedPaths, toExpectedErrorResponse, log } = parts
  const { basePath } = settings
  const exact = new Map<string, Handler>()
  const beginning = new Map<string, Handler>()
  for (const [path, handler] of Object.entries(routes)) {
    if (path.endsWith('*')) beginning.set(basePath + path.slice(0, -1), handler)
    else exact.set(basePath + path, handler)
  }
  /** Up to the second slash behind the base: what is below it is the handler's to read. */
  const find = (path: string): Handler | undefined => {
    const below = path.indexOf('/', basePath.length + 1) + 1
    return exact.get(path) ?? (below === 0 ? undefined : beginning.get(path.slice(0, below)))
  }
  const toErrorResponse = (error: unknown, request: ApiRequest): ApiResponse => {
    const expected = toExpectedErrorResponse(error, request)
    if (expected !== undefined) return expected
    if (error instanceof SearchCancelled)
      return toRefusalResponse(guard.giveUp(request.deadline?.isGone ?? false), request)
    log.error({ err: error, requestId: request.id, path: request.target.path }, 'internal error')
    const detail = `An error in the service itself; please report it with what you were doing and the request id ${request.id}`
    return toProblemResponse(new Problem('internal-error', detail), request)
  }
  return (request) => {
    const { path } = request.target
    const plain = find(path) === undefined ? toPlainPath(path) : path
    if (plain instanceof Problem) return toProblemResponse(plain, request)
    const handler = find(plain)
    if (handler === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) {
      return refuseAddressOrMethod(request, handler === undefined, settings, suggestedPaths)
    }
    try {
      const answer = handler(request)
      return answer instanceof Promise ? answer.catch((error: unknown) => toErrorResponse(error, request)) : answer
    } catch (error) {
      return toErrorResponse(error, request)
    }
  }
}

/** A letter of a route may come encoded; a slash that does stays part of a name. */
function toPlainPath(path: string): string | Problem {
  try {
    return decodeURI(path)
  } catch {
    return new Problem('malformed-encoding', 'Cannot read the path: it is not percent-encoded UTF-8')
  }
}

/** The 429 or 503 of a request that may come again; `instead` of an answer that was made and is not sent. */
export function toRefusalResponse(
  refusal: Refusal,
  request: Pick<ApiRequest, 'baseAddress'>,
  instead?: ApiResponse,
): ApiResponse {
  if (instead !== undefined && isStreamed(instead.body)) void instead.body.end()
  return toProblemResponse(refusal.problem, request, ['Retry-After', String(refusal.retryAfterSeconds)])
}

function refuseAddressOrMethod(
  request: ApiRequest,
  isUnknown: boolean,
  settings: HttpSettings,
  suggestedPaths: readonly string[],
): ApiResponse {
  // `OPTIONS *` asks about the service as a whole (RFC 9110, section 9.3.7).
  const isWhole = request.method === 'OPTIONS' && request.target.path === '*'
  if (isUnknown && !isWhole) return toProblemResponse(unknownAddress(request, settings, suggestedPaths), request)
  if (request.method === 'OPTIONS') return { status: 204, headers: preflightHeaders, body: null }
  const problem = new Problem('method-not-allowed', `Cannot ${request.method}: the service is read-only`)
  return toProblemResponse(problem, request, ['Allow', allowedMethods])
}

/** The answer to a browser that asks before it sends (Fetch standard, CORS preflight), good for a day. */
const preflightHeaders: readonly string[] = [
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

function unknownAddress(
  { target }: ApiRequest,
  { basePath }: HttpSettings,
  suggestedPaths: readonly string[],
): Problem {
  const isInside = target.path.startsWith(`${basePath}/`)
  const below = isInside ? target.path.slice(basePath.length + 1) : target.path.slice(1)
  const [nearest] = nearestWords(below.split('/')[0] ?? '', suggestedPaths, 3)
  const suggestion = nearest === undefined ? `${basePath}/` : `${basePath}/${nearest}`
  return new Problem('unknown-address', `There is nothing at this address; did you mean ${suggestion}?`, undefined, [
    suggestion,
  ])
}
