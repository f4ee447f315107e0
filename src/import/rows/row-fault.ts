// What an import refuses: one row (`RowFault`, a value that goes to the rejects file) or a whole source
// (`SourceFault`, thrown, and nothing is published). Values in messages are cut, so that a message stays one line.
import type { Column } from './columns.ts'

export interface RowFault {
  /** Line of the source where the row begins. */
  readonly line: number
  /** Null where the row as such is broken, before it has columns. */
  readonly column: Column | null
  /** What the column takes, without the value: rows are counted by it. */
  readonly expected: string
  readonly value: string
  /** What holds for this row alone, such as the line of the first row with the same code. */
  readonly remark?: string
}

/** A row that was refused, with what the source says in it. */
export interface Refusal {
  readonly fault: RowFault
  readonly cells: readonly (string | null)[]
}

/** With a cell for each heading at least. */
export function toRefusal(fault: RowFault, cells: readonly (string | undefined)[], headings: number): Refusal {
  const length = Math.max(headings, cells.length)
  return { fault, cells: Array.from({ length }, (_, index) => cells[index] ?? null) }
}

/** `line 214, checkin_date: expected YYYY-MM-DD or DD/MM/YYYY, got "31/02/1999"` */
export function toMessage(fault: RowFault): string {
  const place = fault.column === null ? `line ${fault.line}` : `line ${fault.line}, ${fault.column}`
  const remark = fault.remark === undefined ? '' : ` (${fault.remark})`
  return `${place}: expected ${fault.expected}, got ${toQuoted(fault.value)}${remark}`
}

/** What rows are counted by: the same for all rows that are refused for the same cause. */
export function toReason(fault: RowFault): string {
  return fault.column === null ? `expected ${fault.expected}` : `${fault.column}: expected ${fault.expected}`
}

const quotedCharactersMax = 60

/** What cannot be seen is shown by its number: `"03065-2\u200b"` is refused for the last of its characters. */
export function toQuoted(value: string): string {
  const shown = value.length > quotedCharactersMax ? `${value.slice(0, quotedCharactersMax)}…` : value
  return JSON.stringify(shown).replace(/[\p{Cf}\u00a0]/gu, (mark) =>
    Array.from({ length: mark.length }, (_, at) => `\\u${mark.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )
}

/** The source cannot be taken at all; the message names it and says what to do. Exit status 1. */
export class SourceFault extends Error {
  override readonly name = 'SourceFault'
}

export function changedMeanwhile(name: string): SourceFault {
  return new SourceFault(`Cannot read ${name}: it changed while it was being read; import it again`)
}
