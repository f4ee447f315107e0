// Bounds the send queues: bytes of responses that clients have not read yet, in this process and in the kernel (Send-Q
// in `ss`; kernel-queues.ts reads them). The kernel queues megabytes for a client that reads nothing, and they count
// towards the memory limit of the control group. So both queues together are bounded, in total and for each client
// address. Above a limit, connections are reset, which empties their queues.
//
// An orphan is a connection that the service has closed normally and whose queue the kernel is still sending, for up to
// two minutes. The process has no socket for it and cannot reset it. Its bytes count against the limits; while orphans
// alone exceed a limit, long responses (more than `receiveBufferBytes`) are refused.
//
// Bytes in transit are on the way to clients that do read (`isInTransit`). An export that would exceed a limit together
// with them is refused, because that is better than resetting one that is half sent.
//
// send.ts reports the bodies it writes, request-queue.ts the requests that wait, and listen.ts new connections.
// src/api/application.ts asks `isFullFor` and `isFullForExport`.
import type { Socket } from 'node:net'
import type { TrustedProxy } from './client-address.ts'
import { isTrustedProxy, toAddressName } from './client-address.ts'
import type { KernelQueue } from './kernel-queues.ts'
import { readKernelBytesMax, readKernelQueues, toQueueKey, toRemoteAddress } from './kernel-queues.ts'
import { sendQueueAddressShareMax, sendQueueCheckIntervalMs } from './limits.ts'

interface Connection {
  readonly socket: Socket
  /** The client whose limit applies, by its address; undefined for a trusted proxy, which forwards many clients. */
  readonly client: string | undefined
  /** The key of the connection in the result of `readKernelQueues`. */
  readonly queueKey: string
  isClosed: boolean
  /** Bytes queued in this process, see `hold`. */
  heldBytes: number
  /** Bytes queued in the kernel, at the last check. */
  kernelBytes: number
  /** Bytes that the client has acknowledged, at the last check. */
  acknowledgedBytes: number
  /** Bytes queued in this process and in the kernel, at the last check. */
  queuedBytes: number
  /** Whether the queued bytes may just be on the way to a client that reads: they are few and new, or it reads fast. */
  isInTransit: boolean
  /**
   * A goal for `acknowledgedBytes`. When the client reaches it, it has read all that was queued when the goal was set,
   * and the next goal is set. Undefined before the first check.
   */
  drainedBytes: number | undefined
  /** When a check last found that goal reached, on the clock of `performance.now()`; -Infinity before. */
  drainedAt: number
  /**
   * When a check last found that the client had acknowledged more, or that the queue had been empty at the check
   * before. On the clock of `performance.now()`.
   */
  progressAt: number
}

/** Identifies a connection. HTTP/2 passes a JavaScript `Proxy` of the socket, which has these properties too. */
export type RemoteEnd = Pick<Socket, 'remoteAddress' | 'remotePort'>

/** A check runs early when this share of the limit was sent since the last one. */
const earlyCheckShare = 1 / 4

/** A check measures the queues one by one only if all together may use more than this share of the limit. */
const measureShareMin = 1 / 8

/**
 * How long the bytes of a connection count as in transit: any number of bytes after the client has read a whole queue
 * (`drainedAt`), and up to `receiveBufferBytes` after its last progress (`progressAt`).
 */
const transitMs = 10_000

/**
 * Share of the limit that open connections may use even if orphans use more than the rest. Otherwise the orphans of
 * some clients would cause the connections of all others to be reset.
 */
const openShareMin = 1 / 4

export class SendQueues {
  readonly #bytesMax: number
  readonly #processCount: number
  readonly #trustedProxies: readonly TrustedProxy[]
  readonly #onReset: (connections: number, bytes: number) => void
  /** The open connections by `toRemoteKey`. */
  readonly #connections = new Map<string, Connection>()
  readonly #timer: NodeJS.Timeout
  /** The ports on which the service has accepted connections. */
  readonly #localPorts = new Set<number>()
  /** The clients whose orphans alone exceed the limit of an address. */
  #fullClients: ReadonlySet<string> = new Set()
  /** Whether the orphans of all clients alone exceed the total limit. */
  #isFull = false
  /** Bytes in transit at the last check, by client; those of all trusted proxies have the key ''. */
  #transitBytesByClient: ReadonlyMap<string, number> = new Map()
  /** Bytes of `countSent` since the last check. */
  #sentBytes = 0
  /** The sum of `heldBytes` of all connections. */
  #heldBytes = 0
  /** Bytes queued after the last check, those of orphans included. If it measured no queues, only `#heldBytes`. */
  bytes = 0
  /** Number of connections that `check` has reset. */
  resetCount = 0

