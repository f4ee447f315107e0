// Listens on a port, with HTTP, or with HTTPS (HTTP/2 and HTTP/1.1) if there is a certificate, and ends the server.
// Limits on sizes and times are options of Node's server; connections.ts has the limits on connections.
import * as http from 'node:http'
import * as http2 from 'node:http2'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextIteration } from 'node:timers/promises'
import type { Logger } from 'pino'
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
} from '../limits.ts'
import { bind, toUrlHost } from './bind.ts'
import { Connections, readConnectionLimit } from './connections.ts'
import { handleProtocolErrors, sendProblem } from './protocol-errors.ts'
import { findRequestProblem } from './request-validation.ts'
import type { CertificateFiles, ListenSettings } from './settings.ts'
import { readTlsOptions } from './tls-options.ts'

export interface Listener {
  /** The base URL. */
  readonly address: string
  readonly port: number
  readonly connections: Connections
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

/** Starts a server. */
export async function listen(
  { handle }: { readonly handle: http.RequestListener },
  settings: ListenSettings,
  log: Logger,
): Promise<Listener> {
  const { certificate, isSecure, basePath } = settings
  const server = certificate === undefined ? http.createServer(http1Options) : createHttpsServer(certificate)
  // Node's types lack the property of an HTTPS server.
  Object.assign(server, { maxHeadersCount: headersMax } satisfies Partial<http.Server>)
  server.maxConnections = settings.connectionsMax ?? readConnectionLimit(settings.workers ?? 1)
  const connections = new Connections(server, settings, server.maxConnections)
  const onRequest: http.RequestListener = (request, response) => {
    connections.begin(request, response)
    // The service has no other protocol. Node (v26) has lost what followed the request in the same packet.
    if (request.headers.upgrade !== undefined && !('stream' in request)) response.setHeader('Connection', 'close')
    const problem = findRequestProblem(request)
    if (problem === undefined) handle(request, response)
    else sendProblem(request, response, problem, settings)
  }
  server.on('request', onRequest)
  // Requests with an `Expect` header other than `100-continue`; the header is ignored.
  server.on('checkExpectation', onRequest)
  handleProtocolErrors(server, settings, connections, onRequest)
  const port = await bind(server, settings)
  server.on('error', (error) => log.error({ err: error }, 'error of the listening socket'))
  const closed = Promise.withResolvers<void>()
  let stopping: Promise<void> | undefined
  const stopAccepting = (): Promise<void> => {
    stopping ??= acceptBacklog(server).then(() => {
      // `close` of net.Server only stops listening; `close` of http.Server would also close idle connections, on which
      // a request may be on its way.
      NetServer.prototype.close.call(server, () => closed.resolve())
    })
    return stopping
  }
  return {
    port,
    address: `${isSecure ? 'https' : 'http'}://${toUrlHost(settings.host)}:${port}${basePath}`,
    connections,
    reloadCertificate: () => {
      if (certificate !== undefined && 'setSecureContext' in server)
        server.setSecureContext(readTlsOptions(certificate))
    },
    stopAccepting,
    drain: async (deadlineMs) => {
      // First, because clients whose connections are closed connect again.
      await stopAccepting()
      connections.drain()
      const idleTimer = setInterval(() => connections.closeIdle(), drainIdleMs)
      const deadlineTimer = setTimeout(() => connections.closeAll(), deadlineMs)
      await closed.promise
      connections.closeAll()
      clearInterval(idleTimer)
      clearTimeout(deadlineTimer)
    },
  }
}

function createHttpsServer(files: CertificateFiles): http2.Http2SecureServer {
  const server = http2.createSecureServer({
    ...readTlsOptions(files),
    allowHTTP1: true,
    handshakeTimeout: tlsHandshakeTimeoutMs,
    http1Options,
    maxHeaderListPairs: headersMax,
    maxSessionInvalidFrames: http2FaultsMax,
    maxSessionRejectedStreams: http2FaultsMax,
    settings: { maxConcurrentStreams: http2StreamsMax, maxHeaderListSize: headerBytesMax },
  })
  // connections.ts closes connections that are idle for this long.
  server.setTimeout(keepAliveTimeoutMs)
  return server
}

/** The backlog that Node requests by default. It bounds the wait while new connections keep arriving. */
const backlogMax = 511

/**
 * Closing the listening socket would reset the connections that the kernel has not handed over yet (its backlog). An
 * iteration of the event loop accepts one of them, so this waits for an iteration that accepts none.
 */
async function acceptBacklog(server: http.Server | http2.Http2SecureServer): Promise<void> {
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
