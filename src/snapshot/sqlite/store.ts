// Registry in a snapshot file, opened for reading (`RegistryStore`). The store polls the file: a new file that was
// renamed into place is served within a second. A file that is damaged or was changed in place is not served until a
// valid file replaces it. A file that could not be read for a reason that may pass is opened and verified again.
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

/** A replaced snapshot stays open this long for requests that have it but have not yet called `retain`. */
const replacedOpenMs = 5000

/**
 * Before a file up to the first size is served, all its rows are verified; up to the second, only its structure. Both
 * take a few tenths of a second. A larger file is not verified as a whole; every row is verified when it is read.
 */
const verifyRowsBytesMax = 32 * 1024 * 1024
const verifyStructureBytesMax = 64 * 1024 * 1024

/**
 * A file that was refused for a reason that may pass is tried again after this many times as long as the attempt took,
 * so that the verification of a large file takes a tenth of the time at most.
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

/** Tells whether the path leads to the same file as before, and whether the file was changed in between. */
interface FileIdentity {
  readonly deviceAndInode: string
  readonly mtimeAndSize: string
  readonly size: number
}

/** ../contract.ts explains the methods of a `RegistryStore`. */
class SqliteStore implements RegistryStore {
  readonly #path: string
  readonly #options: OpenOptions
  /** The file that was put in service last. */
  #identity: FileIdentity | undefined
  #storage: FileStorage | undefined
  #snapshot: StoredSnapshot | undefined
  /** Why nothing is served; undefined while a snapshot is in service. */
  #fault: StoreFault | undefined
  /** The file that was refused last. It is tried again at `retryAt`, on the clock of `performance.now()`. */
  #refused: { readonly identity: FileIdentity; readonly fault: StoreFault; readonly retryAt: number } | undefined
  /** Messages since the file in service was last found valid. Each is reported once, although every poll finds it. */
  readonly #reportedMessages = new Set<string>()
  /** Starts the next check for a new file; undefined once the store is closed. */
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(path: string, options: OpenOptions) {
    this.#path = path
    this.#options = options
  }

