// A request as the handlers see it (`ApiRequest`), built from the request object of Node: its id, target, conditions,
// deadline and base URL.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Coding } from './negotiate.ts'
import { negotiateCoding, prefersHtml } from './negotiate.ts'
import { RequestDeadline } from './request-deadline.ts'
import type { ApiRequest } from './response.ts'
import type { HttpSettings } from './settings.ts'
import type { Target } from './target.ts'
import { toTarget } from './target.ts'

export class NodeRequest implements ApiRequest {
  readonly id: string = nextRequestId()
  readonly method: string
  readonly target: Target
  readonly coding: Coding
  readonly ifNoneMatch: string | undefined
  readonly ifModifiedSince: string | undefined
  readonly deadline: RequestDeadline
  readonly #request: IncomingMessage
  readonly #settings: HttpSettings

  constructor(request: IncomingMessage, settings: HttpSettings) {
    const { headers } = request
    this.method = request.method ?? 'GET'
    this.target = toTarget(request.url ?? '/')
    this.coding = negotiateCoding(headers['accept-encoding']?.toString())
    this.ifNoneMatch = headers['if-none-match']
    this.ifModifiedSince = headers['if-modified-since']
    this.deadline = new RequestDeadline(request, settings.trustedProxies)
    this.#request = request
    this.#settings = settings
  }

  /** Computed on demand, because few responses depend on it. */
  get prefersHtml(): boolean {
    return prefersHtml(this.#request.headers.accept)
  }

  get acceptLanguage(): string | undefined {
    return this.#request.headers['accept-language']
  }

  get range(): string | undefined {
    return this.#request.headers.range
  }

  get ifRange(): string | undefined {
    return this.#request.headers['if-range']?.toString()
  }

  /** Computed on demand, because most responses do not contain it. */
  get baseUrl(): string {
    return toBaseUrl(this.#request, this.#settings)
  }
}

/** Whether the request is a stream of HTTP/2. Its version does not tell: a request line may say HTTP/2.0. */
export function isHttp2(request: IncomingMessage): boolean {
  return 'stream' in request
}

/**
 * The base URL as this client sees it: `--public-url`, or derived from the host of the request or, if that is not
 * valid, from the local address. `X-Forwarded-Host` and `X-Forwarded-Proto` are ignored, because any client can set
 * them.
 */
export function toBaseUrl(request: IncomingMessage, settings: HttpSettings): string {
  if (settings.publicUrl !== undefined) return settings.publicUrl
  const scheme = settings.isSecure ? 'https' : 'http'
  const requestHost = toRequestHost(request)
  // A host may end in a colon without a port.
  const host = isHost(requestHost) ? requestHost.replace(/:$/, '') : toLocalHost(request.socket)
  return `${scheme}://${host}${settings.basePath}`
}

/**
 * The host and port that the request is for; empty if it names none. With HTTP/2 `:authority` takes precedence over
 * `Host` (RFC 9113, section 8.3.1). request-validation.ts has put the host of an absolute target into `Host`.
 */
export function toRequestHost({ headers }: IncomingMessage): string {
  return headers[':authority']?.toString() ?? headers.host ?? ''
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
  return /^(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{0,5})?$/i.test(text) && URL.canParse(`http://${text}`)
}

/** Random for each process. */
const requestIdPrefix = randomBytes(6).toString('base64url')
let requestCount = 0

/** Such as `Xk3v9QzA-17`: unique across processes by its prefix, and within a process by its counter. */
export function nextRequestId(): string {
  requestCount += 1
  return `${requestIdPrefix}-${requestCount}`
}
