// Posting lists: for each word the ascending positions of the records that hold it, cut into blocks that can be
// read and skipped one by one. This file names the kinds of list and the shape of a stored block; block-writer.ts
// lays the bytes out, list-matcher.ts reads them.
import type { MaybePromise } from '../maybe-promise.ts'

/**
 * The kinds of list, each the first letter of a list's key. Title lists stand beside the lists of the whole record,
 * so that "title alone holds every word" (docs/decisions.md, order) is an intersection and not a scan. Where no record
 * has a text there are title lists alone, which are those of the whole record then.
 */
export const listKinds = {
  /** A stem anywhere in the record, with word positions for phrases. */
  stem: 'w',
  /** A stem in the title, with word positions. */
  titleStem: 't',
  /** A word as written, for prefixes. */
  form: 'f',
  titleForm: 'g',
  /** The union of all words as written that begin so, kept where they are too many to unite per request. */
  prefix: 'p',
  titlePrefix: 'q',
  /** The records of a municipality, by its number. */
  municipality: 'm',
} as const

export type ListKind = (typeof listKinds)[keyof typeof listKinds]

/** Whether lists of the kind keep word positions. */
export function hasPositions(kind: string): boolean {
  return kind === listKinds.stem || kind === listKinds.titleStem
}

/** Records in one block, the unit in which a list is fetched; which block holds a record is known from the head. */
export const blockRecordsMax = 4096

/** Records in one group, the unit in which a block is skipped through without decoding it. */
export const groupRecordsMax = 128

/** Records whose word positions lie in one place, the unit in which positions are fetched. Divides a block. */
export const placeRecordsMax = 512

/** A list of so few records has its only block in its head. */
export const inlineRecordsMax = 256

/** A prefix that more words begin with than this has a list of its own, so a request unites at most this many. */
export const prefixUnionMax = 32

/** Natural words stay below `prefixUnionMax` by the way lists are built; this bounds what no language would write. */
export const unionMax: number = prefixUnionMax * 64

/** Shorter prefixes are not offered (docs/decisions.md, `search`). */
export const prefixLettersMin = 3

/**
 * What is known of a list before any block of it is read.
 *
 * A block is a sequence of groups: distance of the group's last record from that of the group before (the first from
 * zero), twice the length of what follows in bytes, then the distances from record to record; or, where that is
 * shorter, twice the length and one, then a bit for each record from the last of the group before on, set for those of
 * the list.
 * A place holds for each record the length of what follows in bytes, then the distances from word position to word
 * position. All numbers are varints.
 */
export interface ListHead {
  readonly key: string
  /** How many records it holds. */
  readonly records: number
  /** The last record position of each block, ascending. */
  readonly lasts: Uint32Array
  /**
   * The number of the first block and of the first place; the others follow. Places: null where the list keeps none.
   */
  readonly firstBlock: number
  readonly firstPlace: number | null
  /** The only block, where it is small. */
  readonly inline: Uint8Array | null
  /** The first block, where an engine reads it together with the head to save a round trip. */
  readonly firstBlockBytes?: Uint8Array
}

/** Consecutive blocks or places that a search lacks. */
export interface ChunkRequest {
  readonly table: 'block' | 'place'
  readonly first: number
  readonly count: number
  deliver(chunks: readonly Uint8Array[]): void
}

/** Where posting lists are kept. */
export interface ListSource {
  /** The heads of those keys that have a list. */
  readHeads(keys: readonly string[]): MaybePromise<readonly ListHead[]>
  /** The heads of the lists whose key begins so, the first `unionMax` of them. */
  readHeadsBeginning(beginning: string): MaybePromise<readonly ListHead[]>
  /** Delivers to each request. */
  readChunks(requests: readonly ChunkRequest[]): MaybePromise<void>
}
