// A search term after analysis: a conjunction of clauses. The index evaluates clauses without knowledge of Spanish.

export interface Term {
  readonly clauses: readonly Clause[]
  /**
   * The title contains the words side by side, in the order of the term, if it has one of the entries of each
   * condition (neighbours.ts). Empty if the term is a single word.
   */
  readonly neighbours: readonly (readonly string[])[]
}

export type Clause =
  | WordClause
  | PhraseClause
  /** A word as written (folded, not stemmed) starts with `prefix`, or `orPhrase` matches: `UE-1*` also finds `UE 1`. */
  | { readonly kind: 'prefix'; readonly prefix: string; readonly orPhrase?: PhraseClause }

/** The stem, or one of `orStems`, occurs as a word of the text, a joined form or a synonym. */
export interface WordClause {
  readonly kind: 'word'
  readonly stem: string
  /** Alternatives: `cruces` is the plural of `cruz` and of `cruce`. */
  readonly orStems?: readonly string[]
}

/** The stems occur at consecutive positions, or the stem `joinedCode` occurs: `UE-1` also finds `UE1`. */
export interface PhraseClause {
  readonly kind: 'phrase'
  readonly stems: readonly string[]
  readonly joinedCode?: string
}
