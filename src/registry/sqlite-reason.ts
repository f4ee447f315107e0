// Errors of SQLite: their reason, for a message in the language of the user, and whether they mean that the file is
// damaged.
import { translate } from '../language.ts'

/**
 * SQLite's standard messages by result code (https://www.sqlite.org/rescode.html). An error may have a more specific
 * message, which `translate` does not know.
 */
const reasons: Readonly<Record<number, string>> = {
  7: 'out of memory',
  8: 'attempt to write a readonly database',
  10: 'disk I/O error',
  11: 'database disk image is malformed',
  13: 'database or disk is full',
  14: 'unable to open database file',
  26: 'file is not a database',
}

/**
 * The primary result code, which is the low byte of the extended one: 10 (SQLITE_IOERR) for 266 (SQLITE_IOERR_READ).
 * Returns undefined if the error is not one of SQLite.
 */
export function primaryResultCodeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined
}

/** SQLITE_ERROR (a table is missing), SQLITE_CORRUPT, SQLITE_TOOBIG (the length of a value is wrong), SQLITE_NOTADB. */
const damageCodes: ReadonlySet<number> = new Set([1, 11, 18, 26])

/** Whether SQLite says that the file is damaged or is no snapshot. */
export function isSqliteDamage(error: unknown): boolean {
  const code = primaryResultCodeOf(error)
  return code !== undefined && damageCodes.has(code)
}

/** Whether SQLite failed without a sign of damage, for example for lack of a permission or of memory. */
export function isFailureWithoutDamage(error: unknown): boolean {
  return primaryResultCodeOf(error) !== undefined && !isSqliteDamage(error)
}

/** The reason in the language of the user. An error without a known result code gives its own message. */
export function sqliteReasonOf(error: unknown): string {
  const known = reasons[primaryResultCodeOf(error) ?? 0]
  if (known !== undefined) return translate(known)
  return error instanceof Error ? error.message : String(error)
}
