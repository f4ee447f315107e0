// The first visible sheet of an Excel workbook that is not empty, row by row: stored values of formulas, dates by the
// style of their cell as YYYY-MM-DD, numbers as people read them, with the zeros that their style puts before them.
// workbook.ts opens the parts.
import type { Layout } from '../rows/columns.ts'
import { batchRows, type Row, type Source } from './source.ts'
import type { SourceFile } from './source-file.ts'
import { type CellStyle, openWorkbook, type Workbook } from './workbook.ts'

/** The size of a sheet in Excel: more columns than these are no sheet's. */
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
        // People mean the first sheet by "the sheet", but not the empty one before it that a new workbook comes with.
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

const noStyle: CellStyle = { isDate: false, digitsMin: 0, zerosBefore: 0 }

class SheetReader {
  rows: Row[] = []
  readonly #workbook: Workbook
  readonly #layout: Layout
  #line = 0
  #cells: (string | undefined)[] = []
  #broken: Row['broken']
  #cell: Cell | undefined
  #isText = false
  #phonetic = 0

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
        this.#phonetic += 1
        return
      case 'v':
      case 't':
        this.#isText = this.#phonetic === 0
    }
  }

  text(piece: string): void {
    if (this.#isText && this.#cell !== undefined) this.#cell.text += piece
  }

  close(name: string): void {
    this.#isText = false
    if (name === 'rPh') this.#phonetic -= 1
    if (name === 'c' && this.#cell !== undefined) this.#endCell(this.#cell)
    if (name === 'row') this.#endRow()
  }

  #endCell(cell: Cell): void {
    this.#cell = undefined
    if (cell.index >= sheetColumnsMax) return
    if (this.#layout.isUsed(cell.index)) {
      const heading = this.#layout.headings[cell.index] ?? ''
      if (cell.type === 'e') this.#broken ??= { expected: `a value in ${heading}`, value: cell.text }
      // Only a text may be empty; other tools than Excel leave the value out, or write an element with nothing in it.
      else if (cell.hasFormula && cell.type !== 'str' && cell.text.trim() === '') {
        const expected = `the result of the formula in ${heading} to be stored: save the sheet in Excel`
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
  for (let at = 0; at < reference.length; at++) {
    const letter = reference.charCodeAt(at) - 0x40
    if (letter < 1 || letter > 26) break
    index = index * 26 + letter
  }
  return index === 0 ? undefined : index - 1
}

const dayMs = 86_400_000
/** 9999-12-31, where Excel's calendar ends. */
const serialMax = 2_958_465

/** Days since the turn of 1900, in which Excel counts a 29 February that never was (serial 60). */
function toDate(serial: number, countsFrom1904: boolean): string | undefined {
  const day = Math.floor(serial)
  if (day < (countsFrom1904 ? 0 : 1) || day > serialMax || (!countsFrom1904 && day === 60)) return undefined
  const origin = countsFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, day < 60 ? 31 : 30)
  return new Date(origin + day * dayMs).toISOString().slice(0, 'YYYY-MM-DD'.length)
}

/** Codes that Excel took for numbers have lost their zeros, which a format shows again. */
function toDigits(number: number, { digitsMin, zerosBefore }: CellStyle): string {
  if (!Number.isSafeInteger(number) || number < 0) return String(number)
  return '0'.repeat(zerosBefore) + String(number).padStart(digitsMin, '0')
}

/** ECMA-376 part 1, 22.9.2.19: characters that XML cannot hold are written `_x000D_`. */
function unescapeText(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([\dA-Fa-f]{4})_/g, (_written, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
}
