// A full disk during an import: how it is recognised, and the fault of a full temporary folder.
import { t } from '../language.ts'
import { StoreFault } from '../registry/contract.ts'
import { codeOf } from '../system-reason.ts'

/** SQLITE_FULL, https://sqlite.org/rescode.html#full */
const sqliteFullCode = 13

/** Whether a file could not be written because the disk is full, or the disk quota of the user. */
export function isFullDisk(error: unknown): boolean {
  const isFullDatabase = error instanceof Error && 'errcode' in error && error.errcode === sqliteFullCode
  return isFullDatabase || ['ENOSPC', 'EDQUOT'].includes(codeOf(error))
}

/** The fault of a full temporary folder. */
export function toTemporaryFolderFault(cause: unknown): StoreFault {
  return new StoreFault(
    t`Cannot import: the temporary folder is full; free some space, or set TMPDIR to another folder`,
    { cause },
  )
}
