// Registry on PostgreSQL, opened for reading (`RegistryStore`). The store polls the hosts of the database. If the
// newest snapshot of the hosts that are up is not the one in service, the store adopts it: reads those of its tables
// that are kept in memory, then puts it in service. Requests that read the previous snapshot finish reading it.

import { t } from '../../language.ts'
import {
  type LinkCheck,
  type OpenOptions,
  type RegistryStore,
  type Snapshot,
  StoreFault,
  StoreUnavailable,
  StoreUnreachable,
} from '../contract.ts'
import { formatVersion } from '../schema.ts'
import { StoredSnapshot } from '../stored-snapshot.ts'
import { parseAddress } from './address.ts'
import { isConnectionKept, isDamage, isForbidden, isTemporary } from './errors.ts'
import { Hosts } from './hosts.ts'
import { readPostgresLinkCheck } from './link-check.ts'
import { findNewest, findReadable, type SnapshotEntry } from './schema.ts'
import { PostgresStorage } from './storage.ts'

/** A new snapshot that cannot be read (`#refuse`) is tried again after this time. The hosts are polled more often. */
const refusedPauseMs = 5000

/** Throws `StoreFault` if no host can be reached, or none has a registry that this version can read. */
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

/** ../contract.ts documents the methods of a `RegistryStore`. */
class PostgresStore implements RegistryStore {
  readonly #displayAddress: string
  readonly #hosts: Hosts
  readonly #cacheBytes: number | undefined
  readonly #onSnapshot: OpenOptions['onSnapshot']
  readonly #onRefused: OpenOptions['onRefused']
  /** The snapshot in service; undefined before the first one. */
  #snapshot: StoredSnapshot | undefined
  /** The schema of the snapshot in service; empty before the first one. */
  #schema = ''
  /** The adoption in progress, if there is one. */
  #adopting: Promise<void> | undefined
  /** The schema that was refused last. It is tried again at `retryAt`, on the clock of `performance.now()`. */
  #refused: { readonly schema: string; readonly retryAt: number } | undefined
  /** The refusals that were reported since a snapshot was last put in service. They are not reported again. */
  readonly #reportedRefusals = new Set<string>()

