// Chooses the windows of a record that are shown as passages, from word positions alone: the windows with the most
// clauses of the search term, closest together, or all windows in reading order. A window is a few words of one
// segment; a segment is a page of a document, or a part of a longer page or of the column `content`.

import type { Occurrences } from '../index/occurrences.ts'
import type { TimeSlice } from '../index/time-slice.ts'
import { at } from '../index/typed-array.ts'
import { lowerBound } from '../lower-bound.ts'

/** A window has at most this many words, about as many as a passage; only a phrase at its end may make it longer. */
const windowWords = 24

/** Matches that are handled between two looks at the clock; they take less than a tenth of a millisecond. */
const matchesPerCheck = 512

/** Consecutive words of one segment, from one match of a clause to another or to the same. */
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

interface CountedWindow extends Window {
  /** How many clauses of the search term it contains; an equal clause counts as often as the term has it. */
  readonly clauses: number
}

export interface WindowOptions {
  /** `best`: most clauses of the search term first, then the closest together, then in reading order. */
  readonly order: 'best' | 'reading'
  /** Windows that are returned at most. */
  readonly max: number
  /** The number of words of each distinct clause of the search term: more than one for a phrase. */
  readonly clauseWords: readonly number[]
  /** How often the search term has each of these clauses. */
  readonly clauseCounts: readonly number[]
}

/**
 * `occurrences` has the word positions of each distinct clause in one record, ascending, and those where its segments
 * start. A long document has hundreds of thousands of matches, so the steps pause when their time slice is used up.
 */
export async function chooseWindows(
  occurrences: Occurrences,
  options: WindowOptions,
  slice: TimeSlice,
): Promise<Window[]> {
  const matches = await mergeClauses(occurrences.clausePositions, slice)
  return options.order === 'best'
    ? chooseBest(matches, occurrences.segmentStarts, options, slice)
    : chooseForEachSegment(matches, occurrences.segmentStarts, options, slice)
}

/**
 * All windows in reading order. If there are more than `max`, those with the most clauses are chosen, and of these one
 * for each segment before a second one for any, so that no page is missing because others have many matches.
 */
async function chooseForEachSegment(
  matches: Matches,
  segmentStarts: Uint32Array,
  options: WindowOptions,
  slice: TimeSlice,
): Promise<Window[]> {
  const windows = await chooseInOrder(matches, segmentStarts, { ...options, max: Number.POSITIVE_INFINITY }, slice)
  if (windows.length <= options.max) return windows
  /** By segment and number of clauses, such as `7 2`: the windows counted so far. */
  const counts = new Map<string, number>()
  const ranked = windows.map((window, index) => {
    const key = `${window.segment} ${window.clauses}`
    const rank = counts.get(key) ?? 0
    counts.set(key, rank + 1)
    return { window, index, rank }
  })
  return ranked
    .sort((a, b) => b.window.clauses - a.window.clauses || a.rank - b.rank || a.index - b.index)
    .slice(0, options.max)
    .sort((a, b) => a.index - b.index)
    .map(({ window }) => window)
}

/** The matches of all clauses in the order of their positions, as parallel arrays. */
interface Matches {
  /** The word position in the record at which each match starts. */
  readonly positions: Uint32Array
  /** The index of the clause that matches there. */
  readonly clauses: Uint32Array
}

/** `lists` has the ascending positions of the matches of each clause. */
async function mergeClauses(lists: readonly Uint32Array[], slice: TimeSlice): Promise<Matches> {
  const count = lists.reduce((sum, list) => sum + list.length, 0)
  const positions = new Uint32Array(count)
  const clauses = new Uint32Array(count)
  /** By clause: the index in its list of the next match to merge. */
  const next = new Uint32Array(lists.length)
  for (let match = 0; match < count; match++) {
    if (match % matchesPerCheck === 0) await slice.yieldIfUsed()
    // The clause whose next match is first; of several at the same position, the first clause.
    let firstClause = -1
    let firstPosition = Number.POSITIVE_INFINITY
    for (let clause = 0; clause < lists.length; clause++) {
      const position = lists[clause]?.[at(next, clause)]
      if (position === undefined || position >= firstPosition) continue
      firstClause = clause
      firstPosition = position
    }
    positions[match] = firstPosition
    clauses[match] = firstClause
    next[firstClause] = at(next, firstClause) + 1
  }
  return { positions, clauses }
}

