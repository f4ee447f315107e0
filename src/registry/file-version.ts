// Tells whether the file at a path was changed or replaced. The store (file-store.ts) compares the file that it has put
// in service with the file that is at the path now.
import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { t } from '../language.ts'
import { StoreFault } from './contract.ts'

export interface FileVersion {
  /** Changes when the path leads to another file. */
  readonly deviceAndInode: string
  /** Changes when the file is written to. */
  readonly mtimeAndSize: string
  readonly size: number
}

/**
 * - `none`: the file is the one in service, with the same content.
 * - `in place`: the file in service was written to.
 * - `replaced`: another file was renamed into place, or no file was in service before.
 */
export type FileChange = 'none' | 'in place' | 'replaced'

export function toFileChange(served: FileVersion | undefined, found: FileVersion): FileChange {
  if (served?.deviceAndInode !== found.deviceAndInode) return 'replaced'
  return isSameVersion(served, found) ? 'none' : 'in place'
}

/** Whether both are the same version of the same file. */
export function isSameVersion(a: FileVersion | undefined, b: FileVersion): boolean {
  return a?.deviceAndInode === b.deviceAndInode && a.mtimeAndSize === b.mtimeAndSize
}

/** Throws `StoreFault` if the file cannot be reached. */
export async function readVersion(path: string): Promise<FileVersion> {
  const stats = await stat(path).catch((error: unknown) => {
    throw new StoreFault(t`Cannot open ${path}: ${whyUnreachable(error)}`, { cause: error })
  })
  // A pipe, for example, would block the thread that opens it.
  if (!stats.isFile()) throw new StoreFault(t`Cannot open ${path}: it is not a file; give the path of a file`)
  return toFileVersion(stats)
}

export function toFileVersion({ dev, ino, mtimeMs, size }: Stats): FileVersion {
  return { deviceAndInode: `${dev} ${ino}`, mtimeAndSize: `${mtimeMs} ${size}`, size }
}

/** The reason, and how to correct it. `error` is the error of `stat`. */
function whyUnreachable(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
    return t`there is no such file; create it with planning-registry import`
  }
  const reason = error instanceof Error ? error.message : String(error)
  return t`${reason}; correct the path or its permissions`
}
