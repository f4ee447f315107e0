// What a check of the send queues (send-queues.ts) has found, and which responses are refused until the next check
// because they would need memory that the queues use.
//
// An orphan is a connection that the service has closed normally and whose queue the kernel is still sending, for up to
// two minutes. The process has no socket for it and cannot reset it. So while orphans alone exceed a limit, long
// responses are refused. A response of up to `receiveBufferBytes` is not long: the system of a client takes so much
// even if the client does not read.
//
// Bytes in transit are on the way to clients that read (tracked-connection.ts). An export (a streamed response) that
// would exceed a limit together with them is refused, because that is better than resetting one that is half sent.

/** Bytes by client. The key undefined stands for all trusted proxies together, which have no limit of a client. */
export type BytesByClient = ReadonlyMap<string | undefined, number>

/** The limits of the queues of this process. */
export interface QueueLimits {
  readonly totalBytesMax: number
  readonly clientBytesMax: number
}

export class QueueLoad {
  readonly #limits: QueueLimits
  readonly #orphanBytesByClient: BytesByClient
  readonly #transitBytesByClient: BytesByClient
  /** The bytes of all orphans. */
  readonly orphanBytes: number

  constructor(limits: QueueLimits, orphanBytesByClient: BytesByClient, transitBytesByClient: BytesByClient) {
    this.#limits = limits
    this.#orphanBytesByClient = orphanBytesByClient
    this.#transitBytesByClient = transitBytesByClient
    this.orphanBytes = orphanBytesByClient.values().reduce((sum, bytes) => sum + bytes, 0)
  }

  /** The bytes of the orphans of a client. */
  orphanBytesOf(client: string): number {
    return this.#orphanBytesByClient.get(client) ?? 0
  }

  /** Whether long responses are refused: orphans exceed the total limit, or those of this client exceed its limit. */
  isFullFor(client: string | undefined): boolean {
    if (this.orphanBytes > this.#limits.totalBytesMax) return true
    return client !== undefined && this.orphanBytesOf(client) > this.#limits.clientBytesMax
  }

  /**
   * Why an export that needs `bytes` is refused: together with the bytes in transit it would exceed the total limit
   * (`exports`) or the limit of the client (`client-exports`). Undefined if it is accepted. While nothing is in
   * transit, it is accepted even if it exceeds a very low limit.
   */
  findExportOverload(client: string | undefined, bytes: number): 'exports' | 'client-exports' | undefined {
    const { totalBytesMax, clientBytesMax } = this.#limits
    const transitBytes = this.#countTransitBytes()
    if (transitBytes > 0 && transitBytes + bytes > totalBytesMax) return 'exports'
    if (client === undefined) return undefined
    const ownTransitBytes = this.#transitBytesByClient.get(client) ?? 0
    return ownTransitBytes > 0 && ownTransitBytes + bytes > clientBytesMax ? 'client-exports' : undefined
  }

  /** Each client counts for at most its limit, so that it cannot cause the exports of all others to be refused. */
  #countTransitBytes(): number {
    let sum = 0
    for (const [client, bytes] of this.#transitBytesByClient) {
      sum += client === undefined ? bytes : Math.min(bytes, this.#limits.clientBytesMax)
    }
    return sum
  }
}
