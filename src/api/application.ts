// The application: Hono routes a request to its handler (routes.ts). Its stages are, in this order: rate limit, response
// cache, admission, handler, response. http/listen.ts connects it to a socket; tests and the tools of MCP call `fetch`.
import { getRequestListener } from '@hono/node-server'
import type { Context } from 'hono'
import { routePath } from 'hono/route'
import type { Logger } from 'pino'
import { SearchCancelled } from '../domain/deadline.ts'
import { Admission, isRefusal, type Refusal } from '../http/admission.ts'
import type { RequestHandler } from '../http/listen.ts'
import { throttleWarnings } from '../http/log.ts'
import type { CountRequests } from '../http/rate-limit.ts'
import { ApiRequest, type Bindings } from '../http/request.ts'
import type { ApiResponse, ResponseHeaders } from '../http/response.ts'
import { allowedMethods, crossOriginHeaders, isStreamed, toLinkValue, toProblemResponse } from '../http/response.ts'
import { ResponseCache, toConditionalResponse } from '../http/response-cache.ts'
import { toWebResponse } from '../http/web-response.ts'
import { Problem } from '../problems.ts'
import type { RegistryStore } from '../registry/contract.ts'
import { StoreUnavailable } from '../registry/contract.ts'
import { FileOffer } from '../registry/stores/offer.ts'
import { currentSnapshot } from './current-snapshot.ts'
import { type ApiEnv, createApp, toPathParameter } from './hono.ts'
import { localAddress } from './local.ts'
import { buildPageHandler, loadRenderer } from './page.ts'
import { readPageTemplate } from './page-files.ts'
import {
  isStatic,
  mcpPath,
  type Route,
  type RouteContext,
  readStaticFiles,
  serveUnknownAddress,
  toRoutes,
} from './routes.ts'
import { isForThisComputer, type ServiceSettings } from './settings.ts'
import { toUnknownAddressProblem } from './unknown-address.ts'

/** For how long browsers use only HTTPS after a response with Strict-Transport-Security: a year. */
const httpsOnlySeconds = 31_536_000

/** What a service is built from. */
export interface ServiceParts {
  readonly store: RegistryStore
  readonly settings: ServiceSettings
  /** Counts requests for `--rate-limit` across all workers. If undefined, this process counts only its own. */
  readonly countRequests?: CountRequests | undefined
  readonly log: Logger
}

export interface Service {
  readonly admission: Admission
  readonly cache: ResponseCache
  /** Answers a web-standard request. A request of this process has no bindings, and passes no limit and no cache. */
  readonly fetch: (request: Request, bindings?: Bindings) => Promise<Response>
  /** The same for Node's server. */
  readonly handle: RequestHandler
  /** Set by the metrics: called for each answered request. `route` is the name of the route. */
  onRequest: ((route: string, status: number, seconds: number) => void) | undefined
  /** Called when another snapshot is in service: its file is offered as soon as it is hashed. */
  readonly onSnapshot: () => void
  /** Closes the files that are offered. */
  readonly close: () => Promise<void>
}

type ApiContext = Context<ApiEnv>

