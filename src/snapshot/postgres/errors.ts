// What an error of the driver means for us: the connection is lost, the snapshot is not there, or the statement itself
// is wrong. Told by code alone, never by the text of a message.
import postgres from 'postgres'

/** Whether the connection may be used again: the server refused the statement and goes on. */
export function isConnectionKept(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.severity !== 'FATAL' && error.severity !== 'PANIC'
}

/** The table or its schema is not there: dropped, not yet replicated, or no registry at all. */
export function isMissing(error: unknown): boolean {
  return codeOf(error) === '42P01' || codeOf(error) === '3F000'
}

/** A statement that no host would accept, now or later. Everything else may go well elsewhere or in a moment. */
export function isOurMistake(error: unknown): boolean {
  if (!isConnectionKept(error) || isMissing(error)) return false
  const code = codeOf(error)
  // Data exceptions, and syntax errors or access rules; a missing privilege can be granted meanwhile.
  return code.startsWith('22') || (code.startsWith('42') && code !== '42501')
}

/** Why, in a few words for a message; the server's own where it spoke. Nothing the client sent is in it. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error)
  const known = reasons[code]
  if (known !== undefined) return known
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  // PgBouncer refuses a session that begins with parameters it does not know.
  if (code === '08P01') return `${message}; behind PgBouncer add pgbouncer=true to the address`
  return message.slice(0, reasonCharactersMax) || code || 'no reason given'
}

const reasonCharactersMax = 200

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'no host of that name',
  EAI_AGAIN: 'its name cannot be looked up now',
  ETIMEDOUT: 'no answer',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ENOENT: 'no server listens at that socket',
  CONNECT_TIMEOUT: 'no answer in time',
  CONNECTION_CLOSED: 'the server closed the connection',
  CONNECTION_ENDED: 'the connection was given up',
  CONNECTION_DESTROYED: 'the connection was given up',
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
