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

export type Clause = WordClause | PhraseClause | PrefixClause

/**
 * The stem, or one of `orStems`, occurs as a word of the text, a joined form (`ue1` for `UE-1`) or a synonym. The term
 * `cruces` has the stem `cruz` and one element in `orStems`, `cruce`, because it is the plural of both words.
 */
export interface WordClause {
  readonly kind: 'word'
  readonly stem: string
  readonly orStems?: readonly string[]
}

/**
 * Words between quotes, or a code, which is a phrase of its parts. Matches if one of these holds:
 * - The stems occur at consecutive positions: `plan` and `parcial` for `"plan parcial"`, `ue` and `1` for `UE-1`.
 * - `joinedCode` occurs, as a word of the text, a joined form or a synonym. It is the code as one word (`ue1` for
 *   `UE-1`), or a range of numbers: the analyser adds the synonym `23-25` to a title with `23 y 25`.
 * - `orPhrase` matches. It is another way to write the phrase: `"ED 16.202"` has the stems `ed` and `16202`, and its
 *   `orPhrase` has `ed`, `16` and `202`, which are the words of a text with `ED.16.202`.
 */
export interface PhraseClause {
  readonly kind: 'phrase'
  readonly stems: readonly string[]
  readonly joinedCode?: string
  readonly orPhrase?: PhraseClause
}

/**
 * The form of a word or a joined form, which is not stemmed, starts with `prefix`, or `orPhrase` matches. The term
 * `urban*` has the prefix `urban`. The term `UZP-1*` has the prefix `uzp1`, which finds `UZP-12` by its joined form
 * `uzp12`. Its `orPhrase` has the stems `uzp` and `1`, which find `UZP 1`: this text has no joined form.
 */
export interface PrefixClause {
  readonly kind: 'prefix'
  readonly prefix: string
  readonly orPhrase?: PhraseClause
}

/** A shorter prefix would match too many words, so it is searched as a whole word: `pl*` is `pl`. */
export const prefixLettersMin = 3
