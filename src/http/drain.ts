// Ends a server: stops accepting connections, and then drains the open ones, which means that requests in progress
// finish. listen.ts creates it.
import type { Server } from 'node:http'
import type { Http2SecureServer, ServerHttp2Session } from 'node:http2'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { drainIdleMs } from './limits.ts'
import type { OpenConnections } from './open-connections.ts'
import type { RequestQueue } from './request-queue.ts'

/** The backlog that Node requests by default. It bounds the wait while new connections keep arriving. */
const backlogMax = 511

export class Drain {
  readonly #server: Server | Http2SecureServer
  readonly #requests: RequestQueue
  readonly #connections: OpenConnections
  /** Set by the first call of `stopAccepting`. */
  #socketClosing: Promise<void> | undefined
  /** Resolves when the server has stopped listening and all connections are closed. */
  readonly #allClosed = Promise.withResolvers<void>()

  constructor(server: Server | Http2SecureServer, requests: RequestQueue, connections: OpenConnections) {
    this.#server = server
    this.#requests = requests
    this.#connections = connections
  }

  /** Every call waits until the listening socket is closed. */
  stopAccepting(): Promise<void> {
    this.#socketClosing ??= this.#closeListeningSocket()
    return this.#socketClosing
  }

  async #closeListeningSocket(): Promise<void> {
    await acceptBacklog(this.#server)
    // `close` of net.Server only stops listening; `close` of http.Server would also close idle connections.
    NetServer.prototype.close.call(this.#server, () => this.#allClosed.resolve())
  }

  /**
   * Closes all connections. On an idle connection of HTTP/1.1 a request may be on its way, so none is closed at once:
   * every `drainIdleMs` the connections that are idle at that time are closed. Busy connections are closed after their
   * last response (`RequestQueue.drain`). After `deadlineMs` the remaining connections are closed.
   */
  async drain(deadlineMs: number): Promise<void> {
    // First, because clients whose connections are closed connect again.
    await this.stopAccepting()
    this.#requests.drain()
    this.#connections.closeSessions()
    // A TLS connection that was accepted before may still be in its handshake. If a session of HTTP/2 follows, it is
    // closed as soon as it begins.
    this.#server.on('session', (session: ServerHttp2Session) => session.close())
    const closeIdle = (): void => this.#connections.closeIdleHttp1()
    const idleTimer = setInterval(closeIdle, drainIdleMs)
    const deadlineTimer = setTimeout(() => {
      // An idle connection ends normally: the kernel still sends what the client has not read of its last response.
      closeIdle()
      // `setImmediate` runs after `closeIdle` has closed its sockets.
      setImmediate(() => this.#connections.closeAll())
    }, deadlineMs)
    await this.#allClosed.promise
    clearInterval(idleTimer)
    clearTimeout(deadlineTimer)
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
