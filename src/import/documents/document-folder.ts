// Finds documents in the folder of `--documents`. File names come from the records and are not trusted: a name or a
// symbolic link that leads outside the folder counts as missing.
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, opendir, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Reason, ReasonCode } from '../../domain/document-reason.ts'
import { t } from '../../language.ts'
import { systemReasonOf } from '../../system-reason.ts'
import { DocumentFault } from './reference.ts'

export type LocatedFile =
  /**
   * `name` is the path below the documents folder, with links resolved and in the spelling of the folder, so that a
   * file has one name, however records spell it. If a folder on the way cannot be read, it is the name as written.
   * `fileState` changes whenever the content changes; undefined if a further change might go unnoticed.
   */
  | { readonly kind: 'found'; readonly path: string; readonly name: string; readonly fileState: string | undefined }
  | { readonly kind: 'unreadable'; readonly name: string; readonly reasons: readonly Reason[] }
  | { readonly kind: 'missing'; readonly reasons: readonly Reason[] }

/** A file that was modified less than this time ago may change again without a change of its times. */
const settledAfterMs = 2_000
/** A file is hashed in pieces of this size. */
const hashChunkBytes = 1024 * 1024

export class DocumentFolder {
  readonly #root: string
  /**
   * By folder: the names in it (`listFolded`). The last few are kept, because records that write names in another way
   * often name many files of one folder in a row.
   */
  readonly #listings = new LRUCache<string, Promise<Map<string, string | null>>>({ max: 8 })

  private constructor(root: string) {
    this.#root = root
  }

  /** Throws `DocumentFault` if there is no such folder, or without the permission to open files in it. */
  static async open(folder: string): Promise<DocumentFolder> {
    try {
      const root = await realpath(folder)
      // Reaching `.` takes the same permission as reaching a file in the folder.
      await stat(`${root}${sep}.`)
      return new DocumentFolder(root)
    } catch (error) {
      const reason = isNoSuchFile(error) ? t`there is no such folder` : systemReasonOf(error)
      throw new DocumentFault(t`Cannot read documents from ${folder}: ${reason}`)
    }
  }