/** The first windows in reading order: each starts at the first match after the previous window. */
async function chooseInOrder(
  { positions, clauses }: Matches,
  segmentStarts: Uint32Array,
  { max, clauseWords, clauseCounts }: WindowOptions,
  slice: TimeSlice,
): Promise<CountedWindow[]> {
  const windows: CountedWindow[] = []
  for (let match = 0; match < positions.length && windows.length < max; ) {
    const first = at(positions, match)
    const segment = findSegment(segmentStarts, first)
    const end = findWindowEnd(segmentStarts, segment, first)
    let last = first
    const clausesInWindow = new Set<number>()
    for (; match < positions.length && at(positions, match) < end; match++) {
      const clause = at(clauses, match)
      clausesInWindow.add(clause)
      last = Math.max(last, at(positions, match) + (clauseWords[clause] ?? 1) - 1)
    }
    let found = 0
    for (const clause of clausesInWindow) found += clauseCounts[clause] ?? 1
    windows.push({ ...toWindow(segmentStarts, segment, first, last), clauses: found })
    await slice.yieldIfUsed()
  }
  return windows
}

/** The windows with the most clauses, then the shortest, then the first. They do not overlap. */
async function chooseBest(
  matches: Matches,
  segmentStarts: Uint32Array,
  options: WindowOptions,
  slice: TimeSlice,
): Promise<Window[]> {
  const { clauseWords, clauseCounts, max } = options
  // With one clause all windows are equally good.
  if (clauseCounts.length === 1 && clauseCounts[0] === 1) return chooseInOrder(matches, segmentStarts, options, slice)
  const { positions, clauses } = matches
  const count = positions.length
  // A window may start at each match. These arrays describe it, by match index: how many clauses it contains, the word
  // position of its last word, and its segment. Only the first match of each clause extends it.
  const clausesInWindow = new Uint32Array(count)
  const lasts = new Uint32Array(count)
  const segments = new Uint32Array(count)
  /** By clause: the position of its first match from the current match on. */
  const nextPositions = new Float64Array(clauseWords.length).fill(Number.POSITIVE_INFINITY)
  for (let match = count - 1; match >= 0; match--) {
    if (match % matchesPerCheck === 0) await slice.yieldIfUsed()
    const first = at(positions, match)
    nextPositions[at(clauses, match)] = first
    const segment = findSegment(segmentStarts, first)
    const end = findWindowEnd(segmentStarts, segment, first)
    let found = 0
    let last = first
    for (const [clause, words] of clauseWords.entries()) {
      const position = nextPositions[clause] ?? end
      if (position >= end) continue
      found += clauseCounts[clause] ?? 1
      last = Math.max(last, position + words - 1)
    }
    clausesInWindow[match] = found
    lasts[match] = last
    segments[match] = segment
  }
  const chosen: number[] = []
  /** By match index: 1 if its window overlaps a chosen one. */
  const overlaps = new Uint8Array(count)
  while (chosen.length < max) {
    let best = -1
    for (let match = 0; match < count; match++) {
      if (match % matchesPerCheck === 0) await slice.yieldIfUsed()
      if (overlaps[match] === 1) continue
      const isBetter =
        best === -1 ||
        at(clausesInWindow, match) > at(clausesInWindow, best) ||
        (at(clausesInWindow, match) === at(clausesInWindow, best) &&
          at(lasts, match) - at(positions, match) < at(lasts, best) - at(positions, best))
      if (isBetter) best = match
    }
    if (best === -1) break
    chosen.push(best)
    // Two windows of a segment overlap if they start less than the length of a window apart.
    const isNear = (match: number): boolean =>
      segments[match] === segments[best] && Math.abs(at(positions, match) - at(positions, best)) < windowWords
    for (let match = best; match < count && isNear(match); match++) overlaps[match] = 1
    for (let match = best - 1; match >= 0 && isNear(match); match--) overlaps[match] = 1
  }
  return chosen.map((match) => toWindow(segmentStarts, at(segments, match), at(positions, match), at(lasts, match)))
}

/** The word position before which the matches of a window must start: at most the end of the segment. */
function findWindowEnd(segmentStarts: Uint32Array, segment: number, first: number): number {
  return Math.min(first + windowWords, segmentStarts[segment + 1] ?? Number.POSITIVE_INFINITY)
}

/** The index of the segment that contains the word position: the last one that starts at or before it. */
function findSegment(segmentStarts: Uint32Array, position: number): number {
  return lowerBound(0, segmentStarts.length, (segment) => at(segmentStarts, segment) <= position) - 1
}

/** `first` and `last` are word positions in the record; those of the result count from the start of the segment. */
function toWindow(segmentStarts: Uint32Array, segment: number, first: number, last: number): Window {
  const start = at(segmentStarts, segment)
  return { segment, first: first - start, last: last - start }
}
