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
  readonly index: number
  readonly type: string
  readonly style: CellStyle
  hasFormula: boolean
  text: string
}

const noStyle: CellStyle = { isDate: false, digitsMin: 0, leadingZeros: 0 }

class SheetReader {
  rows: Row[] = []
  readonly #workbook: Workbook
  readonly #layout: Layout
  #line = 0
  #cells: (string | undefined)[] = []
  #broken: Row['broken']
  #cell: Cell | undefined
  #isText = false
  #phoneticDepth = 0

  constructor(workbook: Workbook, layout: Layout) {
    this.#workbook = workbook
    this.#layout = layout
  }

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
        this.#broken = undefined
        return
      case 'c': {
        const index = parseColumn(attributes.r) ?? this.#cells.length
        const style = this.#workbook.styles[Number(attributes.s ?? '-1')] ?? noStyle
        this.#cell = { index, type: attributes.t ?? 'n', style, hasFormula: false, text: '' }
        return
      }
      case 'f':
        if (this.#cell !== undefined) this.#cell.hasFormula = true
        return
      case 'rPh':
        this.#phoneticDepth += 1
        return
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
      if (cell.type === 'e') this.#broken ??= { expected: `a value in ${heading}`, value: cell.text }
      // Tools other than Excel may omit the stored value. Only a text formula can have an empty result.
      else if (cell.hasFormula && cell.type !== 'str' && cell.text.trim() === '') {
        const expected = `the formula in ${heading} to have a stored result (save the workbook in Excel)`
        this.#broken ??= { expected, value: '' }
      }
    }
    this.#cells[cell.index] = this.#toText(cell)
  }

  #toText(cell: Cell): string {
    switch (cell.type) {
      case 's':
        return unescapeText(this.#workbook.strings.at(Number(cell.text)) ?? '')
      case 'b':
        return cell.text === '1' ? 'true' : 'false'
      case 'd':
        return cell.text.slice(0, 'YYYY-MM-DD'.length)
      case 'n': {
        const number = Number(cell.text)
        if (cell.text.trim() === '' || !Number.isFinite(number)) return cell.text
        const date = cell.style.isDate ? toDate(number, this.#workbook.countsFrom1904) : undefined
        return date ?? toDigits(number, cell.style)
      }
      default:
        return unescapeText(cell.text)
    }
  }

  #endRow(): void {
    const cells = this.#cells
    if (this.#broken === undefined && cells.every((cell) => cell === undefined || cell.trim() === '')) return
    if (this.#layout.headings.length === 0) {
      for (let index = 0; index < cells.length; index++) this.#layout.append((cells[index] ?? '').trim())
      this.#layout.requireColumns()
      return
    }
    const row = { line: this.#line, cells: cells.slice(0, this.#layout.headings.length) }
    this.rows.push(this.#broken === undefined ? row : { ...row, broken: this.#broken })
  }
}

/** `AB12` → 27. */
function parseColumn(reference: string | undefined): number | undefined {
  if (reference === undefined) return undefined
  let index = 0
  for (let position = 0; position < reference.length; position++) {
    const letter = reference.charCodeAt(position) - 0x40
    if (letter < 1 || letter > 26) break
    index = index * 26 + letter
  }
  return index === 0 ? undefined : index - 1
}

const dayMs = 86_400_000
/** 9999-12-31, the last day of Excel's calendar. */
const serialMax = 2_958_465

/** Serial numbers count days from 1 January 1900. Excel counts a 29 February 1900, serial 60, that did not exist. */
function toDate(serial: number, countsFrom1904: boolean): string | undefined {
  const day = Math.floor(serial)
  if (day < (countsFrom1904 ? 0 : 1) || day > serialMax || (!countsFrom1904 && day === 60)) return undefined
  const origin = countsFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, day < 60 ? 31 : 30)
  return new Date(origin + day * dayMs).toISOString().slice(0, 'YYYY-MM-DD'.length)
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
