// Chooses the windows of a record that are shown as passages, from word positions alone. Windows with the most clauses
// of the search term come first; `WindowOptions.order` decides among windows with equally many. A window is a few words
// of one segment; a segment is a page of a document, or a part of a longer page or of the column `content`.
import type { Occurrences } from '../index/occurrences.ts'
import type { TimeSlice } from '../index/time-slice.ts'
import { at } from '../index/typed-array.ts'
import { findSegment, matchesPerCheck, mergeClauses, noMatch, type RecordMatches } from './record-matches.ts'

/** All matches of a window start within this many words, about as many as a passage has. The last may end later. */
const windowWords = 24

/** Consecutive words of one segment, from the start of a match to the end of the same match or of another one. */
export interface Window {
  /** Index of the segment in its record. */
  readonly segment: number
  /**
   * Indexes of its first and its last word, counted from the start of the segment. The last is after the end of the
   * segment if a phrase ends beyond it.
   */
  readonly first: number
  readonly last: number
}

export interface WindowOptions {
  /**
   * Both orders begin with the windows that have the most clauses of the search term. Among windows with equally many:
   * - `best` begins with the window whose words are closest together; if several are equal, with the first in the text;
   * - `spread` takes the first window of each segment, then the second one of each, and so on, each time in the order
   *   of the text.
   */
  readonly order: 'best' | 'spread'
  /** Maximum number of windows that are returned. */
  readonly windowsMax: number
  /**
   * For each distinct clause, in the order of `Occurrences.clauseMatches`: how often the search term has it. A window
   * that contains the clause counts it as often.
   */
  readonly clauseRepeats: readonly number[]
}

/**
 * Returns the windows of one record that come first in the `order`. A long document may have a hundred thousand
 * matches, so the steps pause when their time slice is used up.
 */
export async function chooseWindows(
  occurrences: Occurrences,
  { order, windowsMax, clauseRepeats }: WindowOptions,
  slice: TimeSlice,
): Promise<Window[]> {
  const matches = await mergeClauses(occurrences, slice)
  return order === 'best'
    ? chooseBest(matches, clauseRepeats, windowsMax, slice)
    : chooseSpread(matches, clauseRepeats, windowsMax, slice)
}

/** The windows with the most clauses first, those with equally many in the order of `takeSegmentsInTurn`. */
async function chooseSpread(
  matches: RecordMatches,
  clauseRepeats: readonly number[],
  windowsMax: number,
  slice: TimeSlice,
): Promise<Window[]> {
  const windows = await splitIntoWindows(matches, clauseRepeats, Number.POSITIVE_INFINITY, slice)
  const clauseCountMax = clauseRepeats.reduce((sum, repeats) => sum + repeats, 0)
  /** By number of clauses: the windows with so many, in reading order. */
  const groups: Window[][] = Array.from({ length: clauseCountMax + 1 }, () => [])
  for (const [index, window] of windows.entries()) {
    if (index % matchesPerCheck === 0 && slice.isUsedUp) await slice.yield()
    groups[window.clauseCount]?.push(window)
  }
  const ordered: Window[][] = []
  for (const group of groups.reverse()) ordered.push(await takeSegmentsInTurn(group, slice))
  return ordered.flat().slice(0, windowsMax)
}

/**
 * The first window of each segment, then the second one of each, and so on, so that no page is missing because others
 * have many matches. `windows` are in reading order, so the windows of a segment follow each other.
 */
async function takeSegmentsInTurn(windows: readonly Window[], slice: TimeSlice): Promise<Window[]> {
  const rounds: Window[][] = []
  let round = 0
  for (const [index, window] of windows.entries()) {
    if (index % matchesPerCheck === 0 && slice.isUsedUp) await slice.yield()
    round = window.segment === windows[index - 1]?.segment ? round + 1 : 0
    rounds[round] ??= []
    rounds[round]?.push(window)
  }
  return rounds.flat()
}

interface CountedWindow extends Window {
  /** How many clauses of the search term it contains. */
  readonly clauseCount: number
}

/**
 * The first windows in reading order: each starts at the first match after the previous window. A window ends before
 * a match whose own window would have more clauses, so that words that stand together are in one window. For the term
 * `plan parcial` and a text with `plan` at the words 20 and 43 and `parcial` at 45, the windows are the word 20 and the
 * words 43 to 45. The word 43 could be in the first window, but `parcial` is too far from the word 20.
 */
async function splitIntoWindows(
  matches: RecordMatches,
  clauseRepeats: readonly number[],
  windowsMax: number,
  slice: TimeSlice,
): Promise<CountedWindow[]> {
  const { firsts, lasts, clauseIndexes, segmentStarts } = matches
  const windows: CountedWindow[] = []
  /** By match: how many clauses its own window has. Undefined for one clause: all have equally many. */
  const ownCounts =
    clauseRepeats.length > 1 ? (await toCandidates(matches, clauseRepeats, slice)).clauseCounts : undefined
  // Each round of the outer loop makes one window. The inner loop advances `match` over the matches in it.
  for (let match = 0; match < firsts.length && windows.length < windowsMax; ) {
    const first = at(firsts, match)
    const segment = findSegment(segmentStarts, first)
    const end = findWindowEnd(segmentStarts, segment, first)
    const ownCount = ownCounts?.[match] ?? 0
    let last = first
    // Counted again, because the window has fewer clauses than `ownCount` if it ends early.
    const clauses = new Set<number>()
    for (; match < firsts.length && at(firsts, match) < end; match++) {
      if (ownCounts !== undefined && at(ownCounts, match) > ownCount) break
      clauses.add(at(clauseIndexes, match))
      last = Math.max(last, at(lasts, match))
    }
    let clauseCount = 0
    for (const clause of clauses) clauseCount += clauseRepeats[clause] ?? 1
    windows.push({ ...toWindow(segmentStarts, segment, first, last), clauseCount })
    if (slice.isUsedUp) await slice.yield()
  }
  return windows
}

