// Why a row is rejected. A fault is a value, not an exception: it becomes a message in the rejects file and a count in
// the report.
import type { Column } from './columns.ts'
import { toQuoted } from './quote.ts'

export type RowFault = UnexpectedValue | DuplicateCode

export interface UnexpectedValue {
  /** Line of the source where the row begins. */
  readonly line: number
  /** Null when the row could not be split into columns. */
  readonly column: Column | null
  /** What is accepted. It does not contain the value, because the report counts rows by it. */
  readonly expected: string
  readonly value: string
}

export interface DuplicateCode {
  readonly line: number
  readonly column: 'code' | 'prefix'
  readonly value: string
  /** Where the code occurs first: `line 214 of records.csv`. */
  readonly first: string
}

/** Line and value are left out, so that all rows with the same fault have the same reason; the report counts by it. */
export function toReason(fault: RowFault): string {
  const problem = 'expected' in fault ? `expected ${fault.expected}` : 'duplicate code'
  return fault.column === null ? problem : `${fault.column}: ${problem}`
}

/** `line 214, checkin_date: expected YYYY-MM-DD or DD/MM/YYYY, got "31/02/1999"` */
export function toMessage(fault: RowFault): string {
  const separator = fault.column === null ? ': ' : ', '
  const lineAndReason = `line ${fault.line}${separator}${toReason(fault)}`
  const value = toQuoted(fault.value)
  return 'expected' in fault ? `${lineAndReason}, got ${value}` : `${lineAndReason} ${value} (first on ${fault.first})`
}
