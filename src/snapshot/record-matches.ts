// The matches of all clauses of a search term in one record, merged into one list. passage-windows.ts chooses windows
// from it.
import { type Matches, mergeMatches, noMatches } from '../index/matches.ts'
import type { Occurrences } from '../index/occurrences.ts'
import type { TimeSlice } from '../index/time-slice.ts'
import { at } from '../index/typed-array.ts'
import { lowerBound } from '../lower-bound.ts'

/** Matches or windows that are handled between two looks at the clock, in less than a tenth of a millisecond. */
export const matchesPerCheck = 512

/** Stands for the first word of a match if there is none. It is greater than every word position. */
export const noMatch = 0xffffffff

/**
 * The matches of all clauses in one record, ascending by their first word. Matches of different clauses may have the
 * same first word. Here and in passage-windows.ts, `match` is the index of a match in these arrays, and `clause` the
 * index of a clause. For example, a record has the clause `"plan parcial"` at the words 10 and 40, and the clause
 * `industrial` at 43: the firsts are 10, 40, 43, the lasts 11, 41, 43, and the clause indexes 0, 0, 1.
 */
export interface RecordMatches {
  /** By match: the word positions in the record of its first and of its last word. */
  readonly firsts: Uint32Array
  readonly lasts: Uint32Array
  /** By match: the index of its clause. */
  readonly clauseIndexes: Uint32Array
  /** The word position at which each segment of the record starts, ascending. */
  readonly segmentStarts: Uint32Array
}

/**
 * Merges the matches of the clauses into one list. The possible matches of a prefix are among them: only the text,
 * which is read later, tells which of them start with the prefix (`ClauseMatches`).
 */
export async function mergeClauses(
  { clauseMatches, segmentStarts }: Occurrences,
  slice: TimeSlice,
): Promise<RecordMatches> {
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
    const index = at(nextIndexes, clause)
    firsts[match] = at(list.firsts, index)
    lasts[match] = at(list.lasts, index)
    clauseIndexes[match] = clause
    nextIndexes[clause] = index + 1
    nextFirsts[clause] = list.firsts[index + 1] ?? noMatch
  }
  return { firsts, lasts, clauseIndexes, segmentStarts }
}

/** The index of the segment that contains the word position: the last one that starts at or before it. */
export function findSegment(segmentStarts: Uint32Array, position: number): number {
  return lowerBound(0, segmentStarts.length, (segment) => at(segmentStarts, segment) <= position) - 1
}
