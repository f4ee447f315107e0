// Documents in the folder of `--documents`. Names come from the records, so that nobody vouches for them: whatever
// leads outside the folder, by its spelling or by a link, is missing.
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, opendir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, sep } from 'node:path'

export type LocatedFile =
  /** `fileState` stays the same for as long as the content does; undefined for a file that was changed just now. */
  | { readonly kind: 'found'; readonly path: string; readonly fileState: string | undefined }
  | { readonly kind: 'missing' | 'unreadable'; readonly reason: string }

export class DocumentFolder {
  readonly #root: string
  /** Of the folder last listed: names that are not found come many at a time. */
  #listing: { readonly folder: string; readonly names: Promise<Map<string, string | null>> } | undefined

  private constructor(root: string) {
    this.#root = root
  }

  /** Undefined where there is no such folder. */
  static async open(folder: string): Promise<DocumentFolder | undefined> {
    try {
      const root = await realpath(folder)
      return (await stat(root)).isDirectory() ? new DocumentFolder(root) : undefined
    } catch {
      return undefined
    }
  }

  async locate(name: string, bytesMax: number): Promise<LocatedFile> {
    if (name === '' || name.includes('\0')) return missing('the name is no file name')
    if (isAbsolute(name) || /^[a-z]:[\\/]/i.test(name)) {
      return missing('an absolute name; name it as it lies under the documents folder')
    }
    if (name.split(/[\\/]/).includes('..')) return missing('the name leads outside the documents folder')
    const path = (await this.#findAsWritten(name)) ?? (await this.#findInAnyCase(name))
    if (path === undefined) return missing('no such file in the documents folder')
    if (!this.#holds(path)) return missing('a link that leads outside the documents folder')
    return await describe(path, bytesMax)
  }

  /** As written, then as other systems spell it: composed and decomposed accents, Windows separators. */
  async #findAsWritten(name: string): Promise<string | undefined> {
    const slashed = name.replaceAll('\\', '/')
    for (const spelling of new Set([name, slashed, slashed.normalize('NFC'), slashed.normalize('NFD')])) {
      const path = await realpath(join(this.#root, spelling)).catch(() => undefined)
      if (path !== undefined) return path
    }
    return undefined
  }

  /** Records written under Windows may name `PLAN.PDF` what is `Plan.pdf`: taken where it is the only one. */
  async #findInAnyCase(name: string): Promise<string | undefined> {
    const slashed = join(this.#root, name.replaceAll('\\', '/'))
    const folder = await realpath(dirname(slashed)).catch(() => undefined)
    if (folder === undefined || (folder !== this.#root && !this.#holds(folder))) return undefined
    if (this.#listing?.folder !== folder) this.#listing = { folder, names: listFolded(folder) }
    const found = (await this.#listing.names).get(foldFileName(basename(slashed)))
    return found ? await realpath(join(folder, found)).catch(() => undefined) : undefined
  }

  #holds(path: string): boolean {
    return path.startsWith(this.#root.endsWith(sep) ? this.#root : this.#root + sep)
  }
}

/** The names in a folder by their folded form; null where two of them differ in case alone. */
async function listFolded(folder: string): Promise<Map<string, string | null>> {
  const names = new Map<string, string | null>()
  try {
    for await (const { name } of await opendir(folder)) {
      const folded = foldFileName(name)
      names.set(folded, names.has(folded) ? null : name)
    }
  } catch {
    // What is no folder, or may not be listed, holds nothing.
  }
  return names
}

function foldFileName(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

/** The content's hash; undefined when the file is gone. `O_NOFOLLOW` because the path was real a moment ago. */
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

/** Opening a pipe must not wait for a writer. */
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
    const facts = await file.stat({ bigint: true })
    if (!facts.isFile()) return missing('not a file')
    if (facts.size > bytesMax) {
      return { kind: 'unreadable', reason: `larger than ${Math.floor(bytesMax / 1024 / 1024)} MB` }
    }
    // A change within one tick of the file system's clock leaves no trace in the times (git's "racily clean").
    if (Date.now() - Number(facts.ctimeNs / 1_000_000n) < 2_000) return { kind: 'found', path, fileState: undefined }
    return {
      kind: 'found',
      path,
      fileState: [facts.dev, facts.ino, facts.size, facts.mtimeNs, facts.ctimeNs].join(' '),
    }
  } finally {
    await file.close()
  }
}

function missing(reason: string): LocatedFile {
  return { kind: 'missing', reason }
}
