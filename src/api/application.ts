// The application: Hono routes a request to its handler (routes.ts). The stages are, in this order: rate limit,
// response cache, admission, handler, response. http/listen.ts connects it to a socket.

import type { RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Context } from 'hono'
import type { Logger } from 'pino'
import { SearchCancelled } from '../domain/deadline.ts'
import { Admission, isRefusal, type Refusal } from '../http/admission.ts'
import { throttleWarnings } from '../http/log.ts'
import type { CountRequest } from '../http/rate-limit.ts'
import { ApiRequest, type Bindings } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import { allowedMethods, isStreamed, toLinkValue, toProblemResponse } from '../http/response.ts'
import { ResponseCache, toConditionalResponse } from '../http/response-cache.ts'
import { crossOriginHeaders, type ResponseHeaders } from '../http/response-headers.ts'
import { toWebResponse } from '../http/web-response.ts'
import { Problem } from '../problems.ts'
import type { RegistryStore } from '../registry/contract.ts'
import { StoreUnavailable } from '../registry/contract.ts'
import { FileOffer } from '../registry/stores/offer.ts'
import { currentSnapshot } from './current-snapshot.ts'
import { createApp, toPathParameter } from './hono.ts'
import { localAddress, toLocalFetch } from './local.ts'
import { buildPageHandler, loadRenderer } from './page.ts'
import { readPageTemplate } from './page-files.ts'
import { type Route, type RouteContext, readStaticFiles, serveUnknownAddress, toRoutes } from './routes.ts'
import { isForThisComputer, type ServiceSettings } from './settings.ts'
import { toUnknownAddressProblem } from './unknown-address.ts'

/** For how long browsers use only HTTPS after a response with Strict-Transport-Security: a year. */
const httpsOnlySeconds = 31_536_000

/** What a service is built from. */
export interface ServiceParts {
  readonly store: RegistryStore
  readonly settings: ServiceSettings
  /** Counts requests for `--rate-limit` across all workers. If undefined, this process counts only its own. */
  readonly countRequest?: CountRequest | undefined
  readonly log: Logger
}

export interface Service {
  readonly admission: Admission
  readonly cache: ResponseCache
  /** Answers a request of Node's server. */
  readonly handle: RequestListener
  /** Set by the metrics: called for each answered request. `route` is the name of the route. */
  onRequest: ((route: string, status: number, seconds: number) => void) | undefined
  /** Called when another snapshot is in service: its file is offered as soon as it is hashed. */
  readonly onSnapshot: () => void
  /** Closes the files that are offered. */
  readonly close: () => Promise<void>
}

/** Node's objects of a request. */
type NodeBindings = Required<Pick<Bindings, 'incoming' | 'outgoing'>>

type ApiContext = Context<{ Bindings: NodeBindings }>

/** A request on its way through the stages. */
interface Exchange {
  readonly request: ApiRequest
  readonly webRequest: Request
  readonly bindings: NodeBindings
  readonly route: Route
  /** On the clock of `performance.now()`. */
  readonly startedAt: number
}

