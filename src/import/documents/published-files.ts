// The files that `import --publish-documents` keeps for readers, named by their SHA-256 in the folder `documents` of
// `--data-dir`. A file gets its name only when it is whole, on the disk, and has the content that was read.

import { constants } from 'node:fs'
import { chmod, copyFile, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { type PublishedFile, toPublishedFilePath, toPublishedPath } from '../../domain/document.ts'
import { t } from '../../language.ts'
import { systemReasonOf } from '../../system-reason.ts'
import { hashFile } from './document-folder.ts'
import { headBytes, isPdf } from './plain-text.ts'
import { DocumentFault } from './reference.ts'

export interface PublishedFilesOptions {
  readonly dataDir: string
  /** `--documents-url`, which ends with a slash; undefined if this service hands the files out. */
  readonly url: string | undefined
  /** Nothing is written, as in a dry run. */
  readonly dryRun: boolean
}

export class PublishedFiles {
  readonly #options: PublishedFilesOptions
  /** By hash: whether the file was kept. Several records may name it. */
  readonly #kept = new Map<string, Promise<boolean>>()
  /** Those that were not there before. */
  readonly #added = new Set<string>()

  constructor(options: PublishedFilesOptions) {
    this.#options = options
  }

  /** The address that clients get. */
  toHref(sha256: string): string {
    const { url } = this.#options
    return url === undefined ? toPublishedPath(sha256) : `${url}${sha256}`
  }

  /**
   * Keeps a copy of the file. Returns undefined if it does not have this content any more. Throws `DocumentFault` if
   * the copy cannot be written.
   */
  async keep(path: string, sha256: string): Promise<PublishedFile | undefined> {
    try {
      return await this.#keep(path, sha256)
    } catch (error) {
      const folder = dirname(toPublishedFilePath(this.#options.dataDir, sha256))
      throw new DocumentFault(
        t`Cannot copy ${path} to ${folder}: ${systemReasonOf(error)}; free some space there, or choose another folder with --data-dir`,
      )
    }
  }

  async #keep(path: string, sha256: string): Promise<PublishedFile | undefined> {
    const { dataDir, dryRun } = this.#options
    if (dryRun) return await describe(path, path)
    const kept = toPublishedFilePath(dataDir, sha256)
    const copying = this.#kept.get(sha256) ?? this.#copy(path, kept, sha256)
    this.#kept.set(sha256, copying)
    return (await copying) ? await describe(path, kept) : undefined
  }

  async #copy(path: string, kept: string, sha256: string): Promise<boolean> {
    if (await hasSameSize(path, kept)) return true
    const draft = `${kept}.part`
    await mkdir(dirname(kept), { recursive: true })
    try {
      await copyFile(path, draft, constants.COPYFILE_FICLONE)
      if ((await hashFile(draft)) !== sha256) return false
      // The copy has the permissions of the original, which the user of the service may not be able to read.
      await chmod(draft, 0o644)
      await sync(draft)
      await rename(draft, kept)
      this.#added.add(sha256)
      return true
    } finally {
      await rm(draft, { force: true })
    }
  }

  /** Removes the copies that this import has made, because its records are not published. */
  async discard(): Promise<void> {
    await deletePublished(this.#options.dataDir, this.#added)
  }

  /** Whether the records of this import have the file. */
  has(sha256: string): boolean {
    return this.#kept.has(sha256)
  }
}

/** Whether the file was kept by an earlier import; a copy of another size was damaged since. */
async function hasSameSize(path: string, kept: string): Promise<boolean> {
  const [original, copy] = await Promise.all([path, kept].map((each) => stat(each).catch(() => undefined)))
  return copy?.isFile() === true && copy.size === original?.size
}

async function sync(path: string): Promise<void> {
  await using file = await open(path, 'r+')
  await file.sync()
}

/** The facts of the file at `copy`, with the name of the one at `path`. */
async function describe(path: string, copy: string): Promise<PublishedFile> {
  await using file = await open(copy)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
  const { size } = await file.stat()
  return { name: basename(path), bytes: size, isPdf: isPdf(buffer.subarray(0, bytesRead)) }
}

/** Deletes files from the folder of published documents. */
export async function deletePublished(dataDir: string, hashes: Iterable<string>): Promise<void> {
  for (const sha256 of hashes) await rm(toPublishedFilePath(dataDir, sha256), { force: true })
}
