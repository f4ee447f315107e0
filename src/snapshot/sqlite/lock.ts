// Keeps two imports into the same file apart. The lock is one that the operating system drops with the process, so a
// dead import never blocks the next; SQLite's own is used, since Node offers none.
import { DatabaseSync } from 'node:sqlite'
import { StoreFault } from '../contract.ts'

/** Returns the function that lets go of the lock; throws `StoreFault` while another import holds it. */
export function takeImportLock(path: string): () => void {
  let lock: DatabaseSync | undefined
  try {
    // In its defensive mode SQLite insists on a journal; one in a file would outlive a process that is killed.
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
  const held = lock
  return () => held.close()
}

/** SQLITE_BUSY is 5 in the low byte, whatever the extension. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5
}
