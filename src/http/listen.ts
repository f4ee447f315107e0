// Listens on a port, with HTTP, or with HTTPS (HTTP/2 and HTTP/1.1) if there is a certificate, and passes the requests
// to the application. Drains the connections when the service ends.
import { constants } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Http2SecureServer, ServerHttp2Session } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextIteration } from 'node:timers/promises'
import type { SecureContextOptions } from 'node:tls'
import { promisify } from 'node:util'
import { UsageFault } from '../cli/config.ts'
import { t } from '../language.ts'
import {
  connectionsCheckIntervalMs,
  connectionsMax,
  descriptorsReserved,
  drainIdleMs,
  headerBytesMax,
  headersTimeoutMs,
  http2FaultsMax,
  http2HeadersMax,
  http2StreamsMax,
  keepAliveTimeoutMs,
  requestTimeoutMs,
  tlsHandshakeTimeoutMs,
} from './limits.ts'
import { http, loadSecure } from './node-http.ts'
import { readDescriptorLimit } from './overload-monitor.ts'
import { handleProtocolErrors } from './protocol-errors.ts'
import type { SendQueues } from './send-queues.ts'
import type { CertificateFiles, ListenSettings } from './settings.ts'

/** What a server needs from the application that it serves. */
export interface HttpService {
  /** Measures what clients have not read yet. `listen` tells it about every new connection. */
  readonly queues: SendQueues
  /** Handles one request of HTTP/1.1 or HTTP/2: Node's compatibility API has the same objects for both. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void
  /** From now on a connection is closed after its next response. */
  readonly drain: () => void
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
  /** Accepts no new connections, waits for requests in progress, and closes the rest at the deadline. */
  readonly drain: (deadlineMs: number) => Promise<void>
}

const http1Options = {
  maxHeaderSize: headerBytesMax,
  keepAliveTimeout: keepAliveTimeoutMs,
  // Node measures both timeouts with the monotonic clock, so that setting the clock closes no connection.
  headersTimeout: headersTimeoutMs,
  requestTimeout: requestTimeoutMs,
  connectionsCheckingInterval: connectionsCheckIntervalMs,
  // Otherwise Node responds to a missing Host itself, without a body; request-pipeline.ts checks it.
  requireHostHeader: false,
}

/** Starts a server. `socketDescriptor` is a socket that is already bound; without it one is bound to host and port. */
export async function listen(
  service: HttpService,
  settings: ListenSettings,
  socketDescriptor?: number,
): Promise<Listener> {
  const server = settings.certificate === undefined ? createHttpServer() : createHttpsServer(settings.certificate)
  // The objects of HTTP/2 implement the API of HTTP/1.1.
  server.on('request', service.handle)
  // Requests with an `Expect` header other than `100-continue`; the header is ignored.
  server.on('checkExpectation', service.handle)
  handleProtocolErrors(server, settings, service.handle)
  const open: OpenConnections = { sockets: new Set(), sessions: new Set() }
  server.on('connection', (connection: Socket) => {
    addUntilClosed(open.sockets, connection)
    service.queues.track(connection)
  })
  server.on('session', (session: ServerHttp2Session) => addUntilClosed(open.sessions, session))
  // Closes idle TLS connections (`setTimeout` in createHttpsServer); without TLS `keepAliveTimeout` does. Node also
  // reports a connection whose reader is slow as idle; send.ts closes those after `stalledReaderMs`.
  server.on('timeout', (connection: ServerHttp2Session | Socket) => {
    const socket = 'socket' in connection ? connection.socket : connection
    if (!service.queues.isSending(socket)) connection.destroy()
  })
  const descriptorsFree = readDescriptorLimit() - descriptorsReserved
  server.maxConnections = Math.max(1, Math.min(connectionsMax, descriptorsFree))
  await bind(server, settings, socketDescriptor)
  const { port } = toAddressInfo(server.address())
  /** Resolves when the server has stopped listening and all connections are closed. */
  const allClosed = Promise.withResolvers<void>()
  let isAccepting = true
  const stopAccepting = async (): Promise<void> => {
    if (!isAccepting) return
    isAccepting = false
    // Closing the socket would reset the connections that the kernel has not handed over yet (its backlog). One whole
    // iteration of the event loop accepts them: the first line ends the current one, the second waits for the next.
    await nextIteration()
    await nextIteration()
    closeListeningSocket(server, allClosed.resolve)
  }
  return {
    port,
    address: `${settings.isSecure ? 'https' : 'http'}://${toHost(settings.host)}:${port}${settings.basePath}`,
    countConnections: promisify(server.getConnections.bind(server)),
    reloadCertificate: () => {
      if (settings.certificate !== undefined && 'setSecureContext' in server) {
        server.setSecureContext(readTlsOptions(settings.certificate))
      }
    },
    stopAccepting,
    drain: async (deadlineMs) => {
      await stopAccepting()
      // An HTTPS server has no such method; `drainConnections` closes its HTTP/2 sessions.
      const closeIdle = (): void => {
        if ('closeIdleConnections' in server) server.closeIdleConnections()
      }
      service.drain()
      await drainConnections(open, closeIdle, deadlineMs, allClosed.promise)
    },
  }
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
    maxHeaderListPairs: http2HeadersMax,
    maxSessionInvalidFrames: http2FaultsMax,
    maxSessionRejectedStreams: http2FaultsMax,
    settings: { maxConcurrentStreams: http2StreamsMax, maxHeaderListSize: headerBytesMax },
  }
  const server = loadSecure().http2.createSecureServer(options)
  server.setTimeout(keepAliveTimeoutMs)
  return server
}

