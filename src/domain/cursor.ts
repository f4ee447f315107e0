// The opaque `cursor` of a page of results. It identifies the last record sent by its sort key, not by its position in
// the snapshot, so it stays valid when a new snapshot is published between two pages.
import type { OrderKey } from './record.ts'

export interface Cursor extends OrderKey {
  /** Whether the title of the last record sent matches the search term. Records whose title matches come first. */
  readonly inTitles: boolean
}

export function toCursorText({ inTitles, checkinDate, code }: Cursor): string {
  return `${inTitles ? 1 : 0}.${checkinDate}.${code}`
}

/** Returns undefined when the text does not have the format of `toCursorText`. */
export function parseCursor(text: string): Cursor | undefined {
  const [, inTitles, checkinDate = '', code = ''] = /^([01])\.(\d{4}-\d{2}-\d{2})\.(\S+)$/u.exec(text) ?? []
  return inTitles === undefined ? undefined : { inTitles: inTitles === '1', checkinDate, code }
}
