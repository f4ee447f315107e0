// An open connection, as send-queues.ts measures it: how many bytes of responses the client has not read yet, and
// whether they are in transit, which means on the way to a client that does read. They are in transit in two cases:
//
// - They are few and new: at most `receiveBufferBytes`, and the client has made progress within `transitMs`.
// - The client reads fast: within `transitMs` it has drained a queue, which means acknowledged all that was in it.
//
// Otherwise the connection is stalled. connection-limit.ts closes some connections if there are too many.
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

/** For how long progress (`progressAt`) or a drained queue (`#drainedAt`) counts. */
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
  /** Whether the queued bytes are in transit, at the last measurement. */
  isInTransit = true
  /**
   * When a measurement last found progress: the client had acknowledged more, or the queue was new. On the clock of
   * `performance.now()`.
   */
  progressAt: number = this.openedAt
  /** The most bytes that a measurement has found acknowledged by the client. */
  #acknowledgedBytes = 0
  /**
   * When this many bytes are acknowledged, the client has drained the queue, and the next goal is set. Undefined before
   * the first measurement. With 300 KB queued and 1,000 KB acknowledged, the next goal is 1,300 KB (and one byte). The
   * first goal would be 300 KB and `acknowledgedUnreadBytesMax`: a client that does not read never reaches it, and one
   * that has read much before the first measurement reaches it at once.
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
    // The queue was empty at the previous measurement, so what it has now is new.
    const isNewQueue = this.queuedBytes === 0
    this.queuedBytes = this.heldBytes + kernelBytes
    // Node counts as written also what it has not given to the kernel yet.
    const acknowledgedBytes = this.socket.bytesWritten - this.socket.writableLength - kernelBytes
    if (acknowledgedBytes > this.#acknowledgedBytes || isNewQueue) {
      this.#acknowledgedBytes = Math.max(acknowledgedBytes, this.#acknowledgedBytes)
      this.progressAt = now
    }
    this.#checkDrainGoal(acknowledgedBytes, now)
    const isFewAndNew = this.queuedBytes <= receiveBufferBytes && now - this.progressAt < transitMs
    const isReadFast = now - this.#drainedAt < transitMs
    this.isInTransit = isFewAndNew || isReadFast
  }

  /** Sets the first goal, and replaces a goal that is reached. */
  #checkDrainGoal(acknowledgedBytes: number, now: number): void {
    this.#drainGoalBytes ??= this.queuedBytes + acknowledgedUnreadBytesMax
    if (acknowledgedBytes < this.#drainGoalBytes) return
    this.#drainedAt = now
    // One byte more, because otherwise an empty queue would set a goal that is reached without reading.
    this.#drainGoalBytes = acknowledgedBytes + this.queuedBytes + 1
  }
}
