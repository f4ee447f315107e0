// Chooses the windows of a record that are shown as passages, from word positions alone: the windows with the most
// clauses of the search term, closest together, or the first `max` windows in reading order. A window is a few words of
// one segment; a segment is a page of a document, or a part of a longer page or of the column `content`.

import type { Occurrences } from '../index/occurrences.ts'
import { at } from '../index/typed-array.ts'
import { lowerBound } from '../lower-bound.ts'

/** Words that are shown together: about as many as a passage has. */
const windowWords = 24

/** Consecutive words of one segment. */
export interface Window {
  /** Index of the segment in its record. */
  readonly segment: number
  /**
   * Indexes of the first and the last word in the segment. The last is after the end of the segment if a phrase ends
   * beyond it.
   */
  readonly first: number
  readonly last: number
}

export interface WindowOptions {
  /** `best`: most clauses of the search term first, then the closest together, then in reading order. */
  readonly order: 'best' | 'reading'
  /** Windows that are returned at most. */
  readonly max: number
  /** The number of words of each clause of the search term: more than one for a phrase. */
  readonly clauseWords: readonly number[]
}

export function chooseWindows(occurrences: Occurrences, options: WindowOptions): Window[] {
  const matches = mergeClauses(occurrences.clauses)
  return options.order === 'best'
    ? chooseBest(matches, occurrences.segmentStarts, options)
    : chooseInOrder(matches, occurrences.segmentStarts, options)
}

/** The matches of all clauses in the order of their positions, as parallel arrays. */
interface Matches {
  /** The word position in the record at which each match starts. */
  readonly positions: Uint32Array
  /** The index of the clause that matches there. */
  readonly clauses: Uint32Array
}

function mergeClauses(lists: readonly Uint32Array[]): Matches {
  const count = lists.reduce((sum, list) => sum + list.length, 0)
  const positions = new Uint32Array(count)
  const clauses = new Uint32Array(count)
  /** By clause: the index in its list of the next match to merge. */
  const next = new Uint32Array(lists.length)
  for (let match = 0; match < count; match++) {
    let nearest = -1
    let nearestPosition = Number.POSITIVE_INFINITY
    for (let clause = 0; clause < lists.length; clause++) {
      const position = lists[clause]?.[at(next, clause)]
      if (position === undefined || position >= nearestPosition) continue
      nearest = clause
      nearestPosition = position
    }
    positions[match] = nearestPosition
    clauses[match] = nearest
    next[nearest] = at(next, nearest) + 1
  }
  return { positions, clauses }
}

function chooseInOrder(
  { positions, clauses }: Matches,
  segmentStarts: Uint32Array,
  { max, clauseWords }: WindowOptions,
): Window[] {
  const windows: Window[] = []
  for (let match = 0; match < positions.length && windows.length < max; ) {
    const first = at(positions, match)
    const segment = findSegment(segmentStarts, first)
    const end = Math.min(first + windowWords, segmentStarts[segment + 1] ?? Number.POSITIVE_INFINITY)
    let last = first
    for (; match < positions.length && at(positions, match) < end; match++) {
      last = Math.max(last, at(positions, match) + (clauseWords[at(clauses, match)] ?? 1) - 1)
    }
    windows.push(toWindow(segmentStarts, segment, first, last))
  }
  return windows
}

function chooseBest(matches: Matches, segmentStarts: Uint32Array, options: WindowOptions): Window[] {
  const { positions, clauses } = matches
  const clauseCount = options.clauseWords.length
  // With one clause all windows are equally good.
  if (clauseCount === 1) return chooseInOrder(matches, segmentStarts, options)
  const count = positions.length
  // A window starts at each match. These arrays describe it, by match index: how many clauses it contains, the word
  // position of its last word, and its segment.
  const clausesInWindow = new Uint32Array(count)
  const lasts = new Uint32Array(count)
  const segments = new Uint32Array(count)
  /** By clause: the last window that counted the clause, as its match index plus one; 0 if none. */
  const countedIn = new Uint32Array(clauseCount)
  for (let match = 0; match < count; match++) {
    const first = at(positions, match)
    const segment = findSegment(segmentStarts, first)
    const end = Math.min(first + windowWords, segmentStarts[segment + 1] ?? Number.POSITIVE_INFINITY)
    let found = 0
    for (let other = match; other < count && at(positions, other) < end; other++) {
      const clause = at(clauses, other)
      if (at(countedIn, clause) === match + 1) continue
      countedIn[clause] = match + 1
      found++
      const last = at(positions, other) + (options.clauseWords[clause] ?? 1) - 1
      lasts[match] = Math.max(at(lasts, match), last)
      if (found === clauseCount) break
    }
    clausesInWindow[match] = found
    segments[match] = segment
  }
  const chosen: number[] = []
  while (chosen.length < options.max) {
    let best = -1
    for (let match = 0; match < count; match++) {
      const position = at(positions, match)
      const isBetter =
        best === -1 ||
        at(clausesInWindow, match) > at(clausesInWindow, best) ||
        (at(clausesInWindow, match) === at(clausesInWindow, best) &&
          at(lasts, match) - position < at(lasts, best) - at(positions, best))
      if (!isBetter) continue
      const overlaps = chosen.some(
        (other) =>
          at(segments, other) === at(segments, match) && Math.abs(at(positions, other) - position) < windowWords,
      )
      if (!overlaps) best = match
    }
    if (best === -1) break
    chosen.push(best)
  }
  return chosen.map((match) => toWindow(segmentStarts, at(segments, match), at(positions, match), at(lasts, match)))
}

/** The segment that contains the position. */
function findSegment(segmentStarts: Uint32Array, position: number): number {
  return lowerBound(0, segmentStarts.length, (segment) => at(segmentStarts, segment) <= position) - 1
}

function toWindow(segmentStarts: Uint32Array, segment: number, first: number, last: number): Window {
  const start = at(segmentStarts, segment)
  return { segment, first: first - start, last: last - start }
}