  constructor(url: string, { cacheBytes, onSnapshot, onRefused }: OpenOptions) {
    const address = parseAddress(url)
    this.#cacheBytes = cacheBytes
    this.#onSnapshot = onSnapshot
    this.#onRefused = onRefused
    this.#displayAddress = address.display
    this.#hosts = new Hosts(address, () => {
      // The first snapshot is adopted by `open`, after it has probed all hosts, so that standbys are preferred.
      if (this.#snapshot === undefined || this.#isRefused(this.#findNewest())) return
      this.#adopt().catch(() => {
        // The host with the new snapshot is down again, or the snapshot cannot be read (`#refuse` reports that). The
        // current snapshot stays in service.
      })
    })
  }

  /** Connects, and puts the first snapshot in service. Must be called once, before any other method. */
  async open(): Promise<void> {
    await this.#probeOrThrow()
    const newest = this.#findNewest()
    if (newest === undefined) {
      throw new StoreFault(t`Cannot open ${this.#displayAddress}: ${this.#whyNoSnapshot()}`)
    }
    const failure = await this.#serveNewestReadable()
    if (this.#snapshot === undefined) {
      // Throws if all hosts have gone down meanwhile. After `StoreUnreachable`, the command `serve` waits for them.
      await this.#probeOrThrow()
      // `StoreUnavailable` is for requests. Opening a registry fails with a `StoreFault`, which is for the operator.
      throw failure instanceof StoreUnavailable ? new StoreFault(toMessage(failure), { cause: failure }) : failure
    }
    // If the newest snapshot could not be read, an older one is in service. Processes that started earlier have it too.
    if (failure !== undefined) this.#refuse(newest.name, failure)
    this.#hosts.watch()
  }

  current(): Snapshot {
    if (this.#snapshot === undefined || !this.#hosts.anyCanServe(this.#schema)) {
      throw new StoreUnavailable(
        t`Cannot read ${this.#displayAddress}: ${this.#hosts.downReasons || t`no host has the registry`}`,
      )
    }
    return this.#snapshot
  }

  async refresh(): Promise<void> {
    await this.#hosts.probe()
    // An adoption in progress may be of an older snapshot than the newest, so another one follows.
    await this.#adopting?.catch(() => undefined)
    await this.#adopt()
    // Throws if no host has the snapshot in service.
    this.current()
  }

  readLinkCheck(addresses: readonly string[]): Promise<LinkCheck | null> {
    return readPostgresLinkCheck(this.#hosts, this.#schema, addresses)
  }

  async close(): Promise<void> {
    await this.#hosts.close()
  }

  /**
   * Throws if all hosts are down: `StoreFault` if a host has refused, for example because the password is wrong;
   * otherwise its subclass `StoreUnreachable`, after which the command `serve` waits for the hosts.
   */
  async #probeOrThrow(): Promise<void> {
    await this.#hosts.probe()
    const down = this.#hosts.all.flatMap(({ state }) => (state.kind === 'down' ? [state] : []))
    if (down.length < this.#hosts.all.length) return
    const message = t`Cannot open ${this.#displayAddress}: ${this.#hosts.downReasons}; start the database or correct --database`
    throw down.some(({ hasRefused }) => hasRefused) ? new StoreFault(message) : new StoreUnreachable(message)
  }

  /**
   * Puts the newest snapshot that can be read in service. Returns the error of the newest snapshot if that one cannot
   * be read. An older snapshot is tried only if the newer one certainly cannot be read. After a timeout, a lock or a
   * lost host that is not certain.
   */
  async #serveNewestReadable(): Promise<unknown> {
    let failure: unknown
    // Several hosts may have the same snapshot.
    const entriesByName = new Map(findReadable(this.#entries()).map((entry) => [entry.name, entry]))
    for (const entry of entriesByName.values()) {
      try {
        await this.#serve(entry)
        break
      } catch (error) {
        failure ??= error
        if (!isUnreadable(error) || isTemporary(driverErrorOf(error))) break
      }
    }
    return failure
  }

  /** Overlapping calls share one adoption. A snapshot that is published meanwhile is adopted after the next probe. */
  #adopt(): Promise<void> {
    this.#adopting ??= this.#adoptNewest().finally(() => {
      this.#adopting = undefined
    })
    return this.#adopting
  }

  async #adoptNewest(): Promise<void> {
    const newest = this.#findNewest()
    if (newest === undefined || newest.name === this.#schema) return
    await this.#serve(newest).catch((error: unknown) => {
      this.#refuse(newest.name, error)
      throw error
    })
  }

  /** Opens the snapshot and puts it in service. */
  async #serve(entry: SnapshotEntry): Promise<void> {
    const startedAt = performance.now()
    this.#snapshot = new StoredSnapshot(await PostgresStorage.open(this.#hosts, entry, this.#cacheBytes))
    this.#schema = entry.name
    this.#reportedRefusals.clear()
    this.#onSnapshot?.(this.#snapshot.metadata, performance.now() - startedAt)
  }

  /**
   * Called when a snapshot could not be read, and another one is in service. Sets when it is tried again, and reports
   * it, once for each reason. Does nothing after a timeout, or if only its host was lost.
   */
  #refuse(schema: string, error: unknown): void {
    if (!isUnreadable(error)) return
    this.#refused = { schema, retryAt: performance.now() + refusedPauseMs }
    const message = toMessage(error)
    const refusal = `${schema}: ${message}`
    if (this.#reportedRefusals.has(refusal)) return
    this.#reportedRefusals.add(refusal)
    this.#onRefused?.(new StoreFault(message, { cause: error, isTransient: true }))
  }

  /** Whether the snapshot was refused less than `refusedPauseMs` ago. */
  #isRefused(entry: SnapshotEntry | undefined): boolean {
    const refused = this.#refused
    return refused !== undefined && refused.schema === entry?.name && performance.now() < refused.retryAt
  }

  /** The newest snapshot of this format on the hosts that are up; undefined if there is none. */
  #findNewest(): SnapshotEntry | undefined {
    return findNewest(this.#entries())
  }

  /** The snapshots of all hosts that are up, of any format (`formatVersion`). Several hosts may have the same one. */
  #entries(): SnapshotEntry[] {
    return this.#hosts.all.flatMap(({ state }) => (state.kind === 'up' ? state.snapshots : []))
  }

  /** Called when `#findNewest` has found nothing: there are no snapshots, or all have other formats. */
  #whyNoSnapshot(): string {
    const [otherFormat] = this.#entries()
    if (otherFormat === undefined) return t`it has no registry yet; create it with planning-registry import`
    return t`it was written by another version (format ${otherFormat.format}, this one reads ${formatVersion}); import it again`
  }
}

/** Whether the server has rejected a statement on the snapshot, or the snapshot is damaged or not complete. */
function isUnreadable(error: unknown): boolean {
  return isConnectionKept(driverErrorOf(error)) || isDamage(driverErrorOf(error))
}

/** The error of the driver behind an error of the storage. */
function driverErrorOf(error: unknown): unknown {
  return error instanceof StoreUnavailable ? error.cause : error
}

/** The message for a snapshot that could not be read. If a privilege is missing, it says what to do. */
function toMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const isPrivilegeMissing = error instanceof Error && isForbidden(error.cause)
  return isPrivilegeMissing ? t`${message}; see docs/postgres.md for the privileges of the role` : message
}
