// Iterator over the record positions that match a part of a query, in ascending order (document at a time). Iterators
// never wait: if a block is not in memory or the time slice is used up, `seek` returns `pending` and is called again.

/** Returned after the last match. Larger than every record position. */
export const end = 0x7fffffff

/** Returned if the caller must fetch the chunks in the `SearchContext`, or let other work run, and then call again. */
export const pending = -1

export interface PostingIterator {
  /** Upper bound of the number of matches. An intersection starts with the smallest. */
  readonly cost: number
  /** The first match at or after `target`, `end`, or `pending`. `target` must not decrease from call to call. */
  seek(target: number): number
}
