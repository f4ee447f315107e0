// An open connection, as send-queues.ts measures it: how many bytes of responses the client has not read yet, and
// whether they are in transit, which means on the way to a client that does read. connection-limit.ts closes some if
// there are too many.
import type { Http2Session } from 'node:http2'
import type { Socket } from 'node:net'

/** The object under which the requests of a connection are recorded: its TCP or TLS socket, or its HTTP/2 session. */
export type RequestSource = Socket | Http2Session

/** The usual receive buffer of a client's system, which fills even if the client does not read. */
export const receiveBufferBytes = 65_536

/**
 * The system of a client may acknowledge up to this many bytes although the client has read none, because its receive
 * buffer may be larger than `receiveBufferBytes`.
 */
const acknowledgedUnreadBytesMax = 4 * receiveBufferBytes

/**
 * The bytes of a connection count as in transit for this long after the client has read a whole queue (`#drainedAt`).
 * If they are at most `receiveBufferBytes`, they also count for this long after its last progress (`progressAt`).
 */
const transitMs = 10_000

export class TrackedConnection {
  /** The TCP socket, also for TLS. */
  readonly socket: Socket
  /** The client whose limit applies, by its address; undefined for a trusted proxy, which forwards many clients. */
  readonly client: string | undefined
  /** The key of the connection in the result of `readKernelQueues`. */
  readonly queueKey: string
  /** On the clock of `performance.now()`. */
  readonly openedAt: number = performance.now()
  source: RequestSource
  isClosed = false
  /** Bytes queued in this process now, see `SendQueues.hold`. */
  heldBytes = 0
  /** Bytes queued in this process and in the kernel, at the last measurement. */
  queuedBytes = 0
  /** Whether the queued bytes may just be on the way to a client that reads: they are few and new, or it reads fast. */
  isInTransit = true
  /**
   * When a measurement last found that the client had acknowledged more, or that the queue had been empty at the
   * previous measurement. On the clock of `performance.now()`.
   */
  progressAt: number = this.openedAt
  /** The most bytes that a measurement has found acknowledged by the client. */
  #acknowledgedBytes = 0
  /**
   * A goal for the acknowledged bytes. When the client reaches it, it has taken all that was queued when the goal was
   * set, and the next goal is set. The first goal is higher by `acknowledgedUnreadBytesMax`, so that a client that does
   * not read never reaches it. Undefined before the first measurement.
   */
  #drainGoalBytes: number | undefined
  /** When a measurement last found a goal reached, on the clock of `performance.now()`; -Infinity before. */
  #drainedAt = Number.NEGATIVE_INFINITY

  constructor(socket: Socket, client: string | undefined, queueKey: string) {
    this.socket = socket
    this.source = socket
    this.client = client
    this.queueKey = queueKey
  }

  /** Updates the properties. `kernelBytes` are queued in the kernel, `now` is the time of `performance.now()`. */
  measure(kernelBytes: number, now: number): void {
    const wasEmpty = this.queuedBytes === 0
    this.queuedBytes = this.heldBytes + kernelBytes
    // Node counts as written also what it has not given to the kernel yet.
    const acknowledgedBytes = this.socket.bytesWritten - this.socket.writableLength - kernelBytes
    if (acknowledgedBytes > this.#acknowledgedBytes || wasEmpty) {
      this.#acknowledgedBytes = Math.max(acknowledgedBytes, this.#acknowledgedBytes)
      this.progressAt = now
    }
    this.#checkDrainGoal(acknowledgedBytes, now)
    const isFewAndNew = this.queuedBytes <= receiveBufferBytes && now - this.progressAt < transitMs
    this.isInTransit = isFewAndNew || now - this.#drainedAt < transitMs
  }

  /** Sets the first goal, and replaces a goal that the client has reached. */
  #checkDrainGoal(acknowledgedBytes: number, now: number): void {
    this.#drainGoalBytes ??= this.queuedBytes + acknowledgedUnreadBytesMax
    if (acknowledgedBytes < this.#drainGoalBytes) return
    this.#drainedAt = now
    // One byte more, because otherwise an empty queue would set a goal that is reached without reading.
    this.#drainGoalBytes = acknowledgedBytes + this.queuedBytes + 1
  }
}
