// The service without a process around it: routes, and what is common to all answers. listen.ts gives it a socket,
// serve.ts a process.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { Refusal } from '../http/admission.ts'
import { AdmissionControl } from '../http/admission.ts'
import type { StaticFile } from '../http/files.ts'
import { readFiles, serveFile } from '../http/files.ts'
import { stalledReaderMs } from '../http/limits.ts'
import { toSparingWarning } from '../http/log.ts'
import { NodeRequest } from '../http/node-request.ts'
import { readSendQueueLimit } from '../http/overload-monitor.ts'
import type { SendResponse } from '../http/request-pipeline.ts'
import { runPipeline } from '../http/request-pipeline.ts'
import type { ApiRequest, ApiResponse, Handler } from '../http/response.ts'
import { isStreamed, toProblemResponse } from '../http/response.ts'
import { ResponseCache } from '../http/response-cache.ts'
import { buildRouter, toRefusalResponse } from '../http/router.ts'
import { send } from '../http/send.ts'
import { receiveBufferBytes, SendQueues } from '../http/send-queues.ts'
import { pathAfterSlashes, toTarget } from '../http/target.ts'
import { type MaybePromise, mapMaybe } from '../maybe-promise.ts'
import { Problem } from '../problems.ts'
import type { RegistryStore, Snapshot } from '../snapshot/contract.ts'
import { StoreUnavailable } from '../snapshot/contract.ts'
import { handleCatalog } from './catalog.ts'
import { openMcp } from './mcp.ts'
import { refuseQuery, toOpenApiFile } from './openapi.ts'
import { handleMunicipalities, handleSummary } from './overview.ts'
import { handlePage, pageFolder, serveMissingFile } from './page.ts'
import { handleProblemList, handleProblemPage } from './problem-pages.ts'
import { handleRecords } from './records.ts'
import { handleReference, referenceScript, referenceStyle } from './reference.ts'
import type { ServiceSettings } from './settings.ts'

export interface ServiceParts {
  readonly store: RegistryStore
  readonly settings: ServiceSettings
  readonly log: Logger
}

export interface Service {
  readonly guard: AdmissionControl
  readonly cache: ResponseCache
  readonly queues: SendQueues
  /** Answers one request, by HTTP/1.1 or HTTP/2: Node's compatible API gives both the same objects. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void
  /** From now on a connection is closed once it has its answer. */
  readonly drain: () => void
  readonly close: () => void
}

export async function buildService({ store, settings, log }: ServiceParts): Promise<Service> {
  const guard = new AdmissionControl({ ...settings, routeNames })
  const cache = new ResponseCache()
  const warnSparingly = toSparingWarning(log)
  const queues = new SendQueues(
    settings.sendQueueBytesMax ?? readSendQueueLimit(settings.workers ?? 1),
    settings.trustedProxies ?? [],
    (connections, bytes) => warnSparingly({ connections, bytes }, 'connections closed whose clients do not read'),
  )
  const sending = { queues, stalledReaderMs: settings.stalledReaderMs ?? stalledReaderMs }
  const always = settings.isSecure ? ['Strict-Transport-Security', 'max-age=31536000'] : []
  const isVerbose = log.isLevelEnabled('debug')
  const finish: SendResponse = (request, response, made, apiRequest) => {
    const { id } = apiRequest
    const refusal =
      isLong(made) && queues.isFullFor(request.socket) ? guard.refuseSending() : guard.refuseExport(request, made)
    const answer = refusal === undefined ? made : toRefusalResponse(refusal, apiRequest, made)
    if (isVerbose)
      log.debug({ requestId: id, method: request.method, url: request.url, status: answer.status }, 'answer')
    const own = ['X-Request-Id', id, ...always]
    if (answer.next !== undefined) own.push('Link', `<${apiRequest.baseAddress}/${answer.next}>; rel="next"`)
    const isExport = isStreamed(answer.body)
    if (isExport) guard.traffic.exportsOpen += 1
    const sent = send(request, response, answer, own, sending)?.catch((error: unknown) => {
      log.error({ err: error, requestId: id }, 'answer broken off')
    })
    return isExport ? sent?.finally(() => (guard.traffic.exportsOpen -= 1)) : sent
  }
  const files = toFiles(settings)
  const handleByRoute = buildRouter({
    routes: toRoutes(store, settings, files),
    suggestedPaths,
    toExpectedErrorResponse: toUnavailableResponses(log),
    settings,
    guard,
    log,
  })
  const mcp = settings.isMcpOn ? await openMcp(store) : undefined
  const aside = (request: IncomingMessage, response: ServerResponse): boolean => {
    if (mcp === undefined || toTarget(request.url ?? '').path !== `${settings.basePath}/mcp`) return false
    const end = guard.begin(request, response)
    mcp(request, response)
      .catch((error: unknown) => {
        log.error({ err: error }, 'answer to an assistant broken off')
        response.destroy()
      })
      .finally(end)
    return true
  }
  const finishAtDoor: SendResponse = (request, response, answer, apiRequest) => {
    guard.countUnrouted(request, answer)
    return finish(request, response, answer, apiRequest)
  }
  const refuse = (request: IncomingMessage, response: ServerResponse, refusal: Refusal): void => {
    const apiRequest = new NodeRequest(request, settings)
    finishAtDoor(request, response, toRefusalResponse(refusal, apiRequest), apiRequest)
  }
  const route = (request: IncomingMessage, response: ServerResponse): void => {
    // A file is in memory as it is: there is no work to refuse.
    const isFile = (): boolean => files.has((request.url ?? '').slice(settings.basePath.length))
    const refusal = guard.hasRoom || isFile() ? undefined : guard.refuseWork()
    if (refusal !== undefined) {
      refuse(request, response, refusal)
      return
    }
    const end = guard.begin(request, response)
    try {
      const sent = work(request, response)
      if (sent instanceof Promise) sent.catch((error: unknown) => breakOff(response, error)).finally(end)
      else end()
    } catch (error) {
      breakOff(response, error)
      end()
    }
  }
  const work = (request: IncomingMessage, response: ServerResponse): MaybePromise<void> => {
    const apiRequest = new NodeRequest(request, settings)
    return mapMaybe(handleByRoute(apiRequest), (answer) => {
      if (apiRequest.method === 'GET') cache.keep(request.url ?? '', apiRequest.coding, answer)
      return finish(request, response, answer, apiRequest)
    })
  }
  const breakOff = (response: ServerResponse, error: unknown): void => {
    log.error({ err: error }, 'request broken off')
    response.destroy()
  }
  const pipeline = {
    currentDataVersion: () => currentSnapshot(store),
    cache,
    settings,
    sendResponse: finishAtDoor,
    intercept: aside,
    route,
  }
  let isDraining = false
  return {
    guard,
    cache,
    queues,
    answer: (request, response) => {
      if (isDraining && request.httpVersionMajor === 1) response.setHeader('Connection', 'close')
      try {
        const refusal = guard.refuseClient(request, response)
        if (refusal === undefined) runPipeline(pipeline, request, response)
        else refuse(request, response, refusal)
      } catch (error) {
        breakOff(response, error)
      }
    },
    drain: () => {
      isDraining = true
    },
    close: () => {
      guard.end()
      queues.end()
    },
  }
}

