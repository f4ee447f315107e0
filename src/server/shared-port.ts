// The port that workers share. Each worker has a listening socket of its own, among which the kernel spreads the
// connections; but they belong to the first process, so that a worker that dies takes none of those waiting with it:
// they wait for its successor.
import { lookup } from 'node:dns/promises'
import { BoundSocket } from 'node:net'
import { toUsageFault } from '../http/listen.ts'

export class SharedPort {
  readonly #host: string
  readonly #port: number
  readonly #sockets = new Map<number, BoundSocket>()
  /** Where the system cannot share a port among sockets, all workers share one. */
  readonly #isSpread: boolean

  private constructor(host: string, port: number, isSpread: boolean) {
    this.#host = host
    this.#port = port
    this.#isSpread = isSpread
  }

  static async reserve(host: string, port: number): Promise<SharedPort> {
    try {
      const { address } = await lookup(host)
      // Bound alone first: sockets that share a port would join another service that shares it, and take its requests.
      const alone = new BoundSocket({ host: address, port })
      const { port: taken } = alone.address()
      alone.close()
      return new SharedPort(address, taken, canSpread(address))
    } catch (error) {
      throw error instanceof Error ? toUsageFault(error, host, port) : error
    }
  }

  /** The descriptor of the socket of a worker, opened where it is not. */
  descriptorOf(worker: number): number {
    const key = this.#isSpread ? worker : 0
    let socket = this.#sockets.get(key)
    if (socket === undefined) {
      socket = new BoundSocket({ host: this.#host, port: this.#port, reusePort: this.#isSpread })
      this.#sockets.set(key, socket)
    }
    return socket.fd()
  }

  /** Leaves the connections to the other workers, for as long as this one cannot take them. */
  close(worker: number): void {
    if (!this.#isSpread) return
    this.#sockets.get(worker)?.close()
    this.#sockets.delete(worker)
  }

  closeAll(): void {
    for (const socket of this.#sockets.values()) socket.close()
    this.#sockets.clear()
  }
}

function canSpread(host: string): boolean {
  try {
    new BoundSocket({ host, port: 0, reusePort: true }).close()
    return true
  } catch {
    return false
  }
}
