// The contract between the service and the engines that keep a registry. A snapshot is immutable: whoever holds one
// reads the same registry to the end, whatever is published meanwhile.

import type { Cursor } from '../domain/cursor.ts'
import type { Deadline } from '../domain/deadline.ts'
import type { Municipality } from '../domain/municipality.ts'
import type { Filters, Query } from '../domain/query.ts'
import type { StoredRecord } from '../domain/record.ts'
import type { MaybePromise } from '../maybe-promise.ts'

/** A registry opened for reading. */
export interface RegistryStore {
  /** The snapshot in service now. Throws `StoreUnavailable` while there is none to be had. */
  current(): Snapshot
  /** Looks for a newer snapshot at once instead of at the next poll (SIGHUP). */
  refresh(): Promise<void>
  close(): Promise<void>
}

export interface Snapshot {
  readonly facts: SnapshotFacts
  /** The municipalities that have records, by name. */
  readonly municipalities: readonly MunicipalityFacts[]
  /** The numbers (indexes of `municipalities`) of those that bear the name, none when it belongs to no one. */
  municipalitiesNamed(name: string): readonly number[]
  /** The first records that match, in the order of the decisions; null when none does. */
  page(query: PageQuery, deadline?: Deadline): MaybePromise<Page | null>
  /**
   * All that match, without regard to `limit`, a batch at a time, which holds until the next one is asked for. A
   * failure throws from `next()`, `SearchGivenUp` once patience is over.
   */
  search(query: Query, deadline?: Deadline): AsyncGenerator<Batch, void, undefined>
  /** How many match, by year and by municipality. */
  summarise(filters: Filters, deadline?: Deadline): Promise<Summary>
  /** Whether a record bears the code (folded), whatever other filters say. */
  hasCode(code: string): Promise<boolean>
}

export interface SnapshotFacts {
  /** Hash of the content: the same records give the same id on every engine. */
  readonly id: string
  readonly records: number
  /** When it was put in service. */
  readonly publishedAt: Date
  /** The registry is the bundled sample: whoever shows it says that it is fictional. */
  readonly fictional: boolean
}

export interface MunicipalityFacts extends Municipality {
  readonly records: number
  readonly firstYear: number
  readonly lastYear: number
}

export type PageQuery = Query & { readonly limit: number }

/** Records as they go over the wire: JSON objects joined by commas, without brackets. */
export interface Page {
  readonly text: string
  readonly records: number
  /** Where the next page begins; null where no record follows. */
  readonly next: Cursor | null
}

/** The same as bytes, a part of many. */
export interface Batch {
  readonly bytes: Uint8Array
  readonly records: number
}

export interface Summary {
  readonly total: number
  /** Years ascending. */
  readonly byYear: readonly { readonly year: number; readonly records: number }[]
  /** By count, then name; `municipality` is the index into `Snapshot.municipalities`. */
  readonly byMunicipality: readonly { readonly municipality: number; readonly records: number }[]
}

/** A new snapshot in the making. Nothing in service changes before `publish` has resolved. */
export interface SnapshotWriter {
  /** Records come in canonical order (`compareCanonically`), each with the text to search beside its title. */
  add(record: StoredRecord, content: string): void | Promise<void>
  /** Verifies, makes durable and puts in service. */
  publish(options: PublishOptions): Promise<Publication>
  /** Leaves nothing behind. */
  discard(): Promise<void>
}

export interface PublishOptions {
  readonly fictional: boolean
  /** Build and verify everything, then discard it. */
  readonly dryRun: boolean
  readonly onProgress?: (stage: string, done: number, total: number) => void
}

export interface Publication {
  readonly facts: SnapshotFacts
  /**
   * Against the snapshot that was in service before; null where there was none. A record whose documents read
   * otherwise counts as changed.
   */
  readonly changes: { readonly added: number; readonly changed: number; readonly gone: number } | null
  /** Of the municipalities in its records; null where a registry was moved as it is. */
  readonly names: MunicipalityNames | null
}

/** Names as records write them. The code may say which of two namesakes is meant, or not: such a name is both. */
export interface MunicipalityNames {
  /** How many of them have an INE code. */
  readonly resolved: number
  /** Those without one. */
  readonly unknown: readonly { readonly name: string; readonly records: number }[]
}

/** What `check` found: sound when there are no faults. */
export interface Soundness {
  readonly facts: SnapshotFacts | null
  /** One sentence each. */
  readonly faults: readonly string[]
  /** Records whose documents and content hold no text to search. */
  readonly recordsWithoutText: number
}

/** The database cannot be reached now and may be later: 503 with `Retry-After`. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** The database is not one that can be served; the message names the thing and the mend. */
export class StoreFault extends Error {
  override readonly name = 'StoreFault'
}
