// A lock between processes: an exclusive SQLite transaction on a lock file, because Node itself has no file locks. The
// operating system releases the lock when the process ends, so a killed process does not block the next.
import { DatabaseSync } from 'node:sqlite'

/** Result code SQLITE_BUSY: another process holds the lock. */
const sqliteBusy = 5

/**
 * Returns the function that releases the lock; null if another process, or another caller in this one, holds it. Throws
 * the error of SQLite if the lock file cannot be written.
 */
export function tryFileLock(path: string): (() => void) | null {
  // With `timeout: 0`, SQLite does not wait for a lock that another process holds.
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    // The journal is in memory, because a killed process would leave a journal file behind. The transaction lasts until
    // the database is closed.
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    return () => database.close()
  } catch (error) {
    database.close()
    if (error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === sqliteBusy) return null
    throw error
  }
}
