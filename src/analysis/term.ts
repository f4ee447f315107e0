// A search term after analysis: a conjunction of clauses. The index evaluates clauses without knowledge of Spanish.

export interface Term {
  readonly clauses: readonly Clause[]
}

export type Clause =
  /** The stem occurs as a word, a joined form or a synonym. */
  | { readonly kind: 'word'; readonly stem: string }
  /** The stems occur at consecutive positions, or the single stem `joined` occurs. */
  | PhraseClause
  /** A word as written (folded, not stemmed) starts with `prefix`, or `whole` matches: `UE-1*` finds `UE 1`. */
  | { readonly kind: 'prefix'; readonly prefix: string; readonly whole?: PhraseClause }

export interface PhraseClause {
  readonly kind: 'phrase'
  readonly stems: readonly string[]
  readonly joined?: string
}
