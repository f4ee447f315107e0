// What a snapshot (snapshot.ts) has its engine fetch: the one thing that engines differ in.

import type { OrderKey } from '../domain/record.ts'
import type { ListSource } from '../index/posting-list.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { MunicipalityFacts, SnapshotFacts } from './contract.ts'

/** What an engine keeps of one snapshot and how it is fetched. */
export interface SnapshotStorage extends ListSource {
  readonly facts: SnapshotFacts
  readonly municipalities: readonly MunicipalityFacts[]
  /** The years that have records; each a stretch of consecutive positions, newest first. */
  readonly years: readonly YearStretch[]
  /** The records at these positions as they go over the wire, in order, joined by commas. */
  readRecords(positions: readonly number[]): MaybePromise<Uint8Array>
  /** The same as text, and where it is wanted the place of the last in the canonical order. */
  readPage(
    positions: readonly number[],
    wantsPlace: boolean,
  ): MaybePromise<{ readonly text: string; readonly last: OrderKey | null }>
  /** The first position behind a place in the canonical order, whether a record still stands at that place or not. */
  firstAfter(key: OrderKey): MaybePromise<number>
  /** The record that bears the folded code. */
  findRecord(code: string): MaybePromise<FoundRecord | undefined>
  /** For each position the number of its municipality. */
  readMunicipalityNumbers(): MaybePromise<Uint32Array>
  /** Keeps the snapshot readable until the returned function is called. */
  retain(): () => void
  /** How many batches of a long answer are read before they are asked for: none where reading takes no time. */
  readonly batchesAhead: number
}

export interface FoundRecord {
  readonly position: number
  /** As on the wire. */
  readonly text: string
}

export interface YearStretch {
  readonly year: number
  readonly first: number
  readonly records: number
}
