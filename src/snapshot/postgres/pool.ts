// The connections to one PostgreSQL host on which statements run (host.ts). A statement takes a connection (`acquire`)
// and gives it back (`release`), or closes it if it is lost (`discard`). While all are busy, statements wait in line.
import { type Connection, NoAnswer } from './connection.ts'

/** Number of statements that may wait for a connection. Any more fail at once, so that the queue stays bounded. */
const waitingMax = 1000

export class ConnectionPool {
  readonly #connect: () => Connection
  readonly #sizeMax: number
  /** The current maximum: less than `#sizeMax` while the server accepts no more connections. */
  #currentMax: number
  readonly #connections = new Set<Connection>()
  /** The connections that run no statement. */
  readonly #idle: Connection[] = []
  /** The statements that wait for a connection, oldest first. If there are any, no connection is idle. */
  readonly #waiting: PromiseWithResolvers<Connection>[] = []
  #isClosed = false

  constructor(connect: () => Connection, sizeMax: number) {
    this.#connect = connect
    this.#sizeMax = sizeMax
    this.#currentMax = sizeMax
  }

  /** Number of statements that are running or waiting for a connection. */
  get load(): number {
    return this.#connections.size - this.#idle.length + this.#waiting.length
  }

  /** Takes an idle connection, opens one, or waits for one to be released. */
  acquire(timeoutMs: number): Promise<Connection> {
    const idle = this.#idle.pop()
    if (idle !== undefined) return Promise.resolve(idle)
    if (this.#isClosed) return Promise.reject(new NoAnswer('closed'))
    if (this.#connections.size < this.#currentMax) return Promise.resolve(this.#open())
    if (this.#waiting.length >= waitingMax) {
      return Promise.reject(new NoAnswer('too many statements wait for a connection'))
    }
    const waiting = Promise.withResolvers<Connection>()
    this.#waiting.push(waiting)
    const timer = setTimeout(() => {
      const index = this.#waiting.indexOf(waiting)
      if (index < 0) return
      this.#waiting.splice(index, 1)
      waiting.reject(new NoAnswer('no connection became free'))
    }, timeoutMs)
    return waiting.promise.finally(() => clearTimeout(timer))
  }

  /** Gives the connection to the statement that has waited longest, or makes it idle. */
  release(connection: Connection): void {
    // If the host went down meanwhile, the connection has been discarded.
    if (!this.#connections.has(connection)) return
    const waiting = this.#waiting.shift()
    if (waiting === undefined) this.#idle.push(connection)
    else waiting.resolve(connection)
  }

  /** Closes a connection and removes it. A waiting statement gets a new one, unless the pool is full. */
  discard(connection: Connection): void {
    connection.destroy()
    if (!this.#connections.delete(connection)) return
    const index = this.#idle.indexOf(connection)
    if (index >= 0) this.#idle.splice(index, 1)
    if (this.#connections.size < this.#currentMax) this.#waiting.shift()?.resolve(this.#open())
  }

  discardIdle(): void {
    for (const idle of this.#idle.splice(0)) this.discard(idle)
  }

  /** Closes all connections. The statements that wait fail with the error. */
  discardAll(error: unknown): void {
    // First the statements, because `discard` would open new connections for them.
    this.#rejectWaiting(error)
    for (const connection of this.#connections) this.discard(connection)
  }

  /**
   * Discards a connection that the server has refused because it has too many. The others still work. Their number is
   * the maximum until `growAgain` is called; one connection is always allowed.
   */
  discardAndStopGrowing(connection: Connection): void {
    this.#currentMax = Math.max(1, this.#connections.size - 1)
    this.discard(connection)
  }

  /** The pool may have its full size again. Opens connections for the statements that wait. */
  growAgain(): void {
    this.#currentMax = this.#sizeMax
    while (this.#waiting.length > 0 && this.#connections.size < this.#currentMax) {
      this.#waiting.shift()?.resolve(this.#open())
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#rejectWaiting(new NoAnswer('closed'))
    await Promise.all([...this.#connections].map((connection) => connection.close()))
  }

  #rejectWaiting(error: unknown): void {
    for (const waiting of this.#waiting.splice(0)) waiting.reject(error)
  }

  #open(): Connection {
    const connection = this.#connect()
    this.#connections.add(connection)
    return connection
  }
}
