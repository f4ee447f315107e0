// Responses to input that Node's parser rejects, usually before there is a request: invalid HTTP, oversized headers,
// timeouts. Node passes the bare socket instead of a response object, so the response is written as text, and the
// connection is closed. CONNECT of HTTP/1.1 is refused in the same way. listen.ts calls `handleProtocolErrors`.
import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { Problem, problemKinds, toProblemBody } from '../problems.ts'
import { headersMax, lastResponseMs } from './limits.ts'
import { http } from './node-http.ts'
import { nextRequestId, toLocalHost } from './node-request.ts'
import type { RequestHandler } from './request-queue.ts'
import { allowedMethods, crossOriginHeaders } from './response.ts'
import type { HttpSettings } from './settings.ts'

/** Responds to malformed requests of HTTP/1.1. `handle` gets the CONNECT requests of HTTP/2, which it refuses. */
export function handleProtocolErrors(server: EventEmitter, settings: HttpSettings, handle: RequestHandler): void {
  /** The response to the last valid request of each connection. */
  const lastResponses = new WeakMap<Duplex, ServerResponse>()
  const rememberResponse: RequestHandler = (request, response) => {
    if (request.httpVersionMajor === 1) lastResponses.set(request.socket, response)
  }
  server.on('request', rememberResponse)
  server.on('checkExpectation', rememberResponse)
  /** Connections with an error. Node reports another error for each further packet; only the first gets a response. */
  const failedSockets = new WeakSet<Duplex>()
  server.on('clientError', (error: ProtocolError, socket: Duplex) => {
    const isFirstError = !failedSockets.has(socket)
    failedSockets.add(socket)
    // A client that has reset the connection cannot read a response.
    if (error.code === 'ECONNRESET') socket.destroy()
    else if (isFirstError) respondAfter(lastResponses.get(socket), socket, toProblem(error), settings)
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
    // One of the listeners that Node has removed continues a response that waits for a slow client. So the response to
    // an earlier request may never finish, and the connection must not wait for it.
    closeSoon(target)
    const problem = new Problem('method-not-allowed', 'Cannot CONNECT: the service is not a proxy')
    respondAfter(lastResponses.get(target), target, problem, settings)
  })
}

/**
 * Sends the problem and closes the connection. Responses are sent in the order of the requests (RFC 9112, section
 * 9.3.2), so the problem waits until `lastResponse`, the response to the last valid request, is written.
 */
function respondAfter(
  lastResponse: ServerResponse | undefined,
  socket: Duplex,
  problem: Problem,
  settings: HttpSettings,
): void {
  if (lastResponse === undefined || lastResponse.writableFinished) {
    respond(lastResponse, socket, problem, settings)
    return
  }
  lastResponse.once('finish', () => respond(lastResponse, socket, problem, settings))
  // Only requests to MCP (Model Context Protocol, src/mcp) have a body that is read: their response waits for it. If
  // the error is in that body, the response would wait for ever, so the connection is closed.
  if (isErrorInBody(lastResponse) && !lastResponse.headersSent) closeSoon(socket)
}

/** Sends the problem, unless its request was answered already, and closes the connection. */
function respond(
  lastResponse: ServerResponse | undefined,
  socket: Duplex,
  problem: Problem,
  settings: HttpSettings,
): void {
  closeSoon(socket)
  if (!socket.writable) socket.destroy()
  else if (isErrorInBody(lastResponse)) socket.end()
  else socket.end(toRawResponse(problem, toLocalBaseUrl(socket, settings)))
}

/** Whether an error of the parser is in the body of the last valid request: it has not arrived completely. */
function isErrorInBody(lastResponse: ServerResponse | undefined): boolean {
  return lastResponse?.req.complete === false
}

/** Closes the connection after `lastResponseMs`, whether or not the client has closed its side. */
function closeSoon(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), lastResponseMs)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
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

/** The whole response as it is written to the socket. */
function toRawResponse(problem: Problem, baseUrl: string): string {
  const { status } = problemKinds[problem.code]
  const body = JSON.stringify(toProblemBody(problem, baseUrl))
  const headers = [
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    `X-Request-Id: ${nextRequestId()}`,
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
    ...(problem.code === 'method-not-allowed' ? [`Allow: ${allowedMethods}`] : []),
  ]
  // Names and values alternate in `crossOriginHeaders`.
  for (let index = 0; index < crossOriginHeaders.length; index += 2) {
    headers.push(`${crossOriginHeaders[index]}: ${crossOriginHeaders[index + 1]}`)
  }
  return `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n${headers.join('\r\n')}\r\n\r\n${body}`
}

/** `--public-url`, or a URL with the local address of the socket, because `Host` is rarely known after an error. */
function toLocalBaseUrl(socket: Duplex, settings: HttpSettings): string {
  if (settings.publicUrl !== undefined) return settings.publicUrl
  const host = toLocalHost(socket instanceof Socket ? socket : {})
  return `${settings.isSecure ? 'https' : 'http'}://${host}${settings.basePath}`
}
