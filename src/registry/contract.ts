// Interface between the registry and the rest of the program: a store gives out snapshots to read. A snapshot is
// immutable: a request that has one reads the same records to its end, even if a newer registry is published meanwhile.
import type { Change, ChangeKind } from '../domain/change.ts'
import type { Cursor } from '../domain/cursor.ts'
import type { Deadline } from '../domain/deadline.ts'
import type { PublishedFile } from '../domain/document.ts'
import type { Municipality } from '../domain/municipality.ts'
import type { OwnField } from '../domain/own-fields.ts'
import type { IncludeName } from '../domain/parameters.ts'
import type { Filters, Query } from '../domain/query.ts'
import type { DocumentTotals, RegistryDocuments } from './document-totals.ts'
import type { Vocabulary } from './vocabulary.ts'

/** A registry opened for reading. */
export interface RegistryStore {
  /** The snapshot in service. Throws `StoreUnavailable` while there is none. */
  current(): Snapshot
  /** Checks for a newer snapshot now instead of at the next poll. Called on the signal SIGHUP. */
  refresh(): Promise<void>
  /**
   * Tells which of these addresses of documents could not be reached at the last `check --links`. That command tries
   * the link to every document. Null if there was no check, or its outcome cannot be read. Never throws.
   */
  readLinkCheck(addresses: readonly string[]): Promise<LinkCheck | null>
  /** The file of the snapshot in service; undefined while there is none. Absent if the registry is no local file. */
  servedFile?(): ServedFile | undefined
  /** The outcome of the last import. Null if it is not known. Never throws. */
  readLastImport?(): Promise<LastImport | null>
  /** State of the process that follows a remote store (registry/stores). Absent for a file. */
  readonly follower?: () => { readonly isReachable: boolean; readonly refused: number }
  close(): Promise<void>
}

/** The file of the snapshot in service. Another file that replaces it at the path has another version. */
export interface ServedFile {
  readonly path: string
  /** Both as in `FileVersion` (sqlite/file-version.ts). */
  readonly deviceAndInode: string
  readonly mtimeAndSize: string
}

/** The part of a store that the operations of the API need (api/operations.ts). */
export type SnapshotSource = Pick<RegistryStore, 'current'>

/** How a registry is opened for reading. */
export interface OpenOptions {
  /** `--data-dir`: where the copies of registries lie that a remote store keeps. */
  readonly dataDir?: string | undefined
  /** As in `RemoteOptions` (registry/stores/open-remote.ts), for a registry on a web server. */
  readonly pollSeconds?: number | undefined
  readonly allowInsecure?: boolean | undefined
  /** Asks a remote store for a newer file before the local copy is opened. Without it, the copy is opened at once. */
  readonly fetchesFirst?: boolean | undefined
  /** The base address of the service as clients see it, for the addresses of published files. */
  readonly publicUrl?: string | undefined
  /** Size of SQLite's page cache. */
  readonly cacheBytes?: number | undefined
  /** Called when a snapshot is put in service, the first one included. `tookMs` is how long opening it took. */
  readonly onSnapshot?: (metadata: SnapshotMetadata, tookMs: number) => void
  /**
   * Called when requests begin to get 503, because the file in service cannot be read, is damaged or was changed in
   * place. Until a valid file is in service, also called when an attempt to open a file fails for a new reason.
   */
  readonly onDamage?: (fault: StoreFault) => void
  /**
   * Called when the newest file cannot be served, or the file is missing, and requests are still answered from the file
   * in service, which stays.
   */
  readonly onRefused?: (fault: StoreFault) => void
  /** Called when a remote store does not answer, once for each reason. Requests are answered from the local copy. */
  readonly onStoreLost?: (fault: StoreFault) => void
  /** Called when a remote store answers again, after `onStoreLost`. */
  readonly onRecovered?: () => void
}

/** The outcome of `check --links`. It belongs to the registry, not to a snapshot. */
export interface LinkCheck {
  readonly checkedAt: Date
  /** Addresses of documents that could not be reached. `readLinkCheck` returns only those that it was asked about. */
  readonly dead: readonly string[]
}

