// One PostgreSQL host: a pool of connections for statements, and a health check on a connection of its own, so that a
// busy pool is not mistaken for a failure. While the host is up, the health check runs several times a second. It also
// lists the snapshots of the registry that the host has: a standby that lags behind the primary lacks the newest one.
import { defaultPort, type HostAddress, type PostgresAddress } from './address.ts'
import { Connection, NoAnswer, type Row, type Statement, withTimeout } from './connection.ts'
import { isConnectionKept, isMissing, isParameterRefused, isRefused, isServerFull, reasonOf } from './errors.ts'
import { type SnapshotEntry, statusStatement, toSnapshotEntry } from './schema.ts'

/** Interval of health checks. While the host is down it doubles with each check, up to the maximum. */
const probeIntervalMs = 300
const probeIntervalDownMsMax = 1000

/**
 * A host that does not answer a health check in this time is down, so a failure is noticed in less than a second. The
 * first check on a connection has more time (`#queryStatus`).
 */
const probeTimeoutMs = 500

/**
 * If a statement takes too long, this process closes its connection. With this session parameter the server notices
 * that, and ends the session. Otherwise it would finish the statement, in a session that the pool no longer counts.
 */
const closedConnectionCheck = { client_connection_check_interval: '500ms' }

/** Number of statements that may wait for a connection. Any more fail at once, so that the queue stays bounded. */
const waitingMax = 1000

export type HostState =
  | { readonly kind: 'up'; readonly isStandby: boolean; readonly snapshots: readonly SnapshotEntry[] }
  /** `hasRefused`: the server responded, and refused for a lasting reason, such as a wrong password (`isRefused`). */
  | { readonly kind: 'down'; readonly reason: string; readonly hasRefused: boolean }

export class Host {
  /** For messages: `db1`, or `db1:5433` if the port is not the usual one. */
  readonly name: string
  /** The result of the last health check. */
  state: HostState = { kind: 'down', reason: 'not checked yet', hasRefused: false }
  /** Whether a statement has lost its connection or timed out, and no health check has succeeded since. */
  isSuspect = false
  /** The address of the registry, and the host in it. */
  readonly #address: PostgresAddress
  readonly #hostAddress: HostAddress
  readonly #onProbe: () => void
  /** All connections for statements. */
  readonly #pool = new Set<Connection>()
  /** Maximum size of the pool. Less than `pool_max` of the address while the server accepts no more connections. */
  #poolMax: number
  /** The connections of the pool that run no statement. */
  readonly #idle: Connection[] = []
  /** The statements that wait for a connection, oldest first. */
  readonly #waiting: PromiseWithResolvers<Connection>[] = []
  /** Added to the session parameters. Servers on some platforms, such as Windows, refuse `closedConnectionCheck`. */
  #parameters: Readonly<Record<string, string>> = closedConnectionCheck
  /** The connection of the health check. */
  #probeConnection: Connection
  /** Starts the next health check. */
  #timer: NodeJS.Timeout | undefined
  #intervalMs = probeIntervalMs
  /** The health check in progress, if there is one. */
  #probing: Promise<void> | undefined
  #isClosed = false

  /** `onProbe` is called after every health check. */
  constructor(address: PostgresAddress, host: HostAddress, onProbe: () => void) {
    this.#address = address
    this.#hostAddress = host
    this.#poolMax = address.poolMax
    this.#onProbe = onProbe
    this.name = host.port === defaultPort ? host.name : `${host.name}:${host.port}`
    this.#probeConnection = this.#connect('probe')
  }

  /** Whether the host is up and has the snapshot. `snapshot` is the name of its schema. */
  canServe(snapshot: string): boolean {
    return this.state.kind === 'up' && this.state.snapshots.some(({ name }) => name === snapshot)
  }

  get isStandby(): boolean {
    return this.state.kind === 'up' && this.state.isStandby
  }

  /** Number of statements that are running or waiting for a connection. */
  get load(): number {
    return this.#pool.size - this.#idle.length + this.#waiting.length
  }

  /**
   * Runs a statement on a connection of the pool. The timeout includes waiting for a connection. Rejects with the error
   * of the driver, or with `NoAnswer`.
   */
  async query(statement: Statement, timeoutMs: number): Promise<Row[]> {
    const startedAt = performance.now()
    const connection = await this.#acquire(timeoutMs)
    const answer = this.#run(connection, statement, timeoutMs)
    // If the connection became free at the last moment, no time is left. Node warns of a negative timeout.
    return withTimeout(answer, Math.max(1, timeoutMs - (performance.now() - startedAt)))
  }

  /**
   * Runs a statement on the connection, then releases the connection, or discards it if it is lost. The timeout here
   * begins when the statement has its connection; when it is over, the connection counts as lost. So it is never
   * shorter than the timeout of a health check. The timeout of `query` also includes the wait for a connection, so it
   * may be over earlier; then only the caller gets an error.
   */
  async #run(connection: Connection, statement: Statement, timeoutMs: number): Promise<Row[]> {
    try {
      const rows = await connection.query(statement, Math.max(timeoutMs, probeTimeoutMs))
      this.#release(connection)
      return rows
    } catch (error) {
      if (isConnectionKept(error)) this.#release(connection)
      else if (isServerFull(error)) {
        // The other connections still work. The pool opens no further ones until a health check succeeds (`#markUp`).
        this.#poolMax = Math.max(1, this.#pool.size - 1)
        this.#discard(connection)
      } else {
        this.#discard(connection)
        // The idle connections may be lost as well. The next statement opens a new one.
        for (const idle of this.#idle.splice(0)) this.#discard(idle)
        this.isSuspect = true
        // A lost connection is often the first sign that the host is down.
        void this.probe()
      }
      throw error
    }
  }

