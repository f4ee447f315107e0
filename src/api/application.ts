// The application: Hono routes a request to its handler (routes.ts). The stages are, in this order: rate limit,
// response cache, admission, handler, response. http/listen.ts connects it to a socket.

import type { RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Context } from 'hono'
import type { Logger } from 'pino'
import { SearchCancelled } from '../domain/deadline.ts'
import { Admission } from '../http/admission.ts'
import { throttleWarnings } from '../http/log.ts'
import type { CountRequest } from '../http/rate-limit.ts'
import { ApiRequest, type Bindings } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import { allowedMethods, isStreamed, toLinkHeaders, toProblemResponse } from '../http/response.ts'
import { ResponseCache, toConditionalResponse } from '../http/response-cache.ts'
import { crossOriginHeaders, type ResponseHeaders } from '../http/response-headers.ts'
import { toWebResponse } from '../http/web-response.ts'
import { Problem } from '../problems.ts'
import type { RegistryStore } from '../registry/contract.ts'
import { StoreUnavailable } from '../registry/contract.ts'
import { FileOffer } from '../registry/stores/offer.ts'
import { currentSnapshot } from './current-snapshot.ts'
import { createApp, toPathParameter } from './hono.ts'
import { buildPageHandler, loadRenderer } from './page.ts'
import { readPageTemplate } from './page-files.ts'
import type { Route, RouteContext } from './route.ts'
import { readStaticFiles, toRoutes } from './routes.ts'
import type { ServiceSettings } from './settings.ts'
import { handleUnknownAddress, toMissingPage } from './unknown-address.ts'

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

/** Runs work of a request, or refuses it. */
type Guard = (request: ApiRequest, work: () => Promise<ApiResponse | Problem>) => Promise<ApiResponse | Problem>

type ApiContext = Context<{ Bindings: NodeBindings }>

/** A request on its way through the stages. */
interface Exchange {
  readonly request: ApiRequest
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
    const request = new ApiRequest(req.raw, env, settings)
    const exchange: Exchange = { request, bindings: env, route, startedAt: performance.now() }
    const isCounted = admission.hasRateLimit && request.method !== 'OPTIONS' && !route.isStatic
    if (!isCounted) return respond(exchange)
    return admission
      .countRequest(request.client)
      .then((counted) => (counted instanceof Problem ? send(exchange, counted) : respond(exchange, counted)))
  }

  const respond = (exchange: Exchange, rateLimitHeaders?: ResponseHeaders): Response | Promise<Response> => {
    const { request } = exchange
    const snapshot = request.isRead ? currentSnapshot(store) : undefined
    const cached = snapshot && cache.find(toCacheUrl(request), request.coding, snapshot)
    if (cached !== undefined) return send(exchange, toConditionalResponse(cached, request), rateLimitHeaders)
    return handle(exchange).then((response) => send(exchange, response, rateLimitHeaders))
  }

  /** Calls the handler of the route, and stores the response if it may be cached. */
  const handle = async ({ request, route }: Exchange): Promise<ApiResponse | Problem> => {
    const work = async (): Promise<ApiResponse | Problem> => {
      if (!request.isRead && route.isAnyMethod !== true) return toOtherMethodResponse(request)
      const rest = route.path.endsWith('}') ? toPathParameter(request, settings.basePath, route.path) : ''
      const result = await route.handle(request, context, rest)
      const isMissing = result instanceof Problem && result.code === 'unknown-address'
      return isMissing && route.hasMissingPage ? toMissingPage(result, request, context) : result
    }
    const isFree = route.isStatic || route.takesOwnSlots
    const result = await (isFree ? catchErrors(request, work) : admit(request, work))
    if (request.isRead && !(result instanceof Problem)) cache.store(toCacheUrl(request), request.coding, result)
    return result
  }

  /** Takes a slot for work that may search. */
  const admit: Guard = async (request, work) => {
    const slot = admission.beginSearch(request.client)
    if (slot instanceof Problem) return slot
    try {
      return await catchErrors(request, work)
    } finally {
      slot()
    }
  }

  /** An error becomes a problem. */
  const catchErrors: Guard = async (request, work) => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof StoreUnavailable) {
        warnThrottled({ err: error, requestId: request.id }, 'registry unavailable')
        const detail = 'The registry cannot be reached at the moment; try again soon'
        return new Problem('registry-unavailable', detail, { headers: { 'Retry-After': '1' } })
      }
      // If the client has disconnected, nobody gets the refusal.
      if (error instanceof SearchCancelled) return admission.refuse('time')
      log.error({ err: error, requestId: request.id, path: request.target.path }, 'internal error')
      const detail = `An error in the service; please report it with the request and its id ${request.id}`
      return new Problem('internal-error', detail)
    }
  }

  /** Turns the result of a handler into a web-standard response, and counts the request when it is sent. */
  const send = (exchange: Exchange, result: ApiResponse | Problem, rateLimitHeaders?: ResponseHeaders): Response => {
    const { request, bindings, route, startedAt } = exchange
    const { outgoing } = bindings
    const response = result instanceof Problem ? toProblemResponse(result, request) : result
    const { status, body } = response
    const exportSlot = isStreamed(body) ? admission.beginExport(request.client) : undefined
    if (exportSlot instanceof Problem) {
      if (isStreamed(body)) void body.end()
      return send(exchange, exportSlot, rateLimitHeaders)
    }
    if (isDebugLogged) {
      log.debug({ requestId: request.id, method: request.method, url: bindings.incoming.url, status }, 'response')
    }
    const count = (): void => service.onRequest?.(route.name, status, (performance.now() - startedAt) / 1000)
    const headers = {
      ...response.headers,
      'X-Request-Id': request.id,
      ...securityHeaders,
      ...rateLimitHeaders,
      ...toLinkHeaders(response.links, request),
    }
    const { method } = request
    if (!isStreamed(body)) {
      count()
      return toWebResponse({ ...response, headers }, { method, outgoing })
    }
    return toWebResponse(
      { ...response, headers },
      {
        method,
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
  if (settings.isMcpOn === true) {
    // Imported only if it is enabled, to save memory and time at the start.
    const { toMcpRoute } = await import('./mcp.ts')
    const route = toMcpRoute(admit)
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

/** The path and query as the client sent them. */
function toCacheUrl({ target }: ApiRequest): string {
  return `${target.path}?${target.query}`
}

/** The response to a method other than GET and HEAD, at a known address: 204 to OPTIONS, 405 to any other method. */
function toOtherMethodResponse(request: ApiRequest): ApiResponse | Problem {
  if (request.method === 'OPTIONS') return optionsResponse
  const detail = `Cannot ${request.method}: the service is read-only`
  return new Problem('method-not-allowed', detail, { headers: { Allow: allowedMethods } })
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
