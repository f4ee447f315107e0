// The analysis of a text, which the steps of the analyser share. analyser.ts creates it from the tokens, which are the
// pieces of the text between white space and plain punctuation. Then synonyms.ts, numeral-synonyms.ts and
// spaced-codes.ts add what depends on several words: `SUNC-R 3` has the words `sunc`, `r` and `3`, and spaced-codes.ts
// adds the code as one word, `suncr3`.
import type { AddedWordsWithSpans } from './added-words.ts'
import type { LexiconWord } from './lexicon.ts'
import type { SubtokenGroup } from './subtoken-groups.ts'

export interface TextAnalysis {
  /** The words of the text. The index of a word is its position. */
  readonly words: readonly LexiconWord[]
  readonly codesByPosition: CodesByPosition
  /** The positions of the modifications after a comma or a full stop: 2 for `Nave 2ª, modificación de uso`. */
  readonly separatedModifications: ReadonlySet<number>
  /** Joined forms (other spellings, `suncr3`) and synonyms (words with the same meaning). Each step adds to them. */
  readonly added: AddedWordsWithSpans
}

/**
 * The codes of a text by the position of their first word. A code is letters and numbers that name a plan or an area.
 * Here the steps find the codes that continue in another token, such as `SUNC-R 3`.
 *
 * A value is a group: parts of one token that belong together. It is a code (`UE-1`) or may be part of a code with
 * spaces (the `A` of `A 6`). Only the first and the last group of a token (`firstCode` and `lastCode` in token.ts) are
 * in the map, because no other group has another token beside it.
 *
 * text                 | entries (position: group)
 * `SUNC-R 3`           | 0: `SUNC-R`, a code that may continue
 * `A 6`                | 0: `A`, which may be part of a code
 * `ED 16.202`          | 1: `16.202`, which may be part of a code
 * `Mayor,A 6`          | 1: `A`, the last group of the token `Mayor,A`
 * `UE-1,UE-2,UE-3`     | 0: `UE-1`; 4: `UE-3`; the `UE-2` inside the token is left out
 * `UE 4`               | none: numeral-synonyms.ts handles an acronym and a plain number
 */
export type CodesByPosition = ReadonlyMap<number, SubtokenGroup>
