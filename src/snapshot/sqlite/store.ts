// Registry in a snapshot file. The store polls the file: a new file that was renamed into place is served within a
// second. A file that is damaged or was changed in place is not served until a valid file replaces it.
import { stat } from 'node:fs/promises'
import { Thread } from '../../worker-thread.ts'
import { type RegistryStore, type Snapshot, StoreFault, StoreUnavailable } from '../contract.ts'
import { FileStorage } from '../file/file-storage.ts'
import type { VerifyResult, VerifyTask } from '../file/verify-worker.ts'
import { StoredSnapshot } from '../stored-snapshot.ts'

/** Interval between two checks for a new file. */
const pollMs = 300

/** A replaced snapshot stays open this long for requests that have it but have not begun to read. */
const graceMs = 5000

/**
 * Files up to the first size have all rows verified before they are served, files up to the second their structure.
 * Both take a few tenths of a second. In all files each row is verified when it is read.
 */
const verifyRowsBytesMax = 32 * 1024 * 1024
const verifyStructureBytesMax = 64 * 1024 * 1024

export interface OpenOptions {
  readonly cacheBytes?: number | undefined
  /** Called when the file in service turns out to be damaged. Requests get 503 until a valid file replaces it. */
  readonly onDamage?: (fault: StoreFault) => void
  /** Called when a new file cannot be served. The previous one stays in service. */
  readonly onRefused?: (fault: StoreFault) => void
}

export async function openSqliteStore(path: string, options: OpenOptions = {}): Promise<RegistryStore> {
  const store = new SqliteStore(path, options)
  try {
    await store.refresh()
  } catch (error) {
    await store.close()
    throw error
  }
  store.watch()
  return store
}

/** Identifies a file and its version. */
interface FileIdentity {
  readonly inode: string
  readonly version: string
  readonly size: number
}

class SqliteStore implements RegistryStore {
  readonly #path: string
  readonly #options: OpenOptions
  #identity: FileIdentity | undefined
  #storage: FileStorage | undefined
  #snapshot: StoredSnapshot | undefined
  /** Why nothing is served; undefined while a snapshot is in service. */
  #fault: StoreFault | undefined
  /** The file that was refused last. It is not verified again. */
  #refused: { readonly identity: FileIdentity; readonly fault: StoreFault } | undefined
  /** The message that was reported last. It is not reported again. */
  #reported = ''
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(path: string, options: OpenOptions) {
    this.#path = path
    this.#options = options
  }

  current(): Snapshot {
    if (this.#fault !== undefined) throw new StoreUnavailable(this.#fault.message, { cause: this.#fault })
    if (this.#snapshot === undefined) throw new StoreFault(`Cannot read ${this.#path}: the registry has been closed`)
    return this.#snapshot
  }

  async refresh(): Promise<void> {
    const identity = await identify(this.#path)
    const served = this.#identity
    if (isSameFile(served, identity)) {
      if (this.#fault !== undefined) throw this.#fault
      return
    }
    if (this.#refused !== undefined && isSameFile(this.#refused.identity, identity)) throw this.#refused.fault
    const isChangedInPlace = served?.inode === identity.inode
    if (isChangedInPlace) {
      this.#withdraw(new StoreFault(`Cannot read ${this.#path}: the file was changed while it was in service`))
    }
    const storage = await this.#open(identity, isChangedInPlace)
    // If the path was replaced meanwhile, one file may have been opened and the other verified. Then start again.
    const identityNow = await identify(this.#path).catch(() => undefined)
    if (identityNow === undefined || !isSameFile(identityNow, identity)) {
      storage.retire()
      return this.refresh()
    }
    if (this.#isClosed) {
      storage.retire()
      return
    }
    const previous = this.#storage
    this.#identity = identity
    this.#refused = undefined
    this.#storage = storage
    this.#snapshot = new StoredSnapshot(storage)
    this.#fault = undefined
    this.#reported = ''
    if (previous !== undefined) setTimeout(() => previous.retire(), graceMs).unref()
  }

  async #open(identity: FileIdentity, isChangedInPlace: boolean): Promise<FileStorage> {
    try {
      return await this.#openVerified(identity.size, isChangedInPlace)
    } catch (error) {
      if (error instanceof StoreFault) this.#refused = { identity, fault: error }
      throw error
    }
  }

  async #openVerified(size: number, isChangedInPlace: boolean): Promise<FileStorage> {
    const path = this.#path
    if (size === 0)
      throw new StoreFault(`Cannot open ${path}: the file is empty; create it with planning-registry import`)
    const storage: FileStorage = new FileStorage(path, {
      cacheBytes: this.#options.cacheBytes,
      onDamage: (fault) => {
        if (this.#storage === storage) this.#withdraw(fault)
      },
    })
    try {
      const isThorough = isChangedInPlace || size <= verifyRowsBytesMax
      if (isThorough || size <= verifyStructureBytesMax) await verifyInThread({ path, isThorough })
      return storage
    } catch (error) {
      storage.retire()
      throw error
    }
  }

  /** Takes the snapshot out of service. Requests get 503 from now on. */
  #withdraw(fault: StoreFault): void {
    this.#fault = fault
    this.#report(fault, this.#options.onDamage)
  }

  #report(fault: StoreFault, report: ((fault: StoreFault) => void) | undefined): void {
    if (fault.message === this.#reported) return
    this.#reported = fault.message
    report?.(fault)
  }

  watch(): void {
    this.#timer = setTimeout(async () => {
      try {
        await this.refresh()
      } catch (error) {
        // The file is missing, half copied or damaged. A later check may find a valid one.
        if (error instanceof StoreFault && error !== this.#fault) {
          this.#report(error, this.#fault === undefined ? this.#options.onRefused : this.#options.onDamage)
        }
      }
      if (this.#timer !== undefined) this.watch()
    }, pollMs)
    this.#timer.unref()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#snapshot = undefined
    this.#storage?.retire()
    this.#storage = undefined
  }
}

function isSameFile(a: FileIdentity | undefined, b: FileIdentity): boolean {
  return a?.inode === b.inode && a.version === b.version
}

async function identify(path: string): Promise<FileIdentity> {
  try {
    const { dev, ino, mtimeMs, size } = await stat(path)
    return { inode: `${dev} ${ino}`, version: `${mtimeMs} ${size}`, size }
  } catch (error) {
    throw new StoreFault(`Cannot open ${path}: there is no such file; create it with planning-registry import`, {
      cause: error,
    })
  }
}

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
  if (typeof result === 'string') throw new StoreFault(result)
}
