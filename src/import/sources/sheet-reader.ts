// Turns the XML elements of a sheet of an Excel workbook into rows. Formulas give their stored value, cells with a date
// style become YYYY-MM-DD, and integers are shown as their style shows them. xlsx.ts uses it.
import { t } from '../../language.ts'
import { type CellDefect, toDefectFault } from '../rows/excel-cell.ts'
import type { Layout } from '../rows/layout.ts'
import { toQuoted } from '../rows/quote.ts'
import type { ParseFault, Row } from '../rows/row.ts'
import { toUncorrectedCell } from '../rows/uncorrected-cell.ts'
import { SourceFault } from '../source-fault.ts'
import { showDigits } from './digit-format.ts'
import { completeRating, rateRow, takeHeadings, titleLinesMax } from './heading-row.ts'
import { parseColumn, toDate, unescapeText } from './sheet-cell.ts'
import type { CellStyle, Workbook } from './workbook.ts'
import { appendText, type XmlHandlers } from './workbook-part.ts'

/** The limits of Excel. */
const sheetColumnsMax = 16_384
const sheetRowsMax = 1_048_576

/** Limit of a row. Many cells may refer to one long shared string, so a small workbook could fill the memory. */
const rowCharactersMax = 1024 * 1024

/** The cell whose XML element is being read. */
interface Cell {
  /** Column of the sheet, from 0. */
  readonly index: number
  /** The attribute `t` (ECMA-376 part 1, 18.18.11); see `#toText`. */
  readonly type: string
  readonly style: CellStyle
  hasFormula: boolean
  /** The value as the sheet has it: a number, an index of a shared string, or a text. */
  text: string
}

/** For a cell without a style: a number that is no date and is shown as it is stored. */
const noStyle: CellStyle = { isDate: false, digits: undefined }

/** Takes the XML elements of a sheet and collects its rows. Lines above the headings are skipped (heading-row.ts). */
export class SheetReader implements XmlHandlers {
  /** Rows below the headings since the last call of `takeRows`. */
  rows: Row[] = []
  /**
   * Characters read for `rows`: when there are many, xlsx.ts takes the rows. Rows that were in `#candidates` first, at
   * most `titleLinesMax`, do not count.
   */
  characters = 0
  /** Whether the sheet has a row that is not blank. */
  hasContent = false
  /** Whether the sheet has a row below the headings that is not blank. */
  hasRows = false
  /** Until the headings are found: the rows so far, each of which may be a title or the headings. */
  #candidates: { readonly line: number; readonly cells: readonly (string | undefined)[] }[] = []
  readonly #sourceName: string
  /** Whether only the headings are looked for, to choose the sheet of the workbook; then no rows are collected. */
  readonly #isProbe: boolean
  readonly #workbook: Workbook
  /** Without headings until this reader has found them. */
  readonly #layout: Layout
  /** The current row: its number from 1, its cells so far by column, their length, and its first fault. */
  #line = 0
  #cells: (string | undefined)[] = []
  #rowCharacters = 0
  #parseFault: ParseFault | undefined
  #cell: Cell | undefined
  /** Whether the next text belongs to the current cell. */
  #isText = false
  /** Above 0 inside phonetic text, which is a reading aid and not part of the cell. */
  #phoneticDepth = 0

  constructor(
    sourceName: string,
    workbook: Workbook,
    layout: Layout,
    { isProbe = false }: { readonly isProbe?: boolean } = {},
  ) {
    this.#sourceName = sourceName
    this.#workbook = workbook
    this.#layout = layout
    this.#isProbe = isProbe
  }

  /** Whether the headings are found, or the most likely of the first rows was taken for them. */
  get hasHeadings(): boolean {
    return this.#layout.headings.length > 0
  }

