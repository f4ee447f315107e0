// Logs the snapshots (published copies of the registry) that a process serves: the first one, and each one that
// replaces another, with the number of changes between them. Also logs that the registry is damaged. service-process.ts
// calls it.
import type { Log } from '../http/log.ts'
import type { ChangeLogFacts } from '../snapshot/change-log.ts'
import type { RegistryStore, SnapshotMetadata, StoreFault } from '../snapshot/contract.ts'

export class SnapshotLog {
  readonly #log: Log
  /** Facts about the change log of the last snapshot that could be read; undefined if there is none. */
  #lastChanges: ChangeLogFacts | undefined
  /**
   * The snapshot that `logReplacement` has logged last; undefined if there is none, or after `logDamage`. The snapshot
   * of `logFirst` is not kept here. It is reported to `logReplacement` only if another one was in service in between,
   * or if it was damaged, and then its return must be logged.
   */
  #lastReplacement: SnapshotMetadata | undefined
  /** When the snapshot that was logged last was published; undefined if there is none. */
  #lastPublishedAt: Date | undefined

  constructor(log: Log) {
    this.#log = log
  }

  /** Logs the snapshot with which the process starts. `metadata` is undefined if the registry is unavailable. */
  logFirst(metadata: SnapshotMetadata | undefined, store: RegistryStore): void {
    if (metadata !== undefined) this.#log.info(toFields(metadata), 'snapshot in service')
    this.#lastChanges = currentChanges(store)
    this.#lastPublishedAt = metadata?.publishedAt
  }

  /**
   * Logs a snapshot that replaces another, and that took `tookMs` to open. The number of changes is left out if the new
   * snapshot does not continue the change log of the old one (its id, `lineage`, differs), or if the log cannot be
   * read. Warns if the snapshot is older: its file was restored from a backup, or PostgreSQL has failed over to a host
   * that lacks the newer one. In one change log the change numbers decide which snapshot is older, because the clocks
   * of two machines may differ.
   */
  async logReplacement(metadata: SnapshotMetadata, tookMs: number, store: RegistryStore): Promise<void> {
    if (this.#isLogged(metadata)) return
    this.#lastReplacement = metadata
    const publishedBefore = this.#lastPublishedAt
    this.#lastPublishedAt = metadata.publishedAt
    const changesBefore = this.#lastChanges
    let isOlder = publishedBefore !== undefined && metadata.publishedAt < publishedBefore
    let counts = {}
    try {
      const { changes } = store.current()
      this.#lastChanges = changes.facts
      // With equal ids both snapshots have the same change log, which ends at a lower number in the older snapshot.
      if (changesBefore?.lineage === changes.facts.lineage) {
        isOlder = changes.facts.last < changesBefore.last
        // `last` is the number of the last change of the previous snapshot.
        if (!isOlder) counts = { new: 0, changed: 0, gone: 0, ...(await changes.countAfter(changesBefore.last)) }
      }
    } catch {
      // The log line is written all the same, without counts.
    }
    const fields = { ...toFields(metadata), ...counts, tookMs: Math.round(tookMs) }
    if (isOlder) this.#log.warn(fields, 'older snapshot in service')
    else this.#log.info(fields, 'snapshot in service')
  }

  /** Logs that the registry is damaged. If the same snapshot comes back into service, that is logged again. */
  logDamage(fault: StoreFault): void {
    this.#lastReplacement = undefined
    this.#log.error({ err: fault }, 'registry damaged, unavailable until it is replaced')
  }

  /** Whether `logReplacement` has just logged this snapshot: SIGHUP and the regular check may report the same one. */
  #isLogged({ id, publishedAt }: SnapshotMetadata): boolean {
    const last = this.#lastReplacement
    return id === last?.id && publishedAt.getTime() === last.publishedAt.getTime()
  }
}

/** The fields of a log line about a snapshot. */
function toFields({ id, records, publishedAt, fictional }: SnapshotMetadata): object {
  return { snapshot: id, records, publishedAt, ...(fictional ? { fictional } : {}) }
}

/** The facts of the current change log; undefined while the registry is unavailable. */
function currentChanges(store: RegistryStore): ChangeLogFacts | undefined {
  try {
    return store.current().changes.facts
  } catch {
    return undefined
  }
}
