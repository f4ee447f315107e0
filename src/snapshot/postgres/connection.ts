// One connection to one PostgreSQL host. Every question has a deadline of the client's own: a server that hangs and a
// network that swallows packets answer nothing, not even an error. A link that missed a deadline is thrown away.
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import postgres, { type Sql } from 'postgres'
import { type HostAddress, type PostgresAddress, toSsl } from './address.ts'

/** A statement with its parameters; arrays are written with `toArray`. */
export interface Question {
  readonly text: string
  readonly parameters?: readonly (string | number)[]
  /** Columns come as the bytes the server sent instead of as values. */
  readonly raw?: boolean
}

export type Row = readonly unknown[]

/** Longest run of one statement on the server; ours are short by design, so this only catches what is stuck. */
const statementMs = 5000

/** How long an unused connection is kept. */
const idleSeconds = 60

export class Link {
  readonly sql: Sql
  readonly #prepare: boolean
  #socket: Socket | undefined
  #destroyed = false
  #answered = false

  /** Connects with the first question. `purpose` is what the server's list of activity shows. */
  constructor(address: PostgresAddress, host: HostAddress, purpose: 'serve' | 'import') {
    this.#prepare = !address.pgbouncer
    const options = {
      host: host.name,
      port: host.port,
      database: address.database,
      ...(address.user === undefined ? {} : { user: address.user }),
      ...(address.password === undefined ? {} : { password: address.password }),
      ssl: toSsl(address.tls, host),
      max: 1,
      fetch_types: false,
      prepare: this.#prepare,
      connect_timeout: address.connectMs / 1000,
      ...(purpose === 'serve' ? { idle_timeout: idleSeconds } : { max_lifetime: null }),
      onnotice: () => undefined,
      // PgBouncer refuses parameters it does not know; docs/postgres.md sets them on the role instead.
      connection: address.pgbouncer ? {} : parametersFor[purpose],
      socket: () => this.#connect(host),
    }
    this.sql = postgres(options)
  }

  /** Whether it has ever got an answer. */
  get answered(): boolean {
    return this.#answered
  }

  /** Rejects with the driver's error, or with `Overdue` after so many milliseconds. */
  async ask(question: Question, withinMs: number): Promise<Row[]> {
    const parameters = [...(question.parameters ?? [])]
    const query = this.sql.unsafe<Record<string, unknown>[]>(question.text, parameters, { prepare: this.#prepare })
    const rows = await this.#inTime(question.raw ? query.raw() : query.values(), withinMs)
    this.#answered = true
    return rows as unknown as Row[]
  }

  /** Breaks it off without a word to the server, which may not be listening. */
  destroy(): void {
    if (this.#destroyed) return
    this.#destroyed = true
    this.#socket?.destroy()
    this.sql.end({ timeout: 0 }).catch(() => undefined)
  }

  /** Lets it go in an orderly way. */
  async close(): Promise<void> {
    if (this.#destroyed) return
    await this.sql.end({ timeout: 1 }).catch(() => undefined)
    this.destroy()
  }

  async #inTime<T>(query: PromiseLike<T>, withinMs: number): Promise<T> {
    let settled = false
    const answer = Promise.resolve(query).finally(() => {
      settled = true
    })
    const overdue = Promise.withResolvers<never>()
    const timer = setTimeout(async () => {
      // Where this process itself was held up, the answer may lie unread in the socket: read before giving up.
      await nextTurn()
      await nextTurn()
      if (!settled) overdue.reject(new Overdue(`no answer within ${Math.round(withinMs)} ms`))
    }, withinMs)
    try {
      return await Promise.race([answer, overdue.promise])
    } finally {
      clearTimeout(timer)
      answer.catch(() => undefined)
      overdue.promise.catch(() => undefined)
    }
  }

  /** Our own socket rather than the driver's, so that it can be destroyed at any moment. */
  async #connect(host: HostAddress): Promise<Socket> {
    if (this.#destroyed) throw new Overdue('the connection was given up')
    const socket = host.name.startsWith('/')
      ? connect(`${host.name}/.s.PGSQL.${host.port}`)
      : connect({ host: host.name, port: host.port, noDelay: true })
    this.#socket = socket
    const connected = Promise.withResolvers<Socket>()
    socket.once('connect', () => connected.resolve(socket))
    socket.once('error', connected.reject)
    socket.once('close', () => connected.reject(new Overdue('the connection was given up')))
    return connected.promise
  }
}

/** The host did not answer in time. */
export class Overdue extends Error {
  override readonly name = 'Overdue'
}

/** An array parameter of integers or texts, in PostgreSQL's notation. */
export function toArray(values: readonly (string | number)[]): string {
  const items = values.map((value) =>
    typeof value === 'number' ? value : `"${value.replaceAll(/["\\]/g, (character) => `\\${character}`)}"`,
  )
  return `{${items.join(',')}}`
}

const parametersFor = {
  serve: {
    application_name: 'planning-registry serve',
    statement_timeout: statementMs,
    default_transaction_read_only: true,
    // Plans are made once and never guessed from a parameter: every statement reads by key.
    plan_cache_mode: 'force_generic_plan',
    jit: 'off',
  },
  import: { application_name: 'planning-registry import' },
}
