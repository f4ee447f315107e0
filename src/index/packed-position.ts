// A packed position: one number for a word position and for what the term is there, so that the inverter (the part of
// the import that indexes texts) can sort both together. A term is a word as written, or a word that the analyser has
// added: a joined form (`ue1` for `UE-1`) or a synonym. An added word stands for one or more words of the text, its
// span. The number `kindAndSpan` says what the term is: 0 for a written word; for an added word twice the number of
// words of its span, plus one for a synonym. It is 4 for `ue1`, whose span has two words.
import { spanWordsMax } from '../analysis/added-words.ts'

/** A joined form or a synonym. Prefixes match joined forms, but no synonyms. */
export type AddedKind = 'joined form' | 'synonym'

/** The low bits of a packed position are `kindAndSpan`, which is at most `kindAndSpanMax`. */
const kindAndSpanBits = 6
const kindAndSpanMask = (1 << kindAndSpanBits) - 1

/** The `kindAndSpan` of a written word. */
export const writtenWord = 0

/**
 * `position` is less than 2 ** 26: the text of a record has at most about 8 million characters (`recordCharactersMax`
 * in import/sources/source.ts). A single character may be several words (`½` is two), but at most four.
 */
export function packWritten(position: number): number {
  return (position << kindAndSpanBits) >>> 0
}

/** `position` is the word position of the first word of the span. */
export function packAdded(position: number, spanWords: number, kind: AddedKind): number {
  // Only the span of a long token, such as `UE-1,UE-2,UE-3,…` without spaces, has more than `spanWordsMax` words. A
  // span cut to that length still lies in the token, and a passage highlights a token as a whole, so nothing changes.
  const kindAndSpan = Math.min(spanWords, spanWordsMax) * 2 + (kind === 'synonym' ? 1 : 0)
  return ((position << kindAndSpanBits) | kindAndSpan) >>> 0
}

export function positionOf(packed: number): number {
  return packed >>> kindAndSpanBits
}

export function kindAndSpanOf(packed: number): number {
  return packed & kindAndSpanMask
}

export const kindAndSpanMax: number = spanWordsMax * 2 + 1

/** How many words of the text the term stands for; 1 for a written word. */
export function spanWordsOf(kindAndSpan: number): number {
  return kindAndSpan === writtenWord ? 1 : kindAndSpan >>> 1
}

export function isSynonym(kindAndSpan: number): boolean {
  return (kindAndSpan & 1) === 1
}