  current(): Snapshot {
    if (this.#fault !== undefined) throw new StoreUnavailable(this.#fault.message, { cause: this.#fault })
    if (this.#snapshot === undefined) throw new StoreFault(t`Cannot read ${this.#path}: the registry has been closed`)
    return this.#snapshot
  }

  async refresh(): Promise<void> {
    try {
      await this.loadIfChanged()
    } catch (error) {
      if (error instanceof StoreFault) {
        this.#report(error, this.#fault === undefined ? this.#options.onRefused : this.#options.onDamage)
      }
      throw error
    }
  }

  async readLinkCheck(addresses: readonly string[]): Promise<LinkCheck | null> {
    return readLinkCheckFile(this.#path, addresses)
  }

  /** Puts the file in service, unless it is already. Throws `StoreFault` if it cannot be served. */
  async loadIfChanged(): Promise<void> {
    const identity = await readIdentity(this.#path)
    const served = this.#identity
    const isServed = isUnchanged(served, identity)
    if (isServed) {
      if (this.#fault === undefined) {
        this.#reportedMessages.clear()
        return
      }
      // A read has found the file damaged. If it has only failed, the file is opened and verified again.
      if (!this.#fault.isTransient) throw this.#fault
    }
    const refused = this.#refused
    if (refused !== undefined && isUnchanged(refused.identity, identity) && performance.now() < refused.retryAt) {
      throw refused.fault
    }
    const startedAt = performance.now()
    const isSameFile = served?.deviceAndInode === identity.deviceAndInode
    if (isSameFile && !isServed) {
      // Reads of the open file would return a mixture of both versions. If the previous version is put back with its
      // modification time, it is verified too.
      const message = t`Cannot read ${this.#path}: the file was changed while it was in service`
      this.#withdraw(new StoreFault(message, { isTransient: true }))
    }
    // The same file is verified completely, whatever its size: a change in place is nearly always a mistake, and a
    // disk where a read has failed may be failing.
    const storage = await this.#openOrRefuse(identity, isSameFile)
    // If the path was replaced meanwhile, one file may have been opened and the other verified. Then start again.
    const identityNow = await readIdentity(this.#path).catch(() => undefined)
    if (identityNow === undefined || !isUnchanged(identityNow, identity)) {
      storage.closeWhenUnused()
      return this.loadIfChanged()
    }
    if (this.#isClosed) {
      storage.closeWhenUnused()
      return
    }
    const previous = this.#storage
    this.#identity = identity
    this.#refused = undefined
    this.#storage = storage
    this.#snapshot = new StoredSnapshot(storage)
    this.#fault = undefined
    this.#reportedMessages.clear()
    if (previous !== undefined) setTimeout(() => previous.closeWhenUnused(), replacedOpenMs).unref()
    this.#options.onSnapshot?.(this.#snapshot.metadata, performance.now() - startedAt)
  }

  /** Remembers a file that cannot be served, and throws the fault. */
  async #openOrRefuse(identity: FileIdentity, verifyAll: boolean): Promise<FileStorage> {
    const startedAt = performance.now()
    try {
      return await this.#openVerified(identity.size, verifyAll)
    } catch (error) {
      if (error instanceof StoreFault) {
        const endedAt = performance.now()
        const retryAt = error.isTransient
          ? endedAt + retryPauseFactor * (endedAt - startedAt)
          : Number.POSITIVE_INFINITY
        this.#refused = { identity, fault: error, retryAt }
      }
      throw error
    }
  }

  /**
   * Opens the file and verifies it as a whole, if its size allows that or `verifyAll` is set. Throws `StoreFault` if it
   * is damaged or cannot be read.
   */
  async #openVerified(size: number, verifyAll: boolean): Promise<FileStorage> {
    const path = this.#path
    if (size === 0)
      throw new StoreFault(t`Cannot open ${path}: the file is empty; create it with planning-registry import`)
    const storage: FileStorage = new FileStorage(path, {
      cacheBytes: this.#options.cacheBytes,
      onReadFault: (fault) => {
        // A replaced snapshot may still be read. Its damage does not concern the one in service.
        if (this.#storage === storage) this.#withdraw(fault)
      },
    })
    try {
      const verifyRows = verifyAll || size <= verifyRowsBytesMax
      const isFirstFile = this.#identity === undefined
      const isVerified = isFirstFile && this.#options.isVerified === true
      if (!isVerified && (verifyRows || size <= verifyStructureBytesMax))
        await verifyInThread({ path, verifyRows, language: currentLanguage() })
      return storage
    } catch (error) {
      storage.closeWhenUnused()
      throw error
    }
  }

  /** Takes the snapshot out of service. Requests get 503 from now on. */
  #withdraw(fault: StoreFault): void {
    this.#fault = fault
    this.#report(fault, this.#options.onDamage)
  }

  /** Calls `report` unless it was called with the same message before. */
  #report(fault: StoreFault, report: ((fault: StoreFault) => void) | undefined): void {
    if (this.#reportedMessages.has(fault.message)) return
    this.#reportedMessages.add(fault.message)
    report?.(fault)
  }

  /** Checks for a new file until the store is closed. */
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

/** Whether both are the same version of the same file. */
function isUnchanged(before: FileIdentity | undefined, now: FileIdentity): boolean {
  return before?.deviceAndInode === now.deviceAndInode && before.mtimeAndSize === now.mtimeAndSize
}

/** Throws `StoreFault` if the file cannot be reached. */
async function readIdentity(path: string): Promise<FileIdentity> {
  try {
    const { dev, ino, mtimeMs, size } = await stat(path)
    return { deviceAndInode: `${dev} ${ino}`, mtimeAndSize: `${mtimeMs} ${size}`, size }
  } catch (error) {
    throw new StoreFault(t`Cannot open ${path}: ${whyUnreachable(error)}`, { cause: error })
  }
}

function whyUnreachable(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
    return t`there is no such file; create it with planning-registry import`
  }
  const reason = error instanceof Error ? error.message : String(error)
  return t`${reason}; correct the path or its permissions`
}

/** Throws `StoreFault` if the file is damaged. */
async function verifyInThread(task: VerifyTask): Promise<void> {
  let result: VerifyResult | undefined
  const thread = new Thread<VerifyResult>(new URL('../file/verify-worker.ts', import.meta.url), task, (message) => {
    result = message
  })
  try {
    await thread.until(() => result !== undefined)
  } finally {
    await thread.stop()
  }
  if (result !== undefined && result !== null) throw new StoreFault(result.message, { isTransient: result.isTransient })
}
