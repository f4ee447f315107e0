// Tells which of the records that the change log names match the filters of a request.
import type { Deadline } from '../domain/deadline.ts'
import { foldCode } from '../domain/inscription-code.ts'
import type { Filters } from '../domain/query.ts'
import { Collector } from '../index/collector.ts'
import { GivenPositions, Intersection } from '../index/iterators.ts'
import type { SearchPlan } from '../index/planner.ts'
import { SearchContext } from '../index/search-context.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { findRange } from './position-range.ts'
import type { SnapshotStorage } from './storage.ts'

/** Positions of records by folded code. */
type PositionsByCode = ReadonlyMap<string, number>

export interface CodeMatcher {
  /** An upper bound of the number of records that match. */
  readonly matchesMax: number
  /** Returns those of the codes that belong to records in service that match, with their positions. */
  match(foldedCodes: readonly string[]): MaybePromise<PositionsByCode>
}

/**
 * With at most this many matches, their codes are read once and compared with those of the log. With more, the codes of
 * the log are looked up, and most requests find enough matches among the newest changes.
 */
const fewMatchesMax = 500

/** Without filters all records match. `plan` plans the search of the filters. */
export async function createCodeMatcher(
  filters: Filters | undefined,
  plan: (context: SearchContext) => MaybePromise<SearchPlan>,
  storage: SnapshotStorage,
  deadline: Deadline | undefined,
): Promise<CodeMatcher> {
  const matchesMax = storage.metadata.records
  if (filters === undefined) return { matchesMax, match: (foldedCodes) => storage.findPositions(foldedCodes) }
  const { from, to } = await findRange(filters, storage)
  /** Returns the positions of up to `countMax` matches of the filters; only those among the candidates, if given. */
  const collect = async (countMax: number, candidates?: GivenPositions): Promise<number[]> => {
    const context = new SearchContext(deadline)
    const matches: number[] = []
    const iterator = (await plan(context)).all()
    // Null means that the filters match nothing.
    if (iterator === null || from >= to) return matches
    const wanted = candidates === undefined ? iterator : new Intersection([candidates, iterator], context)
    await new Collector(wanted, context, storage, from, to).collect(matches, countMax)
    return matches
  }
  const matches = await collect(fewMatchesMax + 1)
  if (matches.length <= fewMatchesMax) {
    const rows = matches.length === 0 ? [] : await storage.readRows(matches)
    const few = new Map(rows.map(({ code }, index) => [foldCode(code), matches[index] ?? 0]))
    return { matchesMax: few.size, match: (foldedCodes) => pick(few, foldedCodes) }
  }
  const match = async (foldedCodes: readonly string[]): Promise<PositionsByCode> => {
    const positions = await storage.findPositions(foldedCodes)
    const candidates = new GivenPositions([...positions.values()].sort((a, b) => a - b))
    const matching = new Set(positions.size === 0 ? [] : await collect(positions.size, candidates))
    return new Map([...positions].filter(([, position]) => matching.has(position)))
  }
  return { matchesMax, match }
}

/** Returns the entries of these codes. */
function pick(positions: PositionsByCode, foldedCodes: readonly string[]): PositionsByCode {
  return new Map(
    foldedCodes.flatMap((code): [string, number][] => {
      const position = positions.get(code)
      return position === undefined ? [] : [[code, position]]
    }),
  )
}
