// Posting lists: for each word the ascending positions of the records that hold it, cut into blocks that can be
// read and skipped one by one. This file names the kinds of list and the shape of a stored block; block-writer.ts
// lays the bytes out, matcher.ts reads them.

/**
 * The kinds of list, each the first letter of a list's key. Title lists stand beside the lists of the whole record,
 * so that "title alone holds every word" (docs/decisions.md, order) is an intersection and not a scan.
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

/** Records in one block: small enough to read for a first page, large enough that a long list is few rows. */
export const blockRecordsMax = 512

/** A prefix that more words begin with than this has a list of its own, so a request unites at most this many. */
export const prefixUnionMax = 128

/** Shorter prefixes are not offered (docs/decisions.md, `search`). */
export const prefixLettersMin = 3

/** A part of a list. */
export interface Block {
  /** The last record position in the block. */
  readonly last: number
  /** Record positions: varint deltas, the first from zero. */
  readonly records: Uint8Array
  /** For each record: byte length, then word positions as deltas. Null where the list keeps none or none are wanted. */
  readonly positions: Uint8Array | null
}

/** What is known of a list before any of its blocks is read. */
export interface ListHead {
  readonly key: string
  readonly list: number
  /** How many records it holds. */
  readonly records: number
  /** The whole list, where it is one block. */
  readonly only: Block | null
}

/** Blocks wanted: those of the list whose `last` is at least `from`, at most `count`, in order. */
export interface BlockRequest {
  readonly list: number
  readonly from: number
  readonly count: number
  readonly withPositions: boolean
  deliver(blocks: readonly Block[]): void
}
