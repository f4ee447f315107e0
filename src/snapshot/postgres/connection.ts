// One connection to a PostgreSQL host, by the driver `postgres`. Every statement that `query` sends has a timeout on
// the client, because a server that hangs, or a network that drops packets, sends nothing at all. After a timeout the
// caller destroys the connection.
import { connect, type Socket } from 'node:net'
import { setImmediate as nextIteration } from 'node:timers/promises'
import postgres, { type Sql } from 'postgres'
import { type HostAddress, type PostgresAddress, toSsl } from './address.ts'

/** A statement with its parameters. A parameter that is an array is passed as a text (`toArrayLiteral`). */
export interface Statement {
  readonly text: string
  readonly parameters?: readonly (string | number)[]
  /** Whether columns are returned as the bytes that the server sent and not as values. The default is false. */
  readonly raw?: boolean
}

/** The values of the columns, in the order of the statement. */
export type Row = readonly unknown[]

/**
 * The server cancels a statement of the service after this time, even if its timeout on the client is longer. Only a
 * stuck statement should take so long.
 */
const statementTimeoutMs = 5000

/** The driver closes an idle connection of the service after this time; the next statement connects again. */
const idleTimeoutSeconds = 60

export class Connection {
  /** The driver, for transactions and cursors. What is sent through it directly has no timeout on the client. */
  readonly sql: Sql
  readonly #usesPreparedStatements: boolean
  /** Undefined until the driver connects. */
  #socket: Socket | undefined
  #isDestroyed = false
  #hasSucceeded = false

  /**
   * The first statement connects. `purpose` is `serve` for the statements of requests, `probe` for health checks, and
   * `import` for imports and for `check`. It decides how long the connection stays open, and has its own session
   * parameters (`sessionParameters`), to which `addedParameters` are added.
   */
  constructor(
    address: PostgresAddress,
    host: HostAddress,
    purpose: 'serve' | 'probe' | 'import',
    addedParameters: Readonly<Record<string, string>> = {},
  ) {
    this.#usesPreparedStatements = !address.pgbouncer
    const options = {
      host: host.name,
      port: host.port,
      database: address.database,
      ...(address.user === undefined ? {} : { user: address.user }),
      ...(address.password === undefined ? {} : { password: address.password }),
      ssl: toSsl(address.tls, host),
      // The driver could pool connections, but this class is one connection; pool.ts has the pool.
      max: 1,
      // Otherwise the driver first queries the array types of the server. They are not needed (`toArrayLiteral`).
      fetch_types: false,
      prepare: this.#usesPreparedStatements,
      connect_timeout: address.connectTimeoutMs / 1000,
      // By default the driver closes a connection for its age, after less than an hour. An import would lose its lock,
      // which belongs to its connection. A health check would fail if connecting again takes longer than its timeout.
      ...(purpose === 'serve' ? { idle_timeout: idleTimeoutSeconds } : { max_lifetime: null }),
      // Otherwise the driver prints the notices of the server, such as "relation already exists, skipping".
      onnotice: () => undefined,
      // PgBouncer refuses parameters that it does not know. docs/postgres.md says how to set them on the role instead.
      connection: address.pgbouncer ? {} : { ...sessionParameters[purpose], ...addedParameters },
      socket: () => this.#connect(host),
    }
    this.sql = postgres(options)
  }

  /** Whether a statement of `query` has succeeded on this connection. */
  get hasSucceeded(): boolean {
    return this.#hasSucceeded
  }

  /** Whether the socket is closed. The next statement would connect again. */
  get isClosed(): boolean {
    return this.#socket?.destroyed ?? false
  }

  /** Rejects with the error of the driver, or with `NoAnswer`. */
  async query(statement: Statement, timeoutMs: number): Promise<Row[]> {
    const parameters = [...(statement.parameters ?? [])]
    const options = { prepare: this.#usesPreparedStatements }
    const query = this.sql.unsafe<Record<string, unknown>[]>(statement.text, parameters, options)
    const rows = await withTimeout(statement.raw ? query.raw() : query.values(), timeoutMs)
    this.#hasSucceeded = true
    return rows as unknown as Row[]
  }

  /** Closes the socket at once, without ending the session: the server may not respond. */
  destroy(): void {
    if (this.#isDestroyed) return
    this.#isDestroyed = true
    this.#socket?.destroy()
    this.sql.end({ timeout: 0 }).catch(() => undefined)
  }

  /** Ends the session and waits up to a second for the server, then closes the socket. */
  async close(): Promise<void> {
    if (this.#isDestroyed) return
    await this.sql.end({ timeout: 1 }).catch(() => undefined)
    this.destroy()
  }

  /** Creates the socket here and not in the driver, so that it can be destroyed at any time. */
  async #connect(host: HostAddress): Promise<Socket> {
    if (this.#isDestroyed) throw new NoAnswer('the connection was closed')
    // A name that begins with a slash is the folder of a Unix socket.
    const socket = host.name.startsWith('/')
      ? connect(`${host.name}/.s.PGSQL.${host.port}`)
      : connect({ host: host.name, port: host.port, noDelay: true })
    this.#socket = socket
    const connected = Promise.withResolvers<Socket>()
    socket.once('connect', () => connected.resolve(socket))
    socket.once('error', connected.reject)
    socket.once('close', () => connected.reject(new NoAnswer('the connection was closed')))
    return connected.promise
  }
}

/** Rejects with `NoAnswer` if the query takes longer. The query itself is not cancelled. */
export async function withTimeout<T>(query: PromiseLike<T>, timeoutMs: number): Promise<T> {
  let isSettled = false
  const answer = Promise.resolve(query).finally(() => {
    isSettled = true
  })
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(async () => {
    // If this process was busy, the answer may have arrived in time and not been read yet. The first iteration of the
    // event loop reads what has arrived, the second one the rest of an answer that did not fit into the socket's
    // buffer.
    await nextIteration()
    await nextIteration()
    if (!isSettled) timeout.reject(new NoAnswer(`no answer within ${Math.round(timeoutMs)} ms`))
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

/** The host did not answer in time, no connection to it was free, or the connection was closed. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/** An array of integers or texts in PostgreSQL's notation, as in `{1,2}` or `{"plan","suelo"}`. */
export function toArrayLiteral(values: readonly (string | number)[]): string {
  const items = values.map((value) =>
    typeof value === 'number' ? value : `"${value.replaceAll(/["\\]/g, (character) => `\\${character}`)}"`,
  )
  return `{${items.join(',')}}`
}

const serviceParameters = {
  application_name: 'planning-registry serve',
  statement_timeout: statementTimeoutMs,
  default_transaction_read_only: true,
  // The parameters of statements are keys, so the best plan does not depend on their values.
  plan_cache_mode: 'force_generic_plan',
  // Compiling a plan would take longer than running it: the statements are short.
  jit: 'off',
}

/** Session parameters, by purpose of the connection. */
const sessionParameters = {
  serve: serviceParameters,
  probe: serviceParameters,
  import: {
    application_name: 'planning-registry import',
    // `check` reads whole tables. The role may have the timeout of docs/postgres.md, which is for the service.
    // A text, because the driver does not send the number 0.
    statement_timeout: '0',
    // If the machine of an import is lost, the server ends the session after a minute, and the lock with it. By default
    // that takes two hours.
    tcp_keepalives_idle: 30,
    tcp_keepalives_interval: 10,
    tcp_keepalives_count: 3,
    tcp_user_timeout: 60_000,
  },
}
