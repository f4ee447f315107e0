// The headings of a rejects file: `source` (only for several sources), `line`, `reason`, and the headings of the
// sources. Also tells whether a table was written by this program.
import { csvColumns } from '../../domain/record.ts'

export function toRejectsHeadings(hasSeveralSources: boolean, sourceHeadings: readonly string[]): string[] {
  return [...(hasSeveralSources ? ['source'] : []), 'line', 'reason', ...sourceHeadings]
}

/** Whether a file with these headings is a rejects file. */
export function areRejectsHeadings(headings: readonly string[]): boolean {
  const lineIndex = headings[0] === 'source' ? 1 : 0
  return headings[lineIndex] === 'line' && headings[lineIndex + 1] === 'reason'
}

/**
 * Whether a table with these headings is a rejects file, or records as CSV (`search --csv` may have the column
 * `passages` too). Its cells that look like formulas then have an apostrophe (`toCsvLine` in src/csv.ts).
 */
export function areOwnHeadings(headings: readonly string[]): boolean {
  const exported = headings.at(-1) === 'passages' ? headings.slice(0, -1) : headings
  return areRejectsHeadings(headings) || exported.join() === csvColumns.join()
}
