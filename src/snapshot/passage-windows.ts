// Chooses the places of a record that are shown as passages, from word positions alone: the windows of a few words with
// the most clauses of the term, closest together; or all of them in reading order.

import type { Occurrences } from '../index/occurrences.ts'
import { at } from '../index/typed-array.ts'
import { lowerBound } from '../lower-bound.ts'

/** Words that are shown together: about as many as a passage has. */
const windowWords = 24

/** Consecutive words of one segment. */
export interface Window {
  /** Index of the segment in its record. */
  readonly segment: number
  /** Indexes of the first and the last word in the segment. The last may be after the end of the segment. */
  readonly first: number
  readonly last: number
}

export interface WindowOptions {
  /** `best`: most clauses first, then the closest together, then in reading order. */
  readonly order: 'best' | 'reading'
  readonly max: number
  /** The number of words of each clause: more than one for a phrase. */
  readonly clauseWords: readonly number[]
}

export function chooseWindows(occurrences: Occurrences, options: WindowOptions): Window[] {
  const events = mergeClauses(occurrences.clauses)
  return options.order === 'best'
    ? chooseBest(events, occurrences.segmentStarts, options)
    : chooseInOrder(events, occurrences.segmentStarts, options)
}

/** The matches of all clauses in the order of their positions. */
interface Events {
  readonly positions: Uint32Array
  readonly clauses: Uint32Array
}

function mergeClauses(lists: readonly Uint32Array[]): Events {
  const count = lists.reduce((sum, list) => sum + list.length, 0)
  const positions = new Uint32Array(count)
  const clauses = new Uint32Array(count)
  const next = new Uint32Array(lists.length)
  for (let event = 0; event < count; event++) {
    let nearest = -1
    let nearestPosition = Number.POSITIVE_INFINITY
    for (let clause = 0; clause < lists.length; clause++) {
      const position = lists[clause]?.[at(next, clause)]
      if (position === undefined || position >= nearestPosition) continue
      nearest = clause
      nearestPosition = position
    }
    positions[event] = nearestPosition
    clauses[event] = nearest
    next[nearest] = at(next, nearest) + 1
  }
  return { positions, clauses }
}

function chooseInOrder(
  { positions, clauses }: Events,
  segmentStarts: Uint32Array,
  { max, clauseWords }: WindowOptions,
): Window[] {
  const windows: Window[] = []
  for (let event = 0; event < positions.length && windows.length < max; ) {
    const first = at(positions, event)
    const segment = findSegment(segmentStarts, first)
    const end = Math.min(first + windowWords, segmentStarts[segment + 1] ?? Number.POSITIVE_INFINITY)
    let last = first
    for (; event < positions.length && at(positions, event) < end; event++) {
      last = Math.max(last, at(positions, event) + (clauseWords[at(clauses, event)] ?? 1) - 1)
    }
    windows.push(toWindow(segmentStarts, segment, first, last))
  }
  return windows
}

function chooseBest(events: Events, segmentStarts: Uint32Array, options: WindowOptions): Window[] {
  const { positions, clauses } = events
  const clauseCount = options.clauseWords.length
  // With one clause all windows are equally good.
  if (clauseCount === 1) return chooseInOrder(events, segmentStarts, options)
  const count = positions.length
  const distinct = new Uint32Array(count)
  const lasts = new Uint32Array(count)
  const segments = new Uint32Array(count)
  /** The event from which a clause was last seen, plus one. */
  const seenFrom = new Uint32Array(clauseCount)
  for (let event = 0; event < count; event++) {
    const first = at(positions, event)
    const segment = findSegment(segmentStarts, first)
    const end = Math.min(first + windowWords, segmentStarts[segment + 1] ?? Number.POSITIVE_INFINITY)
    let found = 0
    for (let other = event; other < count && at(positions, other) < end; other++) {
      const clause = at(clauses, other)
      if (at(seenFrom, clause) === event + 1) continue
      seenFrom[clause] = event + 1
      found++
      const last = at(positions, other) + (options.clauseWords[clause] ?? 1) - 1
      lasts[event] = Math.max(at(lasts, event), last)
      if (found === clauseCount) break
    }
    distinct[event] = found
    segments[event] = segment
  }
  const chosen: number[] = []
  while (chosen.length < options.max) {
    let best = -1
    for (let event = 0; event < count; event++) {
      const position = at(positions, event)
      const isBetter =
        best === -1 ||
        at(distinct, event) > at(distinct, best) ||
        (at(distinct, event) === at(distinct, best) &&
          at(lasts, event) - position < at(lasts, best) - at(positions, best))
      if (!isBetter) continue
      const overlaps = chosen.some(
        (other) =>
          at(segments, other) === at(segments, event) && Math.abs(at(positions, other) - position) < windowWords,
      )
      if (!overlaps) best = event
    }
    if (best === -1) break
    chosen.push(best)
  }
  return chosen.map((event) => toWindow(segmentStarts, at(segments, event), at(positions, event), at(lasts, event)))
}

/** The segment that contains the position. */
function findSegment(segmentStarts: Uint32Array, position: number): number {
  return lowerBound(0, segmentStarts.length, (segment) => at(segmentStarts, segment) <= position) - 1
}

function toWindow(segmentStarts: Uint32Array, segment: number, first: number, last: number): Window {
  const start = at(segmentStarts, segment)
  return { segment, first: first - start, last: last - start }
}
