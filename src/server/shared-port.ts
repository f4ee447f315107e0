// The port that workers share. Each worker has its own listening socket, and the kernel distributes connections among
// them (SO_REUSEPORT). The sockets are opened by the supervisor, so that the connections in the backlog of a dead
// worker survive until its successor listens.
import { lookup } from 'node:dns/promises'
import { BoundSocket } from 'node:net'
import { toUsageFault } from '../http/listen.ts'

export class SharedPort {
  readonly #host: string
  readonly #port: number
  readonly #sockets = new Map<number, BoundSocket>()
  /** Whether each worker has its own socket. Without SO_REUSEPORT all workers share one. */
  readonly #hasReusePort: boolean

  private constructor(host: string, port: number, hasReusePort: boolean) {
    this.#host = host
    this.#port = port
    this.#hasReusePort = hasReusePort
  }

  static async reserve(host: string, port: number): Promise<SharedPort> {
    try {
      const { address } = await lookup(host)
      // Binds without SO_REUSEPORT first, which fails if another service with SO_REUSEPORT uses the port.
      const probe = new BoundSocket({ host: address, port })
      const { port: boundPort } = probe.address()
      probe.close()
      return new SharedPort(address, boundPort, supportsReusePort(address))
    } catch (error) {
      throw error instanceof Error ? toUsageFault(error, host, port) : error
    }
  }

  /** The descriptor of a worker's socket, which is opened if necessary. */
  descriptorOf(worker: number): number {
    const key = this.#hasReusePort ? worker : 0
    let socket = this.#sockets.get(key)
    if (socket === undefined) {
      socket = new BoundSocket({ host: this.#host, port: this.#port, reusePort: this.#hasReusePort })
      this.#sockets.set(key, socket)
    }
    return socket.fd()
  }

  /** Closes a worker's socket, so that the kernel gives new connections to the other workers. */
  close(worker: number): void {
    if (!this.#hasReusePort) return
    this.#sockets.get(worker)?.close()
    this.#sockets.delete(worker)
  }

  closeAll(): void {
    for (const socket of this.#sockets.values()) socket.close()
    this.#sockets.clear()
  }
}

function supportsReusePort(host: string): boolean {
  try {
    new BoundSocket({ host, port: 0, reusePort: true }).close()
    return true
  } catch {
    return false
  }
}
