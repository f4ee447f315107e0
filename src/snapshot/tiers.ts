// The tiers of a result (`Tier`) as iterators, in the order in which they are sent. stored-snapshot.ts collects them.
import type { Tier } from '../domain/cursor.ts'
import type { SearchPlan } from '../index/planner.ts'
import type { PostingIterator } from '../index/posting-iterator.ts'

export interface PlannedTier {
  readonly tier: Tier
  /** Returns null if nothing can match. */
  toIterator(): PostingIterator | null
  /** The first position that may match. */
  readonly from: number
}

export function toTiers(plan: SearchPlan): Omit<PlannedTier, 'from'>[] {
  return [
    { tier: 1, toIterator: () => plan.neighbours() },
    { tier: 2, toIterator: () => plan.otherTitles() },
    { tier: 3, toIterator: () => plan.rest() },
  ]
}

/** The number of matches up to the end of a tier. */
export interface TierEnd {
  readonly tier: Tier
  readonly end: number
}

/** The tier of the last match of a page: the first tier that ends at or after it. */
export function findTier(tierEnds: readonly TierEnd[], pageRecords: number): Tier {
  return tierEnds.find(({ end }) => end >= pageRecords)?.tier ?? 3
}
