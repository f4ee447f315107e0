// Registry in a snapshot file, opened for reading (`RegistryStore`). The store polls the file: a new file that was
// renamed into place is served within a second. A file in which damage is found is not put in service. If a file in
// service turns out to be damaged, requests get 503 until a valid file replaces it. A file that was changed in place,
// or could not be read for a transient reason, is served again only after it is verified.
import { t } from '../../language.ts'
import { readLastImport } from '../../registry/stores/last-import.ts'
import type { LastImport } from '../../registry/stores/remote.ts'
import {
  type LinkCheck,
  type OpenOptions,
  type RegistryStore,
  type ServedFile,
  type Snapshot,
  StoreFault,
  StoreUnavailable,
} from '../contract.ts'
import { FileStorage } from '../file/file-storage.ts'
import { readLinkCheckFile } from '../file/link-check.ts'
import { StoredSnapshot } from '../stored-snapshot.ts'
import { type FileVersion, isSameVersion, readVersion, toFileChange } from './file-version.ts'
import { verifyInThread } from './verify-thread.ts'

/** Interval between two checks for a new file. */
const pollMs = 300

/**
 * A replaced file stays open for this time at least, for requests that have its snapshot but have read nothing yet, or
 * that read again after a long search. A search may take 20 seconds.
 */
const replacedOpenMs = 25_000

/**
 * Before a file is served, all its rows are verified if it is not larger than `verifyRowsBytesMax`. Of a file up to
 * `verifyStructureBytesMax`, only the structure is verified. Both take a few tenths of a second. A larger file is not
 * verified as a whole. In any case, each row is verified when it is read.
 */
const verifyRowsBytesMax = 32 * 1024 * 1024
const verifyStructureBytesMax = 64 * 1024 * 1024

/**
 * A file that was refused for a transient reason is tried again after a pause that is this many times as long as the
 * attempt, so that at most a tenth of the time is spent on verifying a large file.
 */
const retryPauseFactor = 10

/** Throws `StoreFault` if the file is missing, damaged, empty or not a registry. */
export async function openSqliteStore(path: string, options: OpenOptions = {}): Promise<RegistryStore> {
  const store = new SqliteStore(path, options)
  try {
    await store.loadIfChanged()
  } catch (error) {
    await store.close()
    throw error
  }
  store.watch()
  return store
}

/** ../contract.ts documents the methods of a `RegistryStore`. */
class SqliteStore implements RegistryStore {
  readonly #path: string
  readonly #options: OpenOptions
  /** The file that was put in service last; it stays here if its snapshot is taken out of service (`#fault`). */
  #servedVersion: FileVersion | undefined
  /** The storage and the snapshot of that file. Both are undefined before the first file and after `close`. */
  #storage: FileStorage | undefined
  #snapshot: StoredSnapshot | undefined
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

  constructor(path: string, options: OpenOptions) {
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
      // same file is opened and verified again.
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
    // The file that was in service is verified completely, whatever its size: a change in place is nearly always a
    // mistake, and a disk where a read has failed may be failing.
    const verifyAll = change !== 'replaced'
    const storage = await this.#open(version.size, { verifyAll }).catch((error: unknown) => {
      if (error instanceof StoreFault) this.#refuse(version, error, performance.now() - startedAt)
      throw error
    })
    // If the file was replaced meanwhile, the file that was verified may not be the one that is open. So start again.
    const versionNow = await readVersion(this.#path).catch(() => undefined)
    if (!isSameVersion(versionNow, version)) {
      storage.closeWhenUnused()
      return this.loadIfChanged()
    }
    if (this.#isClosed) {
      storage.closeWhenUnused()
      return
    }
    const snapshot = this.#putInService(version, storage)
    this.#options.onSnapshot?.(snapshot.metadata, performance.now() - startedAt)
  }

  /** Remembers that the version cannot be served. `tookMs` is how long the attempt took. */
  #refuse(version: FileVersion, fault: StoreFault, tookMs: number): void {
    const retryAt = fault.isTransient ? performance.now() + retryPauseFactor * tookMs : Number.POSITIVE_INFINITY
    this.#refused = { version, fault, retryAt }
  }

  /** Throws the fault of a version that was refused, until it is time to try it again. */
  #throwIfRefused(version: FileVersion): void {
    const refused = this.#refused
    if (refused === undefined || !isSameVersion(refused.version, version)) return
    if (performance.now() < refused.retryAt) throw refused.fault
  }

  /** Replaces the snapshot in service. The replaced file is closed later. */
  #putInService(version: FileVersion, storage: FileStorage): StoredSnapshot {
    const replaced = this.#storage
    const snapshot = new StoredSnapshot(storage)
    this.#servedVersion = version
    this.#refused = undefined
    this.#storage = storage
    this.#snapshot = snapshot
    this.#fault = undefined
    this.#reportedMessages.clear()
    if (replaced !== undefined) setTimeout(() => replaced.closeWhenUnused(), replacedOpenMs).unref()
    return snapshot
  }

  /** Opens and verifies the file. Throws `StoreFault` if it is empty, damaged or cannot be read. */
  async #open(size: number, { verifyAll }: VerifyOptions): Promise<FileStorage> {
    if (size === 0) {
      throw new StoreFault(t`Cannot open ${this.#path}: the file is empty; create it with planning-registry import`)
    }
    const storage: FileStorage = new FileStorage(this.#path, {
      cacheBytes: this.#options.cacheBytes,
      onReadFault: (fault) => {
        // A replaced snapshot may still be read. Its faults do not concern the one in service.
        if (this.#storage === storage) this.#withdraw(fault)
      },
    })
    try {
      await this.#verify(size, { verifyAll })
      return storage
    } catch (error) {
      storage.closeWhenUnused()
      throw error
    }
  }

  /**
   * Verifies the rows of the file, or only its structure, or nothing, depending on its size (`verifyRowsBytesMax`) and
   * on the options. Throws `StoreFault` if it is damaged.
   */
  async #verify(size: number, { verifyAll }: VerifyOptions): Promise<void> {
    const isFirstFile = this.#servedVersion === undefined
    if (isFirstFile && this.#options.skipsVerification === true) return
    const verifyRows = verifyAll || size <= verifyRowsBytesMax
    if (!verifyRows && size > verifyStructureBytesMax) return
    await verifyInThread(this.#path, { verifyRows })
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
    this.#storage?.closeWhenUnused()
    this.#storage = undefined
  }
}

interface VerifyOptions {
  /** Verify every row, whatever the size of the file. */
  readonly verifyAll: boolean
}
