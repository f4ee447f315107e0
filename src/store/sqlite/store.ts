// The embedded registry: one snapshot file, and the watch for a newer one put in its place by rename.
import { stat } from 'node:fs/promises'
import { StoredSnapshot } from '../snapshot.ts'
import { type RegistryStore, type Snapshot, StoreFault } from '../store.ts'
import { isSealIntact } from './seal.ts'
import { SqliteStorage } from './storage.ts'

/** How long a newly published snapshot may go unnoticed. */
const pollMs = 300

/** How long a replaced snapshot stays open for a request that holds it and has not begun to read. */
const graceMs = 5000

/** Larger files start serving before their checksum has been compared: reading them whole takes seconds. */
const sealFirstBytesMax = 256 * 1024 * 1024

export interface OpenOptions {
  /** Called once when a large file proves damaged after it was opened. */
  readonly onDamage?: (fault: StoreFault) => void
  /** Called when the file that was put in place cannot be served; what is open stays in service. */
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

class SqliteStore implements RegistryStore {
  readonly #path: string
  readonly #options: OpenOptions
  #identity = ''
  #refused = ''
  #storage: SqliteStorage | undefined
  #snapshot: StoredSnapshot | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(path: string, options: OpenOptions) {
    this.#path = path
    this.#options = options
  }

  current(): Snapshot {
    if (this.#snapshot === undefined) throw new StoreFault(`Cannot read ${this.#path}: the registry has been closed`)
    return this.#snapshot
  }

  async refresh(): Promise<void> {
    const { identity, size } = await identify(this.#path)
    if (identity === this.#identity) return
    const storage = await this.#open(size)
    const previous = this.#storage
    this.#identity = identity
    this.#storage = storage
    this.#snapshot = new StoredSnapshot(storage)
    if (previous === undefined) return
    previous.forget()
    setTimeout(() => previous.retire(), graceMs).unref()
  }

  async #open(size: number): Promise<SqliteStorage> {
    const path = this.#path
    if (size === 0)
      throw new StoreFault(`Cannot open ${path}: the file is empty; make it with planning-registry import`)
    const storage = new SqliteStorage(path)
    if (size > sealFirstBytesMax) {
      checkSeal(path).catch((fault: StoreFault) => this.#options.onDamage?.(fault))
      return storage
    }
    try {
      await checkSeal(path)
      return storage
    } catch (error) {
      storage.retire()
      throw error
    }
  }

  watch(): void {
    this.#timer = setTimeout(async () => {
      try {
        await this.refresh()
        this.#refused = ''
      } catch (error) {
        // The file is gone or half copied: what is open stays in service, and the next look may find a whole one.
        if (error instanceof StoreFault && error.message !== this.#refused) {
          this.#refused = error.message
          this.#options.onRefused?.(error)
        }
      }
      if (this.#timer !== undefined) this.watch()
    }, pollMs)
    this.#timer.unref()
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#snapshot = undefined
    this.#storage?.retire()
    this.#storage = undefined
  }
}

async function identify(path: string): Promise<{ identity: string; size: number }> {
  try {
    const { dev, ino, mtimeMs, size } = await stat(path)
    return { identity: `${dev} ${ino} ${mtimeMs} ${size}`, size }
  } catch (error) {
    throw new StoreFault(`Cannot open ${path}: there is no such file; make it with planning-registry import`, {
      cause: error,
    })
  }
}

async function checkSeal(path: string): Promise<void> {
  const intact = await isSealIntact(path)
  if (intact === true) return
  const reason =
    intact === false ? 'its checksum differs, the file is damaged' : 'it bears no checksum, the file is cut short'
  throw new StoreFault(`Cannot open ${path}: ${reason}; restore it from a back-up or import it anew`)
}
