// Bounds the send queues: bytes of responses that clients have not read yet, in this process and in the kernel (the
// column Send-Q of the command `ss`; kernel-queues.ts reads them). The kernel queues megabytes for a client that reads
// nothing, and they count towards the memory limit of the control group. So both queues together are bounded: in total,
// and for the connections of each client address. Above a limit, connections are reset, which empties their queues. The
// first are the stalled ones, whose clients do not read. The bytes of the others, whose clients read, are in transit
// (tracked-connection.ts decides which are which).
//
// Between two checks, queue-load.ts tells which responses are refused. It also explains the orphans: closed connections
// that the kernel is still sending. The memory of requests that wait for their turn counts as queued too. send.ts
// reports the bodies it writes, request-queue.ts the requests that wait, and open-connections.ts new connections.
// connection-limit.ts bounds the number of `connections`.
import type { Socket } from 'node:net'
import type { TrustedProxy } from './client-address.ts'
import { isTrustedProxy, toAddressName } from './client-address.ts'
import type { KernelQueue } from './kernel-queues.ts'
import { readKernelBytesMax, readKernelQueues, toQueueKey, toRemoteAddress } from './kernel-queues.ts'
import { sendQueueAddressShareMax, sendQueueCheckIntervalMs } from './limits.ts'
import { type BytesByClient, type QueueLimits, QueueLoad } from './queue-load.ts'
import { type RequestSource, TrackedConnection } from './tracked-connection.ts'

export { receiveBufferBytes } from './tracked-connection.ts'

/** Identifies a connection. HTTP/2 passes a JavaScript `Proxy` of the socket, which has these properties too. */
export type RemoteEnd = Pick<Socket, 'remoteAddress' | 'remotePort'>

/** A check runs early when this share of the limit was queued since the last one. */
const earlyCheckShare = 1 / 4

/** A check measures the queues one by one only if all together may use at least this share of the limit. */
const measureShareMin = 1 / 8

/**
 * Share of the limit that open connections may use even if orphans use more than the rest. Otherwise the orphans of
 * some clients would cause the connections of all others to be reset.
 */
const openShareMin = 1 / 4

