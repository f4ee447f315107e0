// Listens on a port, with HTTP, or with HTTPS (HTTP/2 and HTTP/1.1) if there is a certificate, and passes the requests
// to the application. Drains the connections when the service ends.
import type { EventEmitter } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import type { Http2SecureServer, ServerHttp2Session } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextIteration } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { UsageFault } from '../cli/config.ts'
import { t } from '../language.ts'
import { ConnectionLimit, type ConnectionUse } from './connection-limit.ts'
import {
  connectionsCheckIntervalMs,
  drainIdleMs,
  headerBytesMax,
  headersMax,
  headersTimeoutMs,
  http2FaultsMax,
  http2StreamsMax,
  keepAliveTimeoutMs,
  requestTimeoutMs,
  tlsHandshakeTimeoutMs,
} from './limits.ts'
import { http, loadSecure } from './node-http.ts'
import { isHttp2 } from './node-request.ts'
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
  /** How each connection is used, by its source: the object on which its requests arrive. */
  const connectionUse: ConnectionUse = {
    lastStartedAt: (source) => requests.lastStartedAt(source),
    isBusy: (source, socket) => requests.isBusy(source) || service.queues.hasHeldBytes(socket),
  }
  const refusedSockets = new WeakSet<Socket>()
  const addRequest: RequestHandler = (request, response) => {
    // Node's parser of HTTP/1.1 also accepts the versions 0.9 and 2.0 in a request line. protocol-errors.ts refuses
    // such a request and closes its connection, so later requests on it are ignored.
    const hasOtherVersion = !isHttp2(request) && request.httpVersionMajor !== 1
    if (hasOtherVersion) {
      refusedSockets.add(request.socket)
      server.emit('clientError', new Error('not HTTP/1.0 or HTTP/1.1'), request.socket)
    } else if (!refusedSockets.has(request.socket)) requests.add(request, response)
  }
  server.on('request', addRequest)
  // Requests with an `Expect` header other than `100-continue`; the header is ignored.
  server.on('checkExpectation', addRequest)
  handleProtocolErrors(server, settings, addRequest)
  server.maxConnections = settings.connectionsMax ?? readConnectionLimit(settings.workers ?? 1, settings.isSecure)
  const limit = new ConnectionLimit(server.maxConnections, service.queues, connectionUse)
  const openConnections = trackConnections(server, service.queues, limit, settings.isSecure)
  await bind(server, settings, socketDescriptor)
  const { port } = toAddressInfo(server.address())
  /** Its promise resolves when the server has stopped listening and all connections are closed. */
  const allClosed = Promise.withResolvers<void>()
  const closeSocket = async (): Promise<void> => {
    await acceptBacklog(server)
    closeListeningSocket(server, allClosed.resolve)
  }
  /** Set by the first call of `stopAccepting`. All calls wait until the listening socket is closed. */
  let socketClosing: Promise<void> | undefined
  const stopAccepting = (): Promise<void> => {
    socketClosing ??= closeSocket()
    return socketClosing
  }
  return {
    port,
    address: `${settings.isSecure ? 'https' : 'http'}://${toUrlHost(settings.host)}:${port}${settings.basePath}`,
    countConnections: promisify(server.getConnections.bind(server)),
    reloadCertificate: () => {
      if (settings.certificate !== undefined && 'setSecureContext' in server) {
        server.setSecureContext(readTlsOptions(settings.certificate))
      }
    },
    stopAccepting,
    drain: async (deadlineMs) => {
      await stopAccepting()
      requests.drain()
      // A TLS connection that was accepted before may still be in its handshake. If a session of HTTP/2 follows, it is
      // closed as soon as it begins.
      server.on('session', (session: ServerHttp2Session) => session.close())
      const closeIdle = (): void => closeIdleHttp1(openConnections.http1, requests, connectionUse)
      await drainConnections(openConnections, service.queues, closeIdle, deadlineMs, allClosed.promise)
    },
  }
}

/**
 * Closing the listening socket would reset the connections that the kernel has not handed over yet (its backlog). An
 * iteration of the event loop accepts one of them, so this waits for an iteration that accepts none.
 */
async function acceptBacklog(server: Server | Http2SecureServer): Promise<void> {
  let accepted = 0
  const count = (): void => {
    accepted++
  }
  // A server that already has `maxConnections` connections accepts and drops further ones, which count too.
  server.on('connection', count).on('drop', count)
  // The current iteration may have accepted already, so it does not count.
  await nextIteration()
  for (let iterations = 0; iterations < backlogMax; iterations++) {
    const acceptedBefore = accepted
    await nextIteration()
    if (accepted === acceptedBefore) break
  }
  server.off('connection', count).off('drop', count)
}

/** The backlog that Node requests by default. It bounds the wait while new connections keep arriving. */
const backlogMax = 511

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
  // `trackConnections` closes a connection that is idle for this long.
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

/** EINVAL means a link-local address without its zone (`fe80::1`), EAFNOSUPPORT `::1` on a machine without IPv6. */
const unknownAddressCodes = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL', 'EAFNOSUPPORT'])

/**
 * Translates an error of listening into a `UsageFault`, an error that the operator sees as one line: it says why the
 * host or port cannot be used, and names the flag to change. An error of another kind is returned as it is.
 */
