// Marks a cell of a rejects file that somebody has to correct, such as `??? 2001-03-01` for a code of which Excel has
// made a date. Without the mark, the cell could be accepted when the file is imported uncorrected.
import type { Layout } from './layout.ts'
import { areRejectsHeadings } from './rejects-headings.ts'

/** No real value starts like this. */
const mark = '??? '

export function toUncorrectedCell(value: string): string {
  return mark + value
}

/**
 * Returns the index of the first marked cell that a column is read from. Returns -1 if there is none, or if the file is
 * not a rejects file.
 */
export function findUncorrectedCell(cells: readonly (string | undefined)[], layout: Layout): number {
  if (!areRejectsHeadings(layout.headings)) return -1
  return cells.findIndex((cell, index) => cell?.startsWith(mark) === true && layout.isUsed(index))
}
