// The reason why SQLite failed to read or write, for a message in the language of the command. The texts below are
// those of SQLite; they are repeated here because `translate` needs the exact text to find its Spanish translation.
import { translate } from '../../language.ts'

/** Messages by result code, https://www.sqlite.org/rescode.html. */
const reasons: Readonly<Record<number, string>> = {
  7: 'out of memory',
  8: 'attempt to write a readonly database',
  10: 'disk I/O error',
  11: 'database disk image is malformed',
  13: 'database or disk is full',
  14: 'unable to open database file',
  26: 'file is not a database',
}

/** The low byte of an extended result code is the primary code. Returns undefined for an error of another kind. */
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

/** Whether SQLite failed for a reason that is not in the file: permissions, memory, descriptors, the disk. */
export function isTransientError(error: unknown): boolean {
  return primaryResultCodeOf(error) !== undefined && !isSqliteDamage(error)
}

/** An error without a known result code gives its own message. */
export function sqliteReasonOf(error: unknown): string {
  const known = reasons[primaryResultCodeOf(error) ?? 0]
  if (known !== undefined) return translate(known)
  return error instanceof Error ? error.message : String(error)
}
