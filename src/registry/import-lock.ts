// Lock against two imports into the same file at the same time: an SQLite transaction on the lock file `PATH.lock`,
// because Node itself has no file locks. The operating system releases the lock when the process ends, so a killed
// import does not block the next.
import { DatabaseSync } from 'node:sqlite'
import { t } from '../language.ts'
import { StoreFault } from './contract.ts'
import { primaryResultCodeOf, sqliteReasonOf } from './sqlite-reason.ts'

/**
 * Returns the function that releases the lock. Throws `StoreFault` if another import holds it, or if the lock file
 * cannot be written.
 */
export function takeImportLock(path: string): () => void {
  try {
    const lock = openLocked(`${path}.lock`)
    return () => lock.close()
  } catch (error) {
    if (primaryResultCodeOf(error) === sqliteBusy) {
      throw new StoreFault(t`Cannot import into ${path}: another import is writing to it; wait until it has finished`)
    }
    const reason = sqliteReasonOf(error)
    throw new StoreFault(t`Cannot import into ${path}: ${reason}; the folder must exist and be writable`, {
      cause: error,
    })
  }
}

/** Opens the lock file with an exclusive transaction, which lasts until the database is closed. */
function openLocked(lockPath: string): DatabaseSync {
  // With `timeout: 0`, SQLite does not wait for a lock that another process holds.
  const database = new DatabaseSync(lockPath, { timeout: 0 })
  try {
    // The journal is in memory, because a killed process would leave a journal file behind.
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Result code SQLITE_BUSY: another process holds the lock. */
const sqliteBusy = 5
