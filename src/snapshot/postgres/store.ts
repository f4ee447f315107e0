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
  readonly #onRecovered: OpenOptions['onRecovered']
  /** The snapshot in service; undefined before the first one. */
  #snapshot: StoredSnapshot | undefined
  /** The schema of the snapshot in service; empty before the first one. */
  #schema = ''
  /** Whether a host had the snapshot in service at the last health check of any host. */
  #wasReadable = true
  /** The adoption in progress, if there is one. */
  #adopting: Promise<void> | undefined
  /** The schema that was refused last. It is tried again at `retryAt`, on the clock of `performance.now()`. */
  #refused: { readonly schema: string; readonly retryAt: number } | undefined
  /** The refusals that were reported since a snapshot was last put in service. They are not reported again. */
  readonly #reportedRefusals = new Set<string>()

  constructor(url: string, { cacheBytes, onSnapshot, onRefused, onRecovered }: OpenOptions) {
    const address = parseAddress(url)
    this.#cacheBytes = cacheBytes
    this.#onSnapshot = onSnapshot
    this.#onRefused = onRefused
    this.#onRecovered = onRecovered
    this.#displayAddress = address.display
    this.#hosts = new Hosts(address, () => this.#onProbe())
  }

  /** Connects, and puts the first snapshot in service. Must be called once, before any other method. */
  async open(): Promise<void> {
    await this.#probeOrThrow()
    const [newest, ...older] = this.#readableEntries()
    if (newest === undefined) {
      throw new StoreFault(t`Cannot open ${this.#displayAddress}: ${this.#whyNoSnapshot()}`)
    }
    try {
      await this.#serve(newest)
    } catch (error) {
      // An older snapshot is tried only if the newest one certainly cannot be read. Processes that started earlier have
      // the older one too.
      const isOlderServed = isCertainlyUnreadable(error) && (await this.#serveFirstReadable(older))
      if (!isOlderServed) {
        // Throws if all hosts have gone down meanwhile. After `StoreUnreachable`, the command `serve` waits for them.
        await this.#probeOrThrow()
        // `StoreUnavailable` is for requests. Opening a registry fails with a `StoreFault`, which is for the operator.
        throw error instanceof StoreUnavailable ? new StoreFault(toMessage(error), { cause: error }) : error
      }
      this.#refuse(newest.name, error)
    }
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
    await this.#adoptNewest()
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

  /** Puts the first snapshot in service that can be read. Returns false if there is none, or if that is uncertain. */
  async #serveFirstReadable(entries: readonly SnapshotEntry[]): Promise<boolean> {
    for (const entry of entries) {
      try {
        await this.#serve(entry)
        return true
      } catch (error) {
        if (!isCertainlyUnreadable(error)) return false
      }
    }
    return false
  }

  /** Called after every health check of any host. */
  #onProbe(): void {
    // The first snapshot is put in service by `open`, after it has probed all hosts, so that standbys are preferred.
    if (this.#snapshot === undefined) return
    const isReadable = this.#hosts.anyCanServe(this.#schema)
    if (isReadable && !this.#wasReadable) this.#onRecovered?.()
    this.#wasReadable = isReadable
    if (this.#isRefused(this.#findNewest())) return
    this.#adoptNewest().catch(() => {
      // The host with the new snapshot is down again, or the snapshot cannot be read (`#refuse` reports that). The
      // current snapshot stays in service.
    })
  }

  /**
   * Puts the newest snapshot in service, unless it is in service already. Overlapping calls share one adoption. A
   * snapshot that is published meanwhile is adopted after the next probe.
   */
  #adoptNewest(): Promise<void> {
    this.#adopting ??= this.#serveNewestOrRefuse().finally(() => {
      this.#adopting = undefined
    })
    return this.#adopting
  }

  async #serveNewestOrRefuse(): Promise<void> {
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

  /** The snapshots of this format on the hosts that are up, newest first. */
  #readableEntries(): SnapshotEntry[] {
    // Several hosts may have the same snapshot.
    return [...new Map(findReadable(this.#entries()).map((entry) => [entry.name, entry])).values()]
  }

  /** The snapshots of all hosts that are up, of any format (`formatVersion`). Several hosts may have the same one. */
  #entries(): SnapshotEntry[] {
    return this.#hosts.all.flatMap(({ state }) => (state.kind === 'up' ? state.snapshots : []))
  }

  /** Called when there is no snapshot of this format: there are no snapshots, or all have other formats. */
  #whyNoSnapshot(): string {
    const [otherFormat] = this.#entries()
    if (otherFormat === undefined) return t`it has no registry yet; create it with planning-registry import`
    return t`it was written by another version (format ${otherFormat.format}, this one reads ${formatVersion}); import it again`
  }
}

/**
 * Whether the error is about the snapshot and not about the host: the server was reached and has rejected a statement
 * on the snapshot, or the snapshot is damaged or not complete.
 */
function isUnreadable(error: unknown): boolean {
  return isConnectionKept(driverErrorOf(error)) || isDamage(driverErrorOf(error))
}

/** Whether another attempt would fail too. After a timeout, a lock or a lost host that is not certain. */
function isCertainlyUnreadable(error: unknown): boolean {
  return isUnreadable(error) && !isTemporary(driverErrorOf(error))
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
