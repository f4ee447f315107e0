// A search term after analysis: a conjunction of clauses. The index evaluates clauses without knowledge of Spanish.

export interface Term {
  readonly clauses: readonly Clause[]
  /**
   * One condition for each pair of consecutive clauses: a list of entries such as `plan parcial`. The words of the term
   * are side by side in a title that has at least one entry of each condition (neighbours.ts). Such titles come first
   * in the result. A pair with a clause that stands for no fixed word, such as a prefix, has no condition. Empty if the
   * term has only one clause or only stop words.
   */
  readonly neighbours: readonly (readonly string[])[]
}

export type Clause =
  | WordClause
  | PhraseClause
  /**
   * A folded word or joined form (`ue1` for `UE-1`), before stemming, starts with `prefix`, or `orPhrase` matches:
   * `UE-1*` also finds `UE 1`.
   */
  | { readonly kind: 'prefix'; readonly prefix: string; readonly orPhrase?: PhraseClause }

/** A shorter prefix would match too many words, so it is searched as a whole word: `pl*` is `pl`. */
export const prefixLettersMin = 3

/** The stem, or one of `orStems`, occurs as a word of the text, a joined form (`ue1` for `UE-1`) or a synonym. */
export interface WordClause {
  readonly kind: 'word'
  readonly stem: string
  /** Alternatives: `cruces` is the plural of `cruz` and of `cruce`. */
  readonly orStems?: readonly string[]
}

/**
 * Words between quotes, or a code, which is a phrase of its parts. Matches if one of these holds: the stems occur at
 * consecutive positions; the stem `joinedCode` occurs; `orPhrase` matches (`"ED 16.202"` also finds `ED.16.202`).
 * `joinedCode` is the code as one word (`UE-1` also finds `UE1`), or a range (`23-25`), which the analyser adds to a
 * title with `23 y 25`.
 */
export interface PhraseClause {
  readonly kind: 'phrase'
  readonly stems: readonly string[]
  readonly joinedCode?: string
  readonly orPhrase?: PhraseClause
}