export class SendQueues {
  readonly #limits: QueueLimits
  readonly #processCount: number
  readonly #trustedProxies: readonly TrustedProxy[]
  readonly #onReset: (connectionCount: number, bytes: number) => void
  /** The open connections by `toRemoteKey`. */
  readonly #connections = new Map<string, TrackedConnection>()
  readonly #timer: NodeJS.Timeout
  /** The ports on which the service has accepted connections. */
  readonly #localPorts = new Set<number>()
  /** What the last check has found. */
  #load: QueueLoad
  /** Bytes of `countTowardsCheck` since the last check. */
  #bytesSinceCheck = 0
  /** The sum of `heldBytes` of all connections. */
  #heldBytes = 0
  /**
   * Bytes that were queued at the end of the last check, including the bytes of orphans. Only those in this process, if
   * the check found no need to measure the queues of the kernel.
   */
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
    onReset: (connectionCount: number, bytes: number) => void,
  ) {
    this.#limits = { totalBytesMax: bytesMax, clientBytesMax: bytesMax * sendQueueAddressShareMax }
    this.#load = new QueueLoad(this.#limits, new Map(), new Map())
    this.#processCount = processCount
    this.#trustedProxies = trustedProxies
    this.#onReset = onReset
    this.#timer = setInterval(() => this.check(), sendQueueCheckIntervalMs)
    this.#timer.unref()
  }

  /** Adds a connection until it closes. `socket` is the TCP socket, also for TLS. */
  track(socket: Socket): void {
    const { remoteAddress, localPort = 0, remotePort = 0 } = socket
    // If the client has disconnected already, there is nothing to track.
    if (remoteAddress === undefined) return
    const key = toRemoteKey(socket)
    this.#localPorts.add(localPort)
    const queueKey = toQueueKey(localPort, remoteAddress, remotePort)
    const connection = new TrackedConnection(socket, this.#clientOf(remoteAddress), queueKey)
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
   * Sets the object on which the requests of this connection arrive, with TLS the TLS socket or the HTTP/2 session.
   * Without TLS it is the TCP socket. By this object connection-limit.ts asks when the connection was last used.
   */
  setSource(remoteEnd: RemoteEnd, source: RequestSource): void {
    const connection = this.#connections.get(toRemoteKey(remoteEnd))
    if (connection !== undefined) connection.source = source
  }

  /** The open connections. */
  get connections(): readonly TrackedConnection[] {
    return [...this.#connections.values()]
  }

  get connectionCount(): number {
    return this.#connections.size
  }

  /**
   * Counts bytes that were written without waiting for the client, and the bytes of requests that wait, on any
   * connection. After many bytes a check runs early, because they can fill the queues before the timer runs the next
   * one. A streamed body is not counted: it is written at the pace of its client.
   */
  countTowardsCheck(bytes: number): void {
    this.#bytesSinceCheck += bytes
    if (this.#bytesSinceCheck > this.#limits.totalBytesMax * earlyCheckShare) this.check()
  }

  /**
   * Counts bytes as queued in this process until the returned function is called or the connection closes. Calling that
   * function again does nothing.
   */
  hold(remoteEnd: RemoteEnd, bytes: number): () => void {
    const connection = this.#connections.get(toRemoteKey(remoteEnd))
    // If the connection has closed, its queue is gone too.
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
    return this.#load.orphanBytes > 0 && this.#load.isFullFor(this.#clientOf(remoteAddress))
  }

  /** Why an export to this client is refused; undefined if it is accepted. `bytes` is the memory of the export. */
  findExportOverload({ remoteAddress = '' }: RemoteEnd, bytes: number): 'exports' | 'client-exports' | undefined {
    return this.#load.findExportOverload(this.#clientOf(remoteAddress), bytes)
  }

  /** Whether the connection has bytes of `hold`: of a response that is being sent, or of a request that waits. */
  hasHeldBytes(remoteEnd: RemoteEnd): boolean {
    return (this.#connections.get(toRemoteKey(remoteEnd))?.heldBytes ?? 0) > 0
  }

  /** Resets a connection, so that the kernel drops its queue. A normal close would make it an orphan. */
  reset(remoteEnd: RemoteEnd): void {
    this.#connections.get(toRemoteKey(remoteEnd))?.socket.resetAndDestroy()
  }

  /** Measures the queues if they may be long, and resets connections while the queues exceed the limits. */
  check(): void {
    this.#bytesSinceCheck = 0
    // An upper bound of all kernel queues is cheap to read; the queue of every connection is not.
    const queuedBytesMax = this.#heldBytes + readKernelBytesMax()
    if (queuedBytesMax < this.#limits.totalBytesMax * measureShareMin) {
      this.#load = new QueueLoad(this.#limits, new Map(), new Map())
      this.bytes = this.#heldBytes
      return
    }
    const kernelQueues = readKernelQueues()
    const connections = this.#measureOpen(kernelQueues)
    const inTransit = connections.filter(({ isInTransit }) => isInTransit)
    this.#load = new QueueLoad(this.#limits, this.#sumOrphans(kernelQueues), sumByClient(inTransit))
    this.#resetAboveLimits(connections)
    this.bytes = sumQueued(connections.filter(isOpen)) + this.#load.orphanBytes
  }

  /** Stops the checks. */
  end(): void {
    clearInterval(this.#timer)
  }

  /** The client whose limit applies, by its address; undefined for a trusted proxy, which forwards many clients. */
  #clientOf(remoteAddress: string): string | undefined {
    return isTrustedProxy(remoteAddress, this.#trustedProxies) ? undefined : toAddressName(remoteAddress)
  }

  /**
   * Measures all connections. Returns the open connections with queued bytes, held by this process or in the kernel, in
   * the order in which they are reset.
   */
  #measureOpen(kernelQueues: ReadonlyMap<string, KernelQueue>): TrackedConnection[] {
    const now = performance.now()
    for (const connection of this.#connections.values()) {
      connection.measure(kernelQueues.get(connection.queueKey)?.bytes ?? 0, now)
    }
    // A connection that an earlier check has reset stays in the list until the event `close`.
    return [...this.#connections.values()]
      .filter((connection) => isOpen(connection) && connection.queuedBytes > 0)
      .sort(compareResetOrder)
  }

  /**
   * The bytes in the queues of orphans. The kernel lists the orphans of all workers and does not tell whose they were,
   * so every worker counts an equal share of them.
   */
  #sumOrphans(kernelQueues: ReadonlyMap<string, KernelQueue>): BytesByClient {
    const openKeys = new Set(this.#connections.values().map(({ queueKey }) => queueKey))
    const sums = new Map<string | undefined, number>()
    for (const [key, queue] of kernelQueues) {
      const isOrphan = queue.isClosedHere && !openKeys.has(key) && this.#localPorts.has(queue.localPort)
      if (!isOrphan) continue
      const client = this.#clientOf(toRemoteAddress(queue))
      sums.set(client, (sums.get(client) ?? 0) + queue.bytes / this.#processCount)
    }
    return sums
  }

  /** Resets connections, in the given order, while the queues exceed the limit of a client or the total limit. */
  #resetAboveLimits(connections: readonly TrackedConnection[]): void {
    // First the stalled connections of each client are reduced to its limit. Otherwise many new connections of one
    // client that does not read would exceed the total. Slow readers at other addresses would then be reset before
    // these connections, because the slow readers have made no progress for longer.
    this.#limitClients(connections.filter(({ isInTransit }) => !isInTransit))
    const rest = connections.filter(isOpen)
    const { totalBytesMax } = this.#limits
    const openBytesMax = Math.max(totalBytesMax - this.#load.orphanBytes, totalBytesMax * openShareMin)
    if (sumQueued(rest) <= openBytesMax) return
    // Many people may share an address, so bytes in transit count against it only if the total is exceeded.
    this.#limitClients(rest)
    this.#resetWhileAbove(rest.filter(isOpen), openBytesMax)
  }

  /**
   * Resets some of the given connections of each client that exceeds its limit with the queues of these connections and
   * of its orphans.
   */
  #limitClients(connections: readonly TrackedConnection[]): void {
    for (const [client, ownConnections] of Map.groupBy(connections, (connection) => connection.client)) {
      // The limit does not apply to a trusted proxy.
      if (client === undefined) continue
      // A client has no minimum like `openShareMin`, because the orphans that use its share are its own.
      this.#resetWhileAbove(ownConnections, this.#limits.clientBytesMax - this.#load.orphanBytesOf(client))
    }
  }

  /** Resets connections, in the given order, until the rest has at most `bytesMax`. */
  #resetWhileAbove(connections: readonly TrackedConnection[], bytesMax: number): void {
    const bytes = sumQueued(connections)
    let freedBytes = 0
    let count = 0
    for (const connection of connections) {
      if (bytes - freedBytes <= bytesMax) break
      freedBytes += connection.queuedBytes
      count += 1
      connection.socket.resetAndDestroy()
    }
    if (count === 0) return
    this.resetCount += count
    this.#onReset(count, freedBytes)
  }
}

/** Identifies an open connection of this process: `192.0.2.1 50000`. */
function toRemoteKey({ remoteAddress, remotePort }: RemoteEnd): string {
  return `${remoteAddress} ${remotePort}`
}

function isOpen({ socket }: TrackedConnection): boolean {
  return !socket.destroyed
}

/** Stalled connections are reset first. Otherwise: longest without progress first, and then most bytes first. */
function compareResetOrder(a: TrackedConnection, b: TrackedConnection): number {
  return Number(a.isInTransit) - Number(b.isInTransit) || a.progressAt - b.progressAt || b.queuedBytes - a.queuedBytes
}

function sumByClient(connections: readonly TrackedConnection[]): BytesByClient {
  const sums = new Map<string | undefined, number>()
  for (const { client, queuedBytes } of connections) sums.set(client, (sums.get(client) ?? 0) + queuedBytes)
  return sums
}

function sumQueued(connections: readonly TrackedConnection[]): number {
  return connections.reduce((sum, { queuedBytes }) => sum + queuedBytes, 0)
}
