// A change of the registry, and the opaque token (`since`) with which a client asks for the changes after those it has.
// The change log numbers changes from 1 on. Each import publishes a new snapshot of the registry, which usually
// continues the log of the one before.
import { type Cursor, parseCursor, toCursorText } from './cursor.ts'

/** The change log of a registry has at most this many changes. The oldest are removed. */
export const changesMax = 10_000_000

export type ChangeKind = 'new' | 'changed' | 'gone'

/** One change of one record. */
export interface Change {
  /** Its number in the change log. */
  readonly number: number
  readonly kind: ChangeKind
  /** The inscription code. */
  readonly code: string
  /** When the snapshot with the change was published, as in `2026-11-16T14:51:09.123Z`. */
  readonly at: string
}

/** How far a client has read the change log: the content of `since`. */
export interface ChangeToken {
  /** Id of the change log that `number` belongs to, 16 hexadecimal digits. */
  readonly lineage: string
  /**
   * The last change that the client has. While it lists all records (`listedTo`), the last change that was published
   * before the listing began. 0 if there is none.
   */
  readonly number: number
  /**
   * The time of that change in milliseconds since 1970; 0 for number 0. A registry that was restored from a backup may
   * give the same number to another change: then the time differs.
   */
  readonly atMs: number
  /**
   * Set while a client lists all current records, page by page: the last record that it has. `number` stays the same
   * until the listing ends, so that the client afterwards gets the changes that were published meanwhile.
   */
  readonly listedTo?: Cursor | undefined
}

export function toTokenText({ lineage, number, atMs, listedTo }: ChangeToken): string {
  const change = `${lineage}.${number}.${atMs}`
  return listedTo === undefined ? change : `${change}.${toCursorText(listedTo)}`
}

/** Returns undefined when the text does not have the format of `toTokenText`. */
export function parseToken(text: string): ChangeToken | undefined {
  const tokenPattern = /^([0-9a-f]{16})\.(\d{1,10})\.(\d{1,15})(?:\.(.+))?$/u
  const [, lineage = '', number, atMs, cursor] = tokenPattern.exec(text) ?? []
  if (number === undefined || atMs === undefined) return undefined
  const listedTo = cursor === undefined ? undefined : parseCursor(cursor)
  if (cursor !== undefined && listedTo === undefined) return undefined
  return { lineage, number: Number(number), atMs: Number(atMs), listedTo }
}
