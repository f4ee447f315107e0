// The files of an import besides its sources: reads the JSON of a mapping or plan, and tells whether paths name files,
// and the same ones, for the outputs (rejects, report, mapping), which may also be devices, pipes and links.
import { isUtf8 } from 'node:buffer'
import { lstatSync, type Stats, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { t } from '../language.ts'
import { systemReasonOf } from '../system-reason.ts'

/**
 * Whether both paths are the same, or have the same inode, because one file can have several paths. A device or pipe
 * does not count, because nothing in it is overwritten: several outputs may be `/dev/null`.
 */
export function pointToSameFile(path: string, otherPath: string): boolean {
  const stats = readStats(path, statSync)
  if (stats !== undefined && !stats.isFile()) return false
  if (resolve(path) === resolve(otherPath)) return true
  const otherStats = readStats(otherPath, statSync)
  return stats !== undefined && stats.ino === otherStats?.ino && stats.dev === otherStats.dev
}

/**
 * False for a device or pipe, such as `/dev/null`, for a link, such as `/dev/stdout`, and if there is no such file. A
 * link must not be renamed or removed: the file behind it would stay as it is.
 */
export function isRegularFile(path: string): boolean {
  return readStats(path, lstatSync)?.isFile() === true
}

/** Returns undefined if there is no such file, or if it cannot be reached, for example without permission. */
function readStats(path: string, read: (path: string) => Stats): Stats | undefined {
  try {
    return read(path)
  } catch {
    return undefined
  }
}

/** The text of a JSON file without a byte order mark, which some editors write; or why it cannot be read. */
export async function readJsonFile(
  path: string,
): Promise<{ readonly text: string; readonly problem?: never } | { readonly text?: never; readonly problem: string }> {
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return { problem: isMissing ? t`there is no such file` : systemReasonOf(error) }
  }
  if (!isUtf8(bytes)) return { problem: t`it is not in UTF-8; save it as UTF-8` }
  return { text: bytes.toString().replace(/^\uFEFF/, '') }
}
