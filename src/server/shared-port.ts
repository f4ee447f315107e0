// The port that workers share. Each worker number has its own listening socket, and the kernel distributes connections
// among them (SO_REUSEPORT). The supervisor opens the sockets and workers inherit them, so that the connections in the
// backlog of a dead worker survive until its successor listens. A `BoundSocket` binds in its constructor, or throws; it
// does not listen.
import { lookup } from 'node:dns/promises'
import { BoundSocket } from 'node:net'
import { explainListenError } from '../http/listen-error.ts'

export class SharedPort {
  readonly #host: string
  readonly #port: number
  /** The open sockets by worker number; without SO_REUSEPORT the only one, under 0. */
  readonly #sockets = new Map<number, BoundSocket>()
  /** Whether each worker number has its own socket. On systems without SO_REUSEPORT all workers share one socket. */
  readonly #hasReusePort: boolean

  private constructor(host: string, port: number, hasReusePort: boolean) {
    this.#host = host
    this.#port = port
    this.#hasReusePort = hasReusePort
  }

  /**
   * Checks that the port is free, and throws a `UsageFault` if not. Port 0 takes a free one. The port stays unbound
   * until `descriptorOf` opens the first socket.
   */
  static async create(host: string, port: number): Promise<SharedPort> {
    try {
      const { address } = await lookup(host)
      // Binds without SO_REUSEPORT first, which fails if another service with SO_REUSEPORT uses the port.
      const probe = new BoundSocket({ host: address, port })
      const { port: boundPort } = probe.address()
      probe.close()
      return new SharedPort(address, boundPort, supportsReusePort(address))
    } catch (error) {
      throw error instanceof Error ? explainListenError(error, host, port) : error
    }
  }

  /** The descriptor of a worker's socket, which is opened if necessary. */
  descriptorOf(workerNumber: number): number {
    const socketNumber = this.#hasReusePort ? workerNumber : 0
    let socket = this.#sockets.get(socketNumber)
    if (socket === undefined) {
      socket = new BoundSocket({ host: this.#host, port: this.#port, reusePort: this.#hasReusePort })
      this.#sockets.set(socketNumber, socket)
    }
    return socket.fd()
  }

  /**
   * Closes a worker's socket, so that the kernel gives new connections to the other workers. Does nothing if all
   * workers share one socket.
   */
  close(workerNumber: number): void {
    if (!this.#hasReusePort) return
    this.#sockets.get(workerNumber)?.close()
    this.#sockets.delete(workerNumber)
  }

  /** Closes the sockets of all workers. */
  closeAll(): void {
    for (const socket of this.#sockets.values()) socket.close()
    this.#sockets.clear()
  }
}

/** Whether a socket with SO_REUSEPORT can be bound to the host. */
function supportsReusePort(host: string): boolean {
  try {
    new BoundSocket({ host, port: 0, reusePort: true }).close()
    return true
  } catch {
    return false
  }
}