/** The windows with the most clauses, then the shortest, then the first. They do not overlap (`markOverlaps`). */
async function chooseBest(
  matches: RecordMatches,
  clauseRepeats: readonly number[],
  windowsMax: number,
  slice: TimeSlice,
): Promise<Window[]> {
  // With a single clause, even a repeated one, all windows are equally good, and the first ones are chosen.
  if (clauseRepeats.length === 1) return splitIntoWindows(matches, clauseRepeats, windowsMax, slice)
  const candidates = await toCandidates(matches, clauseRepeats, slice)
  const { firsts, segmentStarts } = matches
  const windows: Window[] = []
  /** By match: 1 if its candidate overlaps a chosen one. */
  const overlaps = new Uint8Array(firsts.length)
  while (windows.length < windowsMax) {
    const best = await findBest(matches, candidates, overlaps, slice)
    if (best === undefined) break
    const segment = at(candidates.segments, best)
    windows.push(toWindow(segmentStarts, segment, at(firsts, best), at(candidates.windowLasts, best)))
    markOverlaps(matches, candidates, overlaps, best)
  }
  return windows
}

/** A candidate is the window that starts at a match, so these arrays are by match. */
interface Candidates {
  /** How many clauses of the search term the window contains. */
  readonly clauseCounts: Uint32Array
  /** The word position in the record of the last word of the window. */
  readonly windowLasts: Uint32Array
  /** The index of the segment of the window. */
  readonly segments: Uint32Array
}

/**
 * Returns the candidate at each match, computed from the last match to the first. Of each clause, a candidate contains
 * only the first match after its start, so that it is as short as possible.
 */
async function toCandidates(
  { firsts, lasts, clauseIndexes, segmentStarts }: RecordMatches,
  clauseRepeats: readonly number[],
  slice: TimeSlice,
): Promise<Candidates> {
  const clauseCounts = new Uint32Array(firsts.length)
  const windowLasts = new Uint32Array(firsts.length)
  const segments = new Uint32Array(firsts.length)
  /** By clause: the first and the last word of its nearest match from the current match on; `noMatch` if none. */
  const nearestFirsts = new Uint32Array(clauseRepeats.length).fill(noMatch)
  const nearestLasts = new Uint32Array(clauseRepeats.length)
  /** The segment of the current match. */
  let segment = segmentStarts.length - 1
  for (let match = firsts.length - 1; match >= 0; match--) {
    if (match % matchesPerCheck === 0 && slice.isUsedUp) await slice.yield()
    const first = at(firsts, match)
    nearestFirsts[at(clauseIndexes, match)] = first
    nearestLasts[at(clauseIndexes, match)] = at(lasts, match)
    while (at(segmentStarts, segment) > first) segment--
    const end = findWindowEnd(segmentStarts, segment, first)
    let clauseCount = 0
    let last = first
    for (let clause = 0; clause < clauseRepeats.length; clause++) {
      if (at(nearestFirsts, clause) >= end) continue
      clauseCount += clauseRepeats[clause] ?? 1
      last = Math.max(last, at(nearestLasts, clause))
    }
    clauseCounts[match] = clauseCount
    windowLasts[match] = last
    segments[match] = segment
  }
  return { clauseCounts, windowLasts, segments }
}

/** The match with the best candidate that overlaps no chosen one; undefined if there is none. */
async function findBest(
  { firsts }: RecordMatches,
  candidates: Candidates,
  overlaps: Uint8Array,
  slice: TimeSlice,
): Promise<number | undefined> {
  let best: number | undefined
  for (let match = 0; match < firsts.length; match++) {
    if (match % matchesPerCheck === 0 && slice.isUsedUp) await slice.yield()
    if (overlaps[match] === 1) continue
    if (best === undefined || isBetter(firsts, candidates, match, best)) best = match
  }
  return best
}

/** Whether the candidate at `match` has more clauses than the one at `other`, or as many in fewer words. */
function isBetter(
  firsts: Uint32Array,
  { clauseCounts, windowLasts }: Candidates,
  match: number,
  other: number,
): boolean {
  const clauseCount = at(clauseCounts, match)
  const otherClauseCount = at(clauseCounts, other)
  if (clauseCount !== otherClauseCount) return clauseCount > otherClauseCount
  return at(windowLasts, match) - at(firsts, match) < at(windowLasts, other) - at(firsts, other)
}

/**
 * Sets `overlaps` for the chosen candidate and all that overlap it. Two windows of a segment count as overlapping if
 * they start less than `windowWords` apart, even if they are shorter.
 */
function markOverlaps({ firsts }: RecordMatches, { segments }: Candidates, overlaps: Uint8Array, chosen: number): void {
  const isNear = (match: number): boolean =>
    segments[match] === segments[chosen] && Math.abs(at(firsts, match) - at(firsts, chosen)) < windowWords
  for (let match = chosen; match < firsts.length && isNear(match); match++) overlaps[match] = 1
  for (let match = chosen - 1; match >= 0 && isNear(match); match--) overlaps[match] = 1
}

/** The word position before which the matches of a window must start: at most the end of the segment. */
function findWindowEnd(segmentStarts: Uint32Array, segment: number, first: number): number {
  return Math.min(first + windowWords, segmentStarts[segment + 1] ?? Number.POSITIVE_INFINITY)
}

/** `first` and `last` are word positions in the record; in the result they count from the start of the segment. */
function toWindow(segmentStarts: Uint32Array, segment: number, first: number, last: number): Window {
  const start = at(segmentStarts, segment)
  return { segment, first: first - start, last: last - start }
}