  /** Checks the health of the host and lists its snapshots. Overlapping calls share one check. */
  probe(): Promise<void> {
    this.#probing ??= this.#probe().finally(() => {
      this.#probing = undefined
    })
    return this.#probing
  }

  /** Repeats the health check until the host is closed. */
  watch(): void {
    if (this.#isClosed) return
    this.#timer = setTimeout(async () => {
      await this.probe()
      this.watch()
    }, this.#intervalMs).unref()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.state = { kind: 'down', reason: 'closed', hasRefused: false }
    for (const waiting of this.#waiting.splice(0)) waiting.reject(new NoAnswer('closed'))
    await Promise.all([this.#probeConnection, ...this.#pool].map((connection) => connection.close()))
  }

  async #probe(): Promise<void> {
    if (this.#isClosed) return
    try {
      // After a timeout the host counts as down at once. Another error may mean a lost connection and not a lost host,
      // so the check is repeated once on a new connection. A missing table is an answer of the host (see below).
      const [row] = await this.#queryStatus().catch((error: unknown) => {
        if (error instanceof NoAnswer || isMissing(error)) throw error
        if (isParameterRefused(error)) this.#parameters = {}
        this.#renewProbeConnection()
        return this.#queryStatus()
      })
      const [isStandby, snapshotsJson] = row ?? []
      this.#markUp(isStandby === true, JSON.parse(String(snapshotsJson ?? '[]')).map(toSnapshotEntry))
    } catch (error) {
      // If the list of snapshots is missing, the host has answered, but nothing was ever imported. Whether the host is
      // a standby does not matter then.
      if (isMissing(error)) this.#markUp(false, [])
      else this.#markDown(error)
    }
    if (!this.#isClosed) this.#onProbe()
  }

  /** Runs the statement of the health check. The first one on a connection also connects, so it gets more time. */
  #queryStatus(): Promise<Row[]> {
    const timeoutMs = this.#probeConnection.hasSucceeded ? probeTimeoutMs : this.#address.connectTimeoutMs
    return this.#probeConnection.query(statusStatement, timeoutMs)
  }

  #renewProbeConnection(): void {
    this.#probeConnection.destroy()
    if (!this.#isClosed) this.#probeConnection = this.#connect('probe')
  }

  #markUp(isStandby: boolean, snapshots: readonly SnapshotEntry[]): void {
    if (this.#isClosed) return
    this.state = { kind: 'up', isStandby, snapshots }
    this.isSuspect = false
    this.#poolMax = this.#address.poolMax
    // Statements may wait because the pool was smaller while the server was full.
    while (this.#waiting.length > 0 && this.#pool.size < this.#poolMax) this.#waiting.shift()?.resolve(this.#open())
    this.#intervalMs = probeIntervalMs
  }

  /** Closes all connections; the next health check opens a new one. */
  #markDown(error: unknown): void {
    this.#intervalMs =
      this.state.kind === 'up' ? probeIntervalMs : Math.min(this.#intervalMs * 2, probeIntervalDownMsMax)
    const { pgbouncer } = this.#address
    this.state = { kind: 'down', reason: reasonOf(error, pgbouncer), hasRefused: isRefused(error, pgbouncer) }
    this.#renewProbeConnection()
    // Waiting statements fail now, so that they can be sent to another host. They are rejected before the connections
    // are discarded, because `#discard` would open new connections for them.
    for (const waiting of this.#waiting.splice(0)) waiting.reject(error)
    for (const connection of this.#pool) this.#discard(connection)
  }

  /** Takes an idle connection, opens one, or waits for one to be released. */
  #acquire(timeoutMs: number): Promise<Connection> {
    const idle = this.#idle.pop()
    if (idle !== undefined) return Promise.resolve(idle)
    if (this.#isClosed) return Promise.reject(new NoAnswer('closed'))
    if (this.#pool.size < this.#poolMax) return Promise.resolve(this.#open())
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

  /** Adds a connection to the pool. */
  #open(): Connection {
    const connection = this.#connect('serve')
    this.#pool.add(connection)
    return connection
  }

  #connect(purpose: 'serve' | 'probe'): Connection {
    return new Connection(this.#address, this.#hostAddress, purpose, this.#parameters)
  }

  /** Gives the connection to the statement that has waited longest, or makes it idle. */
  #release(connection: Connection): void {
    // If the host went down meanwhile, the connection has been discarded.
    if (!this.#pool.has(connection)) return
    const waiting = this.#waiting.shift()
    if (waiting === undefined) this.#idle.push(connection)
    else waiting.resolve(connection)
  }

  /** Closes a connection and removes it from the pool. A waiting statement gets a new one, unless the pool is full. */
  #discard(connection: Connection): void {
    connection.destroy()
    if (!this.#pool.delete(connection)) return
    const index = this.#idle.indexOf(connection)
    if (index >= 0) this.#idle.splice(index, 1)
    if (this.#pool.size < this.#poolMax) this.#waiting.shift()?.resolve(this.#open())
  }
}
