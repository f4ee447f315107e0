// The request handler of the service. The stages of a request are, in this order: rate limit, validation, response
// cache, MCP (Model Context Protocol), load shedding, router, sending. http/listen.ts connects the handler to a socket,
// and server/service-process.ts runs the service in a process.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import type { Refusal } from '../http/admission.ts'
import { AdmissionControl } from '../http/admission.ts'
import { toStreamMemoryBytes } from '../http/compress.ts'
import type { StaticFile } from '../http/files.ts'
import { readFiles } from '../http/files.ts'
import { stalledReaderMs } from '../http/limits.ts'
import { throttleWarnings } from '../http/log.ts'
import type { CodingName } from '../http/negotiate.ts'
import { NodeRequest, nextRequestId, toBaseUrl } from '../http/node-request.ts'
import { readSendQueueLimit, type ShedReason } from '../http/overload-monitor.ts'
import type { CountRequests } from '../http/rate-limit.ts'
import { findRequestProblem, toRejectionHeaders } from '../http/request-validation.ts'
import type { ApiRequest, ApiResponse } from '../http/response.ts'
import { isGetOrHead, isStreamed, toLinkValue, toProblemResponse } from '../http/response.ts'
import { findCached, ResponseCache } from '../http/response-cache.ts'
import { buildRouter, toRefusalResponse } from '../http/router.ts'
import { send } from '../http/send.ts'
import { receiveBufferBytes, SendQueues } from '../http/send-queues.ts'
import { toTarget } from '../http/target.ts'
import type { McpHandler } from '../mcp/http.ts'
import { Problem } from '../problems.ts'
import type { RegistryStore } from '../registry/contract.ts'
import { StoreUnavailable } from '../registry/contract.ts'
import { FileOffer } from '../registry/stores/offer.ts'
import { currentSnapshot } from './current-snapshot.ts'
import { referenceScript, referenceStyle } from './html.ts'
import { openMcp } from './mcp.ts'
import { buildPageHandler, loadRenderer } from './page.ts'
import { pageFolder, readPageTemplate } from './page-files.ts'
import {
  isStaticPath,
  mcpPath,
  routesInMetrics,
  serveUnknownAddress,
  suggestedPaths,
  toHandlers,
  toRootHandlers,
} from './routes.ts'
import type { ServiceSettings } from './settings.ts'

/** For how long browsers use only HTTPS after a response with Strict-Transport-Security: a year. */
const httpsOnlySeconds = 31_536_000

/**
 * Sends a response and handles errors of sending. The headers are written at once; the promise resolves when the body
 * is written too.
 */
type SendResponse = (
  request: IncomingMessage,
  response: ServerResponse,
  apiResponse: ApiResponse,
  apiRequest: Pick<ApiRequest, 'id' | 'baseUrl'>,
) => Promise<void>

/** What a service is built from. */
export interface ServiceParts {
  readonly store: RegistryStore
  readonly settings: ServiceSettings
  /** Counts requests for `--rate-limit` across all workers. If undefined, this process counts only its own. */
  readonly countRequests?: CountRequests | undefined
  readonly log: Logger
}

export interface Service {
  readonly admission: AdmissionControl
  readonly cache: ResponseCache
  readonly queues: SendQueues
  /** Handles one HTTP/1.1 or HTTP/2 request; Node's compatibility API gives both the same objects. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void
  /** Called when another snapshot is in service: its file is offered as soon as it is hashed. */
  readonly onSnapshot: () => void
  /** Ends the timers of admission control and of the send queues, and closes the files that are offered. */
  readonly close: () => Promise<void>
}

/**
 * Builds the request handler of one process, and the limits and caches that it works with. The functions inside follow
 * the stages of a request from the last one, sending, to the first one, the rate limit.
 */
