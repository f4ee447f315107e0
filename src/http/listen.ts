// Listens on a port, with HTTP, or with HTTPS (HTTP/2 and HTTP/1.1) if there is a certificate, and passes the requests
// to the application. open-connections.ts keeps the connections, and drain.ts ends the server.
import type { EventEmitter } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import type { Http2SecureServer } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import { promisify } from 'node:util'
import { ConnectionLimit } from './connection-limit.ts'
import { Drain } from './drain.ts'
import {
  connectionsCheckIntervalMs,
  headerBytesMax,
  headersMax,
  headersTimeoutMs,
  http2FaultsMax,
  http2StreamsMax,
  keepAliveTimeoutMs,
  requestTimeoutMs,
  tlsHandshakeTimeoutMs,
} from './limits.ts'
import { explainListenError, toUrlHost } from './listen-error.ts'
import { http, loadSecure } from './node-http.ts'
import { isHttp2 } from './node-request.ts'
import { OpenConnections } from './open-connections.ts'
import { readConnectionLimit } from './overload-monitor.ts'
import { handleProtocolErrors } from './protocol-errors.ts'
import { type RequestHandler, RequestQueue } from './request-queue.ts'
import type { SendQueues } from './send-queues.ts'
import type { CertificateFiles, ListenSettings } from './settings.ts'
import { readTlsOptions } from './tls-options.ts'

/** What a server needs from the application that it serves. */
export interface HttpService {
  /** Measures what clients have not read yet. `listen` tells it about every new connection. */
  readonly queues: SendQueues
  readonly handle: RequestHandler
}

export interface Listener {
  /** The base URL. */
  readonly address: string
  readonly port: number
  /** The number of open connections. */
  readonly countConnections: () => Promise<number>
  /** Rereads the certificate for new connections; open ones keep the old one. */
  readonly reloadCertificate: () => void
  /** Accepts no new connections; open ones stay open. */
  readonly stopAccepting: () => Promise<void>
  /** Accepts no new connections, waits for requests in progress, and closes the rest after `deadlineMs`. */
  readonly drain: (deadlineMs: number) => Promise<void>
}

const http1Options = {
  maxHeaderSize: headerBytesMax,
  keepAliveTimeout: keepAliveTimeoutMs,
  // Node measures both timeouts with the monotonic clock, so that setting the clock closes no connection.
  headersTimeout: headersTimeoutMs,
  requestTimeout: requestTimeoutMs,
  connectionsCheckingInterval: connectionsCheckIntervalMs,
  // Otherwise Node responds to a missing Host itself, without a body; request-validation.ts checks it.
  requireHostHeader: false,
}

/** Starts a server. `socketDescriptor` is a socket that is already bound; without it one is bound to host and port. */
export async function listen(
  service: HttpService,
  settings: ListenSettings,
  socketDescriptor?: number,
): Promise<Listener> {
  const server = settings.certificate === undefined ? createHttpServer() : createHttpsServer(settings.certificate)
  limitHeaders(server)
  const requests = new RequestQueue(service.handle, service.queues)
  const addRequest = toConnectionCheck(server, requests)
  server.on('request', addRequest)
  // Requests with an `Expect` header other than `100-continue`; the header is ignored.
  server.on('checkExpectation', addRequest)
  handleProtocolErrors(server, settings, addRequest)
  server.maxConnections = settings.connectionsMax ?? readConnectionLimit(settings.workers ?? 1, settings.isSecure)
  const limit = new ConnectionLimit(server.maxConnections, service.queues, {
    lastStartedAt: (source) => requests.lastStartedAt(source),
    isBusy: (source, socket) => requests.isBusy(source) || service.queues.hasHeldBytes(socket),
  })
  const connections = new OpenConnections(service.queues, requests)
  connections.track(server, limit, settings.isSecure)
  await bind(server, settings, socketDescriptor)
  const { port } = toAddressInfo(server.address())
  const drain = new Drain(server, requests, connections)
  return {
    port,
    address: `${settings.isSecure ? 'https' : 'http'}://${toUrlHost(settings.host)}:${port}${settings.basePath}`,
    countConnections: promisify(server.getConnections.bind(server)),
    reloadCertificate: () => {
      if (settings.certificate !== undefined && 'setSecureContext' in server) {
        server.setSecureContext(readTlsOptions(settings.certificate))
      }
    },
    stopAccepting: () => drain.stopAccepting(),
    drain: (deadlineMs) => drain.drain(deadlineMs),
  }
}

/**
 * Returns a handler that adds a request to the queue, except in two cases of HTTP/1.1:
 * - Node's parser also accepts the versions 0.9 and 2.0 in a request line. protocol-errors.ts refuses such a request
 *   and closes its connection.
 * - A client may ask for another protocol (`Connection: Upgrade`). The service has none and responds in HTTP/1.1. But
 *   Node has lost what followed in the same packet (v26), so later requests may lack their beginning. The connection is
 *   closed after the response, and the client sends them again.
 *
 * In both cases later requests of the connection are ignored.
 */
function toConnectionCheck(server: EventEmitter, requests: RequestQueue): RequestHandler {
  const endedSockets = new WeakSet<Socket>()
  return (request, response) => {
    if (isHttp2(request)) {
      requests.add(request, response)
      return
    }
    const { socket } = request
    if (endedSockets.has(socket)) return
    if (request.httpVersionMajor !== 1) {
      endedSockets.add(socket)
      server.emit('clientError', new Error('not HTTP/1.0 or HTTP/1.1'), socket)
      return
    }
    if (asksForUpgrade(request)) {
      endedSockets.add(socket)
      response.setHeader('Connection', 'close')
    }
    requests.add(request, response)
  }
}

/** Whether the client asks for another protocol on its connection (RFC 9110, section 7.8). */
function asksForUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade !== undefined && /\bupgrade\b/i.test(headers.connection ?? '')
}

function createHttpServer(): Server {
  return http.createServer(http1Options)
}

function createHttpsServer(files: CertificateFiles): Http2SecureServer {
  const options = {
    ...readTlsOptions(files),
    allowHTTP1: true,
    handshakeTimeout: tlsHandshakeTimeoutMs,
    http1Options,
    maxHeaderListPairs: headersMax,
    maxSessionInvalidFrames: http2FaultsMax,
    maxSessionRejectedStreams: http2FaultsMax,
    settings: { maxConcurrentStreams: http2StreamsMax, maxHeaderListSize: headerBytesMax },
  }
  const server = loadSecure().http2.createSecureServer(options)
  // open-connections.ts closes a connection that is idle for this long.
  server.setTimeout(keepAliveTimeoutMs)
  return server
}

/** Limits the headers of HTTP/1.1, also of an HTTPS server, for which Node's types lack the property. */
function limitHeaders(server: Server | Http2SecureServer): void {
  Object.assign(server, { maxHeadersCount: headersMax } satisfies Partial<Server>)
}

/** Starts listening: on the socket of the descriptor, which is bound already, or else on host and port. */
async function bind(
  server: Server | Http2SecureServer,
  { host, port }: ListenSettings,
  socketDescriptor: number | undefined,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explainListenError(error, host, port)))
    server.listen(socketDescriptor === undefined ? { host, port } : { fd: socketDescriptor }, resolve)
  })
  // The listener above is only for errors of binding.
  server.removeAllListeners('error')
}

function toAddressInfo(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a TCP port')
  return address
}
