// Registry in a file, opened for reading (`RegistryStore`). The store polls the file: a new file that was renamed into
// place is served within a second. A file that cannot be opened is not put in service. If a file in service turns out
// to be damaged, requests get 503 until a valid file replaces it.
import { copyFile, rm } from 'node:fs/promises'
import { t } from '../language.ts'
import {
  type LinkCheck,
  type OpenOptions,
  type RegistryStore,
  type ServedFile,
  type Snapshot,
  StoreFault,
  StoreUnavailable,
} from './contract.ts'
import { type FileVersion, isSameVersion, readVersion, toFileChange } from './file-version.ts'
import { readLinkCheckFile } from './link-check.ts'
import { type FileOptions, RegistryFile } from './registry-file.ts'
import { FileSnapshot } from './snapshot.ts'
import { readLastImport } from './stores/last-import.ts'
import type { LastImport } from './stores/remote.ts'

/** Interval between two checks for a new file. */
const pollMs = 300

/**
 * A replaced file stays open for this time at least, for requests that have its snapshot but have read nothing yet, or
 * that read again after a long search. A search may take 20 seconds.
 */
const replacedOpenMs = 25_000

/** A file that was refused for a transient reason is tried again after this time. */
const retryMs = 1000

/** Throws `StoreFault` if the file is missing, damaged, empty or not a registry. */
export async function openFileStore(path: string, options: OpenOptions & FileOptions = {}): Promise<RegistryStore> {
  const store = new FileStore(path, options)
  try {
    await store.loadIfChanged()
  } catch (error) {
    await store.close()
    throw error
  }
  store.watch()
  return store
}

/** contract.ts documents the methods of a `RegistryStore`. */
class FileStore implements RegistryStore {
  readonly #path: string
  readonly #options: OpenOptions & FileOptions
  /** The file that was put in service last; it stays here if its snapshot is taken out of service (`#fault`). */
  #servedVersion: FileVersion | undefined
  /** That file, opened, and its snapshot. Both are undefined before the first file and after `close`. */
  #file: RegistryFile | undefined
  #snapshot: FileSnapshot | undefined
  /** Why the snapshot was taken out of service, so that requests get 503; undefined if it was not. */
  #fault: StoreFault | undefined
  /**
   * The file that was refused last. It is tried again at `retryAt`, on the clock of `performance.now()`; never, if that
   * is infinity.
   */
  #refused: { readonly version: FileVersion; readonly fault: StoreFault; readonly retryAt: number } | undefined
  /**
   * The messages reported since a poll last found a valid file. They are not reported again, although every poll finds
   * the same fault.
   */
  readonly #reportedMessages = new Set<string>()
  /** Starts the next check for a new file; undefined once the store is closed. */
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  #lastRefresh: Promise<void> = Promise.resolve()

  constructor(path: string, options: OpenOptions & FileOptions) {
    this.#path = path
    this.#options = options
  }

  current(): Snapshot {
    if (this.#fault !== undefined) throw new StoreUnavailable(this.#fault.message, { cause: this.#fault })
    if (this.#snapshot === undefined) {
      throw new StoreUnavailable(t`Cannot read ${this.#path}: the registry has been closed`)
    }
    return this.#snapshot
  }

  /** The poll and SIGHUP may call this at the same time. Then one call waits for the other, and opens no file again. */
  refresh(): Promise<void> {
    this.#lastRefresh = this.#lastRefresh.catch(() => undefined).then(() => this.#loadOrReport())
    return this.#lastRefresh
  }

  async #loadOrReport(): Promise<void> {
    try {
      await this.loadIfChanged()
    } catch (error) {
      if (error instanceof StoreFault) this.#report(error)
      throw error
    }
  }

  servedFile(): ServedFile | undefined {
    const isInService = this.#fault === undefined && this.#snapshot !== undefined
    return isInService && this.#servedVersion !== undefined ? { path: this.#path, ...this.#servedVersion } : undefined
  }

