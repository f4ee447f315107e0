// Ranges of the text of a segment, in characters or in words, and the conversions between them. The words and their
// offsets come from a scanner (analysis/word-scanner.ts), which finds them only as far as a passage needs them.
import type { WordScanner } from '../analysis/word-scanner.ts'
import { lowerBound } from '../lower-bound.ts'

/** Offsets of the first character of a part of the text, and after its last. */
export interface CharacterRange {
  readonly start: number
  readonly end: number
}

/** Consecutive words of a segment, such as a window or a match: indexes of the first and of the last, both included. */
export interface WordRange {
  /** Negative if a match starts in the segment before. */
  readonly first: number
  /** May be after the last word of the segment, if a phrase goes on in the next segment. */
  readonly last: number
}

/** The index of the first word that starts at or after the offset. */
export function findWordFrom(starts: readonly number[], offset: number): number {
  return lowerBound(0, starts.length, (word) => (starts[word] ?? 0) < offset)
}

/** How many words end at or before the offset. It is also the index of the first word that ends after the offset. */
export function countWordsUpTo(ends: readonly number[], offset: number): number {
  return lowerBound(0, ends.length, (word) => (ends[word] ?? 0) <= offset)
}

/** From the start of the first word to the end of the last. Only words in this segment count. */
export function toCharacterRange(scanner: WordScanner, { first, last }: WordRange): CharacterRange {
  const { text, starts, ends, isAtEnd } = scanner
  const start = starts[Math.max(0, first)]
  const end = ends[last]
  // Not in the passage, because the scanner stops after it: an empty range at the end of the text.
  if (start === undefined) return { start: text.length, end: text.length }
  if (end !== undefined) return { start, end }
  // The last word is in the next segment or, if the scanner has stopped, somewhere after the passage.
  return { start, end: isAtEnd ? (ends.at(-1) ?? start) : text.length }
}

/** The words from the first that starts in the range to the last that ends in it. */
export function toWordRange({ starts, ends }: WordScanner, { start, end }: CharacterRange): WordRange {
  const first = findWordFrom(starts, start)
  return { first, last: Math.max(first, countWordsUpTo(ends, end)) - 1 }
}

/** From the first start to the last end of the ranges; undefined if there are none. */
export function unite(ranges: readonly CharacterRange[]): CharacterRange | undefined {
  if (ranges.length === 0) return undefined
  const start = Math.min(...ranges.map((range) => range.start))
  return { start, end: Math.max(...ranges.map((range) => range.end)) }
}

/** Unites ranges that overlap. They are sorted by their start; ranges that only touch stay apart. */
export function mergeOverlaps(sorted: readonly CharacterRange[]): CharacterRange[] {
  const merged: { start: number; end: number }[] = []
  for (const { start, end } of sorted) {
    const previous = merged.at(-1)
    if (previous !== undefined && start < previous.end) previous.end = Math.max(previous.end, end)
    else merged.push({ start, end })
  }
  return merged
}
