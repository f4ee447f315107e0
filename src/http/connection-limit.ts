// Bounds the connections of the process so that one client cannot take all of them. Near the limit, connections without
// a request are closed: first those of the client with most connections, and among them the longest idle first. A
// client that has more than its share also loses connections with a request: by not reading its responses, it could
// keep any number of them busy. open-connections.ts reports each new one; Node itself refuses those above the limit.
import type { Socket } from 'node:net'
import { clientShareMax, connectionsShareReserved } from './limits.ts'
import type { SendQueues } from './send-queues.ts'
import type { RequestSource, TrackedConnection } from './tracked-connection.ts'

/**
 * Tells when a connection was last used, and whether it is in use. `source` is the object on which its requests arrive:
 * the TCP or TLS socket, or the HTTP/2 session.
 */
export interface ConnectionUse {
  /**
   * When the last request was started, on the clock of `performance.now()`; undefined if none has arrived. 0 if the
   * first request still waits: among the busy connections of its client, such a connection is the first to be closed,
   * because nothing was done for it yet.
   */
  readonly lastStartedAt: (source: RequestSource) => number | undefined
  /** Whether a request waits or is in progress, or a response is still being sent. `socket` is the TCP socket. */
  readonly isBusy: (source: RequestSource, socket: Socket) => boolean
}

export class ConnectionLimit {
  readonly #queues: SendQueues
  readonly #use: ConnectionUse
  /** When more connections than this are open, some are closed. */
  readonly #openMax: number
  /** A busy connection is closed only while its client has more connections than this. */
  readonly #busyProtectedMax: number
  /** Closing ends when this number is left. It is below `#openMax`, so that the next new connection closes none. */
  readonly #remainingMax: number
  #isClosingPlanned = false

  /** `connectionsMax` is the number above which Node refuses connections. `queues` has the open ones. */
  constructor(connectionsMax: number, queues: SendQueues, use: ConnectionUse) {
    const reservedCount = Math.ceil(connectionsMax * connectionsShareReserved)
    this.#openMax = connectionsMax - reservedCount
    this.#busyProtectedMax = Math.floor(connectionsMax * clientShareMax)
    this.#remainingMax = this.#openMax - Math.floor(reservedCount / 2)
    this.#queues = queues
    this.#use = use
  }

  /** Closes connections soon if too many are open. Called for each new one. */
  check(): void {
    if (this.#queues.connectionCount <= this.#openMax || this.#isClosingPlanned) return
    this.#isClosingPlanned = true
    // Connections are sorted and closed once for all that arrive in this iteration of the event loop.
    setImmediate(() => this.#closeExcess())
  }

  /** Closes connections until `#remainingMax` are left, or none of the rest may be closed. */
  #closeExcess(): void {
    this.#isClosingPlanned = false
    const excess = this.#queues.connectionCount - this.#remainingMax
    for (const { socket } of this.#sortCandidates().slice(0, Math.max(0, excess))) socket.destroy()
  }

  /** The connections that may be closed, in the order in which they are closed. */
  #sortCandidates(): TrackedConnection[] {
    const candidates: { connection: TrackedConnection; usedAt: number; connectionsLeft: number }[] = []
    for (const [client, connections] of Map.groupBy(this.#queues.connections, (connection) => connection.client)) {
      // Trusted proxies, which forward many clients, keep their connections.
      if (client === undefined) continue
      const sorted = connections
        .map((connection) => ({
          connection,
          usedAt: this.#usedAt(connection),
          isBusy: this.#use.isBusy(connection.source, connection.socket),
        }))
        .sort((a, b) => Number(a.isBusy) - Number(b.isBusy) || a.usedAt - b.usedAt)
      for (const [index, { connection, usedAt, isBusy }] of sorted.entries()) {
        // The number of connections that the client still has when this one is closed, itself included.
        const connectionsLeft = connections.length - index
        if (!isBusy || connectionsLeft > this.#busyProtectedMax)
          candidates.push({ connection, usedAt, connectionsLeft })
      }
    }
    // The client with the most connections loses connections first. If one has 5 and another 3, the first loses two
    // (with 5 and 4 left), and then both lose one after the other, the longest unused first.
    return candidates
      .sort((a, b) => b.connectionsLeft - a.connectionsLeft || a.usedAt - b.usedAt)
      .map(({ connection }) => connection)
  }

  /** `lastStartedAt` or, if no request has arrived, when the connection was opened. */
  #usedAt({ source, openedAt }: TrackedConnection): number {
    return this.#use.lastStartedAt(source) ?? openedAt
  }
}