  /** Called at the end of the sheet. If no headings were found, takes the most likely row for them. */
  end(): void {
    if (!this.hasHeadings && this.#candidates.length > 0) this.#addHeadings()
  }

  /** Returns the rows read since the last call. */
  takeRows(): Row[] {
    const rows = this.rows
    this.rows = []
    this.characters = 0
    return rows
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#isText = false
    switch (name) {
      case 'row':
        this.#line = this.#parseRowNumber(attributes.r)
        this.#cells = []
        this.#rowCharacters = 0
        this.#parseFault = undefined
        return
      // A cell.
      case 'c': {
        const index = parseColumn(attributes.r) ?? this.#cells.length
        // No style has the index -1, so a cell without the attribute gets `noStyle`.
        const styleIndex = Number(attributes.s ?? '-1')
        const style = this.#workbook.styles[styleIndex] ?? noStyle
        this.#cell = { index, type: attributes.t ?? 'n', style, hasFormula: false, text: '' }
        return
      }
      // A formula.
      case 'f':
        if (this.#cell !== undefined) this.#cell.hasFormula = true
        return
      // Phonetic text.
      case 'rPh':
        this.#phoneticDepth += 1
        return
      // The value of a cell, or its text.
      case 'v':
      case 't':
        this.#isText = this.#phoneticDepth === 0
    }
  }

  text(chunk: string): void {
    if (this.#isText && this.#cell !== undefined) this.#cell.text = appendText(this.#cell.text, chunk)
  }

  close(name: string): void {
    this.#isText = false
    if (name === 'rPh') this.#phoneticDepth -= 1
    if (name === 'c' && this.#cell !== undefined) this.#endCell(this.#cell)
    if (name === 'row') this.#endRow()
  }

  /** `written` is the attribute `r`. A row without it follows the previous one. */
  #parseRowNumber(written: string | undefined): number {
    const line = written === undefined ? this.#line + 1 : Number(written)
    if (Number.isInteger(line) && line >= 1 && line <= sheetRowsMax) return line
    throw new SourceFault(
      t`Cannot read ${this.#sourceName}: a row has the number ${toQuoted(written ?? String(line))}, but rows are numbered from 1 to ${sheetRowsMax}; open the workbook in Excel and save it again`,
    )
  }

  /** Adds the text of the cell to the row, and the fault of the cell if the import uses its column. */
  #endCell(cell: Cell): void {
    this.#cell = undefined
    // Excel has no such column. In a damaged sheet the index may be so large that the row would fill the memory.
    if (cell.index >= sheetColumnsMax) return
    const fault = this.#layout.isUsed(cell.index) ? this.#findFault(cell) : undefined
    this.#parseFault ??= fault
    const text = fault === undefined ? this.#toText(cell) : toUncorrectedCell(this.#toText(cell))
    this.#rowCharacters += text.length
    if (this.#rowCharacters > rowCharactersMax) {
      throw new SourceFault(
        t`Cannot read ${this.#sourceName}: row ${this.#line} has more than ${rowCharactersMax} characters; save it as CSV`,
      )
    }
    this.#cells[cell.index] = text
  }

  #findFault(cell: Cell): ParseFault | undefined {
    const defect = toDefect(cell)
    return defect === undefined ? undefined : toDefectFault(defect, cell.index, this.#toText(cell), this.#layout)
  }

  /** Returns the cell as text: dates as `YYYY-MM-DD`, integers as their style shows them. */
  #toText(cell: Cell): string {
    switch (cell.type) {
      // The index of a shared string. Some programs write an empty cell without one.
      case 's':
        if (cell.text.trim() === '') return ''
        return unescapeText(this.#workbook.strings.at(Number(cell.text)) ?? '')
      // A boolean, or a cell that is formatted as one and has no value.
      case 'b':
        if (cell.text.trim() === '') return ''
        return cell.text === '1' ? 'true' : 'false'
      // A date in ISO 8601.
      case 'd':
        return cell.text.trim()
      // A number, which is also how most dates are stored.
      case 'n': {
        const number = Number(cell.text)
        // A number that has lost digits is not rounded further: the rejects file has it as it is stored.
        if (cell.text.trim() === '' || !Number.isFinite(number) || hasLostDigits(cell)) return cell.text
        const date = cell.style.isDate ? toDate(number, this.#workbook.countsFrom1904) : undefined
        return date ?? showDigits(number, cell.style.digits)
      }
      // Text in the cell itself (`inlineStr`), the text of a formula (`str`), or an error such as `#N/A` (`e`).
      default:
        return unescapeText(cell.text)
    }
  }

  /**
   * Adds the current row to the candidates or, below the headings, to the rows. Skips a blank row, unless it has a
   * fault. A row with only a note beside the table, in a column without a heading, counts as blank.
   */
  #endRow(): void {
    const cells = this.#cells
    const { headings } = this.#layout
    const isInTable = (index: number): boolean => !this.hasHeadings || (headings[index] ?? '') !== ''
    const isBlank = cells.every((cell, index) => cell === undefined || cell.trim() === '' || !isInTable(index))
    if (isBlank && this.#parseFault === undefined) return
    this.hasContent = true
    if (!this.hasHeadings) {
      // The cells that the sheet omits are holes in the array; `Array.from` makes them undefined.
      this.#candidates.push({ line: this.#line, cells: Array.from(cells) })
      // A row with only some of the required columns may be labels above the headings, as in `Municipio: | Jávea`, so
      // the rows below it are candidates too.
      const areHeadings = rateRow(Array.from(cells), this.#layout) === completeRating
      const areMoreThanTitles = this.#candidates.length > titleLinesMax
      if (areHeadings || areMoreThanTitles) this.#addHeadings()
      return
    }
    this.hasRows = true
    if (this.#isProbe) return
    // Cells to the right of the last heading are left out.
    const row = { line: this.#line, cells: cells.slice(0, this.#layout.headings.length) }
    this.characters += this.#rowCharacters
    this.rows.push(this.#parseFault === undefined ? row : { ...row, parseFault: this.#parseFault })
  }

  /** Takes the headings from the candidates. The candidates after them become the first rows. */
  #addHeadings(): void {
    const headingIndex = takeHeadings(this.#candidates, this.#layout)
    // Complete headings are the last candidate (`#endRow`). Incomplete ones may have rows below them; `requireColumns`
    // accepts such headings with `--inspect`.
    const firstRows = this.#candidates.slice(headingIndex + 1)
    this.hasRows = firstRows.length > 0
    if (this.#isProbe) return
    this.#layout.requireColumns()
    this.rows.push(...firstRows)
  }
}

function toDefect(cell: Cell): CellDefect | undefined {
  const { type, style, text, hasFormula } = cell
  if (type === 'e') return 'error value'
  if (hasLostDigits(cell)) return 'lost digits'
  const isBlank = text.trim() === ''
  // A date in place of a code or the like, such as 1 March 2001 for the code `03-2001`.
  if (!isBlank && (type === 'd' || (type === 'n' && style.isDate))) return 'date'
  // Tools other than Excel may omit the stored value. An empty result is valid only for a formula that gives text
  // (`str`).
  return isBlank && hasFormula && type !== 'str' ? 'no result' : undefined
}

/** Whether the cell is a number so large that not every whole number near it can be stored. */
function hasLostDigits({ type, style, text }: Cell): boolean {
  const number = type === 'n' && !style.isDate ? Number(text) : 0
  return Number.isInteger(number) && !Number.isSafeInteger(number)
}
