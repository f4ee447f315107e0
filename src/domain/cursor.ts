// The opaque `cursor` of a page of results. It has the tier and the sort key (date and code) of the last record sent,
// not its position in the snapshot, so it stays valid when an import publishes a new snapshot between two pages.
import type { OrderKey } from './record.ts'

/**
 * The part of the result that a match is in. The parts follow each other, each in canonical order (newest first):
 * 1. the title or the area contains the words of the search term side by side, in the order typed;
 * 2. the title contains every word;
 * 3. the rest; without a search term, all records.
 */
export type Tier = 1 | 2 | 3

export interface Cursor extends OrderKey {
  /** The tier of the last record sent. */
  readonly tier: Tier
}

/** Cursors of version 0.1.0 had only two tiers and started with a digit. The letter `t` tells newer ones from them. */
export function toCursorText({ tier, checkinDate, code }: Cursor): string {
  return `t${tier}.${checkinDate}.${code}`
}

/** Returns undefined when the text does not have the format of `toCursorText`. */
export function parseCursor(text: string): Cursor | undefined {
  // A code may contain spaces if `--code-pattern` allows them, but neither begins nor ends with one.
  const cursorPattern = /^t([123])\.(\d{4}-\d{2}-\d{2})\.(\S(?:.*\S)?)$/su
  const [, tier, checkinDate = '', code = ''] = cursorPattern.exec(text) ?? []
  return tier === undefined ? undefined : { tier: Number(tier) as Tier, checkinDate, code }
}
