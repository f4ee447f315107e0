// The analysis of a text, which the steps of the analyser share. analyser.ts creates it from the tokens of the text
// (tokenizer.ts). `UE-1` is one token, and so is `Mayor,A`, because a comma without a space does not end a token. Then
// synonyms.ts, numbered-codes.ts and spaced-codes.ts add what depends on several words: `SUNC-R 3` has the words
// `sunc`, `r` and `3`, and spaced-codes.ts adds the code as one word, `suncr3`.
import type { AddedWordsWithSpans } from './added-words.ts'
import type { LexiconWord } from './lexicon.ts'
import type { SubtokenGroup } from './subtoken-groups.ts'

export interface TextAnalysis {
  /** The words of the text. The index of a word is its position. */
  readonly words: readonly LexiconWord[]
  readonly codesByPosition: CodesByPosition
  /**
   * The positions of some words that punctuation separates from the word before:
   * - `modificación` (or `Mod.`): 2 for `Nave 2ª, modificación de uso`. The ordinal before it is not its number, in
   *   contrast to that of `2ª modificación` (rules.ts);
   * - a word that is counted: 2 for `Edificio 5, plantas 1 y 2`. The 5 is the number of the building;
   * - a feminine ordinal: 1 for `Modificación. Segunda fase`. It is not the number of the modification;
   * - a stop word of one letter in upper case: 2 for `A 1, A 2`. It is the letter of a code, in contrast to that of
   *   `1 A 2` (spaced-codes.ts).
   */
  readonly separatedPositions: ReadonlySet<number>
  /** Joined forms (other spellings, `suncr3`) and synonyms (words with the same meaning). Each step adds to them. */
  readonly added: AddedWordsWithSpans
}

/**
 * The groups of a text that are codes or may be part of a code with spaces, by the position of their first word. A code
 * is letters and numbers that name a plan or an area, such as `SUNC-R 3`. A group is the parts of one token that belong
 * together, or a single word. `mayBeCode` in token.ts decides:
 *
 * group             | in the map | why
 * `SUNC-R`, `UE-1`  | yes        | several parts that make a code
 * `16.202`, `23-25` | yes        | a number of several parts, which may belong to an acronym: `ED 16.202`
 * `SUNCR`           | yes        | an acronym and other letters, in capitals: `SUNCR 3`
 * `A`               | yes        | a stop word of one letter, in capitals: `A 6`
 * `PCA`             | yes        | an abbreviation (of `plaza`), in capitals: `PCA 3`
 * `ED`, `4`         | no         | an acronym or a plain number: numbered-codes.ts joins `ED 4` without the map
 * `UZD`, `R`        | no         | any other single word
 *
 * Of the groups of one token, only the first and the last are in the map (`firstCode` and `lastCode` in token.ts),
 * because no other has another token next to it. `UE-1,UE-2,UE-3` is one token: the map has `UE-1` at 0 and `UE-3` at
 * 4. `Mayor,A 6` has the `A` at 1.
 */
export type CodesByPosition = ReadonlyMap<number, SubtokenGroup>
