// Makes a row of a CSV record, and marks it if it cannot be split into cells reliably. The import then rejects it.
import { t, toQuantity, translate } from '../../language.ts'
import { identifierColumns } from '../rows/columns.ts'
import {
  isErrorValue,
  isMonthDate,
  isShortenedNumber,
  toDateFault,
  toErrorValueFault,
  toLostDigitsFault,
} from '../rows/excel-cell.ts'
import type { Layout } from '../rows/layout.ts'
import type { ParseFault, Row } from '../rows/row.ts'
import type { CsvRecord } from './csv-records.ts'
import type { Encoding } from './encoding.ts'

/** What the rows of a file have in common. */
export interface CsvTable {
  readonly layout: Layout
  readonly encoding: Encoding
  readonly delimiter: string
  /** By how many fields records usually exceed the headings (`findSurplus`). */
  readonly usualSurplus: number
}

/** `line` is the line where the record begins. */
export function toRow(record: CsvRecord, line: number, table: CsvTable): Row {
  const { cells, quoteFault } = record
  if (quoteFault !== undefined) return toUnsplitRow(cells[0] ?? '', quoteFault, line, table)
  const parseFault =
    findCountFault(record, table) ?? findEncodingFault(cells, table.encoding) ?? findExcelFault(cells, table.layout)
  return parseFault === undefined ? { line, cells } : { line, cells, parseFault }
}

/** If the text has as many fields as there are headings, the rejects file can show them under their headings. */
function toUnsplitRow(text: string, quoteFault: string, line: number, { layout, delimiter }: CsvTable): Row {
  const fields = text.split(delimiter)
  const cells = fields.length === layout.headings.length ? fields : [text]
  // csv-records.ts names the fault in English.
  return { line, cells, parseFault: { expected: translate(quoteFault), value: text } }
}

/**
 * Returns a fault if a delimiter has probably split an unquoted field, or the file was cut off. If the headings are
 * `code;title;;` and records have four fields, so that the usual surplus is 0:
 *
 * record           | fault
 * `05019-1;Plan;;` | none: some programs end each line with empty fields
 * `05019-1;Plan`   | none, because some programs omit empty fields; but it is cut off if it has no line break
 * `05019-1;A;B;`   | it has a value past the last heading that is not blank
 * `05019-1;A;;;`   | it has more fields than usual
 */
function findCountFault({ cells, isCutOff }: CsvRecord, { layout, usualSurplus }: CsvTable): ParseFault | undefined {
  const { headings } = layout
  const namedCount = headings.findLastIndex((heading) => !isBlank(heading)) + 1
  const hasValueTooMany = !cells.slice(namedCount).every(isBlank)
  const toFault = (expected: string): ParseFault => ({ expected, value: toQuantity(cells.length, 'field') })
  if (hasValueTooMany || cells.length > headings.length + usualSurplus) {
    return toFault(t`${namedCount} fields (quote a field that contains a separator)`)
  }
  if (cells.length < headings.length && isCutOff) return toFault(t`${headings.length} fields before the file ends`)
  return undefined
}

/** If the file is mostly UTF-8, its invalid bytes were decoded as U+FFFD. */
function findEncodingFault(cells: readonly string[], { isMixed }: Encoding): ParseFault | undefined {
  const invalid = isMixed ? cells.find((cell) => cell.includes('\uFFFD')) : undefined
  return invalid === undefined ? undefined : { expected: t`text in UTF-8, like the rest of the file`, value: invalid }
}

/** Returns the fault of the first cell that the XLSX reader would reject too; undefined if there is none. */
function findExcelFault(cells: readonly string[], layout: Layout): ParseFault | undefined {
  for (const [index, cell] of cells.entries()) {
    const heading = layout.headings[index] ?? ''
    if (isErrorValue(cell) && layout.isUsed(index)) return toErrorValueFault(heading, cell.trim())
    if (isShortenedNumber(cell) && identifierColumns.some((column) => layout.readsFrom(column, index)))
      return toLostDigitsFault(heading, cell.trim())
    if (isMonthDate(cell) && identifierColumns.some((column) => layout.readsWhole(column, index)))
      return toDateFault(heading, cell.trim())
  }
  return undefined
}

/**
 * Returns by how many fields the records exceed the headings: the most frequent number, and the smallest of equally
 * frequent ones. Records with fewer fields than headings do not count. Undefined if no record counts.
 */
export function findSurplus(records: readonly CsvRecord[], { headings }: Layout): number | undefined {
  const counts = new Map<number, number>()
  for (const { cells } of records) {
    if (cells.length < headings.length || cells.every(isBlank)) continue
    const surplus = cells.length - headings.length
    counts.set(surplus, (counts.get(surplus) ?? 0) + 1)
  }
  const [mostFrequent] = [...counts].sort(([a, countOfA], [b, countOfB]) => countOfB - countOfA || a - b)
  return mostFrequent?.[0]
}

export function isBlank(cell: string): boolean {
  return cell.trim() === ''
}
