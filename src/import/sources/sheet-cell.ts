// What a cell of a sheet says (ECMA-376 part 1): its text as Excel shows it, and whether it has lost its value. Formulas
// give their stored value, cells with a date style become YYYY-MM-DD, and integers are shown as their style shows them.
import type { CellDefect } from '../rows/excel-cell.ts'
import { showDigits } from './digit-format.ts'
import type { CellStyle, Workbook } from './workbook.ts'

export interface SheetCell {
  readonly text: string
  readonly defect?: CellDefect
}

/** A cell as the XML has it. */
export interface RawCell {
  /** The attribute `t` (18.18.11). */
  readonly type: string
  readonly style: CellStyle
  readonly hasFormula: boolean
  /** The value: a number, an index of a shared string, or a text. */
  readonly text: string
}

export function toSheetCell(raw: RawCell, workbook: Workbook): SheetCell {
  const text = toText(raw, workbook)
  const defect = toDefect(raw)
  return defect === undefined ? { text } : { text, defect }
}

function toText({ type, style, text }: RawCell, { strings, countsFrom1904 }: Workbook): string {
  const isBlank = text.trim() === ''
  switch (type) {
    // The index of a shared string. Some programs write an empty cell without one.
    case 's':
      return isBlank ? '' : unescapeText(strings.at(Number(text)) ?? '')
    // A boolean, or a cell that is formatted as one and has no value.
    case 'b':
      return isBlank ? '' : String(text === '1')
    // A date in ISO 8601.
    case 'd':
      return text.trim()
    // A number, which is also how most dates are stored.
    case 'n': {
      const number = Number(text)
      // A number that has lost digits is not rounded further: the rejects file has it as it is stored.
      if (isBlank || !Number.isFinite(number) || hasLostDigits(number, style)) return text
      const date = style.isDate ? toDate(number, countsFrom1904) : undefined
      return date ?? showDigits(number, style.digits)
    }
    // Text in the cell itself (`inlineStr`), the text of a formula (`str`), or an error such as `#N/A` (`e`).
    default:
      return unescapeText(text)
  }
}

function toDefect({ type, style, text, hasFormula }: RawCell): CellDefect | undefined {
  if (type === 'e') return 'error value'
  if (type === 'n' && hasLostDigits(Number(text), style)) return 'lost digits'
  const isBlank = text.trim() === ''
  // A date in place of a code or the like, such as 1 March 2001 for the code `03-2001`.
  if (!isBlank && (type === 'd' || (type === 'n' && style.isDate))) return 'date'
  // Tools other than Excel may omit the stored value. An empty result is valid only for a formula that gives text
  // (`str`).
  return isBlank && hasFormula && type !== 'str' ? 'no result' : undefined
}

/** Whether the number is so large that not every whole number near it can be stored. */
function hasLostDigits(number: number, { isDate }: CellStyle): boolean {
  return !isDate && Number.isInteger(number) && !Number.isSafeInteger(number)
}

/**
 * Returns the column of a cell reference, counted from 0: 27 for `AB12`. Its letters are a number in base 26 with the
 * digits `A` for 1 to `Z` for 26. Returns undefined if the reference is absent or has no letters.
 */
export function parseColumn(reference = ''): number | undefined {
  const [letters = ''] = /^[A-Z]*/.exec(reference) ?? []
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 'A'.charCodeAt(0) + 1
  return column === 0 ? undefined : column - 1
}

const dayMs = 86_400_000
/** The number of 29 February 1900 in Excel's calendar. It did not exist, so later days have a number one too high. */
const nonexistentDay = 60
/** Excel's last day. */
const lastDay = '9999-12-31'

/**
 * Returns the day as `YYYY-MM-DD`, or undefined if the number is no day. A serial number counts days, with the time of
 * day as a fraction. 1 January is day 1 if the count is from 1900, and day 0 if it is from 1904.
 */
function toDate(serial: number, countsFrom1904: boolean): string | undefined {
  const day = Math.floor(serial)
  if (day < (countsFrom1904 ? 0 : 1) || (!countsFrom1904 && day === nonexistentDay)) return undefined
  // The day with the number 0 is 31 December 1899. The nonexistent day makes later numbers one too high, so for them it
  // is 30 December. Months are counted from 0 (11 is December).
  const dayZero = countsFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, day < nonexistentDay ? 31 : 30)
  const date = new Date(dayZero + day * dayMs)
  const isInCalendar = !Number.isNaN(date.getTime()) && date <= new Date(lastDay)
  return isInCalendar ? date.toISOString().slice(0, lastDay.length) : undefined
}

/** Decodes characters that XML does not allow, which are written like `_x000D_` (22.9.2.19). */
function unescapeText(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([\dA-Fa-f]{4})_/g, (_escape, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
}
