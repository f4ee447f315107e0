// `serve --offer-file`: the file of the registry in service, with its SHA-256, for src/api/offered-file.ts. Each
// version is hashed once, in the background. The files stay open, so that a file that an import replaces is handed out
// to its end. Two versions are offered, so that a follower can finish or resume the older one.
import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { RegistryStore, ServedFile } from '../contract.ts'
import { toFileVersion } from '../file-version.ts'
import { describeOpenFile, type FileFacts, type FileRange, readRange } from './registry-file.ts'
import type { LastImport } from './remote.ts'

/** The current version and the one before. */
const offeredVersions = 2

export class FileOffer {
  readonly #store: RegistryStore
  readonly #log: Logger
  /** The newest first. */
  #files: readonly OfferedFile[] = []
  #update: Promise<void> | undefined
  #isClosed = false

  constructor(store: RegistryStore, log: Logger) {
    this.#store = store
    this.#log = log
  }

  /** The newest file that is ready; undefined if there is none, or the registry is unavailable. */
  get newest(): OfferedFile | undefined {
    return this.#store.servedFile?.() === undefined ? undefined : this.#files[0]
  }

  find(sha256: string): OfferedFile | undefined {
    return this.#files.find(({ facts }) => facts.sha256 === sha256)
  }

  async readLastImport(): Promise<LastImport | null> {
    return (await this.#store.readLastImport?.()) ?? null
  }

  /** Begins to prepare the file in service, unless it is ready. Called for each new file, and at each request. */
  update(): void {
    const served = this.#store.servedFile?.()
    const isReady = served === undefined || isSameFile(this.#files[0]?.served, served)
    if (isReady || this.#update !== undefined || this.#isClosed) return
    this.#update = this.#prepare(served)
      // The path may lead to a newer file already. It is tried again when that one is in service.
      .catch((error: unknown) => this.#log.warn({ err: error }, 'registry file not offered yet'))
      .finally(() => {
        this.#update = undefined
      })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#update
    this.#replaceFiles([])
  }

  async #prepare(served: ServedFile): Promise<void> {
    const startedAt = performance.now()
    const file = await OfferedFile.open(served)
    const { sha256, bytes } = file.facts
    this.#replaceFiles([file, ...this.#files.filter(({ facts }) => facts.sha256 !== sha256)].slice(0, offeredVersions))
    this.#log.info({ sha256, bytes, tookMs: Math.round(performance.now() - startedAt) }, 'registry file offered')
  }

  #replaceFiles(files: readonly OfferedFile[]): void {
    const replaced = this.#files.filter((file) => !files.includes(file))
    this.#files = files
    for (const file of replaced) file.closeWhenUnused()
  }
}

export class OfferedFile {
  readonly served: ServedFile
  readonly facts: FileFacts
  readonly #handle: FileHandle
  /** Transfers in progress. */
  #readers = 0
  #isReplaced = false

  /** Throws if the path leads to another file than the one in service. */
  static async open(served: ServedFile): Promise<OfferedFile> {
    const handle = await open(served.path)
    try {
      if (!isSameFile(served, await toServedFile(served.path, handle))) {
        throw new Error(`${served.path} has been replaced or changed`)
      }
      return new OfferedFile(served, await describeOpenFile(handle, served.path), handle)
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  private constructor(served: ServedFile, facts: FileFacts, handle: FileHandle) {
    this.served = served
    this.facts = facts
    this.#handle = handle
  }

  /** Whether the file has not been written to since it was hashed. */
  async isUnchanged(): Promise<boolean> {
    return isSameFile(this.served, await toServedFile(this.served.path, this.#handle))
  }

  /** The bytes from `first` to `last` (excluded). `end` must be called once they are not needed any more. */
  read(first: number, last: number): FileRange {
    this.#readers += 1
    return readRange(this.#handle, first, last, () => {
      this.#readers -= 1
      this.#closeIfUnused()
    })
  }

  closeWhenUnused(): void {
    this.#isReplaced = true
    this.#closeIfUnused()
  }

  #closeIfUnused(): void {
    // Closing a file that was only read cannot fail in a way that matters.
    if (this.#isReplaced && this.#readers === 0) this.#handle.close().catch(() => undefined)
  }
}

async function toServedFile(path: string, handle: FileHandle): Promise<ServedFile> {
  return { path, ...toFileVersion(await handle.stat()) }
}

function isSameFile(a: ServedFile | undefined, b: ServedFile): boolean {
  return a?.deviceAndInode === b.deviceAndInode && a.mtimeAndSize === b.mtimeAndSize
}
