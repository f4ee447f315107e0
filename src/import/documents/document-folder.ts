// Finds documents in the folder of `--documents`. File names come from the records and are not trusted: a name or a
// symbolic link that leads outside the folder counts as missing.
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, opendir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, sep } from 'node:path'

export type LocatedFile =
  /** `fileState` changes whenever the content changes; undefined for a file that was modified just now. */
  | { readonly kind: 'found'; readonly path: string; readonly fileState: string | undefined }
  | { readonly kind: 'missing' | 'unreadable'; readonly reason: string }

export class DocumentFolder {
  readonly #root: string
  /** The last folder that was listed: names with another case usually come in groups. */
  #listing: { readonly folder: string; readonly names: Promise<Map<string, string | null>> } | undefined

  private constructor(root: string) {
    this.#root = root
  }

  /** Returns undefined if there is no such folder. */
  static async open(folder: string): Promise<DocumentFolder | undefined> {
    try {
      const root = await realpath(folder)
      return (await stat(root)).isDirectory() ? new DocumentFolder(root) : undefined
    } catch {
      return undefined
    }
  }

  async locate(name: string, bytesMax: number): Promise<LocatedFile> {
    if (name === '' || name.includes('\0')) return missing('not a valid file name')
    if (isAbsolute(name) || /^[a-z]:[\\/]/i.test(name)) {
      return missing('an absolute path; use a path relative to the documents folder')
    }
    if (name.split(/[\\/]/).includes('..')) return missing('the name leads outside the documents folder')
    const path = (await this.#findAsWritten(name)) ?? (await this.#findInAnyCase(name))
    if (path === undefined) return missing('no such file in the documents folder')
    if (!this.#contains(path)) return missing('a link that leads outside the documents folder')
    return await describe(path, bytesMax)
  }

  /** Tries the name as written, with Windows separators replaced, and with composed and decomposed accents. */
  async #findAsWritten(name: string): Promise<string | undefined> {
    const slashed = name.replaceAll('\\', '/')
    for (const spelling of new Set([name, slashed, slashed.normalize('NFC'), slashed.normalize('NFD')])) {
      const path = await realpath(join(this.#root, spelling)).catch(() => undefined)
      if (path !== undefined) return path
    }
    return undefined
  }

  /** Records written on Windows may say `PLAN.PDF` for `Plan.pdf`. Accepted if only one file matches. */
  async #findInAnyCase(name: string): Promise<string | undefined> {
    const slashed = join(this.#root, name.replaceAll('\\', '/'))
    const folder = await realpath(dirname(slashed)).catch(() => undefined)
    if (folder === undefined || (folder !== this.#root && !this.#contains(folder))) return undefined
    if (this.#listing?.folder !== folder) this.#listing = { folder, names: listFolded(folder) }
    const found = (await this.#listing.names).get(foldFileName(basename(slashed)))
    return found ? await realpath(join(folder, found)).catch(() => undefined) : undefined
  }

  #contains(path: string): boolean {
    return path.startsWith(this.#root.endsWith(sep) ? this.#root : this.#root + sep)
  }
}

/** Maps the folded names in a folder to the names; null if two names differ only in case. */
async function listFolded(folder: string): Promise<Map<string, string | null>> {
  const names = new Map<string, string | null>()
  try {
    for await (const { name } of await opendir(folder)) {
      const folded = foldFileName(name)
      names.set(folded, names.has(folded) ? null : name)
    }
  } catch {
    // A folder that cannot be listed counts as empty.
  }
  return names
}

function foldFileName(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

/** Returns undefined if the file cannot be read. `O_NOFOLLOW` because the path has no links after `realpath`. */
export async function hashFile(path: string): Promise<string | undefined> {
  try {
    await using file = await open(path, readFlags)
    const hash = createHash('sha256')
    for await (const chunk of file.createReadStream({ autoClose: false, highWaterMark: 1 << 20 })) hash.update(chunk)
    return hash.digest('hex')
  } catch {
    return undefined
  }
}

/** `O_NONBLOCK` keeps `open` from waiting for the writer of a pipe. */
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

async function describe(path: string, bytesMax: number): Promise<LocatedFile> {
  let file: FileHandle
  try {
    file = await open(path, readFlags)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    return { kind: 'unreadable', reason: `the file cannot be opened (${code}); check its permissions` }
  }
  try {
    const stats = await file.stat({ bigint: true })
    if (!stats.isFile()) return missing('not a file')
    if (stats.size > bytesMax) {
      return { kind: 'unreadable', reason: `larger than ${Math.floor(bytesMax / 1024 / 1024)} MB` }
    }
    // A second change within one tick of the file system's clock does not change the times (git: "racily clean").
    if (Date.now() - Number(stats.ctimeNs / 1_000_000n) < 2_000) return { kind: 'found', path, fileState: undefined }
    return {
      kind: 'found',
      path,
      fileState: [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' '),
    }
  } finally {
    await file.close()
  }
}

function missing(reason: string): LocatedFile {
  return { kind: 'missing', reason }
}
