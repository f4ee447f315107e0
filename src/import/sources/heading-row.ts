// Finds the headings of a table. Offices put a title, a date or a logo above them, so the first line that is not blank
// need not be the headings. They are recognised by known headings: those that a column of a record, such as `title`, is
// read from (layout.ts).
import { t } from '../../language.ts'
import type { Layout } from '../rows/layout.ts'
import { toQuoted } from '../rows/quote.ts'

/** At most this many lines above the headings are skipped; blank lines do not count. */
export const titleLinesMax = 20
/** A line with fewer known headings is rated 0: a title above the table may equal one known heading by chance. */
const knownHeadingsMin = 2
/** At most so many of the skipped lines are shown in the report. */
const shownLinesMax = 3

type Cells = readonly (string | undefined)[]

interface Line {
  readonly cells: Cells
}

/** The result of `rateHeadings` if no required column is missing. */
export const completeRating: number = Number.POSITIVE_INFINITY

/**
 * Returns the index of the row of headings; -1 if `lines` is empty. `lines` are the first ones that are not blank. The
 * headings are the row with the best rating, and not simply the first row with known headings: labels above the
 * headings, such as `Municipio: | Jávea | Fecha: | 12/03/2024`, may be known headings too. If every rating is 0, the
 * first row with more than half as many filled cells as the fullest row is taken, so that the message about missing
 * columns can list its cells.
 */
export function findHeadingRow(lines: readonly Line[], layout: Layout): number {
  const candidates = lines.slice(0, titleLinesMax + 1)
  const ratings = candidates.map(({ cells }) => rateRow(cells, layout))
  const best = Math.max(...ratings)
  if (best > 0) return ratings.indexOf(best)
  const filledCounts = candidates.map(({ cells }) => cells.filter(isFilled).length)
  const filledCountMax = Math.max(...filledCounts)
  return filledCounts.findIndex((count) => count > filledCountMax / 2)
}

/** Adds the headings to the layout, and a note about the lines above them. Returns the index of their row. */
export function takeHeadings(lines: readonly Line[], layout: Layout): number {
  const index = findHeadingRow(lines, layout)
  const titles = lines.slice(0, index).map(({ cells }) => toQuoted(cells.filter(isFilled).join(' ')))
  const shown = titles.slice(0, shownLinesMax).join(', ')
  if (titles.length === 1) layout.notes.push(t`one line above the headings skipped: ${shown}`)
  if (titles.length > 1) layout.notes.push(t`${titles.length} lines above the headings skipped: ${shown}`)
  for (const heading of lines[index]?.cells ?? []) layout.append((heading ?? '').trim())
  return index
}

/** Returns the rating of the row, taken as headings (`rateHeadings`). */
export function rateRow(cells: Cells, layout: Layout): number {
  const probe = layout.toEmpty()
  for (const cell of cells) probe.append((cell ?? '').trim())
  return rateHeadings(probe)
}

/**
 * Returns how likely the headings of a layout are those of records: 0 if they give fewer than `knownHeadingsMin`
 * columns, `completeRating` if no required column is missing, or else the number of columns that they give.
 */
export function rateHeadings(layout: Layout): number {
  const knownCount = layout.countColumns()
  if (knownCount < knownHeadingsMin) return 0
  return layout.missingColumns().length === 0 ? completeRating : knownCount
}

export function isBlankRow(cells: Cells): boolean {
  return !cells.some(isFilled)
}

function isFilled(cell: string | undefined): boolean {
  return cell !== undefined && cell.trim() !== ''
}
