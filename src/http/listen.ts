// Gives the service a socket: plain HTTP, or HTTPS with HTTP/2 and HTTP/1.1 where there is a certificate.
import { constants } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Http2SecureServer, ServerHttp2Session } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextRound } from 'node:timers/promises'
import type { SecureContextOptions } from 'node:tls'
import { promisify } from 'node:util'
import { UsageFault } from '../cli/config.ts'
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
  readonly queues: SendQueues
  /** Handles one request of HTTP/1.1 or HTTP/2: Node's compatibility API has the same objects for both. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void
  /** From now on a connection is closed after its next response. */
  readonly drain: () => void
}

export interface Listener {
  /** The base address, for people to open. */
  readonly address: string
  readonly port: number
  /** How many connections are open now. */
  readonly countConnections: () => Promise<number>
  /** Rereads the certificate for the connections to come; those that are open keep the old one. */
  readonly reloadCertificate: () => void
  /** Takes no new connection; those that are open go on. */
  readonly stopAccepting: () => Promise<void>
  /** Takes no new connection, lets every request in flight have its answer, then ends what is left. */
  readonly drain: (deadlineMs: number) => Promise<void>
}

const http1Options = {
  maxHeaderSize: headerBytesMax,
  keepAliveTimeout: keepAliveTimeoutMs,
  // How long a client may take, by the monotonic clock: for the headers, then for the whole request.
  headersTimeout: headersTimeoutMs,
  requestTimeout: requestTimeoutMs,
  connectionsCheckingInterval: connectionsCheckIntervalMs,
  // Node would answer a missing Host itself, without a body; the front door does it better.
  requireHostHeader: false,
}

/** `socket` is the descriptor of a socket that is bound already. */
export async function listen(service: HttpService, settings: ListenSettings, socket?: number): Promise<Listener> {
  const server = settings.certificate === undefined ? createPlain() : createSecure(settings.certificate)
  // Typed by event name only: the objects of HTTP/2 are made to look like those of HTTP/1.1.
  server.on('request', service.answer)
  server.on('checkExpectation', service.answer)
  handleProtocolErrors(server, settings)
  const open: OpenConnections = { sockets: new Set(), sessions: new Set() }
  server.on('connection', (connection: Socket) => {
    remember(open.sockets, connection)
    service.queues.track(connection)
  })
  server.on('session', (session: ServerHttp2Session) => remember(open.sessions, session))
  // Node closes a TLS connection that was idle for long, and counts one as idle whose reader is slow. That has its rule.
  server.on('timeout', (connection: ServerHttp2Session | Socket) => {
    if (!service.queues.isSending('socket' in connection ? connection.socket : connection)) connection.destroy()
  })
  server.maxConnections = Math.max(1, Math.min(connectionsMax, readDescriptorLimit() - descriptorsReserved))
  await bind(server, settings, socket)
  const { port } = toAddressInfo(server.address())
  const closed = Promise.withResolvers<void>()
  let isAccepting = true
  const stopAccepting = async (): Promise<void> => {
    if (!isAccepting) return
    isAccepting = false
    // A whole round of the event loop, in which every connection that waits is accepted; closing would reset it.
    await nextRound()
    await nextRound()
    closeSocket(server, closed.resolve)
  }
  return {
    port,
    address: `${settings.isSecure ? 'https' : 'http'}://${toHost(settings.host)}:${port}${settings.basePath}`,
    countConnections: promisify(server.getConnections.bind(server)),
    reloadCertificate: () => {
      if (settings.certificate !== undefined && 'setSecureContext' in server) {
        server.setSecureContext(readSecurity(settings.certificate))
      }
    },
    stopAccepting,
    drain: async (deadlineMs) => {
      await stopAccepting()
      const closeIdle = (): void => {
        if ('closeIdleConnections' in server) server.closeIdleConnections()
      }
      await drain(closeIdle, open, service, deadlineMs, closed.promise)
    },
  }
}