export async function buildService({ store, settings, countRequest, log }: ServiceParts): Promise<Service> {
  const admission = new Admission({ ...settings, countRequest })
  const cache = new ResponseCache()
  const warnThrottled = throttleWarnings(log)
  const template = readPageTemplate()
  const handlePage = buildPageHandler({ store, settings, template, renderer: await loadRenderer() })
  const offer = settings.isFileOffered === true ? new FileOffer(store, log) : undefined
  offer?.update()
  const context: RouteContext = { store, settings, files: readStaticFiles(), handlePage, log, offer }
  const securityHeaders: ResponseHeaders = settings.isSecure
    ? { 'Strict-Transport-Security': `max-age=${httpsOnlySeconds}` }
    : {}
  const isDebugLogged = log.isLevelEnabled('debug')

  /**
   * All stages of a request. What needs no waiting is not asynchronous: @hono/node-server then writes the response at
   * once, which takes a third less time for a response from the cache.
   */
  const answer = ({ req, env }: ApiContext, route: Route): Response | Promise<Response> => {
    const exchange: Exchange = {
      request: new ApiRequest(req.raw, env, settings),
      webRequest: req.raw,
      bindings: env,
      route,
      startedAt: performance.now(),
    }
    return isCounted(exchange) ? countAndRespond(exchange) : respond(exchange)
  }

  /** Whether the rate limit counts the request. */
  const isCounted = ({ request, route }: Exchange): boolean =>
    admission.hasRateLimit && request.method !== 'OPTIONS' && !route.isStatic

  const countAndRespond = async (exchange: Exchange): Promise<Response> => {
    const { request } = exchange
    const counted = await admission.countRequest(request.client)
    if (isRefusal(counted)) return send(exchange, toRefusalResponse(counted, request))
    return respond(exchange, counted)
  }

  const respond = (exchange: Exchange, rateLimitHeaders?: ResponseHeaders): Response | Promise<Response> => {
    const cached = findCached(exchange)
    if (cached !== undefined) return send(exchange, cached, rateLimitHeaders)
    return admitAndHandle(exchange).then((response) => send(exchange, response, rateLimitHeaders))
  }

  const findCached = ({ request }: Exchange): ApiResponse | undefined => {
    const snapshot = isRead(request) ? currentSnapshot(store) : undefined
    const cached = snapshot && cache.find(toCacheUrl(request), request.coding, snapshot)
    return cached && toConditionalResponse(cached, request)
  }

  /** Takes a slot, unless the response takes little work, and stores the response if it may be cached. */
  const admitAndHandle = async (exchange: Exchange): Promise<ApiResponse> => {
    const { request, route } = exchange
    const slot = route.isStatic || route.takesOwnSlots ? undefined : admission.beginSearch(request.client)
    if (slot !== undefined && isRefusal(slot)) return toRefusalResponse(slot, request)
    try {
      const response = await handle(exchange)
      if (isRead(request)) cache.store(toCacheUrl(request), request.coding, response)
      return response
    } finally {
      slot?.()
    }
  }

  /** Calls the handler of the route; an error becomes a response. */
  const handle = async ({ request, webRequest, route }: Exchange): Promise<ApiResponse> => {
    if (!isRead(request) && route.isAnyMethod !== true) return toOtherMethodResponse(request)
    try {
      const pathParameter = route.path.endsWith('}') ? toPathParameter(request, settings.basePath, route.path) : ''
      return await route.handle(request, context, pathParameter, webRequest)
    } catch (error) {
      return toErrorResponse(error, request)
    }
  }

  const toErrorResponse = (error: unknown, request: ApiRequest): ApiResponse => {
    if (error instanceof StoreUnavailable) {
      warnThrottled({ err: error, requestId: request.id }, 'registry unavailable')
      const detail = 'The registry cannot be reached at the moment; try again soon'
      return toProblemResponse(new Problem('registry-unavailable', detail), request, { 'Retry-After': '1' })
    }
    // If the client has disconnected, nobody gets the refusal.
    if (error instanceof SearchCancelled) return toRefusalResponse(admission.refuse('time'), request)
    log.error({ err: error, requestId: request.id, path: request.target.path }, 'internal error')
    const detail = `An error in the service; please report it with the request and its id ${request.id}`
    return toProblemResponse(new Problem('internal-error', detail), request)
  }

  /** Turns the response of a handler into a web-standard one, and counts the request when it is sent. */
  const send = (exchange: Exchange, apiResponse: ApiResponse, rateLimitHeaders?: ResponseHeaders): Response => {
    const { request, bindings, route, startedAt } = exchange
    const { outgoing } = bindings
    const exportSlot = isStreamed(apiResponse.body) ? admission.beginExport(request.client) : undefined
    if (exportSlot !== undefined && isRefusal(exportSlot)) {
      if (isStreamed(apiResponse.body)) void apiResponse.body.end()
      return send(exchange, toRefusalResponse(exportSlot, request), rateLimitHeaders)
    }
    const { status, headers } = apiResponse
    if (isDebugLogged) {
      log.debug({ requestId: request.id, method: request.method, url: bindings.incoming.url, status }, 'response')
    }
    const count = (): void => service.onRequest?.(route.name, status, (performance.now() - startedAt) / 1000)
    // The response cache serves clients with different base URLs, so a response has its links relative to the base URL.
    const link = toLinkValue(apiResponse, request)
    const links: ResponseHeaders | undefined = link === undefined ? undefined : { Link: link }
    const sentHeaders = { ...headers, 'X-Request-Id': request.id, ...securityHeaders, ...rateLimitHeaders, ...links }
    if (!isStreamed(apiResponse.body)) {
      count()
      return toWebResponse({ ...apiResponse, headers: sentHeaders }, { method: request.method, outgoing })
    }
    return toWebResponse(
      { ...apiResponse, headers: sentHeaders },
      {
        method: request.method,
        outgoing,
        isClientGone: request.deadline?.isClientGone ?? false,
        onEnd: () => {
          exportSlot?.()
          count()
        },
        onError: (error) => log.error({ err: error, requestId: request.id }, 'response aborted'),
      },
    )
  }

  const app = createApp<NodeBindings>()
  for (const { pattern, route } of toRoutes(context)) app.all(pattern, (c) => answer(c, route))
  // Imported only if it is enabled, to save memory and time at the start.
  if (settings.isMcpOn === true) {
    const { createMcpHandler } = await import('../mcp/http.ts')
    const handleMcp: Route['handle'] = async (request, _context, _pathParameter, webRequest) => {
      const handler = createMcpHandler({
        address: localAddress,
        fetch: async (input, init) => {
          const slot = admission.beginSearch(request.client)
          if (isRefusal(slot)) return toWebResponse(toRefusalResponse(slot, request), { method: 'GET' })
          try {
            return await toLocalFetch(store, request.deadline)(input, init)
          } catch (error) {
            return toWebResponse(toErrorResponse(error, request), { method: 'GET' })
          } finally {
            slot()
          }
        },
        hasFictionalRecords: () => store.current().metadata.fictional,
        isLocal: isForThisComputer(settings),
      })
      const response = await handler(webRequest)
      const body = response.body === null ? null : await response.bytes()
      return { status: response.status, headers: Object.fromEntries(response.headers), body }
    }
    const route: Route = { path: '/mcp', name: 'mcp', isAnyMethod: true, takesOwnSlots: true, handle: handleMcp }
    app.all(settings.basePath + route.path, (c) => answer(c, route))
  }
  const unknownRoute: Route = { path: '', name: 'other', isAnyMethod: true, handle: handleUnknownAddress }
  app.notFound((c) => answer(c, unknownRoute))
  const listener = getRequestListener((request, bindings) => app.fetch(request, bindings), {
    overrideGlobalObjects: false,
    // The host of a request without one, as HTTP/1.0 allows. Links have the address of the connection.
    hostname: 'localhost',
    // A target that makes no URL, such as `ftp://host/`.
    errorHandler: () => {
      const problem = new Problem('malformed-request', 'Cannot read the address: expected a path or an http URL')
      const response = toProblemResponse(problem, { baseUrl: settings.publicUrl ?? settings.basePath })
      return toWebResponse(response, { method: 'GET' })
    },
  })
  const service: Service = {
    admission,
    cache,
    handle: (request, response) => void listener(request, response),
    onRequest: undefined,
    onSnapshot: () => offer?.update(),
    close: async () => {
      await offer?.close()
    },
  }
  return service
}

