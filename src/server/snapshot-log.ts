// Logs the snapshots (published copies of the registry) that a process serves: the first one, and each one that
// replaces another, with the number of changes between them. Also logs that the registry is damaged. service-process.ts
// calls it.
import type { Log } from '../http/log.ts'
import type { ChangeLog, ChangeLogFacts, RegistryStore, SnapshotMetadata, StoreFault } from '../registry/contract.ts'

export class SnapshotLog {
  readonly #log: Log
  /** When the snapshot that was logged last was published; undefined if there is none. */
  #lastPublishedAt: Date | undefined
  /** Facts about the change log of the last snapshot that could be read; undefined if there is none. */
  #lastChanges: ChangeLogFacts | undefined
  /**
   * The last snapshot of `logReplacement`, which is not logged again. Undefined after `logFirst` and `logDamage`: if
   * the first or the damaged snapshot is reported then, it has come back into service, and that is logged.
   */
  #lastReplacement: SnapshotMetadata | undefined

  constructor(log: Log) {
    this.#log = log
  }

  /** Logs the snapshot with which the process starts. `metadata` is undefined if the registry is unavailable. */
  logFirst(metadata: SnapshotMetadata | undefined, store: RegistryStore): void {
    if (metadata !== undefined) this.#log.info(toFields(metadata), 'snapshot in service')
    this.#lastChanges = readChanges(store)?.facts
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
    const publishedBefore = this.#lastPublishedAt ?? metadata.publishedAt
    const changesBefore = this.#lastChanges
    const changes = readChanges(store)
    this.#lastPublishedAt = metadata.publishedAt
    this.#lastChanges = changes?.facts ?? changesBefore
    let isOlder = metadata.publishedAt < publishedBefore
    let counts = {}
    if (changes !== undefined && changesBefore !== undefined && changes.facts.lineage === changesBefore.lineage) {
      // The change log ends at a lower number in the older snapshot.
      isOlder = changes.facts.last < changesBefore.last
      if (!isOlder) counts = await countChanges(changes, changesBefore.last)
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

/** The current change log; undefined while the registry is unavailable. */
function readChanges(store: RegistryStore): ChangeLog | undefined {
  try {
    return store.current().changes
  } catch {
    return undefined
  }
}

/** The changes after this number, as fields of a log line; none if they cannot be read. */
async function countChanges(changes: ChangeLog, number: number): Promise<object> {
  try {
    return { new: 0, changed: 0, gone: 0, ...(await changes.countAfter(number)) }
  } catch {
    return {}
  }
}
