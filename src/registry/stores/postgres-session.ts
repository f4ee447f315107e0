// Sessions on the hosts of a PostgreSQL database, by the driver `postgres`. The driver can try several hosts itself,
// but it repeats that without a pause and without end while all of them refuse (3.4.9), and cannot close the connection
// to a host that hangs. So a session here is one connection to one host.
import { connect, type Socket } from 'node:net'
import postgres, { type Sql } from 'postgres'
import { t, translate } from '../../language.ts'
import { StoreFault, StoreUnreachable } from '../contract.ts'
import { type HostAddress, type PostgresAddress, toHostName, toSsl } from './postgres-address.ts'

/** PostgreSQL 15, the oldest version that was tried. `server_version_num` is 10,000 × major + minor version. */
const serverVersionMin = 150_000

/** A server that does not answer has this time to close a connection. */
const closeTimeoutMs = 1000

export type Row = Readonly<Record<string, unknown>>

/** What a session is for. `write` needs the primary; `read` prefers it, because a standby may lag. */
export type Purpose = 'read' | 'write'

export class Session {
  readonly host: HostAddress
  readonly #sql: Sql
  #socket: Socket | undefined
  #isStandby = false
  #isEnded = false

  private constructor(address: PostgresAddress, host: HostAddress, purpose: Purpose) {
    this.host = host
    // The types of the driver lack the option `socket`, which its documentation has.
    const options = {
      host: host.name,
      port: host.port,
      database: address.database,
      ...(address.user === undefined ? {} : { user: address.user }),
      ...(address.password === undefined ? {} : { password: address.password }),
      ssl: toSsl(address.tls, host),
      max: 1,
      max_lifetime: null,
      fetch_types: false,
      prepare: false,
      connect_timeout: address.connectTimeoutMs / 1000,
      // Otherwise the driver prints the notices of the server, such as "relation already exists, skipping".
      onnotice: () => undefined,
      // PgBouncer refuses parameters that it does not know.
      connection: address.pgbouncer ? {} : { ...sessionParameters[purpose] },
      socket: () => this.#connect(host),
    }
    this.#sql = postgres(options)
  }