  /**
   * `bytesMax` limits all queues of this process together. `processCount` is the number of processes that serve, this
   * one included. `onReset` is called with the number of connections that a check has reset and the bytes of their
   * queues.
   */
  constructor(
    bytesMax: number,
    processCount: number,
    trustedProxies: readonly TrustedProxy[],
    onReset: (connections: number, bytes: number) => void,
  ) {
    this.#bytesMax = bytesMax
    this.#processCount = processCount
    this.#trustedProxies = trustedProxies
    this.#onReset = onReset
    this.#timer = setInterval(() => this.check(), sendQueueCheckIntervalMs)
    this.#timer.unref()
  }

  /** Adds a connection until it closes. `socket` is the TCP socket, also for TLS. */
  track(socket: Socket): void {
    const { remoteAddress, localPort = 0, remotePort = 0 } = socket
    // The client has disconnected already.
    if (remoteAddress === undefined) return
    const key = toRemoteKey(socket)
    this.#localPorts.add(localPort)
    const connection: Connection = {
      socket,
      client: isTrustedProxy(remoteAddress, this.#trustedProxies) ? undefined : toAddressName(remoteAddress),
      queueKey: toQueueKey(localPort, remoteAddress, remotePort),
      isClosed: false,
      heldBytes: 0,
      kernelBytes: 0,
      acknowledgedBytes: 0,
      queuedBytes: 0,
      isInTransit: true,
      drainedBytes: undefined,
      drainedAt: Number.NEGATIVE_INFINITY,
      progressAt: performance.now(),
    }
    this.#connections.set(key, connection)
    socket.once('close', () => {
      this.#heldBytes -= connection.heldBytes
      connection.heldBytes = 0
      connection.isClosed = true
      // The key may belong to a new connection already: a client can reuse its port before this event arrives.
      if (this.#connections.get(key) === connection) this.#connections.delete(key)
    })
  }

  /**
   * Counts bytes that were written without waiting for the client, on any connection. After many bytes a check runs
   * early, because they can fill the queues before the timer runs the next one. A streamed body is not counted: it is
   * written at the pace of its client.
   */
  countSent(bytes: number): void {
    this.#sentBytes += bytes
    if (this.#sentBytes > this.#bytesMax * earlyCheckShare) this.check()
  }

  /**
   * Counts bytes as queued in this process until the returned function is called or the connection closes. Calling that
   * function again does nothing.
   */
  hold(remoteEnd: RemoteEnd, bytes: number): () => void {
    const connection = this.#connections.get(toRemoteKey(remoteEnd))
    // The connection has closed, and its queue with it.
    if (connection === undefined) return () => {}
    connection.heldBytes += bytes
    this.#heldBytes += bytes
    let isReleased = false
    return () => {
      if (isReleased || connection.isClosed) return
      isReleased = true
      connection.heldBytes -= bytes
      this.#heldBytes -= bytes
    }
  }

  /** Whether long responses to this client are refused, because orphans use the memory that they would need. */
  isFullFor({ remoteAddress = '' }: RemoteEnd): boolean {
    return this.#isFull || (this.#fullClients.size > 0 && this.#fullClients.has(toAddressName(remoteAddress)))
  }

  /**
   * Whether an export to this client, which needs so many bytes, would exceed the total limit or that of the client
   * together with the bytes in transit.
   */
  isFullForExport({ remoteAddress = '' }: RemoteEnd, bytes: number): boolean {
    const addressBytesMax = this.#bytesMax * sendQueueAddressShareMax
    let transitBytes = 0
    for (const [client, clientBytes] of this.#transitBytesByClient) {
      // Each client counts for at most its share, so that it cannot cause the exports of all others to be refused.
      transitBytes += client === '' ? clientBytes : Math.min(clientBytes, addressBytesMax)
    }
    // While nothing is in transit, an export is accepted, even if it exceeds a very low limit.
    if (transitBytes > 0 && transitBytes + bytes > this.#bytesMax) return true
    if (isTrustedProxy(remoteAddress, this.#trustedProxies)) return false
    const clientBytes = this.#transitBytesByClient.get(toAddressName(remoteAddress)) ?? 0
    return clientBytes > 0 && clientBytes + bytes > addressBytesMax
  }

  /** Whether the connection has bytes of `hold`: of a response that is being sent, or of a request that waits. */
  isSending(remoteEnd: RemoteEnd): boolean {
    return (this.#connections.get(toRemoteKey(remoteEnd))?.heldBytes ?? 0) > 0
  }

  /** Resets a connection, so that the kernel drops its queue. A normal close would make it an orphan. */
  reset(remoteEnd: RemoteEnd): void {
    this.#connections.get(toRemoteKey(remoteEnd))?.socket.resetAndDestroy()
  }

  /** Measures the queues, and resets connections while the queues exceed the limits. */
  check(): void {
    this.#sentBytes = 0
    this.bytes = this.#heldBytes
    this.#isFull = false
    this.#fullClients = new Set()
    this.#transitBytesByClient = new Map()
    // An upper bound of all kernel queues is cheap to read; the queue of every connection is not.
    if (this.#heldBytes + readKernelBytesMax() < this.#bytesMax * measureShareMin) return
    const kernelQueues = readKernelQueues()
    const connections = this.#measureOpen(kernelQueues)
    const orphanBytesByClient = this.#sumOrphans(kernelQueues)
    const orphanBytes = orphanBytesByClient.values().reduce((sum, bytes) => sum + bytes, 0)
    const addressBytesMax = this.#bytesMax * sendQueueAddressShareMax
    this.bytes = sumQueued(connections) + orphanBytes
    this.#isFull = orphanBytes > this.#bytesMax
    this.#fullClients = new Set(
      [...orphanBytesByClient].filter(([, bytes]) => bytes > addressBytesMax).map(([client]) => client),
    )
    // First the stalled connections of each address are reduced to its share. Otherwise many new connections of one
    // address that does not read would exceed the total, and the slow readers of other addresses, longer without
    // progress, would be reset before them.
    const { inTransit = [], stalled = [] } = Object.groupBy(connections, ({ isInTransit }) =>
      isInTransit ? 'inTransit' : 'stalled',
    )
    this.#transitBytesByClient = sumByClient(inTransit)
    this.#holdAddressesTo(addressBytesMax, stalled, orphanBytesByClient)
    const openBytesMax = Math.max(this.#bytesMax - orphanBytes, this.#bytesMax * openShareMin)
    if (sumQueued(connections.filter(isOpen)) <= openBytesMax) return
    // Many people may share an address, so bytes in transit count against it only if the total is exceeded.
    this.#holdAddressesTo(addressBytesMax, connections.filter(isOpen), orphanBytesByClient)
    this.#resetWhileAbove(connections.filter(isOpen), openBytesMax)
  }

  /** Stops the checks. */
  end(): void {
    clearInterval(this.#timer)
  }

  /**
   * Updates all connections. Returns those with queued bytes, in the order in which they are reset: those whose bytes
   * are not in transit, then the others; among each, longest without progress first, then most bytes first.
   */
  #measureOpen(kernelQueues: ReadonlyMap<string, KernelQueue>): Connection[] {
    const now = performance.now()
    const queued: Connection[] = []
    for (const connection of this.#connections.values()) {
      const { socket } = connection
      connection.kernelBytes = kernelQueues.get(connection.queueKey)?.bytes ?? 0
      // Node counts as written also what it has not given to the kernel yet.
      const acknowledgedBytes = socket.bytesWritten - socket.writableLength - connection.kernelBytes
      const wasEmpty = connection.queuedBytes === 0
      if (acknowledgedBytes > connection.acknowledgedBytes || wasEmpty) {
        connection.acknowledgedBytes = Math.max(acknowledgedBytes, connection.acknowledgedBytes)
        connection.progressAt = now
      }
      connection.queuedBytes = queuedBytesOf(connection)
      // The first goal is to read as much as is queued now. Acknowledged bytes may also be unread in the receive buffer
      // of the client, so several times its usual size is added.
      connection.drainedBytes ??= connection.queuedBytes + 4 * receiveBufferBytes
      if (acknowledgedBytes >= connection.drainedBytes) {
        connection.drainedAt = now
        // One byte more, because otherwise an empty queue would set a goal that is reached without reading.
        connection.drainedBytes = acknowledgedBytes + connection.queuedBytes + 1
      }
      const isFewAndNew = connection.queuedBytes <= receiveBufferBytes && now - connection.progressAt < transitMs
      connection.isInTransit = isFewAndNew || now - connection.drainedAt < transitMs
      if (connection.queuedBytes > 0) queued.push(connection)
    }
    return queued.sort(
      (a, b) =>
        Number(a.isInTransit) - Number(b.isInTransit) ||
        a.progressAt - b.progressAt ||
        queuedBytesOf(b) - queuedBytesOf(a),
    )
  }

  /**
   * The bytes in the queues of orphans, by client; those of all trusted proxies have the key '', which is the name of
   * no client. The kernel also lists the orphans of the other workers and does not tell whose they were, so every
   * worker counts its share of all.
   */
  #sumOrphans(kernelQueues: ReadonlyMap<string, KernelQueue>): Map<string, number> {
    const openKeys = new Set(this.#connections.values().map(({ queueKey }) => queueKey))
    const sums = new Map<string, number>()
    for (const [key, queue] of kernelQueues) {
      const isOrphan = queue.isClosedHere && !openKeys.has(key) && this.#localPorts.has(queue.localPort)
      if (!isOrphan) continue
      const address = toRemoteAddress(queue)
      const client = isTrustedProxy(address, this.#trustedProxies) ? '' : toAddressName(address)
      sums.set(client, (sums.get(client) ?? 0) + queue.bytes / this.#processCount)
    }
    return sums
  }

  /** Resets connections of each client whose queues, with those of its orphans, exceed the limit of an address. */
  #holdAddressesTo(
    addressBytesMax: number,
    connections: readonly Connection[],
    orphanBytesByClient: ReadonlyMap<string, number>,
  ): void {
    for (const [client, ownConnections] of Map.groupBy(connections, (connection) => connection.client)) {
      // The limit does not apply to a trusted proxy.
      if (client === undefined) continue
      // A client has no minimum like `openShareMin`, because the orphans that use its share are its own.
      this.#resetWhileAbove(ownConnections, addressBytesMax - (orphanBytesByClient.get(client) ?? 0))
    }
  }

  /** Resets connections, in the given order, until the rest has at most `bytesMax`. */
  #resetWhileAbove(connections: readonly Connection[], bytesMax: number): void {
    const bytes = sumQueued(connections)
    let freedBytes = 0
    let count = 0
    for (const connection of connections) {
      if (bytes - freedBytes <= bytesMax) break
      freedBytes += queuedBytesOf(connection)
      count += 1
      connection.socket.resetAndDestroy()
    }
    if (count === 0) return
    this.resetCount += count
    this.bytes -= freedBytes
    this.#onReset(count, freedBytes)
  }
}

/** The usual receive buffer of a client's system, which fills even if the client does not read. */
export const receiveBufferBytes = 65_536

/** Identifies an open connection of this process: `192.0.2.1 50000`. */
export function toRemoteKey({ remoteAddress, remotePort }: RemoteEnd): string {
  return `${remoteAddress} ${remotePort}`
}

function isOpen({ socket }: Connection): boolean {
  return !socket.destroyed
}

/** The queued bytes by client; those of all trusted proxies have the key ''. */
function sumByClient(connections: readonly Connection[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { client = '', queuedBytes } of connections) sums.set(client, (sums.get(client) ?? 0) + queuedBytes)
  return sums
}

/** Bytes queued in this process now, and in the kernel at the last check. */
function queuedBytesOf({ heldBytes, kernelBytes }: Connection): number {
  return heldBytes + kernelBytes
}

function sumQueued(connections: readonly Connection[]): number {
  return connections.reduce((sum, connection) => sum + queuedBytesOf(connection), 0)
}