/** The outcome of the last import, which has published the snapshot or not. */
export interface LastImport {
  /** ISO 8601. */
  readonly at: string
  readonly outcome: 'published' | 'unchanged' | 'refused'
  readonly records: number
  /** Number of rejected rows. */
  readonly rejected: number
  /** Number of records that stay as they were, because their rows were rejected. */
  readonly kept?: number
  /** Number of rejected rows by reason. */
  readonly reasons?: Readonly<Record<string, number>>
  /** Why nothing was published. It may name files of the office, so it is not for the public. */
  readonly fault?: string
}

export interface Snapshot {
  readonly metadata: SnapshotMetadata
  /** Whether the text is stored, so that responses can include passages (the pieces of text around the matches). */
  readonly hasPassages: boolean
  /** What responses have before the address of a published file (`FileOptions` in registry-file.ts). */
  readonly documentBase: string | null
  /** The municipalities that have records, sorted by name. */
  readonly municipalities: readonly MunicipalityFacts[]
  /** The municipalities with the name or the INE code, as indexes of `municipalities`. Empty if there are none. */
  findMunicipalities(name: string): readonly number[]
  /**
   * One page of the result: the first `limit` matches after the cursor of the query. Null if there are none. The result
   * consists of three tiers: the words of the term side by side in the title, all words in the title, the rest
   * (domain/cursor.ts). Within a tier, records are in canonical order: newest first, then by code.
   */
  page(query: PageQuery, deadline?: Deadline): Promise<Page | null>
  /** Whether any record matches the filters. It takes less than a page. */
  hasMatch(filters: Filters, deadline?: Deadline): Promise<boolean>
  /**
   * The whole result, for an export: all matches after the cursor in batches, in the order of `page`. Ignores `limit`.
   * A batch is valid until the next call of `next()`, which throws `SearchCancelled` when the deadline has expired.
   */
  search(query: Query, deadline?: Deadline): AsyncGenerator<Batch, void, undefined>
  /** The number of matches, by year and by municipality. */
  summarise(filters: Filters, deadline?: Deadline, options?: SummaryOptions): Promise<Summary>
  /** The values of one of the office's own columns, by its name, most records first. */
  readFieldValues(name: string, limit: number): readonly FieldValue[]
  readonly changes: ChangeLog
  /**
   * The codes of the records at positions from `first` to `end` (excluded), in batches. The position of a record is its
   * index in canonical order, from 0.
   */
  listCodes(first: number, end: number): AsyncGenerator<readonly string[], void, undefined>
  /** The most frequent words of the records, for suggesting search terms. */
  readVocabulary(): Promise<Vocabulary>
  /** The published file of a document with this SHA-256; undefined if there is none (any more). */
  findPublished(sha256: string): PublishedFile | undefined
}

export interface SnapshotMetadata {
  /**
   * Hash of the records with their texts, of the format (`formatVersion` in schema.ts), and of the options that change
   * responses (digest.ts).
   */
  readonly id: string
  /** Number of records. */
  readonly records: number
  /** When its file was built, shortly before it was put in service. */
  readonly publishedAt: Date
  /** Whether the records are invented, like those of the sample. Everything that shows them must say so. */
  readonly fictional: boolean
  /** The pattern of the inscription codes (domain/inscription-code.ts); null for `<prefix>-<number>`. */
  readonly codePattern: string | null
  /** The office's own columns, in their order. */
  readonly fields: readonly OwnField[]
}

/** A value of one of the office's own columns. */
export interface FieldValue {
  /** As values are compared (`foldFieldValue` in domain/own-fields.ts). */
  readonly folded: string
  /** As the newest record writes it. */
  readonly value: string
  readonly records: number
}

/** A municipality, the number of its records, and the years (of `checkin_date`) of the oldest and the newest one. */
export interface MunicipalityFacts extends Municipality {
  readonly records: number
  readonly firstYear: number
  readonly lastYear: number
}

export type PageQuery = Query & { readonly limit: number }

export interface Page {
  /** The records in wire format: JSON objects joined by commas, without brackets. */
  readonly text: string
  /** Number of records on the page. */
  readonly records: number
  /** Cursor of the next page; null on the last page. */
  readonly next: Cursor | null
  /** How many of them, the first ones, have the words of the term side by side in the title. */
  readonly together: number
  /** How many of them, the first ones, have all words of the term in the title. 0 without a term. */
  readonly inTitle: number
}

