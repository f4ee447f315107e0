// One connection to a PostgreSQL host. Every statement has a timeout on the client, because a server that hangs, or a
// network that drops packets, sends nothing at all. After a timeout the caller destroys the connection.
import { connect, type Socket } from 'node:net'
import { setImmediate as nextIteration } from 'node:timers/promises'
import postgres, { type Sql } from 'postgres'
import { type HostAddress, type PostgresAddress, toSsl } from './address.ts'

/** A statement with its parameters. An array is passed as one text (`toArray`). */
export interface Statement {
  readonly text: string
  readonly parameters?: readonly (string | number)[]
  /** Return columns as the bytes that the server sent instead of as values. */
  readonly raw?: boolean
}

/** The values of the columns, in the order of the statement. */
export type Row = readonly unknown[]

/** Statement timeout on the server. All statements are short, so only a stuck one reaches it. */
const statementTimeoutMs = 5000

/** A connection that serves is closed after this time without a statement. */
const idleTimeoutSeconds = 60

export class Connection {
  readonly sql: Sql
  readonly #usesPreparedStatements: boolean
  /** Undefined until the first statement. */
  #socket: Socket | undefined
  #isDestroyed = false
  #hasAnswered = false

  /** Connects with the first statement. `purpose` is part of the application name in pg_stat_activity. */
  constructor(address: PostgresAddress, host: HostAddress, purpose: 'serve' | 'import') {
    this.#usesPreparedStatements = !address.pgbouncer
    const options = {
      host: host.name,
      port: host.port,
      database: address.database,
      ...(address.user === undefined ? {} : { user: address.user }),
      ...(address.password === undefined ? {} : { password: address.password }),
      ssl: toSsl(address.tls, host),
      // This class is one connection; host.ts has the pool.
      max: 1,
      // The driver would query all types of the server first. Arrays are passed as texts instead.
      fetch_types: false,
      prepare: this.#usesPreparedStatements,
      connect_timeout: address.connectTimeoutMs / 1000,
      // An import keeps its connection, because the lock of the import belongs to it.
      ...(purpose === 'serve' ? { idle_timeout: idleTimeoutSeconds } : { max_lifetime: null }),
      onnotice: () => undefined,
      // PgBouncer refuses parameters that it does not know. docs/postgres.md sets them on the role instead.
      connection: address.pgbouncer ? {} : parametersOf[purpose],
      socket: () => this.#connect(host),
    }
    this.sql = postgres(options)
  }

  /** Whether the server has ever answered on this connection. */
  get hasAnswered(): boolean {
    return this.#hasAnswered
  }

  /** Rejects with the error of the driver, or with `TimeoutError`. */
  async query(statement: Statement, timeoutMs: number): Promise<Row[]> {
    const parameters = [...(statement.parameters ?? [])]
    const options = { prepare: this.#usesPreparedStatements }
    const query = this.sql.unsafe<Record<string, unknown>[]>(statement.text, parameters, options)
    const rows = await this.#withTimeout(statement.raw ? query.raw() : query.values(), timeoutMs)
    this.#hasAnswered = true
    return rows as unknown as Row[]
  }

  /** Closes the socket without notifying the server, which may not respond. */
  destroy(): void {
    if (this.#isDestroyed) return
    this.#isDestroyed = true
    this.#socket?.destroy()
    this.sql.end({ timeout: 0 }).catch(() => undefined)
  }

  /** Ends the session, then closes the socket. */
  async close(): Promise<void> {
    if (this.#isDestroyed) return
    await this.sql.end({ timeout: 1 }).catch(() => undefined)
    this.destroy()
  }

  /** Rejects with `TimeoutError` if the query takes longer. The query itself is not cancelled. */
  async #withTimeout<T>(query: PromiseLike<T>, timeoutMs: number): Promise<T> {
    let isSettled = false
    const answer = Promise.resolve(query).finally(() => {
      isSettled = true
    })
    const timeout = Promise.withResolvers<never>()
    const timer = setTimeout(async () => {
      // If this process was blocked, the answer may be unread in the socket. Two iterations give it time to be read.
      await nextIteration()
      await nextIteration()
      if (!isSettled) timeout.reject(new TimeoutError(`no answer within ${Math.round(timeoutMs)} ms`))
    }, timeoutMs)
    try {
      return await Promise.race([answer, timeout.promise])
    } finally {
      clearTimeout(timer)
      // The one that lost the race may reject later. Without a handler that would end the process.
      answer.catch(() => undefined)
      timeout.promise.catch(() => undefined)
    }
  }

  /** Creates the socket here and not in the driver, so that it can be destroyed at any time. */
  async #connect(host: HostAddress): Promise<Socket> {
    if (this.#isDestroyed) throw new TimeoutError('the connection was closed')
    // A name that begins with a slash is the folder of a Unix socket.
    const socket = host.name.startsWith('/')
      ? connect(`${host.name}/.s.PGSQL.${host.port}`)
      : connect({ host: host.name, port: host.port, noDelay: true })
    this.#socket = socket
    const connected = Promise.withResolvers<Socket>()
    socket.once('connect', () => connected.resolve(socket))
    socket.once('error', connected.reject)
    socket.once('close', () => connected.reject(new TimeoutError('the connection was closed')))
    return connected.promise
  }
}

/** The host did not answer in time. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}

/** An array of integers or texts in PostgreSQL's notation, as in `{1,2}` or `{"plan","suelo"}`. */
export function toArray(values: readonly (string | number)[]): string {
  const items = values.map((value) =>
    typeof value === 'number' ? value : `"${value.replaceAll(/["\\]/g, (character) => `\\${character}`)}"`,
  )
  return `{${items.join(',')}}`
}

/** Session parameters, by purpose of the connection. */
const parametersOf = {
  serve: {
    application_name: 'planning-registry serve',
    statement_timeout: statementTimeoutMs,
    default_transaction_read_only: true,
    // Every statement reads by key, so the plan does not depend on its parameters.
    plan_cache_mode: 'force_generic_plan',
    jit: 'off',
  },
  import: { application_name: 'planning-registry import' },
}
