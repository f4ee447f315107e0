// Leaves out the rows of a source that are no records: totals below a table, and headings that are repeated on each
// printed page. They are counted in a note for the report.
import { t, toQuantity } from '../../language.ts'
import { foldHeading } from './columns.ts'
import type { Layout } from './layout.ts'
import type { Row } from './row.ts'

/** The first text of a row of totals, such as `Total expedientes:`, `SUBTOTAL` or, in Basque, `Guztira`. */
const totalStart = /^(?:sub|n[ºo°.]* *)?(?:total|totales|totals|suma|guztira)(?!\p{L})/iu
/** At most so many lines are listed in the note. */
const listedMax = 10

/** Yields the batches without those rows. At the end, also an early one, adds a note to the layout. */
export async function* withoutLeftOutRows(
  batches: AsyncIterable<readonly Row[]>,
  layout: Layout,
): AsyncGenerator<readonly Row[], void, undefined> {
  const lines: number[] = []
  const isKept = (row: Row): boolean => {
    const isLeftOut = isTotal(row, layout) || repeatsHeadings(row, layout)
    if (isLeftOut) lines.push(row.line)
    return !isLeftOut
  }
  try {
    for await (const batch of batches) {
      const kept = batch.filter(isKept)
      if (kept.length > 0) yield kept
    }
  } finally {
    const listed = [...lines.slice(0, listedMax).map(String), ...(lines.length > listedMax ? ['…'] : [])].join(', ')
    if (lines.length > 0)
      layout.notes.push(t`left out ${toQuantity(lines.length, 'row')} of totals or repeated headings: ${listed}`)
  }
}

/** Whether the first filled cell says so, and the row has neither a code nor a date, as every record has. */
function isTotal({ cells }: Row, layout: Layout): boolean {
  const first = cells.find((cell) => cell !== undefined && cell.trim() !== '')?.trim() ?? ''
  if (!totalStart.test(first)) return false
  return !layout.isCode(layout.read('code', cells).trim()) && layout.read('checkin_date', cells).trim() === ''
}

/** Whether at least two cells are filled, and each has the text of its heading. */
function repeatsHeadings({ cells }: Row, { headings }: Layout): boolean {
  let filled = 0
  for (let index = 0; index < cells.length; index++) {
    const cell = cells[index] ?? ''
    if (cell.trim() === '') continue
    const heading = headings[index] ?? ''
    // Lengths are compared first, because most rows differ in their first cell.
    if (Math.abs(cell.trim().length - heading.length) > 2 || foldHeading(cell) !== foldHeading(heading)) return false
    filled += 1
  }
  return filled >= 2
}
