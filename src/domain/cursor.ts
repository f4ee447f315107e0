// The opaque `cursor` of a page. It names the last record sent by its place in the canonical order rather than by a
// number of the snapshot, so that it stays right when the registry has been refreshed in between.
import type { OrderKey } from './record.ts'

export interface Cursor extends OrderKey {
  /** With a term: whether the last record sent still belonged to those whose title alone holds every word. */
  readonly inTitles: boolean
}

export function toCursorText({ inTitles, checkinDate, code }: Cursor): string {
  return `${inTitles ? 1 : 0}.${checkinDate}.${code}`
}

/** The cursor, or undefined when the text has not the form of those that `toCursorText` makes. */
export function parseCursor(text: string): Cursor | undefined {
  const [, inTitles, checkinDate = '', code = ''] = /^([01])\.(\d{4}-\d{2}-\d{2})\.(\S+)$/u.exec(text) ?? []
  return inTitles === undefined ? undefined : { inTitles: inTitles === '1', checkinDate, code }
}
