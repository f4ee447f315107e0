// A search term after analysis. Every clause must hold for a record to be found; the store evaluates clauses and
// knows nothing of Spanish.

export interface Term {
  readonly clauses: readonly Clause[]
}

export type Clause =
  /** The stem occurs as a word, or was added beside the text (a synonym, a joined code). */
  | { readonly kind: 'word'; readonly stem: string }
  /** The stems occur one after the other in the text itself; `joined`, where given, may stand for them beside it. */
  | PhraseClause
  /** Some word as written (folded, not stemmed) begins so, or `whole`, where given, holds: `UE-1*` finds `UE 1`. */
  | { readonly kind: 'prefix'; readonly prefix: string; readonly whole?: PhraseClause }

export interface PhraseClause {
  readonly kind: 'phrase'
  readonly stems: readonly string[]
  readonly joined?: string
}