/** The 404 at an unknown address: below the base path a page for browsers, else the problem. */
async function handleUnknownAddress(request: ApiRequest, context: RouteContext): Promise<ApiResponse> {
  const { settings } = context
  const problem = toUnknownAddressProblem(request, settings)
  const isPage = isRead(request) && request.target.path.startsWith(`${settings.basePath}/`)
  return isPage ? serveUnknownAddress(request, context, problem) : toProblemResponse(problem, request)
}

/** The path and query as the client sent them. */
function toCacheUrl({ target }: ApiRequest): string {
  return `${target.path}?${target.query}`
}

function isRead({ method }: ApiRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** The 429 or 503 response. */
function toRefusalResponse({ problem, headers }: Refusal, request: ApiRequest): ApiResponse {
  return toProblemResponse(problem, request, headers)
}

/** The response to a method other than GET and HEAD, at a known address: 204 to OPTIONS, 405 to any other method. */
function toOtherMethodResponse(request: ApiRequest): ApiResponse {
  if (request.method === 'OPTIONS') return optionsResponse
  const problem = new Problem('method-not-allowed', `Cannot ${request.method}: the service is read-only`)
  return toProblemResponse(problem, request, { Allow: allowedMethods })
}

/** If it answers a CORS preflight (Fetch standard), browsers may keep it for a day. */
const optionsResponse: ApiResponse = {
  status: 204,
  headers: {
    Allow: allowedMethods,
    'Access-Control-Allow-Methods': allowedMethods,
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': '86400',
    ...crossOriginHeaders,
  },
  body: null,
}
