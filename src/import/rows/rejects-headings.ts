// The headings of a rejects file, the CSV file of the rows that an import has rejected: `line`, `reason`, and the
// headings of the source; files of earlier versions may begin with `source`. By these and other headings, a source is
// recognised as a CSV file that this program has written.
import { csvColumns } from '../../domain/record.ts'

export function toRejectsHeadings(sourceHeadings: readonly string[]): string[] {
  return ['line', 'reason', ...sourceHeadings]
}

/** Whether a file with these headings is a rejects file. */
export function areRejectsHeadings(headings: readonly string[]): boolean {
  const lineIndex = headings[0] === 'source' ? 1 : 0
  return headings[lineIndex] === 'line' && headings[lineIndex + 1] === 'reason'
}

/** Whether the heading is one that a rejects file has besides those of its sources. No column is read from it. */
export function isRejectsHeading(heading: string, headings: readonly string[]): boolean {
  return ['source', 'line', 'reason'].includes(heading) && areRejectsHeadings(headings)
}

/**
 * Whether this program writes CSV files with these headings: rejects files, and records as CSV, which the service and
 * `search --csv` write (both may add further columns). In such a file, cells that look like formulas
 * have an apostrophe (`toCsvLine` in src/csv.ts).
 */
export function areHeadingsOfOurCsv(headings: readonly string[]): boolean {
  const exported = headings.slice(0, csvColumns.length)
  return areRejectsHeadings(headings) || exported.join() === csvColumns.join()
}