/** A part of a long result. */
export interface Batch {
  /** The records in wire format, joined by commas, as UTF-8. */
  readonly bytes: Uint8Array
  /** Number of records in the batch. */
  readonly records: number
}

/**
 * What a registry says about its change log. A lineage is the sequence of files that continue one log. The log of the
 * first file of a lineage is empty: its records are not listed as new.
 */
export interface ChangeLogFacts {
  /** Random id of the lineage, made when the lineage begins. Change numbers of two lineages cannot be compared. */
  readonly lineage: string
  /** When the lineage began, in ISO format. */
  readonly startedAt: string
  /** The number of the last change; 0 if there is none. */
  readonly last: number
}

/** The change log of a snapshot: which records were new, changed or gone with each publication, numbered from 1. */
export interface ChangeLog {
  readonly facts: ChangeLogFacts
  /** The change with the number; undefined if the log never had it, or has removed it as too old. */
  find(number: number): Change | undefined
  /** How many changes of each kind come after the one with the number. Kinds without changes are absent. */
  countAfter(number: number): Partial<Record<ChangeKind, number>>
  /** The next changes after the one with the number, oldest first. */
  readAfter(number: number, options: ChangesOptions, deadline?: Deadline): Promise<ChangePage>
  /**
   * The last change of each matching record that is in service, newest change first. Only the last 20,000 changes are
   * read (`changesReadMax` in change-reader.ts).
   */
  readLatest(options: ChangesOptions, deadline?: Deadline): Promise<readonly ChangedRecord[]>
}

/** A change with its record in wire format, if asked for; null if the record is not in service any more. */
export interface ListedChange extends Change {
  readonly wire?: string | null
}

export interface ChangesOptions {
  /**
   * Which records are wanted; undefined means all. `readLatest` leaves out the changes of other records; `readAfter`
   * turns some of them into `gone` (`ChangePage`).
   */
  readonly filters: Filters | undefined
  /** Number of changes that are returned at most. */
  readonly limit: number
  /** What `readAfter` adds to the record of each change; without it the changes come without records. */
  readonly include?: readonly IncludeName[] | undefined
}

export interface ChangePage {
  /**
   * With filters, a changed record that does not match now is listed as `gone`, because it may have matched before. A
   * new record that does not match is left out.
   */
  readonly changes: readonly ListedChange[]
  /**
   * The next call continues after the change with this number. `changes` may end before it, because filters may leave
   * out the last changes.
   */
  readonly reached: number
}

/** A change with the record as it is now. */
export interface ChangedRecord {
  readonly change: Change
  /** The record in wire format, with the properties `cod_archivo` and `place` added (include.ts makes them). */
  readonly wire: string
}

export interface SummaryOptions {
  /** Also adds up the pages of the documents. */
  readonly withDocuments: boolean
  /** Names of the own columns to count by their values; each has few values (`countedValuesMax`). */
  readonly facets?: readonly string[]
}

export interface Summary {
  readonly total: number
  /** In ascending order of years. */
  readonly byYear: readonly { readonly year: number; readonly records: number }[]
  /** Most records first, then by name. `municipality` is an index of `Snapshot.municipalities`. */
  readonly byMunicipality: readonly { readonly municipality: number; readonly records: number }[]
  /** By the name of an own column, with `facets`: its values in the matches, most records first. */
  readonly byField?: Readonly<Record<string, readonly { readonly value: string; readonly records: number }[]>>
  /** The pages of the documents of all matches, with `withDocuments`. */
  readonly documents?: DocumentTotals
}

