// The local copy of a registry that a remote store keeps: a folder of its own for each store under `--data-dir`, with
// the file in service, a note that says which file it is, and the part of a file whose transfer is not complete.
import { hash } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { t } from '../../language.ts'
import { systemReasonOf } from '../../system-reason.ts'
import { StoreFault } from '../contract.ts'
import { tryFileLock } from './file-lock.ts'
import { hashFile } from './registry-file.ts'
import type { Manifest } from './remote.ts'

/** The default of `--data-dir`. */
export const dataDirDefault = 'data'

/** A part of a file that is not followed any more is removed when nothing has been written to it for this time. */
const partKeptMs = 10 * 60_000

/** Which file the copy is. It holds only for the file with this inode, time and size. */
interface Note {
  readonly manifest: Manifest
  readonly file: string
}

export class LocalCopy {
  /** The address of the registry without its password, for messages. */
  readonly address: string
  readonly folder: string
  /** The file in service. Nothing is there before the first transfer. */
  readonly path: string
  readonly #notePath: string

  /** `location` as in `toCopyName`. Nothing is created yet. */
  constructor(dataDir: string, address: string, location: string) {
    this.address = address
    this.folder = join(dataDir, toCopyName(location))
    this.path = join(this.folder, 'registry.db')
    this.#notePath = join(this.folder, 'registry.json')
  }

  /** Creates the folder if there is none. Throws `StoreFault` if that is not possible. */
  create(): void {
    try {
      mkdirSync(this.folder, { recursive: true })
    } catch (error) {
      throw toFolderFault(this.folder, error)
    }
  }

  get exists(): boolean {
    return existsSync(this.path)
  }

  /**
   * Takes the lock of the process that follows the store, and returns the function that releases it. Null if another
   * process of this machine has it. Throws `StoreFault` if the folder cannot be written to.
   */
  tryLock(): (() => void) | null {
    this.create()
    try {
      return tryFileLock(join(this.folder, 'follow.lock'))
    } catch (error) {
      throw toFolderFault(this.folder, error)
    }
  }

  /**
   * The SHA-256 of the copy; null if there is none. Read from the note if that is about the file that is there now,
   * otherwise computed.
   */
  async readSha256(): Promise<string | null> {
    const file = await identify(this.path)
    if (file === undefined) return null
    const note = await this.#readNote()
    if (note?.file === file) return note.manifest.sha256
    return await hashFile(this.path)
  }

  /** What the store last said about the copy; null if that is not known. */
  async readManifest(): Promise<Manifest | null> {
    return (await this.#readNote())?.manifest ?? null
  }

  async #readNote(): Promise<Note | undefined> {
    try {
      return JSON.parse(await readFile(this.#notePath, 'utf8')) as Note
    } catch {
      // There is none, or a crash has left half of it.
      return undefined
    }
  }

  /** Notes which file the copy is. */
  async writeNote(manifest: Manifest): Promise<void> {
    const note: Note = { manifest, file: (await identify(this.path)) ?? '' }
    const draft = `${this.#notePath}.${process.pid}`
    await writeFile(draft, `${JSON.stringify(note)}\n`)
    await rename(draft, this.#notePath)
  }

  /** Removes the note, so that the process that follows the store compares the copy with its SHA-256. */
  async distrust(): Promise<void> {
    await rm(this.#notePath, { force: true })
  }

  /** Where the file is written while it is transferred. */
  toPartPath(sha256: string): string {
    return join(this.folder, `${sha256}.part`)
  }

  /** Removes parts of other files, which nobody will continue. */
  async removeOldParts(sha256: string): Promise<void> {
    for (const name of await readdir(this.folder)) {
      if (!name.endsWith('.part') || name.startsWith(sha256)) continue
      const path = join(this.folder, name)
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }))
      if (Date.now() - mtimeMs > partKeptMs) await rm(path, { force: true })
    }
  }

  /** Puts a complete file, which lies in the same folder, in service. It is durable before it replaces the old one. */
  async putInService(path: string, manifest: Manifest): Promise<void> {
    await replaceFile(path, this.path)
    await this.writeNote(manifest)
  }
}

function toFolderFault(folder: string, error: unknown): StoreFault {
  return new StoreFault(t`Cannot write to ${folder}: ${systemReasonOf(error)}; correct --data-dir`, { cause: error })
}

/** Renames a file after it has been flushed to disk, and makes the rename durable. */
export async function replaceFile(from: string, to: string): Promise<void> {
  await flush(from)
  await rename(from, to)
  await flush(dirname(to))
}

/**
 * Flushes a file, or the entries of a folder, to disk. Windows flushes only what is open for writing, and keeps the
 * entries of folders in its own journal.
 */
export async function flush(path: string): Promise<void> {
  const isWindows = process.platform === 'win32'
  if (isWindows && (await stat(path)).isDirectory()) return
  const file = await open(path, isWindows ? 'r+' : 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * The name of the folder for a store: readable, and different for every store. `location` is the address without user,
 * password and parameters, so that the role that imports and the one that reads share the copy.
 */
function toCopyName(location: string): string {
  const readable = location.replace(/^\w+:\/\//, '').replaceAll(/[^\w.-]+/g, '-')
  return `${readable.slice(0, 60)}-${hash('sha256', location).slice(0, 8)}`
}

/** Changes when another file is put in place, or when the file is written to. Undefined if there is none. */
async function identify(path: string): Promise<string | undefined> {
  const stats = await stat(path).catch(() => undefined)
  return stats === undefined ? undefined : `${stats.ino} ${stats.mtimeMs} ${stats.size}`
}
