// A request as the handlers see it: its id, target, conditions, deadline and base URL. It is read from the web-standard
// request, and from Node's objects for what that does not have: the raw target and the address of the client.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Deadline } from '../domain/deadline.ts'
import { firstByteTimeoutMs } from '../limits.ts'
import { type TrustedProxies, toClientName } from './client-address.ts'
import type { Conditions } from './conditional.ts'
import type { Coding } from './negotiate.ts'
import { negotiateCoding, prefersHtml } from './negotiate.ts'
import type { HttpSettings } from './settings.ts'
import { type Target, toTarget } from './target.ts'

/** What comes with a web-standard request: Node's objects, or what replaces them in a request of this process. */
export interface Bindings {
  readonly incoming?: IncomingMessage
  readonly outgoing?: ServerResponse
  /** The deadline of the request that this one belongs to. */
  readonly deadline?: RequestDeadline | undefined
}

export class ApiRequest implements Conditions {
  /** The `X-Request-Id` of the response, which is also in the log. */
  readonly id: string = nextRequestId()
  readonly method: string
  readonly target: Target
  readonly coding: Coding
  /** Ends the search when the client disconnects or the time limit passes; undefined means never. */
  readonly deadline: RequestDeadline | undefined
  /** The web-standard request. Only MCP reads its body. */
  readonly web: Request
  readonly #incoming: IncomingMessage | undefined
  readonly #settings: HttpSettings

  constructor(request: Request, { incoming, deadline }: Bindings, settings: HttpSettings) {
    this.method = request.method
    // The web-standard URL is normalised, so the raw target is read from Node.
    this.target = toTarget(incoming?.url ?? request.url)
    this.web = request
    this.#incoming = incoming
    this.#settings = settings
    this.coding = negotiateCoding(this.header('accept-encoding'))
    this.deadline = deadline ?? (incoming && new RequestDeadline(incoming, settings.trustedProxies))
  }

  get isRead(): boolean {
    return this.method === 'GET' || this.method === 'HEAD'
  }

  get ifNoneMatch(): string | undefined {
    return this.header('if-none-match')
  }

  get ifModifiedSince(): string | undefined {
    return this.header('if-modified-since')
  }

  /** Whether the client prefers HTML to JSON. */
  get prefersHtml(): boolean {
    return prefersHtml(this.header('accept'))
  }

  /** The name of the client (client-address.ts); empty for a request of this process. */
  get client(): string {
    return this.deadline?.client ?? ''
  }

  /** `name` is in lower case. Node's headers are read where there are any: the web-standard ones are a copy. */
  header(name: string): string | undefined {
    if (this.#incoming === undefined) return this.web.headers.get(name) ?? undefined
    return this.#incoming.headers[name]?.toString()
  }

  /** The base URL of the service as this client sees it, without a trailing slash. */
  get baseUrl(): string {
    if (this.#incoming !== undefined) return toBaseUrl(this.#incoming, this.#settings)
    return this.#settings.publicUrl ?? new URL(this.web.url).origin + this.#settings.basePath
  }
}

/**
 * Expires when the client disconnects, or when the first byte of the response is not ready within `firstByteTimeoutMs`.
 * A search checks it after every time slice. It also has the name of the client, so that the scheduler shares the time
 * between clients.
 */
export class RequestDeadline implements Deadline {
  readonly #incoming: IncomingMessage
  readonly #trustedProxies: TrustedProxies
  #client: string | undefined
  /** On the clock of `performance.now()`. */
  #expiresAt: number = performance.now() + firstByteTimeoutMs

  constructor(incoming: IncomingMessage, trustedProxies: TrustedProxies) {
    this.#incoming = incoming
    this.#trustedProxies = trustedProxies
  }

  /** The name of the client (client-address.ts). */
  get client(): string {
    this.#client ??= toClientName(this.#incoming, this.#trustedProxies)
    return this.#client
  }

  get isExpired(): boolean {
    return this.isClientGone || performance.now() > this.#expiresAt
  }

  /** With HTTP/2 the socket stands for the stream. The web-standard signal would be made for each request. */
  get isClientGone(): boolean {
    return this.#incoming.socket.destroyed
  }

  /** Called when the first byte is ready: the time limit ends, because the client sets the pace from now on. */
  markStarted(): void {
    this.#expiresAt = Number.POSITIVE_INFINITY
  }
}

/**
 * The base URL as this client sees it: `--public-url`, or derived from the host of the request or, if that is not
 * valid, from the local address. `X-Forwarded-Host` and `X-Forwarded-Proto` are ignored, because any client can set
 * them.
 */
export function toBaseUrl({ headers, socket }: IncomingMessage, settings: HttpSettings): string {
  if (settings.publicUrl !== undefined) return settings.publicUrl
  // With HTTP/2 `:authority` takes precedence over `Host` (RFC 9113, section 8.3.1).
  const requestHost = headers[':authority']?.toString() ?? headers.host ?? ''
  const host = isHost(requestHost) ? requestHost : toLocalHost(socket)
  return `${settings.isSecure ? 'https' : 'http'}://${host}${settings.basePath}`
}

/** Local address and port of a socket, such as `127.0.0.1:8080`, for requests without a valid `Host`. */
export function toLocalHost({ localAddress = '127.0.0.1', localPort = 0 }: Partial<Socket>): string {
  // A URL has no zone (`fe80::1%eth0`).
  const [address = ''] = localAddress.split('%')
  return `${address.includes(':') ? `[${address}]` : address}:${localPort}`
}

/**
 * Whether the text is a valid `Host` header: a name or an address, and perhaps a port (`[::1]:8080`). It must also make
 * a URL, because responses contain URLs with it: `1.2.3.999` and port 99999 match the pattern, but make none.
 */
export function isHost(text: string): boolean {
  if (text === lastHost) return true
  const isValid = /^(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{0,5})?$/i.test(text) && URL.canParse(`http://${text}`)
  if (isValid) lastHost = text
  return isValid
}

/** Most requests have the same host. */
let lastHost = 'localhost'

/** Random for each process. */
const requestIdPrefix = randomBytes(6).toString('base64url')
let requestCount = 0

/** Such as `Xk3v9QzA-17`: unique across processes by its prefix, and within a process by its counter. */
export function nextRequestId(): string {
  requestCount += 1
  return `${requestIdPrefix}-${requestCount}`
}
