// Lock file that keeps two imports into the same file apart. It uses SQLite's file lock, because Node has none of its
// own. The operating system releases this lock when the process ends: a killed import does not block the next.
import { DatabaseSync } from 'node:sqlite'
import { t } from '../../language.ts'
import { StoreFault } from '../contract.ts'
import { primaryResultCodeOf, sqliteReasonOf } from './sqlite-reason.ts'

/** Returns the function that releases the lock. Throws `StoreFault` if another import holds it. */
export function takeImportLock(path: string): () => void {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(`${path}.lock`, { timeout: 0 })
    // A journal in memory, because a journal file would be left behind by a killed process.
    lock.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (error) {
    lock?.close()
    if (isBusy(error)) {
      throw new StoreFault(t`Cannot import into ${path}: another import is writing to it; wait until it has finished`)
    }
    throw new StoreFault(
      t`Cannot import into ${path}: ${sqliteReasonOf(error)}; the folder must exist and be writable`,
      {
        cause: error,
      },
    )
  }
  const heldLock = lock
  return () => heldLock.close()
}

/** Result code SQLITE_BUSY: another process holds the lock. */
const sqliteBusy = 5

function isBusy(error: unknown): boolean {
  return primaryResultCodeOf(error) === sqliteBusy
}