export async function buildService({ store, settings, countRequests, log }: ServiceParts): Promise<Service> {
  const admission = new AdmissionControl({ ...settings, countRequests, routes: routesInMetrics })
  const cache = new ResponseCache()
  const processCount = settings.workers ?? 1
  const sendQueueBytesMax = settings.sendQueueBytesMax ?? readSendQueueLimit(processCount)
  // A trusted proxy forwards many clients on its connections, so the limit of the send queues for one client does not
  // apply to it.
  const trustedProxies = settings.trustedProxies ?? []
  const warnThrottled = throttleWarnings(log)
  const queues = new SendQueues(sendQueueBytesMax, processCount, trustedProxies, (connections, bytes) =>
    warnThrottled({ connections, bytes }, 'closed connections of clients that do not read'),
  )
  const files = readStaticFiles()
  const template = readPageTemplate()
  const handlePage = buildPageHandler({ store, settings, template, renderer: await loadRenderer() })
  const offer = settings.isFileOffered === true ? new FileOffer(store, log) : undefined
  offer?.update()
  const routeContext = { store, settings, files, handlePage, offer }
  const toUnavailableStoreResponse = buildUnavailableStoreResponder(log)
  const route = buildRouter({
    routes: toHandlers(routeContext),
    // Outside the base path, such as /robots.txt.
    rootRoutes: toRootHandlers(routeContext),
    suggestedPaths,
    serveUnknownAddress: (request, problem) => serveUnknownAddress(request, routeContext, problem),
    toExpectedErrorResponse: toUnavailableStoreResponse,
    settings,
    admission,
    log,
  })
  /** The handler of MCP; undefined without `serve --mcp`. */
  const respondToMcp = settings.isMcpOn ? await openMcp({ store, route, admission, settings }) : undefined
  const isMcpRequest = ({ url = '' }: IncomingMessage): boolean =>
    respondToMcp !== undefined && toTarget(url).path === `${settings.basePath}${mcpPath}`
  const sendContext = { queues, stalledReaderMs: settings.stalledReaderMs ?? stalledReaderMs }
  const securityHeaders = settings.isSecure ? ['Strict-Transport-Security', `max-age=${httpsOnlySeconds}`] : []
  const isDebugLogged = log.isLevelEnabled('debug')

  /** Why the send queues have no room for another export to this client; undefined if there is room. */
  const findExportOverload = (socket: Socket, coding: CodingName): ShedReason | undefined =>
    queues.findExportOverload(socket, toStreamMemoryBytes(coding))

  /**
   * Sends the response, or a refusal (503) instead of it. A long response is refused while the send queues are full for
   * this client. A streamed response (an export) is also refused while too many exports are open, or while the send
   * queues have no room for another export.
   */
  const sendOrRefuse: SendResponse = async (request, response, apiResponse, apiRequest) => {
    const { id } = apiRequest
    const isQueueFull = isLong(apiResponse) && queues.isFullFor(request.socket)
    const refusal = isQueueFull
      ? admission.shed('send-queue')
      : admission.checkExportLimit(request, apiResponse, findExportOverload)
    // `toRefusalResponse` also closes the streamed body that is not sent, which ends its search.
    const sent = refusal === undefined ? apiResponse : toRefusalResponse(refusal, apiRequest, apiResponse)
    if (isDebugLogged) {
      log.debug({ requestId: id, method: request.method, url: request.url, status: sent.status }, 'response')
    }
    const headers = ['X-Request-Id', id, ...securityHeaders]
    // The response cache serves clients with different base URLs, so a response has its links relative to the base URL.
    const link = toLinkValue(sent, apiRequest.baseUrl)
    if (link !== undefined) headers.push('Link', link)
    const endExport = isStreamed(sent.body) ? admission.beginExport(request) : undefined
    try {
      await send(request, response, sent, headers, sendContext)
    } catch (error) {
      log.error({ err: error, requestId: id }, 'response aborted')
      response.destroy()
    } finally {
      endExport?.()
    }
  }

  /**
   * Sends a response that was made before the router, a cached one or an error, and counts its request for the metrics.
   * The requests that reach the router or MCP are counted by `admission.begin`.
   */
  const sendUnrouted: SendResponse = async (request, response, apiResponse, apiRequest) => {
    const sending = sendOrRefuse(request, response, apiResponse, apiRequest)
    // The headers are written by now, so `response` has the status that is sent: 503 if the response was refused.
    admission.countUnrouted(request, response)
    await sending
  }

  /** Sends a 429 (rate limit) or 503 (overload) instead of handling the request. */
  const refuse = async (request: IncomingMessage, response: ServerResponse, refusal: Refusal): Promise<void> => {
    const apiRequest = new NodeRequest(request, settings)
    await sendUnrouted(request, response, toRefusalResponse(refusal, apiRequest), apiRequest)
  }

  /** Whether the response takes little work and no search, such as a file of the web page (`isStaticPath`). */
  const isStatic = ({ url = '' }: IncomingMessage): boolean => {
    const { path } = toTarget(url)
    return path.startsWith(`${settings.basePath}/`) && isStaticPath(path.slice(settings.basePath.length), files)
  }

  /**
   * Handles the request, or refuses it while the process is overloaded: routes it, stores the response in the cache if
   * it may be cached, and sends it.
   */
  const admitAndHandle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // A static response is made without a search and takes little work, so overload is no reason to refuse it.
    const overload = admission.findOverload(request)
    if (overload !== undefined && !isStatic(request)) return refuse(request, response, admission.shed(overload))
    const endRequest = admission.begin(request, response)
    // When all places for searches are taken, `findOverload` refuses further requests.
    const endSearch = admission.beginSearch(request)
    try {
      const apiRequest = new NodeRequest(request, settings)
      const apiResponse = await route(apiRequest)
      if (isGetOrHead(apiRequest)) cache.store(request.url ?? '', apiRequest.coding, apiResponse)
      await sendOrRefuse(request, response, apiResponse, apiRequest)
    } finally {
      endSearch()
      endRequest()
    }
  }

  /** Handles a request to MCP. */
  const handleMcp = async (request: IncomingMessage, response: ServerResponse, respond: McpHandler): Promise<void> => {
    // Refuses the request under overload, or if too many bodies are being read; mcp/http.ts limits their size.
    const refusal = admission.checkBodyLimit(request)
    if (refusal !== undefined) return refuse(request, response, refusal)
    const apiRequest = new NodeRequest(request, settings)
    const endRequest = admission.begin(request, response)
    try {
      const mcpResponse = await respond(request, response).catch((error: unknown) => {
        const unavailable = toUnavailableStoreResponse(error, apiRequest)
        if (unavailable === undefined) throw error
        return unavailable
      })
      await sendOrRefuse(request, response, mcpResponse, apiRequest)
    } finally {
      endRequest()
    }
  }

  /**
   * Whether the rate limit counts the request here. OPTIONS and static responses (`isStaticPath`) are free.
   * src/mcp/http.ts counts the requests to MCP, because one may contain several messages.
   */
  const isCountedForRateLimit = (request: IncomingMessage): boolean =>
    request.method !== 'OPTIONS' && !isStatic(request) && !isMcpRequest(request)

  /** All stages of a request. */
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (settings.rateLimit !== undefined && isCountedForRateLimit(request)) {
      const refusal = await admission.checkRateLimit(request, response)
      if (refusal !== undefined) return refuse(request, response, refusal)
    }
    const problem = findRequestProblem(request)
    if (problem !== undefined) {
      const apiRequest = new NodeRequest(request, settings)
      const problemResponse = toProblemResponse(problem, apiRequest, toRejectionHeaders(request, problem))
      return sendUnrouted(request, response, problemResponse, apiRequest)
    }
    const cached = findCached(cache, request, currentSnapshot(store))
    if (cached !== undefined) {
      const baseUrl = toBaseUrl(request, settings)
      return sendUnrouted(request, response, cached, { id: nextRequestId(), baseUrl })
    }
    if (respondToMcp !== undefined && isMcpRequest(request)) return handleMcp(request, response, respondToMcp)
    return admitAndHandle(request, response)
  }

  return {
    admission,
    cache,
    queues,
    handle: (request, response) => {
      handle(request, response).catch((error: unknown) => {
        // A part of the response may have been sent, so no error response can follow. Closes the connection, or the
        // stream of HTTP/2.
        log.error({ err: error }, 'request aborted')
        response.destroy()
      })
    },
    onSnapshot: () => offer?.update(),
    close: async () => {
      admission.end()
      queues.end()
      await offer?.close()
    },
  }
}

/**
 * Returns a function that turns `StoreUnavailable` into a 503 and logs a warning. It returns undefined for other
 * errors.
 */
function buildUnavailableStoreResponder(log: Logger): (error: unknown, request: ApiRequest) => ApiResponse | undefined {
  const warnThrottled = throttleWarnings(log)
  return (error, request) => {
    if (!(error instanceof StoreUnavailable)) return undefined
    warnThrottled({ err: error, requestId: request.id }, 'registry unavailable')
    const detail = 'The registry cannot be reached at the moment; try again soon'
    return toProblemResponse(new Problem('registry-unavailable', detail), request, ['Retry-After', '1'])
  }
}

/** Whether a client that does not read would leave a part of the body in its send queue. */
function isLong({ body }: ApiResponse): boolean {
  // A shorter body fits into the receive buffer of the client.
  return isStreamed(body) || (body !== null && body.length > receiveBufferBytes)
}

/** The files of the web page and of the reference, by path relative to the base path. */
function readStaticFiles(): Map<string, StaticFile> {
  const files = new Map([...readFiles(pageFolder)].map(([name, file]) => [`/${name}`, file]))
  for (const { name, ...file } of [referenceStyle, referenceScript]) files.set(`/${name}`, file)
  return files
}
