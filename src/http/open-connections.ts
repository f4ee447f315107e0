// The open connections of a server. New ones are reported to the send queues and to the limit of connections, and those
// that are idle for too long are closed. drain.ts closes all when the service ends.
import type { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { ConnectionLimit } from './connection-limit.ts'
import type { RequestQueue } from './request-queue.ts'
import type { SendQueues } from './send-queues.ts'

export class OpenConnections {
  readonly #queues: SendQueues
  readonly #requests: RequestQueue
  /** The TCP sockets of all connections. */
  readonly #sockets = new Set<Socket>()
  /** The sessions of the connections that use HTTP/2. */
  readonly #sessions = new Set<ServerHttp2Session>()
  /** The TCP or TLS sockets of the connections that use HTTP/1.1, with the bytes of the TLS handshake, or 0. */
  readonly #handshakeBytesOfHttp1 = new Map<Socket, number>()
  /** The sockets of the connections on which a request of HTTP/1.0 has come. */
  readonly #http10 = new Set<Socket>()

  constructor(queues: SendQueues, requests: RequestQueue) {
    this.#queues = queues
    this.#requests = requests
  }

  /** Adds every new connection of the server, tells `queues` and `limit` about it, and closes idle ones. */
  track(server: EventEmitter, limit: ConnectionLimit, isSecure: boolean): void {
    const queues = this.#queues
    server.on('connection', (socket: Socket) => {
      addUntilClosed(this.#sockets, socket)
      queues.track(socket)
      limit.check()
      if (!isSecure) this.#addHttp1(socket)
    })
    server.on('request', ({ httpVersion, socket }: IncomingMessage) => {
      if (httpVersion === '1.0' && !this.#http10.has(socket)) addUntilClosed(this.#http10, socket)
    })
    server.on('secureConnection', (socket: TLSSocket) => {
      if (socket.alpnProtocol === 'h2') return
      // `queues` finds the connection by its remote address and port, which the TLS socket shares with the TCP socket.
      queues.setSource(socket, socket)
      this.#addHttp1(socket)
    })
    server.on('session', (session: ServerHttp2Session) => {
      queues.setSource(session.socket, session)
      addUntilClosed(this.#sessions, session)
    })
    // Closes idle connections, which Node reports: with TLS after the time of `setTimeout` in listen.ts, without TLS
    // after `keepAliveTimeout`. Node also reports a connection whose client reads slowly. It stays open here; send.ts
    // closes it if it accepts no byte for `stalledReaderMs`.
    server.on('timeout', (connection: ServerHttp2Session | Socket) => {
      // Only a session of HTTP/2 has a property `socket`.
      const socket = 'socket' in connection ? connection.socket : connection
      if (!queues.hasHeldBytes(socket)) connection.destroy()
    })
  }

  #addHttp1(socket: Socket): void {
    this.#handshakeBytesOfHttp1.set(socket, socket.bytesRead)
    socket.once('close', () => this.#handshakeBytesOfHttp1.delete(socket))
  }

  /**
   * Closes the connections of HTTP/1.1 that have no request, not even the first bytes of one. Node's
   * `closeIdleConnections` would also close a connection whose response is written, but partly still held by this
   * process because the client reads slowly.
   */
  closeIdleHttp1(): void {
    for (const [socket, handshakeBytes] of this.#handshakeBytesOfHttp1) {
      const hasBegunRequest = socket.bytesRead > (this.#requests.bytesReadAtRequestEnd(socket) ?? handshakeBytes)
      const isBusy = this.#requests.isBusy(socket) || this.#queues.hasHeldBytes(socket)
      if (!hasBegunRequest && !isBusy) socket.destroy()
    }
  }

  /** Ends the sessions of HTTP/2 with GOAWAY, after which their clients send new requests elsewhere. */
  closeSessions(): void {
    for (const session of this.#sessions) session.close()
  }

  /**
   * Closes all connections at once. A connection of HTTP/1.0 is reset, because a normal end would make its half
   * response look complete.
   */
  closeAll(): void {
    for (const socket of this.#http10) this.#queues.reset(socket)
    for (const socket of this.#sockets) socket.destroy()
  }
}

/** Adds the item to the set, and removes it when it emits `close`. */
function addUntilClosed<T extends EventEmitter>(items: Set<T>, item: T): void {
  items.add(item)
  item.once('close', () => items.delete(item))
}
