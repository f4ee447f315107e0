// The format of the inverted index: kinds of term, sizes of blocks and chunks, the term entry, and the interface of a
// store of posting lists. posting-writer.ts encodes posting lists, posting-list-iterator.ts reads them. In the index, a
// record is a number: its position in canonical order (newest first), from 0. A word position is something else: the
// number of a word in the text of a record.
import type { MaybePromise } from '../maybe-promise.ts'

/**
 * The letters of the kinds of term. The key of a term is the letter of its kind followed by the word: `wplan` for the
 * stem `plan`. Titles have posting lists of their own, so that "the title alone contains every word" is an intersection
 * and not a scan. If no record has content (text other than its title), the posting lists of whole records (`stem`,
 * `form`, `prefixUnion`) would equal the posting lists of titles and are left out.
 */
export const termKinds = {
  /** A stem anywhere in the record, with word positions for phrases. */
  stem: 'w',
  /** A stem in the title, with word positions. */
  titleStem: 't',
  /** Two stems side by side in the title (analysis/neighbours.ts). The key of `plan parcial` is `splan parcial`. */
  neighbours: 's',
  /** A form (a folded word, analysis/fold.ts) anywhere in the record, for prefixes. */
  form: 'f',
  /** A form in the title. */
  titleForm: 'g',
  /**
   * A prefix union: the records of all words that start with a prefix, anywhere in the record (`prefixUnion`), or in
   * the title. It is stored if more than `unitedWordsMax` words start with the prefix, and the prefix is neither too
   * short nor too long (prefix-unions.ts).
   */
  prefixUnion: 'p',
  titlePrefixUnion: 'q',
  /** The records of a municipality, by its index in `Snapshot.municipalities` (registry/contract.ts). */
  municipality: 'm',
  /** The records of a province or of an autonomous community, by its two-digit INE code. */
  province: 'v',
  community: 'c',
  /** The records with a registration number or an id, by its folded value. */
  registrationNumber: 'r',
  id: 'i',
} as const

/**
 * The reserved stem whose word positions are the starts of the segments of a record. A segment is a page of a document
 * or a part of a longer page (snapshot/segments.ts). No word has an empty stem.
 */
export const segmentStem = ''

export type TermKind = (typeof termKinds)[keyof typeof termKinds]

/** Whether posting lists of the kind store word positions. */
export function hasPositions(kind: string): boolean {
  return kind === termKinds.stem || kind === termKinds.titleStem
}

/**
 * The most records in a block, the unit of reading. The skip table of a term says which block contains a record. A
 * block is a sequence of groups, and can be decoded without the blocks before it.
 */
export const blockRecordsMax = 4096

/**
 * The most records in a group, the unit of skipping inside a block. All groups of a block but the last are full. The
 * base of a group is the last record of the group before; in the first group of a block it is zero. A group is two
 * varints and a body, which has one of two forms, whichever is shorter:
 *
 * last record - base | size of the body in bytes * 2     | the deltas from record to record, starting at the base
 * last record - base | size of the body in bytes * 2 + 1 | a bitmap: bit `n`, low bits first, is the record `base + n`
 *
 * For example, the records 3, 5, 6 with the base 0 are the deltas 6 | 6 | 3, 2, 1 or the bitmap 6 | 3 | 0b1101000. The
 * bitmap is shorter, so it is stored.
 */
export const groupRecordsMax = 128

/**
 * The most records whose word positions share a position chunk. It divides `blockRecordsMax` without remainder, so that
 * a chunk has records of one block only. A chunk holds, for each record, varints:
 *
 * size of the rest in bytes | for each position: delta of the stored position, and `kindAndSpan` if it is an added word
 *
 * The positions ascend, and the first is stored as it is. The stored position is twice the word position, plus one if
 * the term is not the word as written there but an added word: a joined form or a synonym. Phrases ignore added words.
 * `kindAndSpan` (packed-position.ts) is twice the number of words that the added word stands for, at most
 * `spanWordsMax` (analysis/added-words.ts), plus one for a synonym.
 */
export const positionChunkRecordsMax = 512

/** A posting list of at most this many records has its only block in its term entry, which saves reading the block. */
export const inlineRecordsMax = 256

/** A search unites the posting lists of up to this many words that share a prefix. For more, a union is stored. */
export const unitedWordsMax = 32

/**
 * A prefix that is too long for a stored union (prefix-unions.ts) may be shared by more than `unitedWordsMax` words. A
 * search unites the posting lists of at most this many of them, the first in the order of their keys, which bounds its
 * work. The other words are not found.
 */
export const longPrefixWordsMax: number = unitedWordsMax * 64

/** Entry of a term in the term dictionary: everything known about its posting list before a block is read. */
export interface TermEntry {
  /** Kind letter and word. */
  readonly key: string
  /** Number of records in the posting list. */
  readonly recordCount: number
  /** The last record of each block, ascending. */
  readonly skipTable: Uint32Array
  /** The number of the first block in the store; the others follow it. Without meaning if the block is inline. */
  readonly firstBlockNumber: number
  /** The number of the first position chunk in the store; the others follow it. Null if the kind has no positions. */
  readonly firstPositionChunkNumber: number | null
  /** The only block, if the list has at most `inlineRecordsMax` records; otherwise null. */
  readonly inlineBlock: Uint8Array | null
  /** The first block, if the store has read it with the entry to save a round trip. */
  readonly firstBlockBytes?: Uint8Array
}

/** Posting blocks (records) and position chunks (word positions) are both called chunks. */
export type ChunkKind = 'block' | 'positions'

/** A request of an iterator for consecutive chunks of one kind. */
export interface ChunkRequest {
  readonly kind: ChunkKind
  /** The number of the first chunk in the store, and how many are wanted. */
  readonly first: number
  readonly count: number
  /** The store calls it with the `count` chunks, in the order of their numbers. */
  deliver(chunks: readonly Uint8Array[]): void
}

/** A store of posting lists. */
export interface PostingSource {
  /** The entries of the keys that exist, in any order. */
  readEntries(keys: readonly string[]): MaybePromise<readonly TermEntry[]>
  /**
   * A page of the entries whose keys start with `keyPrefix`, in the order of their keys. `keyPrefix` is the letter of
   * the kind, then the first letters of the words: `fpla`. The page has at most `longPrefixWordsMax` entries. It starts
   * with the key `from` (included), whose default is `keyPrefix`: that is the first page. A search reads only the first
   * page; occurrences.ts, for passages, reads more.
   */
  readEntriesOfPrefix(keyPrefix: string, from?: string): MaybePromise<readonly TermEntry[]>
  /** Reads the chunks of all requests and delivers them. A synchronous source has delivered them when it returns. */
  readChunks(requests: readonly ChunkRequest[]): MaybePromise<void>
}

/** What a search reads from after it is planned. */
export type ChunkSource = Pick<PostingSource, 'readChunks'>
