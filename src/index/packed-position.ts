// A packed position: one number for a word position and for what the term is there, so that the inverter can sort both
// together. A term is a word as written, or a word that the analyser has added: a joined form (`ue1` for `UE-1`) or a
// synonym. An added word stands for one or more words of the text, its span.
import { spanWordsMax } from '../analysis/added-words.ts'

/** A joined form or a synonym. Prefixes match joined forms, but no synonyms. */
export type AddedKind = 'joined form' | 'synonym'

/** The low bits are the code, which is at most `codeMax`. */
const codeBits = 6
const codeMask = (1 << codeBits) - 1

/** The code of a written word. That of an added word is twice the words of its span, plus one for a synonym. */
export const writtenCode = 0

/**
 * `position` is less than 2 ** 26: the text of a record has at most about 8 million characters (`recordCharactersMax`
 * in import/sources/source.ts). A single character may be several words (`½` is two), but at most four.
 */
export function packWritten(position: number): number {
  return (position << codeBits) >>> 0
}

/** `position` is that of the first word of the span. */
export function packAdded(position: number, spanWords: number, kind: AddedKind): number {
  // Only the span of a long token, such as `UE-1,UE-2,UE-3,…` without spaces, has more than `spanWordsMax` words. A
  // span cut to that length still lies in the token, and a passage highlights a token as a whole, so nothing changes.
  const code = Math.min(spanWords, spanWordsMax) * 2 + (kind === 'synonym' ? 1 : 0)
  return ((position << codeBits) | code) >>> 0
}

export function positionOf(packed: number): number {
  return packed >>> codeBits
}

export function codeOf(packed: number): number {
  return packed & codeMask
}

export const codeMax: number = spanWordsMax * 2 + 1

/** How many words the term stands for; 1 for a written word. */
export function wordsOfCode(code: number): number {
  return code === writtenCode ? 1 : code >>> 1
}

export function isSynonymCode(code: number): boolean {
  return (code & 1) === 1
}
