// Bounds the connections of the process so that one client cannot take all of them. Near the limit, connections without
// a request are closed: first those of the client with most connections, and of these the one idle for longest.
// A client that has more than its share also loses connections with a request: by not reading its responses, it could
// keep any number of them busy. listen.ts reports each new connection; Node itself refuses connections above the limit.
import type { Http2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { TrustedProxy } from './client-address.ts'
import { isTrustedProxy, toAddressName } from './client-address.ts'
import { clientShareMax, connectionsShareReserved } from './limits.ts'
import type { RemoteEnd } from './send-queues.ts'
import { toRemoteKey } from './send-queues.ts'

/** The object under which the requests of a connection are recorded: its TCP or TLS socket, or its HTTP/2 session. */
export type RequestSource = Socket | Http2Session

/** Tells when a connection was last used, and whether it is in use. */
export interface ConnectionUse {
  /**
   * When the last request was started, on the clock of `performance.now()`. 0 if the first
   * request still waits; undefined if none has arrived.
   */
  readonly lastStartedAt: (source: RequestSource) => number | undefined
  /** Whether a request waits or is in progress, or a response is still being sent. `socket` is the TCP socket. */
  readonly isBusy: (source: RequestSource, socket: Socket) => boolean
}

interface Connection {
  /** The TCP socket. */
  readonly socket: Socket
  readonly client: string
  /** On the clock of `performance.now()`. */
  readonly openedAt: number
  source: RequestSource
}

export class ConnectionLimit {
  readonly #trustedProxies: readonly TrustedProxy[]
  readonly #use: ConnectionUse
  /** When more connections than this are open, some are closed. */
  readonly #openMax: number
  /** A connection that is busy is closed only while its client has more connections than this. */
  readonly #busyProtectedMax: number
  /** Closing ends when this number is left. It is below `#openMax`, so that the next new connection closes none. */
  readonly #remainingMax: number
  /** The open connections by `toRemoteKey`, without those of trusted proxies, which forward many clients. */
  readonly #connections = new Map<string, Connection>()
  /** Open connections of trusted proxies. */
  #proxyCount = 0
  #isClosingPlanned = false

  /** `connectionsMax` is the number above which Node refuses connections. */
  constructor(connectionsMax: number, trustedProxies: readonly TrustedProxy[], use: ConnectionUse) {
    const reservedCount = Math.ceil(connectionsMax * connectionsShareReserved)
    this.#openMax = connectionsMax - reservedCount
    this.#busyProtectedMax = Math.floor(connectionsMax * clientShareMax)
    this.#remainingMax = this.#openMax - Math.floor(reservedCount / 2)
    this.#trustedProxies = trustedProxies
    this.#use = use
  }

  /** Adds a connection until it closes. `socket` is the TCP socket, also for TLS. */
  add(socket: Socket): void {
    const { remoteAddress } = socket
    // The client has disconnected already.
    if (remoteAddress === undefined) return
    if (isTrustedProxy(remoteAddress, this.#trustedProxies)) {
      this.#proxyCount += 1
      socket.once('close', () => {
        this.#proxyCount -= 1
      })
    } else this.#addClient(socket, toAddressName(remoteAddress))
    if (this.#count <= this.#openMax || this.#isClosingPlanned) return
    this.#isClosingPlanned = true
    // Connections are sorted and closed once for all that arrive in this iteration of the event loop.
    setImmediate(() => this.#closeExcess())
  }

  /** Sets the source of the connection with this remote end. With TLS it is the TLS socket or the HTTP/2 session. */
  setSource(remoteEnd: RemoteEnd, source: RequestSource): void {
    const connection = this.#connections.get(toRemoteKey(remoteEnd))
    if (connection !== undefined) connection.source = source
  }

  get #count(): number {
    return this.#connections.size + this.#proxyCount
  }

  #addClient(socket: Socket, client: string): void {
    const key = toRemoteKey(socket)
    const connection: Connection = { socket, client, openedAt: performance.now(), source: socket }
    this.#connections.set(key, connection)
    socket.once('close', () => {
      // The key may belong to a new connection already: a client can reuse its port before this event arrives.
      if (this.#connections.get(key) === connection) this.#connections.delete(key)
    })
  }

  /** Closes connections until `#remainingMax` are left, or none of the rest may be closed. */
  #closeExcess(): void {
    this.#isClosingPlanned = false
    const excess = this.#count - this.#remainingMax
    for (const { socket } of this.#sortCandidates().slice(0, Math.max(0, excess))) socket.destroy()
  }

  /** The connections that may be closed, in the order in which they are closed. */
  #sortCandidates(): Connection[] {
    const candidates: { connection: Connection; usedAt: number; rank: number }[] = []
    for (const connections of Map.groupBy(this.#connections.values(), ({ client }) => client).values()) {
      const sorted = connections
        .map((connection) => ({
          connection,
          usedAt: this.#usedAt(connection),
          isBusy: this.#use.isBusy(connection.source, connection.socket),
        }))
        .sort((a, b) => Number(a.isBusy) - Number(b.isBusy) || a.usedAt - b.usedAt)
      for (const [index, { connection, usedAt, isBusy }] of sorted.entries()) {
        // The number of connections that the client has when this one is its next to be closed.
        const rank = connections.length - index
        if (!isBusy || rank > this.#busyProtectedMax) candidates.push({ connection, usedAt, rank })
      }
    }
    return candidates.sort((a, b) => b.rank - a.rank || a.usedAt - b.usedAt).map(({ connection }) => connection)
  }

  /** `lastStartedAt` or, if no request has arrived, when the connection was opened. */
  #usedAt({ source, openedAt }: Connection): number {
    return this.#use.lastStartedAt(source) ?? openedAt
  }
}
