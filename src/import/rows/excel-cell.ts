// Recognises what Excel leaves in cells: error values, numbers that have lost digits, dates that were codes, formulas
// without a result, and formulas that keep the zeros of a code. Sheets and CSV files report the faults alike.
import { t } from '../../language.ts'
import type { Layout } from './layout.ts'
import type { ParseFault } from './row.ts'

/** What is wrong with a cell; `shortened` is a number of CSV such as `1,23457E+12`. */
export type CellDefect = 'error value' | 'lost digits' | 'shortened' | 'date' | 'no result'

interface DefectRule {
  /** Whether the import needs the value that is lost. `index` is that of the heading. */
  readonly isLoss: (layout: Layout, index: number) => boolean
  readonly toExpected: (heading: string) => string
}

const lostDigits = (heading: string): string =>
  t`text in ${heading}, because so long a number loses digits (format the column as text and enter it again)`

const rules: Readonly<Record<CellDefect, DefectRule>> = {
  'error value': {
    isLoss: (layout, index) => layout.isUsed(index),
    toExpected: (heading) => t`a value in ${heading}`,
  },
  'lost digits': { isLoss: (layout, index) => layout.isUsed(index), toExpected: lostDigits },
  // Elsewhere it may be a text.
  shortened: { isLoss: (layout, index) => layout.identifies(index), toExpected: lostDigits },
  // A date that a mapping joins or rewrites is meant as one.
  date: {
    isLoss: (layout, index) => layout.identifies(index, { asWhole: true }),
    toExpected: (heading) =>
      t`text in ${heading}, of which Excel has made a date (format the column as text and enter the value again)`,
  },
  'no result': {
    isLoss: (layout, index) => layout.isUsed(index),
    toExpected: (heading) => t`the formula in ${heading} to have a stored result (save the workbook in Excel)`,
  },
}

/** Returns the fault of a cell with this defect, if the import needs the value that is lost. */
export function toDefectFault(
  defect: CellDefect,
  index: number,
  value: string,
  layout: Layout,
): ParseFault | undefined {
  const { isLoss, toExpected } = rules[defect]
  return isLoss(layout, index) ? { expected: toExpected(layout.headings[index] ?? ''), value: value.trim() } : undefined
}

/** Returns the fault of the first cell of a CSV record that a sheet would be rejected for too. */
export function findExcelFault(cells: readonly string[], layout: Layout): ParseFault | undefined {
  for (let index = 0; index < cells.length; index++) {
    const cell = cells[index] ?? ''
    const defect = firstCharacter.test(cell) ? findDefect(cell.trim()) : undefined
    const fault = defect === undefined ? undefined : toDefectFault(defect, index, cell, layout)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** Most cells begin with another character and are not looked at further. */
const firstCharacter = /^\s*[#E\d\-aefjmnosd]/

/**
 * The error values of Excel in English and in Spanish, those of LibreOffice (`Err:502`), or `########` of a column that
 * is too narrow for its value.
 */
const errorValue = new RegExp(
  String.raw`^(?:#(?:N/[AD]|[¡¿]?(?:${[
    'VALOR!|VALUE!|REF!|DIV/0!|NUM!|NULO!|NULL!',
    String.raw`NOMBRE\?|NAME\?`,
    'CALC!|CAMPO!|FIELD!|SPILL!|DESBORDAMIENTO!|OCUPADO!|BUSY!',
  ].join('|')}))|#{2,}|Err:\d{3})$`,
  'i',
)
/** A number as Excel shows it if it is too long, such as `1,23457E+12`: the other digits are lost. */
const shortenedNumber = /^-?\d(?:[.,]\d+)?E\+\d+$/i
const months = 'ene|feb|mar|abr|may|jun|jul|ago|sep|oct|nov|dic'
/**
 * What Excel shows in Spanish for `03-2001` and `3/1`, which it reads as dates: `mar-01`, `03-ene`. It shows small
 * letters, so `MAR-01` is a code.
 */
const monthDate = new RegExp(`^(?:\\d{1,2}-(?:${months})|(?:${months})-\\d{2})$`)

function findDefect(cell: string): CellDefect | undefined {
  if (errorValue.test(cell)) return 'error value'
  if (shortenedNumber.test(cell)) return 'shortened'
  return monthDate.test(cell) ? 'date' : undefined
}

/** Returns `03082-1` for the formula `="03082-1"`, which keeps Excel from reading a number. Other cells stay. */
export function withoutTextFormula(cell: string): string {
  if (!cell.startsWith('="')) return cell
  return /^="((?:[^"]|"")*)"$/.exec(cell)?.[1]?.replaceAll('""', '"') ?? cell
}
