// The files that `import --publish-documents` keeps for readers, named by their SHA-256 in a folder of `--data-dir`. A
// file gets its name only when it is whole, on the disk, and has the content that was read.

import { constants, existsSync } from 'node:fs'
import { chmod, copyFile, lstat, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { type PublishedFile, toPublishedPath } from '../../domain/document.ts'
import { t } from '../../language.ts'
import { systemReasonOf } from '../../system-reason.ts'
import { hashFile } from './document-folder.ts'
import { headBytes, isPdf } from './plain-text.ts'
import { DocumentFault } from './reference.ts'

export interface PublishedFilesOptions {
  /** As in `toPublishedFolder` (registry/open.ts). */
  readonly folder: string
  /** The path of the registry's file. */
  readonly registryPath: string
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

  /** Makes the folder. Throws `DocumentFault` if it is that of another registry, or cannot be made. */
  async open(): Promise<void> {
    const { folder, registryPath, dryRun } = this.#options
    // Registries have the same folder if their files have the same name. It belongs to the first one, while that exists.
    // The path is relative, so that both can be moved or copied together.
    const note = `${folder}.txt`
    const path = relative(folder, registryPath)
    const owner = await readFile(note, 'utf8').catch(() => path)
    if (owner !== path && existsSync(join(folder, owner)))
      throw new DocumentFault(
        t`Cannot publish documents: ${folder} has those of the registry ${join(folder, owner)}; give this one a folder of its own with --data-dir`,
      )
    if (dryRun) return
    try {
      await mkdir(folder, { recursive: true })
      await writeFile(note, path)
    } catch (error) {
      throw toFault(folder, error)
    }
  }

  /**
   * Keeps a copy of the file. Returns undefined if it does not have this content any more. Throws `DocumentFault` if
   * the copy cannot be written.
   */
  async keep(path: string, sha256: string): Promise<PublishedFile | undefined> {
    const { folder, dryRun } = this.#options
    try {
      if (dryRun) return await describe(path, path)
      const copy = join(folder, sha256)
      const copying = this.#kept.get(sha256) ?? this.#copy(path, copy, sha256)
      this.#kept.set(sha256, copying)
      return (await copying) ? await describe(path, copy) : undefined
    } catch (error) {
      throw toFault(folder, error)
    }
  }

  async #copy(path: string, copy: string, sha256: string): Promise<boolean> {
    if (await hasSameSize(path, copy)) return true
    const draft = `${copy}.part`
    try {
      await copyFile(path, draft, constants.COPYFILE_FICLONE)
      if ((await hashFile(draft)) !== sha256) return false
      // The copy has the permissions of the original, which the user of the service may not be able to read.
      await chmod(draft, 0o644)
      await sync(draft)
      await rename(draft, copy)
      this.#added.add(sha256)
      return true
    } finally {
      await rm(draft, { force: true })
    }
  }

  /** Removes the copies that this import has made, because its records are not published. */
  async discard(): Promise<void> {
    await deletePublished(this.#options.folder, this.#added)
  }

  /** Whether the records of this import have the file. */
  has(sha256: string): boolean {
    return this.#kept.has(sha256)
  }
}

function toFault(folder: string, error: unknown): DocumentFault {
  return new DocumentFault(
    t`Cannot copy documents to ${folder}: ${systemReasonOf(error)}; free some space there, or choose another folder with --data-dir`,
  )
}

/** Whether the file was kept by an earlier import; a copy of another size was damaged since. */
async function hasSameSize(path: string, kept: string): Promise<boolean> {
  const copy = await lstat(kept).catch(() => undefined)
  return copy?.isFile() === true && copy.size === (await stat(path)).size
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

/** Deletes files from a folder of published documents. */
export async function deletePublished(folder: string, hashes: Iterable<string>): Promise<void> {
  for (const sha256 of hashes) await rm(join(folder, sha256), { force: true })
}
