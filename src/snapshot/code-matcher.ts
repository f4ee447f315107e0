// Tells which of the records that the change log names match the filters of a request. The log names records by their
// inscription codes, while a search with filters gives positions (indexes in the order of the snapshot). With few
// matches, the codes of all matches are read; with many, the positions of the codes in the log are looked up
// (`fewMatchesMax`). change-reader.ts passes the codes of one batch of changes at a time.
import type { Deadline } from '../domain/deadline.ts'
import { foldCode } from '../domain/inscription-code.ts'
import type { Filters } from '../domain/query.ts'
import { Collector } from '../index/collector.ts'
import { GivenPositions, Intersection } from '../index/iterators.ts'
import type { SearchPlan } from '../index/planner.ts'
import { SearchContext } from '../index/search-context.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { findRange, type PositionRange } from './position-range.ts'
import type { SnapshotStorage } from './storage.ts'

/** Positions of records by folded code (`foldCode`: upper case, so that case does not matter). */
type PositionsByCode = ReadonlyMap<string, number>

export interface CodeMatcher {
  /** At most this many records match. The exact number is known only if there are few (`fewMatchesMax`). */
  readonly matchesMax: number
  /** Returns the codes whose record is in the snapshot and matches the filters, each with its position. */
  match(foldedCodes: readonly string[]): MaybePromise<PositionsByCode>
}

/**
 * If at most this many records match, all their codes are read once and compared with the codes of the log. If more
 * match, the codes of each batch of the log are looked up and searched with the filters. With so many matches, most
 * requests find enough of them in a few batches.
 */
const fewMatchesMax = 500

/** Plans the search for the term and for the filters other than dates and code. */
type PlanFilters = (context: SearchContext) => MaybePromise<SearchPlan>

/** A search for the filters, which can be run several times. */
interface FilterSearch {
  readonly plan: PlanFilters
  /** The positions that the dates and the code allow. */
  readonly range: PositionRange
  readonly storage: SnapshotStorage
  readonly deadline: Deadline | undefined
}

/** Creates the matcher of a request. Without filters all records match, and `plan` is not called. */
export async function createCodeMatcher(
  filters: Filters | undefined,
  plan: PlanFilters,
  storage: SnapshotStorage,
  deadline: Deadline | undefined,
): Promise<CodeMatcher> {
  const matchesMax = storage.metadata.records
  if (filters === undefined) return { matchesMax, match: (foldedCodes) => storage.findPositions(foldedCodes) }
  const search: FilterSearch = { plan, range: await findRange(filters, storage), storage, deadline }
  // One match more than `fewMatchesMax` tells that there are too many to read their codes.
  const matches = await collectMatches(search, fewMatchesMax + 1)
  if (matches.length <= fewMatchesMax) return await toMatcherOfFew(matches, storage)
  return { matchesMax, match: (foldedCodes) => matchBySearch(foldedCodes, search) }
}

/** Returns the positions of up to `countMax` matches of the filters. If candidates are given, only these can match. */
async function collectMatches(
  { plan, range: { from, to }, storage, deadline }: FilterSearch,
  countMax: number,
  candidates?: GivenPositions,
): Promise<number[]> {
  const context = new SearchContext(deadline)
  const matches: number[] = []
  /** The positions of the matches; null if there are none. */
  const iterator = (await plan(context)).all()
  if (iterator === null || from >= to) return matches
  const wanted = candidates === undefined ? iterator : new Intersection([candidates, iterator], context)
  await new Collector(wanted, context, storage, from, to).collect(matches, countMax)
  return matches
}

/** A matcher that has the codes of all matching records in memory. */
async function toMatcherOfFew(matches: readonly number[], storage: SnapshotStorage): Promise<CodeMatcher> {
  const rows = matches.length === 0 ? [] : await storage.readRows(matches)
  // `readRows` returns a row for each position, in the same order.
  const positions = new Map(rows.map(({ code }, index) => [foldCode(code), matches[index] ?? 0]))
  return { matchesMax: positions.size, match: (foldedCodes) => pickPositions(positions, foldedCodes) }
}

/** Returns the entries of these codes. */
function pickPositions(positions: PositionsByCode, foldedCodes: readonly string[]): PositionsByCode {
  const picked = new Map<string, number>()
  for (const code of foldedCodes) {
    const position = positions.get(code)
    if (position !== undefined) picked.set(code, position)
  }
  return picked
}

/** Looks up the positions of the codes, and searches with the filters among these positions only. */
async function matchBySearch(foldedCodes: readonly string[], search: FilterSearch): Promise<PositionsByCode> {
  const positions = await search.storage.findPositions(foldedCodes)
  if (positions.size === 0) return positions
  const candidates = new GivenPositions([...positions.values()].sort((a, b) => a - b))
  const matching = new Set(await collectMatches(search, positions.size, candidates))
  return new Map([...positions].filter(([, position]) => matching.has(position)))
}