  /** A file larger than `bytesMax` is unreadable. */
  async locate(name: string, bytesMax: number): Promise<LocatedFile> {
    if (name === '' || name.includes('\0')) return missing('invalidName')
    // For example `C:\planes\plan.pdf`.
    if (isAbsolute(name) || /^[a-z]:[\\/]/i.test(name)) return missing('absolutePath', 'relativePath')
    if (name.split(/[\\/]/).includes('..')) return missing('pathOutside')
    try {
      const path = await this.#find(name)
      if (path === undefined) return missing('noSuchFile')
      if (path === this.#root) return missing('notFile')
      if (!this.#contains(path)) return missing('linkOutside')
      return await inspectFile(path, relative(this.#root, path), bytesMax)
    } catch (error) {
      return unreadable(name, error, 'folderPermissions')
    }
  }

  /**
   * Returns the path without links; undefined if there is no such file. Records written on Windows may say
   * `PLANES\PLAN.PDF` for `planes/Plan.pdf`, and offices leave the ending out: `186-2008` for `186-2008.pdf`. Each part
   * of such a path is accepted if it is written like a name in its folder, or if exactly one name there is similar.
   */
  async #find(name: string): Promise<string | undefined> {
    const asWritten = await findRealPath(join(this.#root, name))
    if (asWritten !== undefined) return asWritten
    let path = this.#root
    const parts = name.split(/[\\/]/).filter((part) => part !== '' && part !== '.')
    for (const [index, part] of parts.entries()) {
      // A link may have led outside the documents folder.
      if (path !== this.#root && !this.#contains(path)) return undefined
      const isLast = index === parts.length - 1
      const found = (await findRealPath(join(path, part))) ?? (await this.#findSimilar(path, part, isLast))
      if (found === undefined) return undefined
      path = found
    }
    return path
  }

  /** Returns the path without links, or undefined if no name in the folder is similar, or several are. */
  async #findSimilar(folder: string, name: string, mayBePdf: boolean): Promise<string | undefined> {
    const listing = this.#listings.get(folder) ?? listFolded(folder)
    this.#listings.set(folder, listing)
    const names = await listing
    const folded = foldFileName(name)
    const realName = names.get(folded) === undefined && mayBePdf ? names.get(`${folded}.pdf`) : names.get(folded)
    return realName ? await findRealPath(join(folder, realName)) : undefined
  }

  /** Whether a path without links is inside the documents folder. */
  #contains(path: string): boolean {
    return path.startsWith(this.#root.endsWith(sep) ? this.#root : this.#root + sep)
  }
}

/** Returns the path without links; undefined if there is no such file. Throws if a folder may not be read. */
async function findRealPath(path: string): Promise<string | undefined> {
  try {
    return await realpath(path)
  } catch (error) {
    if (isNoSuchFile(error)) return undefined
    throw error
  }
}

/**
 * Maps each folded name to the real one, such as `plan.pdf` to `Plan.PDF`; to null if several names fold to it. Throws
 * if the folder may not be listed.
 */
async function listFolded(folder: string): Promise<Map<string, string | null>> {
  const nameByFolded = new Map<string, string | null>()
  try {
    for await (const { name } of await opendir(folder)) {
      const folded = foldFileName(name)
      nameByFolded.set(folded, nameByFolded.has(folded) ? null : name)
    }
  } catch (error) {
    // A file, or a folder that was removed just now, has no names.
    if (!isNoSuchFile(error)) throw error
  }
  return nameByFolded
}

/** Whether no file has the path: a part of it does not exist or is no folder, or it has too many links or letters. */
function isNoSuchFile(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(codeOf(error))
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}

/** Removes the differences of case, and of composed and decomposed accents: `PLAN.PDF` becomes `plan.pdf`. */
function foldFileName(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

/** Returns the SHA-256 of the content in hexadecimal, or undefined if the file cannot be read. */
export async function hashFile(path: string): Promise<string | undefined> {
  try {
    await using file = await open(path, readFlags)
    const hash = createHash('sha256')
    const chunks = file.createReadStream({ autoClose: false, highWaterMark: hashChunkBytes })
    for await (const chunk of chunks) hash.update(chunk)
    return hash.digest('hex')
  } catch {
    return undefined
  }
}

/**
 * The path comes from `realpath`, so it has no links. If somebody has replaced the file by a link since, `O_NOFOLLOW`
 * refuses it. `O_NONBLOCK` keeps `open` from waiting for the writer of a pipe.
 */
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Opens the file, which shows whether it can be read, and returns its state. `name` is the one in the result. */
async function inspectFile(path: string, name: string, bytesMax: number): Promise<LocatedFile> {
  let file: FileHandle
  try {
    file = await open(path, readFlags)
  } catch (error) {
    return unreadable(name, error, 'filePermissions')
  }
  try {
    const stats = await file.stat({ bigint: true })
    if (!stats.isFile()) return missing('notFile')
    if (stats.size > bytesMax) {
      return { kind: 'unreadable', name, reasons: [toTooLarge(bytesMax)] }
    }
    // A second change within one tick of the file system's clock does not change the times; git calls such a file
    // "racily clean".
    const isSettled = Date.now() - Number(stats.ctimeNs / 1_000_000n) >= settledAfterMs
    const state = [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ')
    return { kind: 'found', path, name, fileState: isSettled ? state : undefined }
  } finally {
    await file.close()
  }
}

function unreadable(name: string, error: unknown, advice: ReasonCode): LocatedFile {
  return {
    kind: 'unreadable',
    name,
    reasons: [{ code: 'fileClosed', values: { error: codeOf(error) } }, { code: advice }],
  }
}

function missing(...codes: readonly ReasonCode[]): LocatedFile {
  return { kind: 'missing', reasons: codes.map((code) => ({ code })) }
}

/** `bytesMax` is the limit. */
export function toTooLarge(bytesMax: number): Reason {
  return { code: 'tooLarge', values: { megabytes: Math.floor(bytesMax / 1024 / 1024) } }
}
