// The registry on PostgreSQL, open for reading: watches the hosts, and puts the newest snapshot that one of them holds
// in service. Whoever has begun to read an older one goes on with it.

import { type RegistryStore, type Snapshot, StoreFault, StoreUnavailable } from '../contract.ts'
import { formatVersion } from '../schema.ts'
import { StoredSnapshot } from '../stored-snapshot.ts'
import { parseAddress } from './address.ts'
import { Hosts } from './hosts.ts'
import { newestOf, type SnapshotEntry } from './schema.ts'
import { PostgresStorage } from './storage.ts'

/** Throws `StoreFault` when no host can be reached or none holds a registry. */
export async function openPostgresStore(url: string, options: OpenOptions = {}): Promise<RegistryStore> {
  const store = new PostgresStore(url, options)
  try {
    await store.open()
  } catch (error) {
    await store.close()
    throw error
  }
  return store
}

export interface OpenOptions {
  readonly cacheBytes?: number | undefined
}

class PostgresStore implements RegistryStore {
  readonly #display: string
  readonly #hosts: Hosts
  readonly #cacheBytes: number | undefined
  #name = ''
  #snapshot: StoredSnapshot | undefined
  #adopting: Promise<void> | undefined

  constructor(url: string, { cacheBytes }: OpenOptions) {
    const address = parseAddress(url)
    this.#cacheBytes = cacheBytes
    this.#display = address.display
    this.#hosts = new Hosts(address, () => {
      // The first is adopted once every host was looked at, lest it be read from a primary that answered before them.
      if (this.#snapshot === undefined) return
      this.#adopt().catch(() => {
        // The host that held it is gone again; what is in service stays, and the next look may find another.
      })
    })
  }

  async open(): Promise<void> {
    await this.#hosts.look()
    const up = this.#hosts.all.filter(({ state }) => state.kind === 'up')
    if (up.length === 0) {
      throw new StoreFault(
        `Cannot open ${this.#display}: ${this.#hosts.downReasons}; start the database or correct --database`,
      )
    }
    if (this.#newest() === undefined) throw new StoreFault(`Cannot open ${this.#display}: ${this.#whyEmpty()}`)
    try {
      await this.#adopt()
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      throw new StoreFault(`${error.message}; see docs/postgres.md for what the role may need`, { cause: error })
    }
    this.#hosts.watch()
  }

  current(): Snapshot {
    if (this.#snapshot === undefined || !this.#hosts.hold(this.#name)) {
      throw new StoreUnavailable(
        `Cannot read ${this.#display}: ${this.#hosts.downReasons || 'no host holds the registry'}`,
      )
    }
    return this.#snapshot
  }

  async refresh(): Promise<void> {
    await this.#hosts.look()
    // What is being adopted may be older than what has just been seen.
    await this.#adopting?.catch(() => undefined)
    await this.#adopt()
    this.current()
  }

  async close(): Promise<void> {
    await this.#hosts.close()
  }

  /** One at a time; a call meanwhile waits for the one under way, and the next look calls again. */
  #adopt(): Promise<void> {
    this.#adopting ??= this.#adoptNewest().finally(() => {
      this.#adopting = undefined
    })
    return this.#adopting
  }

  async #adoptNewest(): Promise<void> {
    const newest = this.#newest()
    if (newest === undefined || newest.name === this.#name) return
    this.#snapshot = new StoredSnapshot(await PostgresStorage.open(this.#hosts, newest, this.#cacheBytes))
    this.#name = newest.name
  }

  #newest(): SnapshotEntry | undefined {
    return newestOf(this.#entries())
  }

  #entries(): SnapshotEntry[] {
    return this.#hosts.all.flatMap(({ state }) => (state.kind === 'up' ? state.snapshots : []))
  }

  #whyEmpty(): string {
    const [other] = this.#entries()
    if (other === undefined) return 'it holds no registry yet; make it with planning-registry import'
    return `it was written by another version (format ${other.format}, this one reads ${formatVersion}); import it anew`
  }
}
