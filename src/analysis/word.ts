// A word after analysis: the common currency of texts, terms and the index.

/** A word of a text; the objects are shared between occurrences as long as they are remembered. */
export interface Word {
  /** Folded, as written: what a prefix is compared with. */
  readonly form: string
  /** What a word of a term is compared with. */
  readonly stem: string
}
