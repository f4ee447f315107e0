// Ranges of the text of a page, in characters or in words, and the conversions between them.
import { lowerBound } from '../lower-bound.ts'

/** UTF-16 offsets of each word of a page. */
export interface WordOffsets {
  readonly starts: Offsets
  readonly ends: Offsets
}

export type Offsets = readonly number[] | Uint32Array

/** Offsets of the first character of a part of the text, and after its last. */
export interface CharacterRange {
  readonly start: number
  readonly end: number
}

/** Consecutive words of a page, such as a window or a match: indexes of the first and of the last, both included. */
export interface WordRange {
  /** Negative if a phrase begins on the page before. */
  readonly first: number
  /** May be after the last word of the page, if a phrase goes on on the next page. */
  readonly last: number
}

/** The index of the first word that starts at or after the offset. */
export function findWordFrom(starts: Offsets, offset: number): number {
  return lowerBound(0, starts.length, (word) => (starts[word] ?? 0) < offset)
}

/** How many words end at or before the offset. It is also the index of the first word that ends after the offset. */
export function countWordsUpTo(ends: Offsets, offset: number): number {
  return lowerBound(0, ends.length, (word) => (ends[word] ?? 0) <= offset)
}

/** From the start of the first word to the end of the last, as far as they are on the page. */
export function toCharacterRange({ starts, ends }: WordOffsets, { first, last }: WordRange): CharacterRange {
  const start = starts[Math.max(0, first)] ?? 0
  return { start, end: ends[Math.min(last, ends.length - 1)] ?? start }
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