export function explainListenError(
  error: NodeJS.ErrnoException,
  host: string,
  port: number,
  flags: { readonly host: string; readonly port: string } = { host: '--host', port: '--port' },
): Error {
  const failure = t`Cannot listen on ${toUrlHost(host)}:${String(port)}`
  if (error.code === 'EADDRINUSE') {
    return new UsageFault(t`${failure}: the port is taken; choose another with ${flags.port}`)
  }
  if (error.code === 'EACCES') {
    return new UsageFault(
      t`${failure}: this user may not use the port; choose another with ${flags.port}, from 1024 on`,
    )
  }
  if (unknownAddressCodes.has(error.code ?? '')) {
    return new UsageFault(t`${failure}: this machine has no such address; choose another with ${flags.host}`)
  }
  return error
}

interface OpenConnections {
  /** The TCP sockets of all connections. */
  readonly sockets: Set<Socket>
  /** The sessions of the connections that use HTTP/2. */
  readonly sessions: Set<ServerHttp2Session>
  /**
   * The sockets of the connections that use HTTP/1.1, with the number of bytes that were read before any request: with
   * TLS, the bytes of the handshake; otherwise 0.
   */
  readonly http1: Map<Socket, number>
  /** The sockets of the connections on which a request of HTTP/1.0 has come. */
  readonly http10: Set<Socket>
}

/** Collects the open connections, tells `queues` and `limit` about new ones, and closes those idle for too long. */
function trackConnections(
  server: EventEmitter,
  queues: SendQueues,
  limit: ConnectionLimit,
  isSecure: boolean,
): OpenConnections {
  const openConnections: OpenConnections = {
    sockets: new Set(),
    sessions: new Set(),
    http1: new Map(),
    http10: new Set(),
  }
  const addHttp1 = (socket: Socket): void => {
    openConnections.http1.set(socket, socket.bytesRead)
    socket.once('close', () => openConnections.http1.delete(socket))
  }
  server.on('connection', (socket: Socket) => {
    addUntilClosed(openConnections.sockets, socket)
    queues.track(socket)
    limit.check()
    if (!isSecure) addHttp1(socket)
  })
  server.on('request', ({ httpVersion, socket }: IncomingMessage) => {
    if (httpVersion === '1.0' && !openConnections.http10.has(socket)) addUntilClosed(openConnections.http10, socket)
  })
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol === 'h2') return
    // `queues` finds the connection by its remote address and port, which the TLS socket shares with the TCP socket.
    queues.setSource(socket, socket)
    addHttp1(socket)
  })
  server.on('session', (session: ServerHttp2Session) => {
    queues.setSource(session.socket, session)
    addUntilClosed(openConnections.sessions, session)
  })
  // Closes idle connections, which Node reports: with TLS after the time of `setTimeout` in createHttpsServer, without
  // TLS after `keepAliveTimeout`. Node also reports a connection whose client reads slowly. It stays open here; send.ts
  // closes it if it accepts no byte for `stalledReaderMs`.
  server.on('timeout', (connection: ServerHttp2Session | Socket) => {
    // Only a session of HTTP/2 has a property `socket`.
    const socket = 'socket' in connection ? connection.socket : connection
    if (!queues.hasHeldBytes(socket)) connection.destroy()
  })
  return openConnections
}

/**
 * Closes the connections of HTTP/1.1 that have no request, not even the first bytes of one. Node's
 * `closeIdleConnections` would also close a connection whose response is written, but partly still held by this process
 * because the client reads slowly.
 */
function closeIdleHttp1(
  connections: OpenConnections['http1'],
  requests: RequestQueue,
  connectionUse: ConnectionUse,
): void {
  for (const [socket, bytesReadBefore] of connections) {
    const isPartReceived = socket.bytesRead > (requests.bytesReadAtRequestEnd(socket) ?? bytesReadBefore)
    if (!isPartReceived && !connectionUse.isBusy(socket, socket)) socket.destroy()
  }
}

/** Adds the item to the set, and removes it when it emits `close`. */
function addUntilClosed<T extends EventEmitter>(items: Set<T>, item: T): void {
  items.add(item)
  item.once('close', () => items.delete(item))
}

/**
 * Closes all connections. On an idle connection of HTTP/1.1 a request may be on its way, so none is closed at once:
 * every `drainIdleMs` the connections that are idle at that time are closed. Busy connections are closed after their
 * last response (`RequestQueue.drain`). Sessions of HTTP/2 end with GOAWAY, after which the client sends new requests
 * elsewhere. The server must have stopped accepting, because clients whose connections are closed connect again. After
 * `deadlineMs` the remaining connections are closed.
 */
async function drainConnections(
  openConnections: OpenConnections,
  queues: SendQueues,
  closeIdle: () => void,
  deadlineMs: number,
  allClosed: Promise<void>,
): Promise<void> {
  for (const session of openConnections.sessions) session.close()
  const idleTimer = setInterval(closeIdle, drainIdleMs)
  const deadlineTimer = setTimeout(() => {
    // An idle connection ends normally: the kernel still sends what the client has not read of its last response.
    closeIdle()
    // `setImmediate` runs after `closeIdle` has closed its sockets. A busy connection of HTTP/1.0 is reset, because a
    // normal end would make its half response look complete.
    setImmediate(() => {
      for (const socket of openConnections.http10) queues.reset(socket)
      for (const socket of openConnections.sockets) socket.destroy()
    })
  }, deadlineMs)
  await allClosed
  clearInterval(idleTimer)
  clearTimeout(deadlineTimer)
}

/**
 * Calls `close` of net.Server, which only stops listening; `close` of http.Server also closes idle connections.
 * `onAllClosed` is called when the last connection has closed.
 */
function closeListeningSocket(server: Server | Http2SecureServer, onAllClosed: () => void): void {
  NetServer.prototype.close.call(server, onAllClosed)
}

function toAddressInfo(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a TCP port')
  return address
}

/** The host as it is written in a URL: an IPv6 address gets brackets. */
function toUrlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
