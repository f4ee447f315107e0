// Reads one sheet of an Excel workbook row by row. Formulas give their stored value, cells with a date style become
// YYYY-MM-DD, and numbers keep the leading zeros of their style. workbook.ts opens the file.
import { t } from '../../language.ts'
import type { Layout } from '../rows/layout.ts'
import { toQuoted } from '../rows/quote.ts'
import type { Row } from '../rows/row.ts'
import { SourceFault } from '../source-fault.ts'
import { findHeadingRow, isHeadingRow, noteTitleLines, titleLinesMax } from './heading-row.ts'
import { parseColumn, toDate, toDigits, unescapeText } from './sheet-cell.ts'
import { batchRows, type Source } from './source.ts'
import type { SourceFile } from './source-file.ts'
import { type CellStyle, openWorkbook, type Sheet, type Workbook, type XmlHandlers } from './workbook.ts'
import type { Archive } from './zip.ts'

/** The limits of Excel. */
const sheetColumnsMax = 16_384
const sheetRowsMax = 1_048_576

/** `wanted` is the name of a sheet or its number from 1, if the user gave one. */
export async function openXlsx(file: SourceFile, archive: Archive, layout: Layout, wanted?: string): Promise<Source> {
  const workbook = await openWorkbook(archive)
  let share = 0
  return {
    name: file.name,
    layout,
    rows: async function* () {
      const sheet = await chooseSheet(file.name, workbook, layout, wanted)
      if (sheet === undefined) return
      const reader = new SheetReader(file.name, workbook, layout)
      for await (const bytes of sheet.read(reader)) {
        share = bytes / Math.max(1, sheet.bytes)
        if (reader.rows.length >= batchRows) yield reader.takeRows()
      }
      reader.end()
      await file.requireUnchanged()
      if (reader.rows.length > 0) yield reader.takeRows()
    },
    describe: () => 'XLSX',
    shareRead: () => share,
    close: async () => {
      workbook.close()
      await file.close()
    },
  }
}

/**
 * Returns the sheet that the user named, or the first with known headings, or the first that is not blank. Undefined if
 * all are blank.
 */
async function chooseSheet(
  name: string,
  workbook: Workbook,
  layout: Layout,
  wanted: string | undefined,
): Promise<Sheet | undefined> {
  const { sheets } = workbook
  if (wanted !== undefined) {
    const found = sheets.find((each) => each.name === wanted) ?? sheets[Number(wanted) - 1]
    if (found !== undefined) return found
    const names = sheets.map((each) => toQuoted(each.name)).join(', ')
    throw new SourceFault(
      t`Cannot read ${name}: there is no sheet ${toQuoted(wanted)}; its visible sheets are ${names}`,
    )
  }
  if (sheets.length === 1) return sheets[0]
  const withContent: { sheet: Sheet; hasHeadings: boolean }[] = []
  for (const sheet of sheets) {
    // The first rows of a sheet tell whether it has known headings.
    const probe = layout.toEmpty()
    const reader = new SheetReader(name, workbook, probe, { isProbe: true })
    for await (const _bytes of sheet.read(reader)) if (reader.hasEnough) break
    if (reader.hasContent) withContent.push({ sheet, hasHeadings: probe.headings.length > 0 })
  }
  const chosen = withContent.find(({ hasHeadings }) => hasHeadings) ?? withContent[0]
  const others = withContent.filter((each) => each !== chosen)
  if (chosen !== undefined && others.length > 0) {
    const toNames = (list: typeof others): string => list.map(({ sheet }) => toQuoted(sheet.name)).join(', ')
    layout.notes.push(t`sheet ${toQuoted(chosen.sheet.name)} read, not ${toNames(others)}`)
    const alike = others.filter(({ hasHeadings }) => hasHeadings)
    if (alike.length > 0) {
      layout.warnings.push(
        t`${name} has more sheets with headings of records, which are not read: ${toNames(alike)}; choose one with --sheet`,
      )
    }
  }
  return chosen?.sheet
}

/** The cell whose XML element is being read. */
interface Cell {
  /** Column of the sheet, from 0. */
  readonly index: number
  /** The attribute `t` (ECMA-376 part 1, 18.18.11); see `#toText`. */
  readonly type: string
  readonly style: CellStyle
  hasFormula: boolean
  /** Its value as the sheet has it: a number, an index of a shared string, or a text. */
  text: string
}

const noStyle: CellStyle = { isDate: false, digitsMin: 0, leadingZeros: 0 }

/** Turns the XML elements of a sheet into rows. Lines above the headings are skipped (heading-row.ts). */
class SheetReader implements XmlHandlers {
  rows: Row[] = []
  /** Whether the sheet has a row that is not blank. */
  hasContent = false
  /** Rows that may be titles or the headings, until the headings are found. */
  #candidates: { readonly line: number; readonly cells: readonly (string | undefined)[] }[] = []
  readonly #name: string
  /** Whether the sheet is only tried for known headings. */
  readonly #isProbe: boolean
  readonly #workbook: Workbook
  readonly #layout: Layout
  /** State of the current row: its number, its cells so far and its first fault. */
  #line = 0
  #cells: (string | undefined)[] = []
  #parseFault: Row['parseFault']
  #cell: Cell | undefined
  /** Whether text belongs to the current cell. */
  #isText = false
  /** Phonetic text is a reading aid and not part of the cell. */
  #phoneticDepth = 0

