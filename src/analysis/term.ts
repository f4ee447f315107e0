// A search term after analysis: a conjunction of clauses. The index evaluates clauses without knowledge of Spanish.

export interface Term {
  readonly clauses: readonly Clause[]
  /**
   * A title that meets all these conditions has the words of the term side by side and comes first in the result. A
   * condition is a list of keys of the index, of which the title must have at least one. A title has such a key for
   * each two words that are side by side, for example `plan parcial` (neighbours.ts). Each two consecutive clauses have
   * a condition, unless one of them stands for no fixed word, such as a prefix. A clause such as `s/n`, which does not
   * separate neighbours, is passed over. Empty if the term has only one clause or only stop words.
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
 * consecutive positions; the stem `joinedCode` occurs; `orPhrase` matches. `joinedCode` is the code as one word (`UE-1`
 * also finds `UE1`), or a range (`23-25`), which the analyser adds to a title with `23 y 25`. `orPhrase` is another way
 * to write the phrase: `"ED 16.202"` has the stems `ed 16202`, and its `orPhrase` has `ed 16 202`, like a text with
 * `ED.16.202`.
 */
export interface PhraseClause {
  readonly kind: 'phrase'
  readonly stems: readonly string[]
  readonly joinedCode?: string
  readonly orPhrase?: PhraseClause
}
