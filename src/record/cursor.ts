// The opaque `cursor` of a page. It names the last record sent by its place in the canonical order rather than by a
// number of the snapshot, so that it stays right when the registry has been refreshed in between.
import type { OrderKey } from './record.ts'

export interface Cursor extends OrderKey {
  /** With a term: whether the last record sent still belonged to those whose title alone holds every word. */
  readonly inTitles: boolean
}

export function toCursorText(cursor: Cursor): string {
  return Buffer.from(JSON.stringify([cursor.inTitles ? 1 : 0, cursor.checkinDate, cursor.code])).toString('base64url')
}

/** The cursor, or undefined when the text is none that `toCursorText` made. */
export function parseCursor(text: string): Cursor | undefined {
  if (!/^[\w-]+$/.test(text)) return undefined
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (!Array.isArray(parts) || parts.length !== 3) return undefined
    const [inTitles, checkinDate, code] = parts as unknown[]
    if (inTitles !== 0 && inTitles !== 1) return undefined
    if (typeof checkinDate !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(checkinDate)) return undefined
    if (typeof code !== 'string') return undefined
    const cursor = { inTitles: inTitles === 1, checkinDate, code }
    return toCursorText(cursor) === text ? cursor : undefined
  } catch {
    return undefined
  }
}
