// One PostgreSQL host: runs statements on a pool of connections (pool.ts), and a health check on a connection of its
// own, so that a busy pool is not mistaken for a failure. While the host is up, the health check runs several times a
// second. It also lists the snapshots of the registry that the host has: a standby that lags behind the primary lacks
// the newest one.
import { t } from '../../language.ts'
import { type HostAddress, type PostgresAddress, toHostName } from './address.ts'
import { Connection, NoAnswer, type Row, type Statement, withTimeout } from './connection.ts'
import { isConnectionKept, isMissing, isParameterRefused, isRefused, isServerFull, reasonOf } from './errors.ts'
import { ConnectionPool } from './pool.ts'
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

export type HostState =
  | { readonly kind: 'up'; readonly isStandby: boolean; readonly snapshots: readonly SnapshotEntry[] }
  /**
   * `describe` gives the reason in the current language. `hasRefused`: the server responded, and refused for a lasting
   * reason, such as a wrong password (`isRefused`).
   */
  | { readonly kind: 'down'; readonly describe: () => string; readonly hasRefused: boolean }

export class Host {
  /** For messages. */
  readonly name: string
  /** The result of the last health check. */
  state: HostState = { kind: 'down', describe: () => t`not checked yet`, hasRefused: false }
  /** Whether a statement has lost its connection or timed out, and no health check has succeeded since. */
  isSuspect = false
  /** The address of the registry, and the host in it. */
  readonly #address: PostgresAddress
  readonly #hostAddress: HostAddress
  readonly #onProbe: () => void
  /** The connections for statements. */
  readonly #pool: ConnectionPool
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
    this.#pool = new ConnectionPool(() => this.#connect('serve'), address.poolMax)
    this.#onProbe = onProbe
    this.name = toHostName(host)
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
    return this.#pool.load
  }

  /**
   * Runs a statement on a connection of the pool. The timeout includes waiting for a connection. Rejects with the error
   * of the driver, or with `NoAnswer`.
   */
  async query(statement: Statement, timeoutMs: number): Promise<Row[]> {
    const startedAt = performance.now()
    const connection = await this.#pool.acquire(timeoutMs)
    const answer = this.#run(connection, statement, timeoutMs)
    // If the connection became free at the last moment, no time is left. Node warns of a negative timeout.
    return withTimeout(answer, Math.max(1, timeoutMs - (performance.now() - startedAt)))
  }

  /** Runs a statement on the connection, then gives the connection back to the pool, or discards it if it is lost. */
  async #run(connection: Connection, statement: Statement, timeoutMs: number): Promise<Row[]> {
    // After this time the connection counts as lost. A caller that allows little time must not cause that, so it is
    // never less than the timeout of a health check. The caller gets its error earlier (`query`).
    const lostAfterMs = Math.max(timeoutMs, probeTimeoutMs)
    try {
      const rows = await connection.query(statement, lostAfterMs)
      this.#pool.release(connection)
      return rows
    } catch (error) {
      if (isConnectionKept(error)) this.#pool.release(connection)
      else if (isServerFull(error)) this.#pool.discardAndStopGrowing(connection)
      else {
        this.#pool.discard(connection)
        // The idle connections may be lost as well. The next statement opens a new one.
        this.#pool.discardIdle()
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
    this.state = { kind: 'down', describe: () => t`the connection was closed`, hasRefused: false }
    await Promise.all([this.#probeConnection.close(), this.#pool.close()])
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
    this.#pool.growAgain()
    this.#intervalMs = probeIntervalMs
  }

  /** Closes all connections; the next health check opens a new one. */
  #markDown(error: unknown): void {
    this.#intervalMs =
      this.state.kind === 'up' ? probeIntervalMs : Math.min(this.#intervalMs * 2, probeIntervalDownMsMax)
    const { pgbouncer } = this.#address
    this.state = {
      kind: 'down',
      describe: () => reasonOf(error, pgbouncer),
      hasRefused: isRefused(error, pgbouncer),
    }
    this.#renewProbeConnection()
    // Waiting statements fail now, so that they can be sent to another host.
    this.#pool.discardAll(error)
  }

  #connect(purpose: 'serve' | 'probe'): Connection {
    return new Connection(this.#address, this.#hostAddress, purpose, this.#parameters)
  }
}
