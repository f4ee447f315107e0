// Lock against two imports into the same file at the same time: the lock file `PATH.lock`.
import { t } from '../language.ts'
import { StoreFault } from './contract.ts'
import { sqliteReasonOf } from './sqlite-reason.ts'
import { tryFileLock } from './stores/file-lock.ts'

/**
 * Returns the function that releases the lock. Throws `StoreFault` if another import holds it, or if the lock file
 * cannot be written.
 */
export function takeImportLock(path: string): () => void {
  let release: (() => void) | null
  try {
    release = tryFileLock(`${path}.lock`)
  } catch (error) {
    const reason = sqliteReasonOf(error)
    throw new StoreFault(t`Cannot import into ${path}: ${reason}; the folder must exist and be writable`, {
      cause: error,
    })
  }
  if (release !== null) return release
  throw new StoreFault(t`Cannot import into ${path}: another import is writing to it; wait until it has finished`)
}
