// Divides a planned search into the three tiers of its result, which follow each other: 1. the matches with the words
// of the term side by side in the title, 2. those with all words in the title, 3. the rest (domain/cursor.ts).
// stored-snapshot.ts and export.ts collect the record positions of one tier after the other.
import type { Tier } from '../domain/cursor.ts'
import type { SearchPlan } from '../index/planner.ts'
import type { PostingIterator } from '../index/posting-iterator.ts'

export const lastTier: Tier = 3

export interface PlannedSearch {
  readonly plan: SearchPlan
  /** The tier in which the search starts. Earlier pages had the tiers before it. Without a term it is the last tier. */
  readonly firstTier: Tier
  /**
   * The lowest position of a match of `firstTier`. Earlier pages had the matches at lower positions, or the filters
   * exclude them.
   */
  readonly firstTierFrom: number
  /**
   * The lowest position of a match of the later tiers. No earlier page had matches of them, so it is the first position
   * that the filters by year, day or code allow; 0 without such a filter.
   */
  readonly from: number
}

/** The lowest position that a match of the tier may have. */
export function toStart({ firstTier, firstTierFrom, from }: PlannedSearch, tier: Tier): number {
  return tier === firstTier ? firstTierFrom : from
}

/** Returns an iterator over the positions of the matches of one tier; null if nothing can match. */
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

/**
 * By tier, how many matches were collected when the tier ended. In `[, 5, 8, 20]`, the matches with index 0 to 4 are in
 * tier 1, 5 to 7 in tier 2, and 8 to 19 in tier 3. Tiers that were not searched are absent.
 */
export type TierEnds = readonly (number | undefined)[]

/**
 * The tier of the last match on a page with `pageRecords` matches. It is the first tier at whose end at least that many
 * matches were collected.
 */
export function findTier(tierEnds: TierEnds, pageRecords: number): Tier {
  for (const tier of [1, 2] as const) {
    if ((tierEnds[tier] ?? 0) >= pageRecords) return tier
  }
  return lastTier
}
