// Why a row is rejected. A fault is a value, not an exception: it becomes a message in the rejects file (the rejected
// rows as CSV) and is counted in the report of the import.
import { t } from '../../language.ts'
import type { Column } from './columns.ts'
import { toQuoted } from './quote.ts'

export interface RowFault {
  /** Where the row begins (`Row.line`): its line or, if records are not on lines of their own, the record's number. */
  readonly line: number
  /** Whether `line` is the number of a record, so that the message says `record 812` instead of `line 812`. */
  readonly isRecordNumber?: boolean
  /** All problems of the row, so that it can be corrected at once. */
  readonly problems: readonly [RowProblem, ...RowProblem[]]
  /** The code of the record; empty if the row has none that can be read. */
  readonly code?: string | undefined
}

export type RowProblem = UnexpectedValue | DuplicateCode

export interface UnexpectedValue {
  /** Null for a fault of the row as a whole (`Row.parseFault`). */
  readonly column: Column | null
  /** What is accepted, such as `a title`. It does not contain the value, because the report counts rows by it. */
  readonly expected: string
  /** What is wrong with the value, if that says more than `expected`: `there is no 31 February`. */
  readonly because?: string
  /** The value that was found. */
  readonly value: string
}

export interface DuplicateCode {
  /** `prefix` if the source has no column `code`: the code was made of `prefix` and `registration_number`. */
  readonly column: 'code' | 'prefix'
  /** The code. */
  readonly value: string
  /** Where the code occurs first: `line 214`, or `line 214 of records.csv` if that is another source. */
  readonly first: string
}

/**
 * Returns the reasons of a fault, without line and values, such as `title: expected a title`: the report counts how
 * many rows have the same reason.
 */
export function toReasons({ problems }: RowFault): string[] {
  return problems.map(toReason)
}

function toReason(problem: RowProblem): string {
  const reason = 'expected' in problem ? t`expected ${problem.expected}` : t`duplicate code`
  return problem.column === null ? reason : `${problem.column}: ${reason}`
}

/**
 * Returns a text such as
 * `line 214, checkin_date: there is no 31 February, got "31/02/1999"; title: expected a title, got ""`.
 */
export function toMessage(fault: RowFault): string {
  const position = toPosition(fault.line, fault.isRecordNumber === true)
  const separator = fault.problems[0].column === null ? ': ' : ', '
  return `${position}${separator}${fault.problems.map(describe).join('; ')}`
}

/** Returns `line 214`, or `record 812` if `line` is the number of a record. */
export function toPosition(line: number, isRecordNumber: boolean): string {
  return isRecordNumber ? t`record ${String(line)}` : t`line ${String(line)}`
}

/** Returns the reason with the value. `because`, which only a problem of a column has, replaces `expected …`. */
function describe(problem: RowProblem): string {
  const value = toQuoted(problem.value)
  if (!('expected' in problem)) return t`${toReason(problem)} ${value} (first on ${problem.first})`
  const { because } = problem
  const reason = because === undefined ? toReason(problem) : `${problem.column ?? ''}: ${because}`
  return t`${reason}, got ${value}`
}
