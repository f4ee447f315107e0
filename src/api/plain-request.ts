// A plain request (plain.ts) as the service sees it, and the strict reading of its headers: what the pattern does not
// know is not refused but left to node:http.
import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'

/** Like the one of node:http, as far as the service uses that. */
export class PlainRequest {
  readonly method = 'GET'
  readonly httpVersion = '1.1'
  readonly httpVersionMajor = 1
  readonly socket: Socket
  readonly headers: IncomingHttpHeaders
  url: string

  constructor(socket: Socket, url: string, headers: IncomingHttpHeaders) {
    this.socket = socket
    this.url = url
    this.headers = headers
  }

  get rawHeaders(): readonly string[] {
    return this.headers.host === undefined ? [] : ['Host', this.headers.host]
  }
}

/** Header lines and the empty one that ends them (RFC 9112, sections 2.1 and 5), and not a byte more. */
const headerLines = /^(?:[!#$%&'*+.^_`|~\w-]+:[\t\x20-\x7e\x80-\xff]*\r\n)+\r\n$/

/** Undefined where one of them, or what one of them says, is not plain. */
export function parseHeaders(text: string): IncomingHttpHeaders | undefined {
  if (!headerLines.test(text)) return undefined
  const headers: Record<string, string> = Object.create(null)
  for (const line of text.slice(0, -4).split('\r\n')) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    if (name in headers || ofAnotherKind.has(name)) return undefined
    headers[name] = withoutBlanks(line.slice(colon + 1))
  }
  const isPlain = headers.host !== undefined && /^(?:close|keep-alive)?$/i.test(headers.connection ?? '')
  return isPlain ? headers : undefined
}

/** At its ends. A pattern would try anew at every blank of a long row of them. */
function withoutBlanks(value: string): string {
  let start = 0
  let end = value.length
  while (start < end && isBlank(value.charCodeAt(start))) start++
  while (end > start && isBlank(value.charCodeAt(end - 1))) end--
  return value.slice(start, end)
}

function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x09
}

/** What announces a body, or more than one answer. */
const ofAnotherKind: ReadonlySet<string> = new Set([
  'content-length',
  'transfer-encoding',
  'trailer',
  'expect',
  'upgrade',
  'http2-settings',
  'proxy-connection',
])
