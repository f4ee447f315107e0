// Classifies errors of the driver, such as a lost connection, a missing table or an invalid statement, and gives the
// reason for a message. An error has one of three kinds of codes: an SQLSTATE of PostgreSQL (its first two characters
// are its class), a code of the operating system, or a code of the driver.
import postgres from 'postgres'
import { t, translate } from '../../language.ts'
import { ChecksumMismatch } from '../checksum.ts'

/** SQLSTATE values: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const undefinedTable = '42P01'
const invalidSchemaName = '3F000'
const insufficientPrivilege = '42501'
const protocolViolation = '08P01'
const invalidTableDefinition = '42P16'
const tooManyConnections = '53300'
const invalidParameterValue = '22023'
const lockNotAvailable = '55P03'
const dependentObjectsStillExist = '2BP01'

/** Whether the connection can be used again, because the server has rejected the statement but kept the session. */
export function isConnectionKept(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.severity !== 'FATAL' && error.severity !== 'PANIC'
}

/** Whether the server has ended the session with this error, or the driver has found the connection closed. */
export function hasEndedSession(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) return !isConnectionKept(error)
  return closedCodes.has(codeOf(error))
}

/** Codes of the driver and of the operating system. */
const closedCodes: ReadonlySet<string> = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
])

/** Whether a table or its schema is missing: it was dropped, is not replicated yet, or there is no registry. */
export function isMissing(error: unknown): boolean {
  return codeOf(error) === undefinedTable || codeOf(error) === invalidSchemaName
}

/**
 * Whether the error means that a snapshot is damaged: a row does not match its checksum, the server cannot read a page
 * (class XX) or a file (class 58), or a table is missing. The cause of the error (`Error.cause`) counts too, because
 * the store wraps the errors of the driver.
 */
export function isDamage(error: unknown): boolean {
  const isUnreadable = codeOf(error).startsWith('XX') || codeOf(error).startsWith('58')
  if (error instanceof ChecksumMismatch || isUnreadable || isMissing(error)) return true
  return error instanceof Error && error.cause !== undefined && isDamage(error.cause)
}

/**
 * Whether a rejected statement may succeed later: the server has ended it because of a conflict with replication
 * (class 40), a lack of resources (53), a lock (55) or a timeout (57).
 */
export function isTemporary(error: unknown): boolean {
  return /^(?:40|53|55|57)/.test(codeOf(error))
}

/** Whether a statement has waited too long for a lock. */
export function isLocked(error: unknown): boolean {
  return codeOf(error) === lockNotAvailable
}

/** Whether the role lacks a privilege. */
export function isForbidden(error: unknown): boolean {
  return codeOf(error) === insufficientPrivilege
}

/** Whether the host has no server that listens: neither on the port nor at the Unix socket. */
export function isConnectionRefused(error: unknown): boolean {
  return codeOf(error) === 'ECONNREFUSED' || codeOf(error) === 'ENOENT'
}

/** Whether a view cannot be replaced because the new one has other columns, as after a change of the format. */
export function isColumnMismatch(error: unknown): boolean {
  return codeOf(error) === invalidTableDefinition
}

/** Whether the server has refused a new connection because it, or the role, has too many. */
export function isServerFull(error: unknown): boolean {
  return codeOf(error) === tooManyConnections
}

/** Whether the server has refused a new connection because of the value of a session parameter. */
export function isParameterRefused(error: unknown): boolean {
  return codeOf(error) === invalidParameterValue && !isConnectionKept(error)
}

/**
 * Whether the server has refused a health check for a reason that does not pass by itself, such as a wrong password.
 * Any error of a server counts, except that it is starting, stopping or full (classes 57 and 53). If `pgbouncer` is
 * true, class 08 does not count either: PgBouncer, which is in front of the server, reports it when it cannot reach the
 * server.
 */
export function isRefused(error: unknown, pgbouncer: boolean): boolean {
  if (!(error instanceof postgres.PostgresError)) return false
  const temporaryClasses = pgbouncer ? ['57', '53', '08'] : ['57', '53']
  return !temporaryClasses.includes(error.code.slice(0, 2))
}

/** Whether the statement itself is wrong. After any other error a retry, or another host, may succeed. */
export function isInvalidStatement(error: unknown): boolean {
  if (!isConnectionKept(error) || isMissing(error)) return false
  const code = codeOf(error)
  // Class 22 is data exceptions, class 42 syntax errors and access rules. A missing privilege is no fault of the
  // statement: it may still be granted.
  return code.startsWith('22') || (code.startsWith('42') && code !== insufficientPrivilege)
}

/**
 * The reason in a few words, for a message. An error whose code is not in `reasons` gives the first line of its
 * message. `pgbouncer` tells whether the address has `pgbouncer=true`. If it does not, and PgBouncer may have caused
 * the error, the reason advises to add it.
 */
export function reasonOf(error: unknown, pgbouncer = false): string {
  const code = codeOf(error)
  const known = reasons[code]
  if (known !== undefined) return translate(known)
  // The statement was DROP VIEW registry.expediente (publish.ts): no other one can have this error, because snapshots
  // are dropped with CASCADE (load.ts).
  if (code === dependentObjectsStillExist && error instanceof postgres.PostgresError) {
    return toDependentsReason(error.detail?.split('\n') ?? [error.message])
  }
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  // PgBouncer refuses a session with startup parameters that it does not know.
  if (code === protocolViolation && !pgbouncer) return t`${message}; behind PgBouncer add pgbouncer=true to the address`
  return message.slice(0, reasonCharactersMax) || code || t`no reason given`
}

/** The reason why an import or `check --links` could not write. If a privilege is missing, it says what to do. */
export function writeReasonOf(error: unknown, pgbouncer: boolean): string {
  const reason = reasonOf(error, pgbouncer)
  return isForbidden(error) ? t`${reason}; use the role for imports, registry_import in docs/postgres.md` : reason
}

/** The reason if other views prevent that `registry.expediente` is replaced. `dependents` has a sentence for each. */
export function toDependentsReason(dependents: readonly string[]): string {
  return t`registry.expediente has other columns now, and ${dependents.join('; ')}; drop what depends on it, import, and create it again`
}

const reasonCharactersMax = 200

/** Reasons by code of the operating system, of the driver or of the server. */
const reasons: Readonly<Record<string, string>> = {
  // Only a lock on this view, which is for SQL tools, can block a publication for longer than a moment.
  [lockNotAvailable]: 'a session keeps registry.expediente locked; end it and import again',
  // in_failed_sql_transaction: the driver does not pass on why the end of a COPY failed (copy.ts).
  '25P02': 'the server has cancelled the transaction; its log has the reason',
  ECONNREFUSED: 'connection refused',
  // A server without TLS resets the connection if the address requires TLS.
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

/** The code of an error; empty if it has none. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