export async function buildService({ store, settings, countRequests, log }: ServiceParts): Promise<Service> {
  const admission = new Admission({ ...settings, countRequests })
  const cache = new ResponseCache()
  const warnThrottled = throttleWarnings(log)
  const template = readPageTemplate()
  const handlePage = buildPageHandler({ store, settings, template, renderer: await loadRenderer() })
  const offer = settings.isFileOffered === true ? new FileOffer(store, log) : undefined
  offer?.update()
  const context: RouteContext = { store, settings, files: readStaticFiles(), handlePage, offer }
  const securityHeaders: ResponseHeaders = settings.isSecure
    ? { 'Strict-Transport-Security': `max-age=${httpsOnlySeconds}` }
    : {}
  const isDebugLogged = log.isLevelEnabled('debug')
  const routesByPattern = new Map<string, Route>()
  const app = createApp()

  /** The name of the route in metrics. */
  const nameOf = (c: ApiContext): string => routesByPattern.get(routePath(c, -1))?.name ?? 'other'

  /** Turns the response of a handler into the one that is sent, and counts the request. */
  const finish = (c: ApiContext, apiResponse: ApiResponse, startedAt?: number): Response => {
    const { request, rateLimitHeaders = {} } = c.var
    const { outgoing } = c.env ?? {}
    const isExport = isStreamed(apiResponse.body) && outgoing !== undefined
    const exportSlot = isExport ? admission.beginExport(request.deadline?.client ?? '') : undefined
    if (exportSlot !== undefined && isRefusal(exportSlot)) {
      if (isStreamed(apiResponse.body)) void apiResponse.body.end()
      return finish(c, toRefusalResponse(exportSlot, request), startedAt)
    }
    const { status } = apiResponse
    if (isDebugLogged) log.debug({ requestId: request.id, method: request.method, url: c.req.url, status }, 'response')
    const count = (): void => {
      // A request of this process belongs to another one, which is counted.
      if (c.env?.incoming === undefined) return
      // The duration of a cached response counts as 0.
      const seconds = startedAt === undefined ? 0 : (performance.now() - startedAt) / 1000
      service.onRequest?.(nameOf(c), status, seconds)
    }
    if (!isStreamed(apiResponse.body)) count()
    // The response cache serves clients with different base URLs, so a response has its links relative to the base URL.
    const link = toLinkValue(apiResponse, request)
    return toWebResponse(apiResponse, {
      method: request.method,
      extraHeaders: {
        'X-Request-Id': request.id,
        ...securityHeaders,
        ...rateLimitHeaders,
        ...(link === undefined ? {} : { Link: link }),
      },
      outgoing,
      isClientGone: request.deadline?.isClientGone ?? false,
      onEnd: () => {
        exportSlot?.()
        count()
      },
      onError: (error) => log.error({ err: error, requestId: request.id }, 'response aborted'),
    })
  }

  app.use(async (c, next) => {
    const request = new ApiRequest(c.req.raw, c.env ?? {}, settings)
    c.set('request', request)
    // A request of this process belongs to another one, which has passed these stages.
    if (c.env?.incoming === undefined) return next()
    const route = routesByPattern.get(routePath(c, -1))
    const isFree = (route !== undefined && isStatic(route, request)) || request.method === 'OPTIONS'
    if (admission.hasRateLimit && !isFree) {
      const counted = await admission.countRequest(request.deadline?.client ?? '')
      if (isRefusal(counted)) return finish(c, toRefusalResponse(counted, request))
      c.set('rateLimitHeaders', counted)
    }
    const snapshot = isRead(request) ? currentSnapshot(store) : undefined
    const cached = snapshot && cache.find(toCacheUrl(request), request.coding, snapshot)
    if (cached !== undefined) return finish(c, toConditionalResponse(cached, request))
    return next()
  })

  /** Admits a request to the handler of a route, and stores the response in the cache if it may be cached. */
  const respond = async (c: ApiContext, route: Route): Promise<Response> => {
    const { path, handle } = route
    const startedAt = performance.now()
    const { request } = c.var
    const isAdmitted = isStatic(route, request) || c.env?.incoming === undefined
    const slot = isAdmitted ? undefined : admission.beginSearch(request.deadline?.client ?? '')
    if (slot !== undefined && isRefusal(slot)) return finish(c, toRefusalResponse(slot, request), startedAt)
    try {
      const pathParameter = path.endsWith('}') ? toPathParameter(request, settings.basePath, path) : ''
      const source = c.env?.source
      const routeContext = source === undefined ? context : { ...context, source }
      const response = await handle(request, routeContext, pathParameter, c.req.raw)
      if (c.env?.incoming !== undefined) cache.store(toCacheUrl(request), request.coding, response)
      return finish(c, response, startedAt)
    } finally {
      slot?.()
    }
  }

  for (const { pattern, route } of toRoutes(context)) {
    routesByPattern.set(pattern, route)
    app.get(pattern, (c) => respond(c, route))
    app.all(pattern, (c) => finish(c, toOtherMethodResponse(c.var.request)))
  }
  app.notFound(async (c) => {
    const { request } = c.var
    const problem = toUnknownAddressProblem(request, settings)
    const isPage = isRead(request) && request.target.path.startsWith(`${settings.basePath}/`)
    return finish(
      c,
      isPage ? await serveUnknownAddress(request, context, problem) : toProblemResponse(problem, request),
    )
  })

  app.onError((error, c) => {
    const { request } = c.var
    if (error instanceof StoreUnavailable) {
      warnThrottled({ err: error, requestId: request.id }, 'registry unavailable')
      const problem = new Problem(
        'registry-unavailable',
        'The registry cannot be reached at the moment; try again soon',
      )
      return finish(c, toProblemResponse(problem, request, { 'Retry-After': '1' }))
    }
    // If the client has disconnected, nobody gets the refusal.
    if (error instanceof SearchCancelled) return finish(c, toRefusalResponse(admission.refuse('time'), request))
    log.error({ err: error, requestId: request.id, path: request.target.path }, 'internal error')
    const detail = `An error in the service; please report it with the request and its id ${request.id}`
    return finish(c, toProblemResponse(new Problem('internal-error', detail), request))
  })

  if (settings.isMcpOn === true) {
    // Imported only if it is enabled, to save memory and time at the start.
    const { createMcpHandler } = await import('../mcp/http.ts')
    const route: Route = {
      path: mcpPath,
      name: 'mcp',
      handle: async ({ deadline }, _context, _pathParameter, request) => {
        const handler = createMcpHandler({
          fetchApi: (path) => fetch(new Request(localAddress + settings.basePath + path), { deadline }),
          hasFictionalRecords: () => store.current().metadata.fictional,
          isLocal: isForThisComputer(settings),
        })
        const response = await handler(request)
        const body = response.body === null ? null : await response.bytes()
        return { status: response.status, headers: Object.fromEntries(response.headers), body }
      },
    }
    const pattern = settings.basePath + mcpPath
    routesByPattern.set(pattern, route)
    app.all(pattern, (c) => respond(c, route))
  }
  const fetch: Service['fetch'] = async (request, bindings = {}) => app.fetch(request, bindings)
  const listener = getRequestListener((request, bindings) => app.fetch(request, bindings), {
    overrideGlobalObjects: false,
    // The host of a request without one, as HTTP/1.0 allows. Links have the address of the connection.
    hostname: 'localhost',
    // A target that makes no URL, such as `ftp://host/`.
    errorHandler: () => {
      const problem = new Problem('malformed-request', 'Cannot read the address: expected a path or an http URL')
      const response = toProblemResponse(problem, { baseUrl: settings.publicUrl ?? settings.basePath })
      return toWebResponse(response, { method: 'GET', extraHeaders: {}, onError: () => {} })
    },
  })
  const service: Service = {
    admission,
    cache,
    fetch,
    handle: (request, response) => void listener(request, response),
    onRequest: undefined,
    onSnapshot: () => offer?.update(),
    close: async () => {
      await offer?.close()
    },
  }
  return service
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
    'Access-Control-Allow-ResponseHeaders': '*',
    'Access-Control-Max-Age': '86400',
    ...crossOriginHeaders,
  },
  body: null,
}
