// Reads the first visible, non-empty sheet of an Excel workbook row by row. Formulas give their stored value, cells
// with a date style become YYYY-MM-DD, and numbers keep the leading zeros of their style. workbook.ts opens the file.
import type { Layout } from '../rows/layout.ts'
import type { Row } from '../rows/row.ts'
import { batchRows, type Source } from './source.ts'
import type { SourceFile } from './source-file.ts'
import { type CellStyle, openWorkbook, type Workbook } from './workbook.ts'

/** The limit of Excel. */
const sheetColumnsMax = 16_384

export async function openXlsx(file: SourceFile, layout: Layout): Promise<Source> {
  const workbook = await openWorkbook(file)
  let share = 0
  return {
    name: file.name,
    layout,
    rows: async function* () {
      for (const sheet of workbook.sheets) {
        const reader = new SheetReader(workbook, layout)
        for await (const bytes of sheet.read(reader)) {
          share = bytes / Math.max(1, sheet.bytes)
          if (reader.rows.length >= batchRows) yield reader.takeRows()
        }
        await file.requireUnchanged()
        if (reader.rows.length > 0) yield reader.takeRows()
        // A workbook may begin with empty sheets; the first one with content is the one to read.
        if (layout.headings.length > 0) return
      }
    },
    shareRead: () => share,
    close: async () => {
      workbook.close()
      await file.close()
    },
  }
}

interface Cell {
  /** Column of the sheet, from 0. */
  readonly index: number
  /** The attribute `t` (ECMA-376 part 1, 18.18.11); see `#toText`. */
  readonly type: string
  readonly style: CellStyle
  hasFormula: boolean
  text: string
}

const noStyle: CellStyle = { isDate: false, digitsMin: 0, leadingZeros: 0 }

/** Turns the XML elements of a sheet into rows. The first row that is not blank is the headings. */
class SheetReader {
  rows: Row[] = []
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

  constructor(workbook: Workbook, layout: Layout) {
    this.#workbook = workbook
    this.#layout = layout
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
        this.#line = Number(attributes.r ?? this.#line + 1)
        this.#cells = []
        this.#parseFault = undefined
        return
      // A cell.
      case 'c': {
        const index = parseColumn(attributes.r) ?? this.#cells.length
        const style = this.#workbook.styles[Number(attributes.s ?? '-1')] ?? noStyle
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

  #endCell(cell: Cell): void {
    this.#cell = undefined
    if (cell.index >= sheetColumnsMax) return
    if (this.#layout.isUsed(cell.index)) {
      const heading = this.#layout.headings[cell.index] ?? ''
      const isError = cell.type === 'e'
      // Tools other than Excel may omit the stored value. Only a text formula (`str`) can have an empty result.
      const lacksResult = cell.hasFormula && cell.type !== 'str' && cell.text.trim() === ''
      if (isError) this.#parseFault ??= { expected: `a value in ${heading}`, value: cell.text }
      else if (lacksResult) {
        const expected = `the formula in ${heading} to have a stored result (save the workbook in Excel)`
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
        return cell.text.slice(0, 'YYYY-MM-DD'.length)
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
    if (this.#layout.headings.length === 0) {
      for (let index = 0; index < cells.length; index++) this.#layout.append((cells[index] ?? '').trim())
      this.#layout.requireColumns()
      return
    }
    const row = { line: this.#line, cells: cells.slice(0, this.#layout.headings.length) }
    this.rows.push(this.#parseFault === undefined ? row : { ...row, parseFault: this.#parseFault })
  }
}

/** The letters of a cell reference are a number with 26 digits, `A` for 1: `AB12` is in column 27, counted from 0. */
function parseColumn(reference: string | undefined): number | undefined {
  if (reference === undefined) return undefined
  let column = 0
  for (let position = 0; position < reference.length; position++) {
    const digit = reference.charCodeAt(position) - 'A'.charCodeAt(0) + 1
    if (digit < 1 || digit > 26) break
    column = column * 26 + digit
  }
  return column === 0 ? undefined : column - 1
}

const dayMs = 86_400_000
/** 9999-12-31, the last day of Excel's calendar. */
const serialMax = 2_958_465
/** Excel's calendar has a 29 February 1900, which did not exist. */
const nonexistentDay = 60

/**
 * A serial number counts days, with the time of day as a fraction. 1 January is day 1 if the count is from 1900, and
 * day 0 if it is from 1904.
 */
function toDate(serial: number, countsFrom1904: boolean): string | undefined {
  const day = Math.floor(serial)
  if (day > serialMax) return undefined
  if (countsFrom1904) return day < 0 ? undefined : addDays(Date.UTC(1904, 0, 1), day)
  if (day < 1 || day === nonexistentDay) return undefined
  const dayZero = day < nonexistentDay ? Date.UTC(1899, 11, 31) : Date.UTC(1899, 11, 30)
  return addDays(dayZero, day)
}

function addDays(originMs: number, days: number): string {
  return new Date(originMs + days * dayMs).toISOString().slice(0, 'YYYY-MM-DD'.length)
}

/** Codes stored as numbers have lost their leading zeros, which the cell format restores. */
function toDigits(number: number, { digitsMin, leadingZeros }: CellStyle): string {
  if (!Number.isSafeInteger(number) || number < 0) return String(number)
  return '0'.repeat(leadingZeros) + String(number).padStart(digitsMin, '0')
}

/** Characters not allowed in XML are written as `_x000D_` (ECMA-376 part 1, 22.9.2.19). */
function unescapeText(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([\dA-Fa-f]{4})_/g, (_escape, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
}
