// The handler of {base}/mcp (Model Context Protocol). Its tools use the client of src/client with a fetch function that
// calls the router of this process. So a call of a tool follows the rules of other requests, with the deadline of its
// HTTP request and without a network.
import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { createClient, type RegistryClient, type WireMunicipality } from '../client/client.ts'
import type { AdmissionControl, Refusal } from '../http/admission.ts'
import { bodyTimeoutMs, firstByteTimeoutMs } from '../http/limits.ts'
import { toRequestHost } from '../http/node-request.ts'
import { RequestDeadline } from '../http/request-deadline.ts'
import type { Handler } from '../http/response.ts'
import type { HttpSettings } from '../http/settings.ts'
import type { McpHandler, McpRefusal } from '../mcp/http.ts'
import { problemKinds } from '../problems.ts'
import type { RegistryStore, Snapshot } from '../registry/contract.ts'
import { currentSnapshot } from './current-snapshot.ts'
import { localAddress, toFetch } from './local.ts'
import { toWireMunicipality } from './overview.ts'

export interface McpParts {
  readonly store: RegistryStore
  /** The router of the service. */
  readonly route: Handler
  readonly admission: AdmissionControl
  readonly settings: HttpSettings
}

/** Makes the handler. The MCP server is imported only here, to save memory and start-up time if it is not enabled. */
export async function openMcp({ store, route, admission, settings }: McpParts): Promise<McpHandler> {
  const { toMcpHandler } = await import('../mcp/http.ts')
  return toMcpHandler({
    toClient: (request) => {
      // The deadline also has the name of the client, which a trusted proxy forwards.
      const fetch = toFetch(route, new RequestDeadline(request, settings.trustedProxies))
      // Without retries, an assistant is told at once that the service is overloaded.
      const client = createClient(localAddress + settings.basePath, { fetch, retries: 0 })
      return withMunicipalityList(client, store)
    },
    // Throws while the registry is unavailable. The response is then a 503, because no tool could be called.
    hasFictionalRecords: () => store.current().metadata.fictional,
    explainForbidden: (request) => explainForbidden(request, settings.publicUrl),
    // Counts every message of a batch, and sets headers of the response.
    checkRateLimit: async (request, response, messageCount) => {
      const refusal = await admission.checkRateLimit(request, response, messageCount)
      return refusal === undefined ? undefined : toMcpRefusal(refusal)
    },
    // Counts only the tool calls of a batch, because the other messages do not read the registry and take little work.
    checkOverload: (request, callCount) => {
      const overload = admission.findOverload(request, callCount)
      return overload === undefined ? undefined : toMcpRefusal(admission.shed(overload))
    },
    // `beginBody` returns a function to call when the body has been read, `beginCalls` one for the end of the calls.
    beginBody: (request) => admission.beginBody(request),
    beginCalls: (request, callCount) => admission.beginCalls(request, callCount),
    bodyTimeoutMs: settings.bodyTimeoutMs ?? bodyTimeoutMs,
    timeoutMs: firstByteTimeoutMs,
  })
}

function toMcpRefusal({ problem, retryAfterSeconds }: Refusal): McpRefusal {
  return { status: problemKinds[problem.code].status, message: problem.detail, retryAfterSeconds }
}

/** The lists of municipalities that `withMunicipalityList` has made. */
const municipalityLists = new WeakMap<Snapshot, WireMunicipality[]>()

/**
 * The client with a list of municipalities that is made once for each snapshot. Writing and reading up to 8,000
 * municipalities as JSON for each call would block the event loop. While the registry is unavailable, the original
 * client is called, which reports the error.
 */
function withMunicipalityList(client: RegistryClient, store: RegistryStore): RegistryClient {
  const municipalities: RegistryClient['municipalities'] = async (options) => {
    const snapshot = currentSnapshot(store)
    if (snapshot === undefined) return client.municipalities(options)
    const list = municipalityLists.get(snapshot) ?? snapshot.municipalities.map(toWireMunicipality)
    municipalityLists.set(snapshot, list)
    return list
  }
  return { ...client, municipalities }
}

/**
 * The reason to refuse a request that is not for this service; undefined if it is accepted. Prevents DNS rebinding: an
 * attacker makes the host name of a web page point at this machine, and the page sends requests from the browser of a
 * user. Their host is the name of the page, which is refused:
 * - The host of the request must be the host of `--public-url`, a loopback address or `localhost`. Without
 *   `--public-url` it may also be any IP address.
 * - The host in the `Origin` header, if there is one, must be the host of the request or of `--public-url`. Two
 *   loopback hosts may differ, such as `localhost` and `127.0.0.1`.
 */
function explainForbidden(request: IncomingMessage, publicUrl: string | undefined): string | undefined {
  const host = findHostname(`http://${toRequestHost(request)}`)
  const publicHost = publicUrl === undefined ? undefined : findHostname(publicUrl)
  if (host === undefined || !isAcceptedHost(host, publicUrl)) {
    return 'Cannot accept the host: it is not the address of this service (--public-url)'
  }
  const { origin } = request.headers
  if (origin === undefined) return undefined
  const originHost = findHostname(origin)
  const isSameHost = originHost !== undefined && (originHost === host || originHost === publicHost)
  const areBothLoopback = isLoopback(host) && isLoopback(originHost)
  if (isSameHost || areBothLoopback) return undefined
  return 'Cannot accept the origin: it is not the address of this service (--public-url)'
}

/** Whether MCP accepts requests for this host. */
export function isAcceptedHost(host: string, publicUrl: string | undefined): boolean {
  if (isLoopback(host)) return true
  return publicUrl === undefined ? isIpAddress(host) : host === findHostname(publicUrl)
}

/** The host of the URL; undefined if the text is not a URL. */
function findHostname(url: string): string | undefined {
  return URL.parse(url)?.hostname
}

function isLoopback(host: string | undefined): boolean {
  return host === 'localhost' || (isIpAddress(host) && ipaddr.process(withoutBrackets(host)).range() === 'loopback')
}

function isIpAddress(host: string | undefined): host is string {
  return host !== undefined && ipaddr.isValid(withoutBrackets(host))
}

/** Removes the brackets that an IPv6 address has in a URL: `[::1]` becomes `::1`. */
function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '')
}
