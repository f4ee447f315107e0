// Whether paths name files, and the same ones, for the outputs of an import (rejects, report, mapping), which may also
// be devices, pipes and links.
import { lstatSync, type Stats, statSync } from 'node:fs'
import { resolve } from 'node:path'

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