  async readLastImport(): Promise<LastImport | null> {
    return readLastImport(this.#path)
  }

  async readLinkCheck(addresses: readonly string[]): Promise<LinkCheck | null> {
    return readLinkCheckFile(this.#path, addresses)
  }

  /**
   * Puts the file at the path in service, unless it is in service already. Throws `StoreFault` if it cannot be served.
   */
  async loadIfChanged(): Promise<void> {
    const version = await readVersion(this.#path)
    const change = toFileChange(this.#servedVersion, version)
    if (change === 'none') {
      if (this.#fault === undefined) {
        this.#reportedMessages.clear()
        return
      }
      // A damaged file is not opened again until it is replaced. After a transient fault, such as a failed read, the
      // same file is opened again.
      if (!this.#fault.isTransient) throw this.#fault
    }
    this.#throwIfRefused(version)
    const startedAt = performance.now()
    if (change === 'in place') {
      // Reads of the open file would return a mixture of both versions. The fault is transient, so that the previous
      // version is accepted again if it is put back with its modification time.
      const message = t`Cannot read ${this.#path}: the file was changed while it was in service`
      this.#withdraw(new StoreFault(message, { isTransient: true }))
    }
    const file = await this.#open(version.size).catch((error: unknown) => {
      if (error instanceof StoreFault) this.#refuse(version, error)
      throw error
    })
    // If the file was replaced meanwhile, the version may not be that of the open file. So start again.
    const versionNow = await readVersion(this.#path).catch(() => undefined)
    if (!isSameVersion(versionNow, version)) {
      file.closeWhenUnused()
      return this.loadIfChanged()
    }
    if (this.#isClosed) {
      file.closeWhenUnused()
      return
    }
    const snapshot = this.#putInService(version, file)
    this.#options.onSnapshot?.(snapshot.metadata, performance.now() - startedAt)
  }

  /** Remembers that the version cannot be served. */
  #refuse(version: FileVersion, fault: StoreFault): void {
    const retryAt = fault.isTransient ? performance.now() + retryMs : Number.POSITIVE_INFINITY
    this.#refused = { version, fault, retryAt }
  }

  /** Throws the fault of a version that was refused, until it is time to try it again. */
  #throwIfRefused(version: FileVersion): void {
    const refused = this.#refused
    if (refused === undefined || !isSameVersion(refused.version, version)) return
    if (performance.now() < refused.retryAt) throw refused.fault
  }

  /** Replaces the snapshot in service. The replaced file is closed later. */
  #putInService(version: FileVersion, file: RegistryFile): FileSnapshot {
    const replaced = this.#file
    const snapshot = new FileSnapshot(file)
    this.#servedVersion = version
    this.#refused = undefined
    this.#file = file
    this.#snapshot = snapshot
    this.#fault = undefined
    this.#reportedMessages.clear()
    if (replaced !== undefined) setTimeout(() => replaced.closeWhenUnused(), replacedOpenMs).unref()
    return snapshot
  }

  /** Throws `StoreFault` if the file is empty, damaged or cannot be read. */
  async #open(size: number): Promise<RegistryFile> {
    if (size === 0) {
      throw new StoreFault(t`Cannot open ${this.#path}: the file is empty; create it with planning-registry import`)
    }
    const file: RegistryFile = await openUnlocked(this.#path, {
      cacheBytes: this.#options.cacheBytes,
      documentBase: this.#options.documentBase,
      onReadFault: (fault) => {
        // A replaced file may still be read. Its faults do not concern the one in service.
        if (this.#file === file) this.#withdraw(fault)
      },
    })
    return file
  }

  /** Takes the snapshot out of service. Requests get 503 until a valid file is put in service. */
  #withdraw(fault: StoreFault): void {
    this.#fault = fault
    this.#report(fault)
  }

  /** Reports the fault, once for each message: to `onDamage` while requests get 503, otherwise to `onRefused`. */
  #report(fault: StoreFault): void {
    if (this.#reportedMessages.has(fault.message)) return
    this.#reportedMessages.add(fault.message)
    const report = this.#fault === undefined ? this.#options.onRefused : this.#options.onDamage
    report?.(fault)
  }

  /** Checks for a new file every `pollMs`, until the store is closed. */
  watch(): void {
    this.#timer = setTimeout(async () => {
      // The file may be missing, half copied or damaged. A later check may find a valid one.
      await this.refresh().catch(() => undefined)
      if (this.#timer !== undefined) this.watch()
    }, pollMs)
    this.#timer.unref()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#snapshot = undefined
    this.#file?.closeWhenUnused()
    this.#file = undefined
  }
}

/**
 * Opens the file at the path. Windows does not let an import replace a file that is open, so there the service opens a
 * copy of its own, which disappears with the process or with the next start.
 */
async function openUnlocked(path: string, options: FileOptions): Promise<RegistryFile> {
  if (process.platform !== 'win32') return new RegistryFile(path, options)
  const copy = `${path}.serving-${process.pid}-${++copies}`
  await copyFile(path, copy)
  const file = new RegistryFile(copy, options)
  file.onClose = () => void rm(copy, { force: true })
  return file
}

let copies = 0