function createPlain(): Server {
  return http.createServer(http1Options)
}

function createSecure(files: CertificateFiles): Http2SecureServer {
  const options = {
    ...readSecurity(files),
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

/** All that makes connections safe: what a reread certificate comes without falls back to the runtime's defaults. */
function readSecurity(files: CertificateFiles): SecureContextOptions {
  return {
    ...readCertificate(files),
    minVersion: 'TLSv1.2',
    ciphers,
    honorCipherOrder: true,
    // A handshake costs the server more than the client, who could ask for one after the other.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  }
}

/** What encrypts and authenticates in one step, with a key of its own for each connection (RFC 9325, section 4.2). */
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

function readCertificate({ certFile, keyFile }: CertificateFiles): { cert: Buffer; key: Buffer } {
  const read = (flag: string, file: string): Buffer => {
    try {
      return readFileSync(file)
    } catch (error) {
      throw new UsageFault(`Cannot read --${flag} ${file}: ${toReason(error)}`)
    }
  }
  const pair = { cert: read('tls-cert', certFile), key: read('tls-key', keyFile) }
  try {
    loadSecure().tls.createSecureContext(pair)
  } catch {
    throw new UsageFault(
      `Cannot use --tls-cert ${certFile} with --tls-key ${keyFile}: expected a certificate chain and its key, both in PEM`,
    )
  }
  return pair
}

function toReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return 'there is no such file'
  if (code === 'EACCES') return 'this user may not read it'
  return code === 'EISDIR' ? 'it is a folder' : `reading it failed (${String(code)})`
}

async function bind(
  server: Server | Http2SecureServer,
  { host, port }: ListenSettings,
  socket: number | undefined,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(toUsageFault(error, host, port)))
    server.listen(socket === undefined ? { host, port } : { fd: socket }, resolve)
  })
  server.removeAllListeners('error')
}

/** A port that cannot be had, in words; `flag` is the one to change. */
export function toUsageFault(error: NodeJS.ErrnoException, host: string, port: number, flag: string = '--port'): Error {
  const place = `Cannot listen on ${toHost(host)}:${port}`
  if (error.code === 'EADDRINUSE') return new UsageFault(`${place}: the port is taken; choose another with ${flag}`)
  if (error.code === 'EACCES') {
    return new UsageFault(`${place}: this user may not use the port; choose another with ${flag}, from 1024 on`)
  }
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN') {
    return new UsageFault(`${place}: this machine has no such address; choose another with --host`)
  }
  return error
}

interface OpenConnections {
  readonly sockets: Set<Socket>
  readonly sessions: Set<ServerHttp2Session>
}

function remember<T extends EventEmitter>(all: Set<T>, each: T): void {
  all.add(each)
  each.once('close', () => all.delete(each))
}

/**
 * Ends without a reset. Closing idle connections at once would race with requests under way to them, so every
 * connection is served one answer with `Connection: close` first; what stays idle goes later. Whoever is told to close
 * connects anew, which is why nothing may be accepting any more by then: what waits to be accepted is reset.
 */
async function drain(
  closeIdle: () => void,
  open: OpenConnections,
  service: HttpService,
  deadlineMs: number,
  closed: Promise<void>,
): Promise<void> {
  service.drain()
  for (const session of open.sessions) session.close()
  const reaper = setInterval(closeIdle, drainIdleMs)
  const deadline = setTimeout(() => {
    for (const socket of open.sockets) socket.destroy()
  }, deadlineMs)
  await closed
  clearInterval(reaper)
  clearTimeout(deadline)
}

/** `http.Server.close` also closes idle connections at once; the `close` of net.Server only stops listening. */
function closeSocket(server: Server | Http2SecureServer, whenClosed: () => void): void {
  NetServer.prototype.close.call(server, whenClosed)
}

function toAddressInfo(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port')
  return address
}

function toHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
