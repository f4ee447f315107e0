// Chooses the windows of a record that are shown as passages, from word positions alone. Windows with the most clauses
// of the search term come first; `WindowOptions.order` decides among windows with equally many. A window is a few words
// of one segment; a segment is a page of a document, or a part of a longer page or of the column `content`.
import { type Matches, mergeMatches, noMatches } from '../index/matches.ts'
import type { Occurrences } from '../index/occurrences.ts'
import type { TimeSlice } from '../index/time-slice.ts'
import { at, increment } from '../index/typed-array.ts'
import { lowerBound } from '../lower-bound.ts'

/** All matches of a window start within this many words, about as many as a passage has. The last may end later. */
const windowWords = 24

/** Matches or windows that are handled between two looks at the clock, in less than a tenth of a millisecond. */
const matchesPerCheck = 512

/** Stands for the first word of the next match if there is none. It is greater than every word position. */
const noMatch = 0xffffffff

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
 * The matches of all clauses in one record, ascending by their first word. Matches of different clauses may have the
 * same first word. In this file, `match` is the index of a match in these arrays, and `clause` the index of a clause.
 */
interface RecordMatches {
  /** By match: the word positions in the record of its first and of its last word. */
  readonly firsts: Uint32Array
  readonly lasts: Uint32Array
  /** By match: the index of its clause. */
  readonly clauseIndexes: Uint32Array
  /** The word position at which each segment of the record starts, ascending. */
  readonly segmentStarts: Uint32Array
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

/**
 * Merges the matches of the clauses into one list. The possible matches of a prefix are among them: only the text,
 * which is read later, tells which of them start with the prefix (`ClauseMatches`).
 */
async function mergeClauses({ clauseMatches, segmentStarts }: Occurrences, slice: TimeSlice): Promise<RecordMatches> {
  const lists: Matches[] = []
  for (const { certain, possible } of clauseMatches) {
    // All are kept: `findOccurrences` has already limited both lists.
    lists.push(mergeMatches(certain, possible, Number.POSITIVE_INFINITY))
    if (slice.isUsedUp) await slice.yield()
  }
  const count = lists.reduce((sum, { firsts }) => sum + firsts.length, 0)
  const firsts = new Uint32Array(count)
  const lasts = new Uint32Array(count)
  const clauseIndexes = new Uint32Array(count)
  /** By clause: the index in its list of the next match to merge, and the first word of that match. */
  const nextIndexes = new Uint32Array(lists.length)
  const nextFirsts = Uint32Array.from(lists, (list) => list.firsts[0] ?? noMatch)
  for (let match = 0; match < count; match++) {
    if (match % matchesPerCheck === 0 && slice.isUsedUp) await slice.yield()
    // The clause whose next match is first; of several at the same position, the first clause.
    let clause = 0
    for (let other = 1; other < lists.length; other++) {
      if (at(nextFirsts, other) < at(nextFirsts, clause)) clause = other
    }
    const list = lists[clause] ?? noMatches
    firsts[match] = at(nextFirsts, clause)
    lasts[match] = at(list.lasts, at(nextIndexes, clause))
    clauseIndexes[match] = clause
    const nextIndex = increment(nextIndexes, clause) + 1
    nextFirsts[clause] = list.firsts[nextIndex] ?? noMatch
  }
  return { firsts, lasts, clauseIndexes, segmentStarts }
}

/**
 * The windows with the most clauses first. Of windows with equally many clauses, each segment gets one before any
 * segment gets a second one, so that no page is missing because others have many matches.
 */
async function chooseSpread(
  matches: RecordMatches,
  clauseRepeats: readonly number[],
  windowsMax: number,
  slice: TimeSlice,
): Promise<Window[]> {
  const windows = await splitIntoWindows(matches, clauseRepeats, Number.POSITIVE_INFINITY, slice)
  /**
   * By number of clauses, then by round, the windows with so many clauses: round 0 has the first of each segment, round
   * 1 the second.
   */
  const rounds: CountedWindow[][][] = []
  /** By segment and number of clauses, such as `7 2`: how many windows came before in reading order. */
  const windowsBefore = new Map<string, number>()
  for (const [index, window] of windows.entries()) {
    if (index % matchesPerCheck === 0 && slice.isUsedUp) await slice.yield()
    const { segment, clauseCount } = window
    const key = `${segment} ${clauseCount}`
    const round = windowsBefore.get(key) ?? 0
    windowsBefore.set(key, round + 1)
    rounds[clauseCount] ??= []
    rounds[clauseCount][round] ??= []
    rounds[clauseCount][round].push(window)
  }
  // `flat` skips the numbers of clauses that no window has.
  return rounds.reverse().flat(2).slice(0, windowsMax)
}

interface CountedWindow extends Window {
  /** How many clauses of the search term it contains. */
  readonly clauseCount: number
}

/**
 * The first windows in reading order: each starts at the first match after the previous window. A window ends before
 * a match whose own window would have more clauses, so that words that stand together are in one window.
 */
async function splitIntoWindows(
  matches: RecordMatches,
  clauseRepeats: readonly number[],
  windowsMax: number,
  slice: TimeSlice,
): Promise<CountedWindow[]> {
  const { firsts, lasts, clauseIndexes, segmentStarts } = matches
  const windows: CountedWindow[] = []
  /** By match: how many clauses the window that starts there has. Undefined for one clause: all have equally many. */
  const counts = clauseRepeats.length > 1 ? (await toCandidates(matches, clauseRepeats, slice)).clauseCounts : undefined
  // Each round of the outer loop makes one window. The inner loop advances `match` over the matches in it.
  for (let match = 0; match < firsts.length && windows.length < windowsMax; ) {
    const first = at(firsts, match)
    const segment = findSegment(segmentStarts, first)
    const end = findWindowEnd(segmentStarts, segment, first)
    let last = first
    const clausesInWindow = new Set<number>()
    /** How many clauses the window of the first match has. A match whose own window has more starts the next one. */
    const countMax = counts?.[match] ?? Number.POSITIVE_INFINITY
    for (; match < firsts.length && at(firsts, match) < end; match++) {
      if ((counts?.[match] ?? 0) > countMax) break
      clausesInWindow.add(at(clauseIndexes, match))
      last = Math.max(last, at(lasts, match))
    }
    let clauseCount = 0
    for (const clause of clausesInWindow) clauseCount += clauseRepeats[clause] ?? 1
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
    windows.push(toWindow(segmentStarts, segment, at(firsts, best), at(candidates.lasts, best)))
    markOverlaps(matches, candidates, overlaps, best)
  }
  return windows
}

/** A candidate is the window that starts at a match, so these arrays are by match. */
interface Candidates {
  /** How many clauses of the search term the window contains. */
  readonly clauseCounts: Uint32Array
  /** The word position in the record of the last word of the window. */
  readonly lasts: Uint32Array
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
  /** By clause: the first and the last word of its first match from the current match on; infinity if there is none. */
  const nextFirsts = new Float64Array(clauseRepeats.length).fill(Number.POSITIVE_INFINITY)
  const nextLasts = nextFirsts.slice()
  /** The segment of the current match. */
  let segment = segmentStarts.length - 1
  for (let match = firsts.length - 1; match >= 0; match--) {
    if (match % matchesPerCheck === 0 && slice.isUsedUp) await slice.yield()
    const first = at(firsts, match)
    nextFirsts[at(clauseIndexes, match)] = first
    nextLasts[at(clauseIndexes, match)] = at(lasts, match)
    while (at(segmentStarts, segment) > first) segment--
    const end = findWindowEnd(segmentStarts, segment, first)
    let clauseCount = 0
    let last = first
    for (let clause = 0; clause < clauseRepeats.length; clause++) {
      if ((nextFirsts[clause] ?? end) >= end) continue
      clauseCount += clauseRepeats[clause] ?? 1
      last = Math.max(last, nextLasts[clause] ?? first)
    }
    clauseCounts[match] = clauseCount
    windowLasts[match] = last
    segments[match] = segment
  }
  return { clauseCounts, lasts: windowLasts, segments }
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
function isBetter(firsts: Uint32Array, { clauseCounts, lasts }: Candidates, match: number, other: number): boolean {
  const clauseCount = at(clauseCounts, match)
  const otherClauseCount = at(clauseCounts, other)
  if (clauseCount !== otherClauseCount) return clauseCount > otherClauseCount
  return at(lasts, match) - at(firsts, match) < at(lasts, other) - at(firsts, other)
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

/** The index of the segment that contains the word position: the last one that starts at or before it. */
function findSegment(segmentStarts: Uint32Array, position: number): number {
  return lowerBound(0, segmentStarts.length, (segment) => at(segmentStarts, segment) <= position) - 1
}

/** `first` and `last` are word positions in the record; in the result they count from the start of the segment. */
function toWindow(segmentStarts: Uint32Array, segment: number, first: number, last: number): Window {
  const start = at(segmentStarts, segment)
  return { segment, first: first - start, last: last - start }
}
