// A planned search as the tiers of its result (title with the words side by side, title with all words, the rest;
// domain/cursor.ts). stored-snapshot.ts and export.ts collect one tier after the other.
import type { Tier } from '../domain/cursor.ts'
import type { SearchPlan } from '../index/planner.ts'
import type { PostingIterator } from '../index/posting-iterator.ts'

export const lastTier: Tier = 3

export interface PlannedSearch {
  readonly plan: SearchPlan
  /** The tiers before it are left out: earlier pages had them, or there is no term. */
  readonly firstTier: Tier
  /** The first position that is searched in `firstTier`: that after the cursor, if there is one. */
  readonly firstTierFrom: number
  /** The first position that is searched in the tiers after `firstTier`. */
  readonly from: number
}

/** The matches of one tier. Returns null if nothing can match. */
export function toIterator(plan: SearchPlan, tier: Tier): PostingIterator | null {
  switch (tier) {
    case 1:
      return plan.neighbours()
    case 2:
      return plan.otherTitles()
    case 3:
      return plan.rest()
  }
}

/** By tier (index 0 is unused): how many matches were collected when the tier ended. */
export type TierEnds = readonly number[]

/** The tier of the last of `pageRecords` matches: the first tier that ends at or after it. */
export function findTier(tierEnds: TierEnds, pageRecords: number): Tier {
  for (const tier of [1, 2] as const) if ((tierEnds[tier] ?? 0) >= pageRecords) return tier
  return lastTier
}
