// Lock file that keeps two imports into the same file apart. It uses SQLite's file lock, because Node has none and the
// operating system releases it with the process: a killed import does not block the next.
import { DatabaseSync } from 'node:sqlite'
import { StoreFault } from '../contract.ts'

/** Returns the function that releases the lock. Throws `StoreFault` while another import holds it. */
export function takeImportLock(path: string): () => void {
  let lock: DatabaseSync | undefined
  try {
    // A journal in memory, because a journal file would be left behind by a killed process.
    lock = new DatabaseSync(`${path}.lock`, { timeout: 0 })
    lock.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (error) {
    lock?.close()
    if (isBusy(error)) {
      throw new StoreFault(`Cannot import into ${path}: another import is writing to it; wait until it has finished`)
    }
    const reason = error instanceof Error ? error.message : String(error)
    throw new StoreFault(`Cannot import into ${path}: ${reason}; the folder must exist and be writable`, {
      cause: error,
    })
  }
  const heldLock = lock
  return () => heldLock.close()
}

/** Result code SQLITE_BUSY: another process holds the lock. */
const sqliteBusy = 5

function isBusy(error: unknown): boolean {
  // The low byte of an extended result code is the primary code.
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === sqliteBusy
}