/** The routes that metrics distinguish, see `Traffic`. */
const routeNames: readonly string[] = [
  'record',
  'record/{cod_archivo}',
  'municipality',
  'summary',
  'openapi.json',
  'catalog',
  'docs',
  'problems',
  'assets',
  'page',
  'mcp',
]

const suggestedPaths: readonly string[] = ['record', 'municipality', 'summary', 'openapi.json', 'docs', 'catalog']

/** Undefined while the registry is unavailable. */
function currentSnapshot(store: RegistryStore): Snapshot | undefined {
  try {
    return store.current()
  } catch {
    return undefined
  }
}

/** Maps `StoreUnavailable` to a 503 response and logs a warning. */
function toUnavailableResponses(log: Logger): (error: unknown, request: ApiRequest) => ApiResponse | undefined {
  const warnSparingly = toSparingWarning(log)
  return (error, request) => {
    if (!(error instanceof StoreUnavailable)) return undefined
    warnSparingly({ err: error, requestId: request.id }, 'registry unavailable')
    const detail = 'The registry cannot be reached at the moment; try again soon'
    return toProblemResponse(new Problem('registry-unavailable', detail), request, ['Retry-After', '1'])
  }
}

/** Longer than what the client's own system takes for a client that does not read. */
function isLong({ body }: ApiResponse): boolean {
  return isStreamed(body) || (body !== null && body.length > receiveBufferBytes)
}

/** What is sent as it is, by its path under the base path. */
function toFiles(settings: ServiceSettings): Map<string, StaticFile> {
  const files = new Map([...readFiles(pageFolder)].map(([name, file]) => [`/${name}`, file]))
  for (const { name, ...file } of [referenceStyle, referenceScript]) files.set(`/${name}`, file)
  return files.set('/openapi.json', toOpenApiFile(settings.publicUrl ?? (settings.basePath || '/')))
}

/** What there is below the base path. */
function toRoutes(
  store: RegistryStore,
  settings: ServiceSettings,
  files: ReadonlyMap<string, StaticFile>,
): Record<string, Handler> {
  const depth = settings.basePath.split('/').length
  const below = (apiRequest: ApiRequest): string => pathAfterSlashes(apiRequest.target.path, depth + 1)
  const reference: Handler = (apiRequest) => handleReference(apiRequest, store, settings)
  const page: Handler = (apiRequest) => handlePage(apiRequest, files.get('/index.html'), store, settings)
  const file: Handler = async (apiRequest) => {
    const found = files.get(apiRequest.target.path.slice(settings.basePath.length))
    // Kept with what is made of the snapshot in service, though it would outlive it.
    return found === undefined
      ? serveMissingFile(apiRequest)
      : { ...(await serveFile(apiRequest, found)), dataVersion: currentSnapshot(store) }
  }
  const routes: Record<string, Handler> = {
    '/record': (apiRequest) => handleRecords(apiRequest, store),
    '/record/*': (apiRequest) => handleRecords(apiRequest, store, below(apiRequest)),
    '/municipality': (apiRequest) => handleMunicipalities(apiRequest, store),
    '/summary': (apiRequest) => handleSummary(apiRequest, store),
    '/openapi.json': (apiRequest) => refuseQuery(apiRequest) ?? file(apiRequest),
    '/catalog': (apiRequest) => handleCatalog(apiRequest, store, settings.dataset),
    '/docs': reference,
    '/docs/': reference,
    '/problems': (apiRequest) => handleProblemList(apiRequest, settings),
    '/problems/*': (apiRequest) => handleProblemPage(apiRequest, below(apiRequest), settings),
    '/': page,
    '/index.html': page,
    '/assets/*': file,
  }
  if (settings.basePath !== '') routes[''] = page
  for (const path of files.keys()) if (!path.startsWith('/assets/')) routes[path] ??= file
  return routes
}
