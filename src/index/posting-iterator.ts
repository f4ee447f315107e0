// Interface of an iterator over the record positions that match a part of a query, in ascending order (document at a
// time). Iterators never wait: if a chunk (a posting block or a position chunk) is not in memory, or the time slice is
// used up, `seek` returns `pending` and is called again later. iterators.ts, phrase-iterator.ts and
// posting-list-iterator.ts implement it.

/** Returned by `seek` if there are no more matches. Larger than every record position. */
export const end = 0x7fffffff

/**
 * Returned by `seek` if the search must wait before it calls `seek` again with the same target: for the chunks in
 * `SearchContext.chunkRequests` or, if there are none, for the next time slice. Smaller than every record position.
 */
export const pending = -1

export interface PostingIterator {
  /** Upper bound of the number of matches. An intersection asks the iterator with the smallest cost first. */
  readonly cost: number
  /**
   * Returns the first match at or after `target`, `end`, or `pending`. An iterator only moves forward: a target
   * before its current match may return that match. A caller that has got `pending` seeks the same target again.
   */
  seek(target: number): number
}
