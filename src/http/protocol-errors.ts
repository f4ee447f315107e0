// Responses to input that is no valid request: what Node's parser rejects, and what request-validation.ts finds. Node
// passes the bare socket for the first, so that response is written as text, and the connection is closed.

import type { EventEmitter } from 'node:events'
import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { headersMax, lastResponseMs } from '../limits.ts'
import { Problem, problemKinds, toProblemBody } from '../problems.ts'
import type { Connections } from './connections.ts'
import { nextRequestId, toBaseUrl, toLocalHost } from './request.ts'
import { allowedMethods } from './response.ts'
import { problemHeaders } from './response-headers.ts'
import type { HttpSettings } from './settings.ts'

/** Responds to malformed requests of HTTP/1.1. `handle` gets the CONNECT requests of HTTP/2, which it refuses. */
export function handleProtocolErrors(
  server: EventEmitter,
  settings: HttpSettings,
  connections: Connections,
  handle: RequestListener,
): void {
  server.on('clientError', (error: ProtocolError, socket: Duplex) => {
    // A client that has reset the connection cannot read a response.
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else if (socket instanceof Socket && connections.isBusy(socket)) {
      // This response would be mixed with those in progress, so the client gets only those.
      connections.endAfterResponses(socket)
      closeSoon(socket)
    } else respondAndClose(socket, toProblem(error), settings)
  })
  // CONNECT: with HTTP/1.1 the second argument is the socket, with HTTP/2 a response.
  server.on('connect', (request: IncomingMessage, target: Duplex | ServerResponse) => {
    if (!(target instanceof Duplex)) {
      handle(request, target)
      return
    }
    // Node leaves the socket to this handler and has removed its own listeners. Without a listener, an error of the
    // connection would end the process.
    target.on('error', () => {})
    respondAndClose(target, new Problem('method-not-allowed', 'Cannot CONNECT: the service is not a proxy'), settings)
  })
}

/** Responds to a request that request-validation.ts refuses. After a 405 its connection of HTTP/1.1 stays open. */
export function sendProblem(
  request: IncomingMessage,
  response: ServerResponse,
  problem: Problem,
  settings: HttpSettings,
): void {
  const body = JSON.stringify(toProblemBody(problem, toBaseUrl(request, settings)))
  const isClosed = problem.code !== 'method-not-allowed' && request.httpVersionMajor === 1
  if (isClosed) response.setHeader('Connection', 'close')
  response.writeHead(problemKinds[problem.code].status, toHeaders(problem, body))
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** Sends the problem and closes the connection. */
function respondAndClose(socket: Duplex, problem: Problem, settings: HttpSettings): void {
  closeSoon(socket)
  const { status } = problemKinds[problem.code]
  const body = JSON.stringify(toProblemBody(problem, toLocalBaseUrl(socket, settings)))
  const headers = { ...toHeaders(problem, body), Date: new Date().toUTCString(), Connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}

/** Closes the connection after `lastResponseMs`, whether or not the client has closed its side. */
function closeSoon(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), lastResponseMs)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
}

function toHeaders(problem: Problem, body: string): Record<string, string> {
  return {
    ...problemHeaders,
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': nextRequestId(),
    ...(problem.code === 'method-not-allowed' ? { Allow: allowedMethods } : {}),
  }
}

interface ProtocolError extends NodeJS.ErrnoException {
  /** The bytes that Node failed to parse. */
  readonly rawPacket?: Buffer
}

/** `GET /path HTTP/1.1`: a request line (RFC 9112, section 3) with any method (a token, RFC 9110, section 5.6.2). */
const requestLine = /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]\r\n/

/** The problem for an error of Node's parser, by its code. */
function toProblem({ code, rawPacket }: ProtocolError): Problem {
  // Node's parser rejects unknown methods; they get 405, like known methods that are not allowed.
  const isUnknownMethod = code === 'HPE_INVALID_METHOD' && requestLine.test(rawPacket?.toString('latin1') ?? '')
  if (isUnknownMethod) {
    return new Problem('method-not-allowed', 'Cannot use this method: the service is read-only')
  }
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem(
        'headers-too-large',
        `Cannot read the request: its headers have more than 16 KB, or are more than ${headersMax}`,
      )
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request-timeout', 'Cannot read the request: it did not arrive in time')
    case 'HPE_INVALID_URL':
      return new Problem(
        'malformed-request',
        'Cannot read the address: characters outside ASCII must be percent-encoded',
      )
    default:
      return new Problem('malformed-request', 'Cannot read the request: it is not valid HTTP/1.1 (RFC 9112)')
  }
}

/** `--public-url`, or a URL with the local address of the socket, because `Host` is rarely known after an error. */
function toLocalBaseUrl(socket: Duplex, settings: HttpSettings): string {
  if (settings.publicUrl !== undefined) return settings.publicUrl
  const host = toLocalHost(socket instanceof Socket ? socket : {})
  return `${settings.isSecure ? 'https' : 'http'}://${host}${settings.basePath}`
}