  constructor(name: string, workbook: Workbook, layout: Layout, { isProbe = false } = {}) {
    this.#name = name
    this.#workbook = workbook
    this.#layout = layout
    this.#isProbe = isProbe
  }

  /** Whether a probe has read enough rows to tell. */
  get hasEnough(): boolean {
    return this.#layout.headings.length > 0 || this.#candidates.length > titleLinesMax
  }

  /** Called at the end of the sheet. If no headings are known, the message about missing columns lists a likely row. */
  end(): void {
    if (this.#layout.headings.length === 0 && this.#candidates.length > 0) this.#addHeadings()
  }

  /** Returns the rows read since the last call. */
  takeRows(): Row[] {
    const rows = this.rows
    this.rows = []
    return rows
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#isText = false
    switch (name) {
      case 'row':
        this.#line = this.#parseRowNumber(attributes.r)
        this.#cells = []
        this.#parseFault = undefined
        return
      // A cell.
      case 'c': {
        const index = parseColumn(attributes.r) ?? this.#cells.length
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
    if (this.#isText && this.#cell !== undefined) this.#cell.text += chunk
  }

  close(name: string): void {
    this.#isText = false
    if (name === 'rPh') this.#phoneticDepth -= 1
    if (name === 'c' && this.#cell !== undefined) this.#endCell(this.#cell)
    if (name === 'row') this.#endRow()
  }

  /** A row without a number follows the previous one. */
  #parseRowNumber(reference: string | undefined): number {
    const line = reference === undefined ? this.#line + 1 : Number(reference)
    if (Number.isInteger(line) && line >= 1 && line <= sheetRowsMax) return line
    throw new SourceFault(
      t`Cannot read ${this.#name}: a row has the number ${toQuoted(reference ?? String(line))}, but rows are numbered from 1 to ${sheetRowsMax}; open the workbook in Excel and save it again`,
    )
  }

  /** Adds the text of the cell to the row, or a fault if a column is read from it and it has no value. */
  #endCell(cell: Cell): void {
    this.#cell = undefined
    if (cell.index >= sheetColumnsMax) return
    if (this.#layout.isUsed(cell.index)) {
      const heading = this.#layout.headings[cell.index] ?? ''
      const isError = cell.type === 'e'
      // Tools other than Excel may omit the stored value. Only a text formula (`str`) can have an empty result.
      const lacksResult = cell.hasFormula && cell.type !== 'str' && cell.text.trim() === ''
      if (isError) this.#parseFault ??= { expected: t`a value in ${heading}`, value: cell.text }
      else if (lacksResult) {
        const expected = t`the formula in ${heading} to have a stored result (save the workbook in Excel)`
        this.#parseFault ??= { expected, value: '' }
      }
    }
    this.#cells[cell.index] = this.#toText(cell)
  }

  #toText(cell: Cell): string {
    switch (cell.type) {
      // The index of a shared string.
      case 's':
        return unescapeText(this.#workbook.strings.at(Number(cell.text)) ?? '')
      // A boolean.
      case 'b':
        return cell.text === '1' ? 'true' : 'false'
      // A date in ISO 8601.
      case 'd':
        return cell.text.trim()
      // A number, which is also how most dates are stored.
      case 'n': {
        const number = Number(cell.text)
        if (cell.text.trim() === '' || !Number.isFinite(number)) return cell.text
        const date = cell.style.isDate ? toDate(number, this.#workbook.countsFrom1904) : undefined
        return date ?? toDigits(number, cell.style)
      }
      // Text in the cell itself, or the result of a formula.
      default:
        return unescapeText(cell.text)
    }
  }

  #endRow(): void {
    const cells = this.#cells
    const isBlank = cells.every((cell) => cell === undefined || cell.trim() === '')
    if (isBlank && this.#parseFault === undefined) return
    this.hasContent = true
    if (this.#layout.headings.length === 0) {
      // The cells that the sheet omits are holes in the array; `Array.from` makes them undefined.
      this.#candidates.push({ line: this.#line, cells: Array.from(cells) })
      const areHeadingsFound = isHeadingRow(Array.from(cells), this.#layout)
      if (areHeadingsFound || (!this.#isProbe && this.#candidates.length > titleLinesMax)) this.#addHeadings()
      return
    }
    if (this.#isProbe) return
    const row = { line: this.#line, cells: cells.slice(0, this.#layout.headings.length) }
    this.rows.push(this.#parseFault === undefined ? row : { ...row, parseFault: this.#parseFault })
  }

  /** Takes the headings from the candidates. The rows after them become the first rows. */
  #addHeadings(): void {
    const candidates = this.#candidates.map(({ cells }) => cells)
    const index = findHeadingRow(candidates, this.#layout)
    noteTitleLines(this.#layout, candidates.slice(0, index))
    for (const heading of candidates[index] ?? []) this.#layout.append((heading ?? '').trim())
    if (this.#isProbe) return
    this.#layout.requireColumns()
    // If the headings are not known, rows below them were taken for candidates too.
    this.rows.push(...this.#candidates.slice(index + 1))
  }
}