export interface PublishOptions {
  readonly fictional: boolean
  /** As in `SnapshotMetadata`. */
  readonly codePattern?: string | null
  /** The office's own columns, in their order; none by default. */
  readonly fields?: readonly OwnField[] | undefined
  /** Stores the text, so that passages can be shown. Otherwise it is only indexed. The default is true. */
  readonly withPassages?: boolean | undefined
  /** If true, the records are only compared with the registry in service. */
  readonly dryRun?: boolean
  /** If true, the file is built although nothing has changed. */
  readonly rebuilds?: boolean | undefined
  /**
   * Decides by the difference to the registry in service whether to publish, before anything is built. Without this
   * function, every difference is accepted. Not called if there is no difference to decide by: no registry is in
   * service, or it is damaged or lacks a column that is compared.
   */
  readonly accepts?: (difference: SnapshotDifference) => boolean
  /** The stage `index` completes the full-text indexes, and the stage `load` copies the file to its store. */
  readonly onProgress?: (stage: 'index' | 'load', done: number, total: number) => void
  /** Called with a sentence for the operator, about something that does not prevent the publication. */
  readonly onWarning?: (warning: string) => void
}

export interface Publication {
  readonly metadata: SnapshotMetadata
  /**
   * - `published`: the records are in service now;
   * - `unchanged`: they were in service already, and nothing was built;
   * - `refused`: `accepts` refused the difference;
   * - `checked`: a dry run, after which they could be published.
   */
  readonly outcome: 'published' | 'unchanged' | 'refused' | 'checked'
  /** Difference to the previous snapshot; null if there was none, or it cannot be compared. */
  readonly difference: SnapshotDifference | null
  /** Which municipality names are known. Null for the copy of a registry, which reads no names. */
  readonly names: NameResolution | null
}

/**
 * Difference between a new snapshot and the one in service. All numbers count records. If the two have different
 * formats, only the wire format decides what has changed, and `documentTextsGone` and `recordsWithDocumentText` are 0.
 */
export interface SnapshotDifference {
  /** Records that only the new snapshot has. */
  readonly added: number
  /** Records of both snapshots that are not the same in both. A changed text counts as a changed record. */
  readonly changed: number
  /** Records that only the snapshot in service has. */
  readonly gone: number
  /** Records of both snapshots that had text (of documents or of the column `content`) and have none now. */
  readonly textsGone: number
  /** Records of both snapshots that had text of a document and have no text of any document now. */
  readonly documentTextsGone: number
  /** The snapshot in service that the new one is compared with. */
  readonly previous: {
    readonly records: number
    readonly recordsWithText: number
    readonly recordsWithDocumentText: number
    readonly fictional: boolean
    /** The latest `checkin_date`; null if there are no records. */
    readonly newest: string | null
  }
  /** The latest `checkin_date` in the new snapshot; null if there are no records. */
  readonly newest: string | null
  /** The first codes of each kind of change, in canonical order. */
  readonly examples: Readonly<Record<'added' | 'changed' | 'gone', readonly string[]>>
}

/**
 * Which municipality names, as the records write them, are in the national list. A name that several municipalities
 * share may be resolved in one record and unknown in another.
 */
export interface NameResolution {
  /** Number of names that have an INE code. */
  readonly resolved: number
  /** Names without an INE code, and the number of their records. */
  readonly unknown: readonly { readonly name: string; readonly records: number }[]
}

/** Result of `check`. The registry is valid if there are no faults. */
export interface CheckResult {
  /** Null if the registry cannot be read. */
  readonly metadata: SnapshotMetadata | null
  /** One sentence for each fault. */
  readonly faults: readonly string[]
  /** Number of records that have neither text of documents nor of the column `content`. */
  readonly recordsWithoutText: number
  readonly documents: RegistryDocuments
}

/**
 * The database cannot be read now but may be later: the response is 503 with `Retry-After`. Requests get this error; a
 * `StoreFault` is for the operator, or the cause of this error.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** The database is missing, damaged, or cannot be used for another reason. The message says why and how to fix it. */
export class StoreFault extends Error {
  override readonly name = 'StoreFault'
  /**
   * Whether the reason is transient, such as a missing permission or a full disk: the same database may be usable
   * later. A damaged file stays unusable until another replaces it.
   */
  readonly isTransient: boolean

  constructor(message: string, { isTransient = false, ...options }: StoreFaultOptions = {}) {
    super(message, options)
    this.isTransient = isTransient
  }
}

/** A remote store does not answer. It may still be starting, so the command `serve` waits for it. */
export class StoreUnreachable extends StoreFault {}

export interface StoreFaultOptions extends ErrorOptions {
  /** The default is false. */
  readonly isTransient?: boolean
}
