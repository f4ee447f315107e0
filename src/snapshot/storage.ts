// The part of a snapshot that each engine implements: reading rows. Search and summary (stored-snapshot.ts) are the
// same on all engines.
import type { Change, ChangeKind } from '../domain/change.ts'
import type { OrderKey } from '../domain/record.ts'
import type { PostingSource } from '../index/posting-list.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { ChangeLogFacts } from './change-log.ts'
import type { MunicipalityFacts, SnapshotMetadata } from './contract.ts'
import type { DocumentTotalsByRecord } from './document-totals.ts'
import type { Segment } from './segments.ts'

export interface SnapshotStorage extends PostingSource {
  readonly metadata: SnapshotMetadata
  readonly municipalities: readonly MunicipalityFacts[]
  /** The years that have records, newest first. */
  readonly years: readonly YearRange[]
  /** The wire form of the records at these positions, in order, joined by commas. */
  readRecords(positions: readonly number[]): MaybePromise<Uint8Array>
  /** The same as `readRecords`, but as text. With `withLastKey` also the order key of the last record, else null. */
  readPage(
    positions: readonly number[],
    withLastKey: boolean,
  ): MaybePromise<{ readonly text: string; readonly lastKey: OrderKey | null }>
  /** The rows of the records at these positions, in order, for a request with `include`. */
  readRows(positions: readonly number[]): MaybePromise<readonly RecordRow[]>
  /** Whether the text is stored, so that passages can be shown. */
  readonly hasPassages: boolean
  /** The segments with these numbers, in order. */
  readSegments(numbers: readonly number[]): MaybePromise<readonly Segment[]>
  readDocumentTotals(): MaybePromise<DocumentTotalsByRecord>
  /** The position of the first record after the key in canonical order. No record needs to have that key. */
  findFirstAfter(key: OrderKey): MaybePromise<number>
  findRecord(foldedCode: string): MaybePromise<FoundRecord | undefined>
  /** The number of the municipality of each record, by position. */
  readMunicipalityNumbers(): MaybePromise<Uint32Array>
  readonly changeLog: ChangeLogFacts
  /** The changes numbered from `first` to `last`, both included, ascending. Any that the log lacks are absent. */
  readChanges(first: number, last: number): MaybePromise<readonly Change[]>
  /** The kinds of the changes after the one with the number, each with the number of its changes. */
  countChanges(after: number): MaybePromise<readonly (readonly [kind: ChangeKind, changes: number])[]>
  /** The positions of the records with these folded codes. Codes that no record has are absent. */
  findPositions(foldedCodes: readonly string[]): MaybePromise<ReadonlyMap<string, number>>
  /** The rows of the vocabulary (vocabulary.ts), in order. */
  readVocabulary(): MaybePromise<readonly Uint8Array[]>
  /** Keeps the snapshot readable until the returned function is called. */
  retain(): () => void
  /** Batches of a long response to read ahead: zero if reads are synchronous. */
  readonly readAheadBatches: number
}

/** The columns of a record from which the properties of `include` are made. */
export interface RecordRow extends OrderKey {
  /** The INE code of the municipality; null if its name is unknown or ambiguous. */
  readonly ineCode: string | null
  readonly wire: string
  /** The property `documents` as JSON. */
  readonly documents: string
  /** The number of the first segment of the record. Segments are numbered through the whole snapshot. */
  readonly firstSegment: number
}

export interface FoundRecord {
  readonly position: number
  /** The wire form. */
  readonly text: string
}

/** The records of a year have consecutive positions. */
export interface YearRange {
  readonly year: number
  /** The position of the first record of the year, which is its newest. */
  readonly first: number
  readonly records: number
}
