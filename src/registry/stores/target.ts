// Where an import publishes a registry: takes the lock of the target, says where the registry in service lies on this
// machine, and puts a new file in service. Everything else about an import is the same for every kind of target.
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { t } from '../../language.ts'
import { StoreFault } from '../contract.ts'
import { takeImportLock } from '../import-lock.ts'
import { replaceFile } from './local-copy.ts'
import { isRegistryFile } from './registry-file.ts'

export interface RegistryTarget {
  /**
   * Path of the registry in service on this machine, for a comparison; there may be no file. The new file is built in
   * the same folder.
   */
  readonly path: string
  /** Puts a verified file in service. The file is gone from `newFile` then. Throws `StoreFault`. */
  publish(newFile: string, publication: TargetPublication): Promise<void>
  /** Releases the lock. */
  release(): Promise<void>
}

export interface TargetPublication {
  /** Called while the file is uploaded, with the number of bytes. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined
  /** Called with a sentence for the operator, about something that does not prevent the publication. */
  readonly onWarning?: ((warning: string) => void) | undefined
}

/**
 * The target of an import into a file. Throws `StoreFault` if another import writes to it, or if there is another file
 * than a registry.
 */
export function openFileTarget(path: string): RegistryTarget {
  refuseForeignFile(path)
  mkdirSync(dirname(path), { recursive: true })
  const releaseLock = takeImportLock(path)
  return {
    path,
    publish: (newFile) => replaceFile(newFile, path),
    release: async () => releaseLock(),
  }
}

/**
 * Throws `StoreFault` if there is a file that is no registry. An empty file may be replaced, and so may a registry of
 * any version, even a damaged one.
 */
function refuseForeignFile(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  const isReplaceable = stats === undefined || stats.size === 0 || isRegistryFile(path)
  if (isReplaceable) return
  throw new StoreFault(t`Cannot import into ${path}: that file is not a planning registry; name another one`)
}
