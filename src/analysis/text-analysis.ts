// What the steps of the analyser know about a text. analyser.ts creates this object from the tokens; then synonyms.ts,
// numeral-synonyms.ts and spaced-codes.ts add what depends on several words.
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
 * Codes of a text, and what may be part of a code with spaces (the `A` of `A 6`), by the position of their first word.
 * A token has up to two: its first and its last group of subtokens (`firstCode` and `lastCode` in token.ts). Only these
 * stand beside a word of another token, with which they may form a code. The `UE-2` of `UE-1,UE-2,UE-3` is left out.
 */
export type CodesAtTokenEdges = ReadonlyMap<number, SubtokenGroup>
