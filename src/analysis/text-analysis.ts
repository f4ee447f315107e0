// What the steps of the analyser know about a text. analyser.ts creates this object from the tokens. Then synonyms.ts,
// numeral-synonyms.ts and spaced-codes.ts add what depends on several words: `SUNC-R 3` has the words `sunc`, `r` and
// `3`, and spaced-codes.ts adds the joined form `suncr3`.
import type { AddedWordsWithSpans } from './added-words.ts'
import type { LexiconWord } from './lexicon.ts'
import type { SubtokenGroup } from './subtoken-groups.ts'

export interface TextAnalysis {
  /** The words of the text. The index of a word is its position. */
  readonly words: readonly LexiconWord[]
  readonly codesAtTokenEdges: CodesAtTokenEdges
  /** The joined forms and synonyms. Each step adds to them. */
  readonly added: AddedWordsWithSpans
}

/**
 * Where the next steps look for a code that a text writes with spaces, such as `SUNC-R 3`. Only the first and the last
 * group of subtokens of a token stand beside another token (`firstCode` and `lastCode` in token.ts). The map has such a
 * group, by the position of its first word, if the group is a code or may be part of a code with spaces.
 *
 * text                 | entries (position: group)
 * `SUNC-R 3`           | 0: `SUNC-R`, a code that may continue
 * `A 6`                | 0: `A`, which may be part of a code
 * `ED 16.202`          | 1: `16.202`, which may be part of a code
 * `Mayor,A 6`          | 1: `A`, the last group of the token `Mayor,A`
 * `UE-1,UE-2,UE-3`     | 0: `UE-1`; 4: `UE-3`; the `UE-2` inside the token is left out
 * `UE 4`               | none: numeral-synonyms.ts handles a label with a plain number
 */
export type CodesAtTokenEdges = ReadonlyMap<number, SubtokenGroup>