/** The options of TLS. They are all set here, because `setSecureContext` resets missing ones to their defaults. */
function readTlsOptions(files: CertificateFiles): SecureContextOptions {
  return {
    ...readCertificate(files),
    minVersion: 'TLSv1.2',
    ciphers,
    honorCipherOrder: true,
    // Repeated handshakes cost the server more than the client (denial of service).
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  }
}

/** Authenticated encryption with forward secrecy (RFC 9325, section 4.2). */
const ciphers = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':')

/** Reads certificate and key, and checks that they belong together. */
function readCertificate({ certFile, keyFile }: CertificateFiles): { cert: Buffer; key: Buffer } {
  const readFile = (flag: string, file: string): Buffer => {
    try {
      return readFileSync(file)
    } catch (error) {
      throw new UsageFault(t`Cannot read --${flag} ${file}: ${toReason(error)}`)
    }
  }
  const pair = { cert: readFile('tls-cert', certFile), key: readFile('tls-key', keyFile) }
  try {
    loadSecure().tls.createSecureContext(pair)
  } catch {
    throw new UsageFault(
      t`Cannot use --tls-cert ${certFile} with --tls-key ${keyFile}: expected a certificate chain and its key, both in PEM`,
    )
  }
  return pair
}

/** Why a file cannot be read, in words. */
function toReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return t`there is no such file`
  if (code === 'EACCES') return t`this user may not read it`
  return code === 'EISDIR' ? t`it is a folder` : t`reading it failed (${String(code)})`
}

async function bind(
  server: Server | Http2SecureServer,
  { host, port }: ListenSettings,
  socketDescriptor: number | undefined,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(toUsageFault(error, host, port)))
    server.listen(socketDescriptor === undefined ? { host, port } : { fd: socketDescriptor }, resolve)
  })
  // The listener above is only for errors of binding.
  server.removeAllListeners('error')
}

/** Explains why a port cannot be used, and names the flags that set it. Any other error is returned as it is. */
export function toUsageFault(
  error: NodeJS.ErrnoException,
  host: string,
  port: number,
  flags: { readonly host: string; readonly port: string } = { host: '--host', port: '--port' },
): Error {
  const failure = t`Cannot listen on ${toHost(host)}:${String(port)}`
  if (error.code === 'EADDRINUSE')
    return new UsageFault(t`${failure}: the port is taken; choose another with ${flags.port}`)
  if (error.code === 'EACCES') {
    return new UsageFault(
      t`${failure}: this user may not use the port; choose another with ${flags.port}, from 1024 on`,
    )
  }
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN') {
    return new UsageFault(t`${failure}: this machine has no such address; choose another with ${flags.host}`)
  }
  return error
}

interface OpenConnections {
  readonly sockets: Set<Socket>
  readonly sessions: Set<ServerHttp2Session>
}

/** Adds the item to the set, and removes it when it emits `close`. */
function addUntilClosed<T extends EventEmitter>(items: Set<T>, item: T): void {
  items.add(item)
  item.once('close', () => items.delete(item))
}

/**
 * Closes all connections without losing a request. A request may be on its way on an idle connection, so each
 * connection stays open for its next response, which has `Connection: close`, and idle ones are closed after
 * `drainIdleMs`. The server must have stopped accepting, because clients whose connections are closed connect again. At
 * the deadline the remaining connections are closed.
 */
async function drainConnections(
  open: OpenConnections,
  closeIdle: () => void,
  deadlineMs: number,
  allClosed: Promise<void>,
): Promise<void> {
  for (const session of open.sessions) session.close()
  const idleTimer = setInterval(closeIdle, drainIdleMs)
  const deadline = setTimeout(() => {
    for (const socket of open.sockets) socket.destroy()
  }, deadlineMs)
  await allClosed
  clearInterval(idleTimer)
  clearTimeout(deadline)
}

/**
 * Calls `close` of net.Server, which only stops listening; that of http.Server also closes idle connections.
 * `onAllClosed` is called when the last connection has closed.
 */
function closeListeningSocket(server: Server | Http2SecureServer, onAllClosed: () => void): void {
  NetServer.prototype.close.call(server, onAllClosed)
}

function toAddressInfo(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a TCP port')
  return address
}

/** An IPv6 address has brackets in a URL. */
function toHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
