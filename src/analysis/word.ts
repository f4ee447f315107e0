// A word after analysis, as the index stores it.

/** The occurrences of a word in texts share one object while it is in the cache of lexicon.ts. */
export interface Word {
  /** The folded spelling, which prefix clauses match. */
  readonly form: string
  /** The stem, which word clauses and phrase clauses match. */
  readonly stem: string
}
