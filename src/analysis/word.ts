// A word after analysis, as the index stores it.

/** Occurrences of a word share one object while it is in the cache. */
export interface Word {
  /** The folded spelling, which prefix clauses match. */
  readonly form: string
  /** The stem, which word clauses and phrase clauses match. */
  readonly stem: string
}
