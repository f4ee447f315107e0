// Why the operating system or the network has failed, such as a full disk or an unknown host name, for a message in the
// language of the user.
import { currentLanguage, translate } from './language.ts'
import { sqliteReasonOf } from './registry/sqlite-reason.ts'

/**
 * The reason. In English it is the message of the error: `ENOSPC: no space left on device, write`. In Spanish it is the
 * translation of what its code means, with the code and the path, or the English message if the code is unknown.
 */
export function systemReasonOf(error: unknown): string {
  const message = messageOf(error)
  if (currentLanguage() === 'en') return message
  const code = codeOf(error)
  if (code === 'ERR_SQLITE_ERROR') return sqliteReasonOf(error)
  const meaning = meanings[code]
  if (meaning === undefined) return message
  const path = error instanceof Error && 'path' in error ? `: ${String(error.path)}` : ''
  return `${translate(meaning)} (${code}${path})`
}

/** A connection that fails at all addresses of a host is an `AggregateError`, whose message is empty. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join(', ')
  return error instanceof Error ? error.message || error.name : String(error)
}

/** Returns the code of the error; for a `DOMException`, whose code is only a number, its name. Empty if it has none. */
export function codeOf(error: unknown): string {
  if (error instanceof DOMException) return error.name
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** What each result of `codeOf` means: codes of the system, the resolver, TLS and the HTTP client, and one name. */
const meanings: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EDQUOT: 'disk quota exceeded',
  EEXIST: 'there is already a file with this name',
  EIO: 'disk I/O error',
  EISDIR: 'it is a folder',
  EMFILE: 'too many open files',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'no space left on device',
  ENOTDIR: 'a part of the path is not a folder',
  EPERM: 'permission denied',
  EROFS: 'read-only file system',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the server closed the connection',
  EHOSTUNREACH: 'host unreachable',
  ENOTFOUND: 'host name not found',
  ETIMEDOUT: 'no answer in time',
  TimeoutError: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'no answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'no answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_SOCKET: 'the server closed the connection',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is not trusted',
}
