// Reads the rows of a sheet of an Excel workbook from its XML. sheet-cell.ts says what a cell means, and xlsx.ts finds
// the headings among the rows.
import { t } from '../../language.ts'
import { toQuoted } from '../rows/quote.ts'
import { SourceFault } from '../source-fault.ts'
import { parseColumn, type RawCell, type SheetCell, toSheetCell } from './sheet-cell.ts'
import type { CellStyle, Sheet, Workbook } from './workbook.ts'
import { appendText, type XmlHandlers } from './workbook-part.ts'

/** The limits of Excel. */
const sheetColumnsMax = 16_384
const sheetRowsMax = 1_048_576

/** Limit of a row. Many cells may refer to one long shared string, so a small workbook could fill the memory. */
const rowCharactersMax = 1024 * 1024

export interface SheetRow {
  /** The number of the row in the sheet, from 1. */
  readonly line: number
  /** By column of the sheet, from 0. A cell that the sheet omits is undefined. */
  readonly cells: readonly (SheetCell | undefined)[]
}

/** Yields the rows a few at a time, with the share of the sheet that is read, from 0 to 1. */
export async function* readSheet(
  sourceName: string,
  sheet: Sheet,
  workbook: Workbook,
): AsyncGenerator<{ readonly rows: readonly SheetRow[]; readonly share: number }, void, undefined> {
  let rows: SheetRow[] = []
  const handlers = toHandlers(sourceName, workbook, (row) => rows.push(row))
  for await (const bytesRead of sheet.read(handlers)) {
    if (rows.length === 0) continue
    yield { rows, share: bytesRead / Math.max(1, sheet.bytes) }
    rows = []
  }
}

/** For a cell without a style: a number that is no date and is shown as it is stored. */
const noStyle: CellStyle = { isDate: false, digits: undefined }

function toHandlers(sourceName: string, workbook: Workbook, onRow: (row: SheetRow) => void): XmlHandlers {
  /** The current row: its number, its cells so far, and their length. */
  let line = 0
  let cells: (SheetCell | undefined)[] = []
  let rowCharacters = 0
  /** The current cell and its column. */
  let cell: { -readonly [Name in keyof RawCell]: RawCell[Name] } | undefined
  let index = 0
  /** Whether the next text belongs to the current cell. */
  let isText = false
  /** Above 0 inside phonetic text, which is a reading aid and not part of the cell. */
  let phoneticDepth = 0

  const endCell = (raw: RawCell): void => {
    // Excel has no such column. In a damaged sheet the index may be so large that the row would fill the memory.
    if (index >= sheetColumnsMax) return
    const read = toSheetCell(raw, workbook)
    rowCharacters += read.text.length
    if (rowCharacters > rowCharactersMax) {
      throw new SourceFault(
        t`Cannot read ${sourceName}: row ${line} has more than ${rowCharactersMax} characters; save it as CSV`,
      )
    }
    cells[index] = read
  }

  return {
    open: (name, attributes) => {
      isText = false
      if (name === 'row') {
        line = parseRowNumber(attributes.r, line, sourceName)
        cells = []
        rowCharacters = 0
      } else if (name === 'c') {
        index = parseColumn(attributes.r) ?? cells.length
        // No style has the index -1, so a cell without the attribute gets `noStyle`.
        const style = workbook.styles[Number(attributes.s ?? '-1')] ?? noStyle
        cell = { type: attributes.t ?? 'n', style, hasFormula: false, text: '' }
      } else if (name === 'f' && cell !== undefined) cell.hasFormula = true
      else if (name === 'rPh') phoneticDepth += 1
      // The value of a cell, or its text.
      else if (name === 'v' || name === 't') isText = phoneticDepth === 0
    },
    text: (chunk) => {
      if (isText && cell !== undefined) cell.text = appendText(cell.text, chunk)
    },
    close: (name) => {
      isText = false
      if (name === 'rPh') phoneticDepth -= 1
      if (name === 'c' && cell !== undefined) {
        endCell(cell)
        cell = undefined
      }
      if (name === 'row') onRow({ line, cells })
    },
  }
}

/** `written` is the attribute `r`. A row without it follows the previous one. */
function parseRowNumber(written: string | undefined, previous: number, sourceName: string): number {
  const line = written === undefined ? previous + 1 : Number(written)
  if (Number.isInteger(line) && line >= 1 && line <= sheetRowsMax) return line
  throw new SourceFault(
    t`Cannot read ${sourceName}: a row has the number ${toQuoted(written ?? String(line))}, but rows are numbered from 1 to ${sheetRowsMax}; open the workbook in Excel and save it again`,
  )
}