  /** Connects to the host. Rejects with the error of the driver, or with `NoAnswer`. */
  static async open(address: PostgresAddress, host: HostAddress, purpose: Purpose): Promise<Session> {
    const session = new Session(address, host, purpose)
    try {
      const [facts = {}] = await session.query(selectFacts, [], address.connectTimeoutMs)
      session.#isStandby = facts.isStandby === true
      const reason = whyUnusable(facts, purpose)
      if (reason !== undefined) throw new Unusable(reason, session.#isStandby)
      return session
    } catch (error) {
      session.destroy()
      throw error
    }
  }

  get isStandby(): boolean {
    return this.#isStandby
  }

  /** False when the connection is lost. The session is then of no use any more: it does not connect again. */
  get isOpen(): boolean {
    return !this.#isEnded && this.#socket?.destroyed === false
  }

  /** Rejects with the error of the driver, or with `NoAnswer`. The session must be destroyed after a `NoAnswer`. */
  async query(
    text: string,
    parameters: readonly Parameter[] = [],
    timeoutMs: number = Number.POSITIVE_INFINITY,
  ): Promise<Row[]> {
    const query = this.#sql.unsafe<Record<string, unknown>[]>(text, [...parameters])
    return await withTimeout(query, timeoutMs)
  }

  /** Ends the session without waiting for the server. Statements reject; an open transaction is rolled back. */
  destroy(): void {
    this.#isEnded = true
    this.#sql.end({ timeout: 0 }).catch(() => undefined)
    const socket = this.#socket
    // A server that hangs never closes the connection. The driver writes its last message before that: it cannot handle
    // the error of a write to a socket that is closed.
    socket?.unref()
    setTimeout(() => socket?.destroy(), closeTimeoutMs).unref()
  }

  /** Ends the session when the server has confirmed that, or after a second. */
  async close(): Promise<void> {
    this.#isEnded = true
    await this.#sql.end({ timeout: closeTimeoutMs / 1000 }).catch(() => undefined)
    this.destroy()
  }

  /** Creates the socket here and not in the driver, so that it can be destroyed at any time, and is never replaced. */
  async #connect(host: HostAddress): Promise<Socket> {
    if (this.#socket !== undefined) throw new NoAnswer('the connection was closed')
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

export type Parameter = string | number | Uint8Array | null

/** The host did not answer in time, or the connection was closed. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/** The host answers, but is not the one that is needed. */
class Unusable extends Error {
  override readonly name = 'Unusable'
  readonly isStandby: boolean

  constructor(reason: string, isStandby: boolean) {
    super(reason)
    this.isStandby = isStandby
  }
}

async function withTimeout<T>(query: PromiseLike<T>, timeoutMs: number): Promise<T> {
  if (timeoutMs === Number.POSITIVE_INFINITY) return await query
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new NoAnswer(`no answer within ${timeoutMs} ms`)), timeoutMs)
  try {
    return await Promise.race([query, timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}

const sessionParameters: Readonly<Record<Purpose, Record<string, string | number>>> = {
  read: { application_name: 'planning-registry follow' },
  write: {
    application_name: 'planning-registry import',
    // If the machine of an import is lost, the server ends the session after a minute, and the lock with it. By default
    // that takes two hours.
    tcp_keepalives_idle: 30,
    tcp_keepalives_interval: 10,
    tcp_keepalives_count: 3,
    tcp_user_timeout: 60_000,
  },
}

const selectFacts = `
  SELECT pg_is_in_recovery() AS "isStandby", current_setting('transaction_read_only') = 'on' AS "isReadOnly",
    current_setting('server_version_num')::integer AS version, current_setting('server_encoding') AS encoding`

/** Why the host cannot be used; undefined if it can. */
function whyUnusable({ isStandby, isReadOnly, version, encoding }: Row, purpose: Purpose): string | undefined {
  if (Number(version) < serverVersionMin) {
    return t`it is PostgreSQL ${Math.floor(Number(version) / 10_000)}, 15 is needed`
  }
  if (encoding !== 'UTF8') return t`the database is encoded in ${String(encoding)}, UTF8 is needed`
  if (purpose === 'read') return undefined
  if (isStandby === true) return t`it is a standby`
  // An import would find this out only at its end.
  if (isReadOnly === true)
    return t`this role may only read; use the role for imports, registry_import in docs/stores.md`
  return undefined
}

/**
 * Asks all hosts at once and returns a session on the primary; for `read`, on a standby if no primary answers. Throws
 * `StoreUnreachable` if no host answers, and `StoreFault` if one refuses for a reason that does not pass by itself. The
 * message has the reason of every host.
 */
export async function openSession(address: PostgresAddress, purpose: Purpose): Promise<Session> {
  const openings = address.hosts.map((host) => Session.open(address, host, purpose))
  const chosen = await choose(openings)
  for (const opening of openings) {
    opening.then(
      (session) => {
        if (session !== chosen) session.destroy()
      },
      () => undefined,
    )
  }
  if (chosen !== undefined) return chosen
  const outcomes = await Promise.allSettled(openings)
  const errors = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : undefined))
  const reasons = address.hosts.map((host, index) => `${toHostName(host)}: ${reasonOf(errors[index], address)}`)
  const shown = address.display
  const reason = reasons.join('; ')
  const options = { cause: errors[0], isTransient: true }
  if (errors.every((error) => error instanceof Unusable && error.isStandby)) {
    throw new StoreFault(t`${t`Cannot write to ${shown}: ${reason}`}; add the primary to the address`, options)
  }
  if (errors.some((error) => isLasting(error, address))) {
    const message = purpose === 'write' ? t`Cannot write to ${shown}: ${reason}` : t`Cannot open ${shown}: ${reason}`
    throw new StoreFault(message, options)
  }
  throw new StoreUnreachable(t`Cannot open ${shown}: ${reason}; start the database or correct --database`, options)
}

/** The session on the primary, as soon as it answers; otherwise the first one on another host; undefined if none. */
async function choose(openings: readonly Promise<Session>[]): Promise<Session | undefined> {
  const primaries = openings.map(async (opening) => {
    const session = await opening
    if (session.isStandby) throw new Unusable(t`it is a standby`, true)
    return session
  })
  return await Promise.any(primaries).catch(() => Promise.any(openings).catch(() => undefined))
}

/** Whether the reason does not pass by itself, such as a wrong password: the server has answered, and refused. */
function isLasting(error: unknown, { pgbouncer }: PostgresAddress): boolean {
  if (error instanceof Unusable) return true
  if (!(error instanceof postgres.PostgresError)) return false
  // It is starting or stopping (class 57), is full (53), or PgBouncer does not reach it (08).
  const passingClasses = pgbouncer ? ['57', '53', '08'] : ['57', '53']
  return !passingClasses.includes(error.code.slice(0, 2))
}

/**
 * Turns an error of a statement into the fault for the operator, with the message. Returns an error unchanged that is
 * neither one of the database nor one of the connection.
 */
export function toPostgresFault(error: unknown, message: string): unknown {
  const isExpected = error instanceof NoAnswer || (error instanceof Error && 'code' in error)
  if (error instanceof StoreFault || !isExpected) return error
  const options = { cause: error, isTransient: true }
  const hasAnswered = error instanceof postgres.PostgresError && error.severity === 'ERROR'
  return hasAnswered ? new StoreFault(message, options) : new StoreUnreachable(message, options)
}

/** The reason in a few words. */
export function reasonOf(error: unknown, { pgbouncer }: PostgresAddress): string {
  if (!(error instanceof Error)) return t`no reason given`
  const code = 'code' in error ? String(error.code) : ''
  const [line = ''] = error.message.split('\n')
  if (code === '42501') return t`${line}; see docs/stores.md for the privileges of the role`
  // PgBouncer refuses a session with parameters that it does not know.
  if (code === '08P01' && !pgbouncer) return t`${line}; behind PgBouncer add pgbouncer=true to the address`
  const known = reasons[code]
  return known === undefined ? line.slice(0, 200) || code : translate(known)
}

/** Reasons by code of the operating system, of the driver or of the server. */
const reasons: Readonly<Record<string, string>> = {
  '55P03': 'a session keeps registry.expediente locked; end it and import again',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset; if sslmode requires TLS, check that the server has it',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name lookup failed',
  ETIMEDOUT: 'no answer',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ENOENT: 'no server listens at that socket',
  CONNECT_TIMEOUT: 'no answer in time',
  CONNECTION_CLOSED: 'the server closed the connection',
  CONNECTION_ENDED: 'the connection was closed',
  CONNECTION_DESTROYED: 'the connection was closed',
}
