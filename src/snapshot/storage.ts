// The part of a snapshot that each engine (SQLite file, PostgreSQL) implements: reading rows. Search and summary
// (stored-snapshot.ts) are the same on both. Reads are synchronous on SQLite and return promises on PostgreSQL. The
// position of a record is its index in canonical order (newest first, then by code), from 0.
import type { Change, ChangeKind } from '../domain/change.ts'
import type { OrderKey } from '../domain/record.ts'
import type { PostingSource } from '../index/posting-list.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { ChangeLogFacts } from './change-log.ts'
import type { MunicipalityFacts, SnapshotMetadata } from './contract.ts'
import type { DocumentTotalsByRecord } from './document-totals.ts'
import type { Segment } from './segments.ts'

/** `PostingSource` has the methods that read the inverted index. */
export interface SnapshotStorage extends PostingSource {
  readonly metadata: SnapshotMetadata
  readonly municipalities: readonly MunicipalityFacts[]
  /** The years that have records, newest first. */
  readonly years: readonly YearRange[]
  /**
   * The records at these positions for a batch of an export: in wire format (JSON objects), in order, joined by commas,
   * as UTF-8. They are not cached.
   */
  readRecords(positions: readonly number[]): MaybePromise<Uint8Array>
  /** The rows of the records at these positions, in order, for a page of a result. An engine may cache them. */
  readPage(positions: readonly number[]): MaybePromise<readonly RecordRow[]>
  /** Like `readPage`, for lists that may be longer than a page: the rows are not cached. */
  readRows(positions: readonly number[]): MaybePromise<readonly RecordRow[]>
  /** Whether the text is stored, so that passages (pieces of text around the matches) can be shown. */
  readonly hasPassages: boolean
  /** The segments (parts of the text, segments.ts) with these numbers, in the order of `numbers`. */
  readSegments(numbers: readonly number[]): MaybePromise<readonly Segment[]>
  /** The page counts of the documents of each record. */
  readDocumentTotals(): MaybePromise<DocumentTotalsByRecord>
  /**
   * The position of the first record after the key in canonical order; the number of records if there is none. No
   * record needs to have that key.
   */
  findFirstAfter(key: OrderKey): MaybePromise<number>
  /** The record with the code, which is folded (`foldCode`: upper case); undefined if there is none. */
  findRecord(foldedCode: string): MaybePromise<FoundRecord | undefined>
  /** The municipality of each record, by position, as an index of `municipalities`. */
  readMunicipalityNumbers(): MaybePromise<Uint32Array>
  readonly changeLog: ChangeLogFacts
  /** The changes numbered from `first` to `last`, both included, ascending. Any that the log lacks are absent. */
  readChanges(first: number, last: number): MaybePromise<readonly Change[]>
  /** How many changes of each kind come after the one numbered `after`. */
  countChanges(after: number): MaybePromise<readonly (readonly [kind: ChangeKind, changes: number])[]>
  /** The positions of the records with these folded codes. Codes that no record has are absent. */
  findPositions(foldedCodes: readonly string[]): MaybePromise<ReadonlyMap<string, number>>
  /** The rows of the table `vocabulary_chunk` in order (vocabulary.ts). */
  readVocabulary(): MaybePromise<readonly Uint8Array[]>
  /**
   * Keeps the snapshot readable until the returned function is called. A request that waits between two reads calls it,
   * because a newer snapshot may replace this one meanwhile.
   */
  retain(): () => void
  /** How many batches of an export are read before the client asks for them: zero if reads are synchronous. */
  readonly readAheadBatches: number
}

/** A record: its order key, its wire format, and the columns from which the properties of `include` are made. */
export interface RecordRow extends OrderKey {
  /** The INE code of the municipality; null if its name is unknown or ambiguous. */
  readonly ineCode: string | null
  /** The record in wire format. */
  readonly wire: string
  /** The property `documents` as JSON. */
  readonly documents: string
  /** The number of the first segment of the record. Segments are numbered through the whole snapshot. */
  readonly firstSegment: number
}

export interface FoundRecord {
  readonly position: number
  /** The record in wire format. */
  readonly wire: string
}

/** The records that were entered in a year. They have consecutive positions. */
export interface YearRange {
  readonly year: number
  /** The position of the first record of the year, which is its newest. */
  readonly first: number
  readonly records: number
}
