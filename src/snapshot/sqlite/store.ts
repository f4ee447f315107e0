// Registry in a snapshot file, opened for reading (`RegistryStore`). The store polls the file: a new file that was
// renamed into place is served within a second. A file in which damage is found is not put in service. If a file in
// service turns out to be damaged, requests get 503 until a valid file replaces it. A file that was changed in place,
// or could not be read for a transient reason, is served again only after it is verified.
import { stat } from 'node:fs/promises'
import { currentLanguage, t } from '../../language.ts'
import { Thread } from '../../worker-thread.ts'
import {
  type LinkCheck,
  type OpenOptions,
  type RegistryStore,
  type Snapshot,
  StoreFault,
  StoreUnavailable,
} from '../contract.ts'
import { FileStorage } from '../file/file-storage.ts'
import { readLinkCheckFile } from '../file/link-check.ts'
import type { VerifyResult, VerifyTask } from '../file/verify-worker.ts'
import { StoredSnapshot } from '../stored-snapshot.ts'

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

/** Tells which file the path leads to, and which version of the file it is. */
interface FileVersion {
  /** Changes when the path leads to another file. */
  readonly deviceAndInode: string
  /** Changes when the file is written to. */
  readonly mtimeAndSize: string
  readonly size: number
}

/** ../contract.ts documents the methods of a `RegistryStore`. */
class SqliteStore implements RegistryStore {
  readonly #path: string
  readonly #options: OpenOptions
  /** The file that was put in service last. Its storage and its snapshot are undefined after `close`. */
  #servedVersion: FileVersion | undefined
  #storage: FileStorage | undefined
  #snapshot: StoredSnapshot | undefined
  /** Why the snapshot was taken out of service; undefined if it was not. */
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
    this.#lastRefresh = this.#lastRefresh.catch(() => undefined).then(() => this.#refresh())
    return this.#lastRefresh
  }

  async #refresh(): Promise<void> {
    try {
      await this.loadIfChanged()
    } catch (error) {
      if (error instanceof StoreFault) {
        const isServing = this.#fault === undefined
        this.#report(error, isServing ? this.#options.onRefused : this.#options.onDamage)
      }
      throw error
    }
  }

  async readLinkCheck(addresses: readonly string[]): Promise<LinkCheck | null> {
    return readLinkCheckFile(this.#path, addresses)
  }

  /**
   * Puts the file at the path in service, unless it is in service already. Throws `StoreFault` if it cannot be served.
   */
  async loadIfChanged(): Promise<void> {
    const version = await readVersion(this.#path)
    const isServedVersion = isSameVersion(this.#servedVersion, version)
    if (isServedVersion && this.#fault === undefined) {
      this.#reportedMessages.clear()
      return
    }
    // If a read has found the file damaged, the file is not opened again until it is replaced. After a transient fault,
    // such as a failed read, it is opened and verified again.
    if (isServedVersion && this.#fault?.isTransient === false) throw this.#fault
    this.#throwIfRefused(version)
    const startedAt = performance.now()
    const isServedFile = this.#servedVersion?.deviceAndInode === version.deviceAndInode
    if (isServedFile && !isServedVersion) {
      // The file was changed in place. Reads of the open file would return a mixture of both versions. The fault is
      // transient, so that the previous version is accepted again if it is put back with its modification time.
      const message = t`Cannot read ${this.#path}: the file was changed while it was in service`
      this.#withdraw(new StoreFault(message, { isTransient: true }))
    }
    // The file that was in service is verified completely, whatever its size: a change in place is nearly always a
    // mistake, and a disk where a read has failed may be failing.
    const storage = await this.#openOrRefuse(version, { verifyAll: isServedFile })
    // If the file was replaced meanwhile, the file that was verified may not be the one that is open. So start again.
    const versionNow = await readVersion(this.#path).catch(() => undefined)
    if (versionNow === undefined || !isSameVersion(versionNow, version)) {
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

  /** Opens and verifies the file. If it cannot be served, remembers the version and throws the fault. */
  async #openOrRefuse(version: FileVersion, { verifyAll }: VerifyOptions): Promise<FileStorage> {
    const startedAt = performance.now()
    try {
      return await this.#openVerified(version.size, { verifyAll })
    } catch (error) {
      if (error instanceof StoreFault) {
        const endedAt = performance.now()
        const retryAt = endedAt + retryPauseFactor * (endedAt - startedAt)
        this.#refused = { version, fault: error, retryAt: error.isTransient ? retryAt : Number.POSITIVE_INFINITY }
      }
      throw error
    }
  }

  /** Throws `StoreFault` if the file is empty, damaged or cannot be read. */
  async #openVerified(size: number, { verifyAll }: VerifyOptions): Promise<FileStorage> {
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
    await verifyInThread({ path: this.#path, verifyRows, language: currentLanguage() })
  }

  /** Takes the snapshot out of service. Requests get 503 until a valid file is put in service. */
  #withdraw(fault: StoreFault): void {
    this.#fault = fault
    this.#report(fault, this.#options.onDamage)
  }

  /** Calls `report` with the fault, unless a fault with the same message was reported before. */
  #report(fault: StoreFault, report: ((fault: StoreFault) => void) | undefined): void {
    if (this.#reportedMessages.has(fault.message)) return
    this.#reportedMessages.add(fault.message)
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

/** Whether both are the same version of the same file. */
function isSameVersion(a: FileVersion | undefined, b: FileVersion): boolean {
  return a?.deviceAndInode === b.deviceAndInode && a.mtimeAndSize === b.mtimeAndSize
}

/** Throws `StoreFault` if the file cannot be reached. */
async function readVersion(path: string): Promise<FileVersion> {
  try {
    const { dev, ino, mtimeMs, size } = await stat(path)
    return { deviceAndInode: `${dev} ${ino}`, mtimeAndSize: `${mtimeMs} ${size}`, size }
  } catch (error) {
    throw new StoreFault(t`Cannot open ${path}: ${whyUnreachable(error)}`, { cause: error })
  }
}

/** The reason, and how to correct it. `error` is the error of `stat`. */
function whyUnreachable(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
    return t`there is no such file; create it with planning-registry import`
  }
  const reason = error instanceof Error ? error.message : String(error)
  return t`${reason}; correct the path or its permissions`
}

/**
 * Verifies the file in a worker thread. Throws `StoreFault` if the file is damaged or cannot be read, and if the thread
 * fails, for example because no further thread is allowed.
 */
async function verifyInThread(task: VerifyTask): Promise<void> {
  const result = await runThread(task).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StoreFault(t`Cannot verify ${task.path}: ${reason}; check the limits on threads, files and memory`, {
      cause: error,
      isTransient: true,
    })
  })
  // Null means that the file is valid.
  if (result !== null) throw new StoreFault(result.message, { isTransient: result.isTransient })
}

/** Runs verify-worker.ts in a thread. */
async function runThread(task: VerifyTask): Promise<VerifyResult> {
  let result: VerifyResult | undefined
  const thread = new Thread<VerifyResult>(new URL('../file/verify-worker.ts', import.meta.url), task, (message) => {
    result = message
  })
  try {
    await thread.until(() => result !== undefined)
  } finally {
    await thread.stop()
  }
  // `null` is for the compiler: `until` has rejected if the thread ended without a result.
  return result ?? null
}
