// A search term after analysis: clauses (conditions), all of which a record must match. The term `plan UE-1 urban*`
// has the word clause `plan`, the phrase clause `ue 1` and the prefix clause `urban`. The index evaluates clauses
// without knowledge of Spanish.

export interface Term {
  readonly clauses: readonly Clause[]
  /**
   * A title that meets all these conditions has the words of the term side by side and comes first in the result. A
   * condition is a list of keys of the index, of which the title must have at least one. The title `Plan Parcial Norte`
   * has the keys `plan parcial` and `parcial norte` (neighbours.ts).
   *
   * term                 | conditions
   * `plan parcial norte` | `plan parcial`; `parcial norte`
   * `plan* parcial`      | none: a prefix stands for no fixed word
   * `serrano s/n madrid` | `serrano madrid`: the keys of a title skip its `s/n` too
   * `plan`, `de la`      | none: only one clause, or only stop words
   */
  readonly neighbours: readonly (readonly string[])[]
}

export type Clause = WordClause | PhraseClause | PrefixClause

/**
 * Matches if the stem, or one of `orStems`, occurs as a word of the text or as an added word. Added words are indexed
 * with a text that does not have them in this form: a joined form is another spelling of it (`ue1` for `UE-1`), a
 * synonym is another word (`edificio` for `Edif.`). The term `cruces` has the stem `cruz`, and `cruce` in `orStems`,
 * because `cruces` is the plural of both words.
 */
export interface WordClause {
  readonly kind: 'word'
  readonly stem: string
  readonly orStems?: readonly string[]
}

/**
 * Words between quotes, or a code, which is a phrase of its parts. Matches if one of these holds:
 * - The stems occur at consecutive positions: `plan` and `parcial` for `"plan parcial"`, `ue` and `1` for `UE-1`.
 * - `joinedCode` occurs, as a word of the text, a joined form or a synonym. For a code it is the code as one word
 *   (`ue1` for `UE-1`). For a range such as `23-25` it is the synonym that the analyser adds to a title with `23 y 25`.
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
 * Matches if the form of a word or of a joined form starts with `prefix` (`urban*` finds `urbano` and `urbanizar`), or
 * if `orPhrase` matches. Only the prefix of a code, such as `UZP-1*`, has an `orPhrase`, because the prefix needs the
 * code as one word. A text that writes the code with a space has it as one word, a joined form, if its letters are a
 * known acronym (`UE 1`), but not otherwise (`UZP 1`). The phrase finds the code with the space, but only with this
 * very number.
 *
 * text     | joined form | found by the prefix `uzp1` | found by the phrase `uzp 1`
 * `UZP-1`  | `uzp1`      | yes                        | yes
 * `UZP-12` | `uzp12`     | yes                        | no
 * `UZP 1`  | none        | no                         | yes
 * `UZP 12` | none        | no                         | no
 */
export interface PrefixClause {
  readonly kind: 'prefix'
  readonly prefix: string
  readonly orPhrase?: PhraseClause
}

/** A shorter prefix would match too many words, so it is searched as a whole word: `pl*` is `pl`. */
export const prefixLettersMin = 3
