// What goes wrong before there is a request: bytes that are no HTTP, headers past every measure, a client that never
// finishes. Node hands over the bare socket, so the answer is written by hand, and the connection ends with it.
import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Problem, problemKinds, toProblemBody } from '../problems.ts'
import { http } from './node-http.ts'
import { nextRequestId, toLocalHost } from './request-pipeline.ts'
import { allowedMethods, crossOriginHeaders } from './response.ts'
import type { HttpSettings } from './settings.ts'

/**
 * Answers malformed requests on any server that speaks HTTP/1.1. On one connection responses leave in the order of the
 * requests (RFC 9112, section 9.3.2), so this one waits for those to earlier requests.
 */
export function handleProtocolErrors(server: EventEmitter, settings: HttpSettings): void {
  const lastResponses = new WeakMap<Duplex, ServerResponse>()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.httpVersionMajor === 1) lastResponses.set(request.socket, response)
  })
  server.on('clientError', (error: ProtocolError, socket: Duplex) => {
    const last = lastResponses.get(socket)
    const answer = (): void => {
      if (!socket.writable) socket.destroy()
      // The fault is in the body of a request that has its response; it gets no second one.
      else if (last?.req.complete === false) socket.end()
      else socket.end(toRawResponse(toProblem(error), toLocalAddress(socket, settings)))
    }
    if (error.code === 'ECONNRESET') socket.destroy()
    else if (last === undefined || last.writableFinished) answer()
    else last.once('finish', answer)
  })
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    const problem = new Problem('method-not-allowed', 'Cannot CONNECT: the service is no proxy')
    socket.end(toRawResponse(problem, toLocalAddress(socket, settings)))
  })
}

interface ProtocolError extends NodeJS.ErrnoException {
  /** What was being parsed. */
  readonly rawPacket?: Buffer
}

/** A request line as RFC 9112 has it, whatever its method (a token, RFC 9110, section 5.6.2). */
const requestLine = /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]\r\n/

function toProblem({ code, rawPacket }: ProtocolError): Problem {
  // Node's parser knows a list of methods; another one is none of ours, but no less a method.
  if (code === 'HPE_INVALID_METHOD' && requestLine.test(rawPacket?.toString('latin1') ?? '')) {
    return new Problem('method-not-allowed', 'Cannot do that: the service is read-only')
  }
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem('headers-too-large', 'Cannot read the request: its headers have more than 16 KB')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request-timeout', 'Cannot read the request: it did not arrive in time')
    case 'HPE_INVALID_URL':
      return new Problem(
        'malformed-request',
        'Cannot read the address: every character beyond ASCII is percent-encoded',
      )
    default:
      return new Problem('malformed-request', 'Cannot read the request: it is not HTTP as RFC 9112 has it')
  }
}

function toRawResponse(problem: Problem, baseAddress: string): string {
  const { status } = problemKinds[problem.code]
  const body = JSON.stringify(toProblemBody(problem, baseAddress))
  const headers = [
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    `X-Request-Id: ${nextRequestId()}`,
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
    ...(problem.code === 'method-not-allowed' ? [`Allow: ${allowedMethods}`] : []),
  ]
  for (let index = 0; index < crossOriginHeaders.length; index += 2) {
    headers.push(`${crossOriginHeaders[index]}: ${crossOriginHeaders[index + 1]}`)
  }
  return `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n${headers.join('\r\n')}\r\n\r\n${body}`
}

/** No Host was read, so the address is the one the socket was reached at. */
function toLocalAddress(socket: Duplex, settings: HttpSettings): string {
  if (settings.publicUrl !== undefined) return settings.publicUrl
  const host = toLocalHost(socket instanceof Socket ? socket : {})
  return `${settings.isSecure ? 'https' : 'http'}://${host}${settings.basePath}`
}
