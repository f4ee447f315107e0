// Recognises what Excel leaves in the cells of a CSV file: error values, numbers that have lost digits, and formulas
// that keep the zeros of a code. Also has the faults that CSV and XLSX sources report alike.
import { t } from '../../language.ts'
import type { ParseFault } from './row.ts'

/**
 * The error values of Excel in English and in Spanish, those of LibreOffice (`Err:502`), or `########` of a column that
 * is too narrow for its value.
 */
const errorValue = new RegExp(
  String.raw`^\s*(?:#(?:N/[AD]|[¡¿]?(?:${[
    'VALOR!|VALUE!|REF!|DIV/0!|NUM!|NULO!|NULL!',
    String.raw`NOMBRE\?|NAME\?`,
    'CALC!|CAMPO!|FIELD!|SPILL!|DESBORDAMIENTO!|OCUPADO!|BUSY!',
  ].join('|')}))|#{2,}|Err:\d{3})\s*$`,
  'i',
)

export function isErrorValue(cell: string): boolean {
  return errorValue.test(cell)
}

/** A number as Excel shows it if it is too long, such as `1,23457E+12`: the other digits are lost. */
const shortenedNumber = /^\s*-?\d(?:[.,]\d+)?E\+\d+\s*$/i

export function isShortenedNumber(cell: string): boolean {
  return shortenedNumber.test(cell)
}

const months = 'ene|feb|mar|abr|may|jun|jul|ago|sep|oct|nov|dic'
/** What Excel shows in Spanish for `03-2001` and `3/1`, which it reads as dates: `mar-01`, `03-ene`. */
const monthDate = new RegExp(String.raw`^\s*(?:\d{1,2}-(?:${months})|(?:${months})-\d{2})\s*$`)

/** Whether the cell is a date as Excel shows it, in small letters. `MAR-01` is taken for a code. */
export function isMonthDate(cell: string): boolean {
  return monthDate.test(cell)
}

/** The formula `="03082-1"`, in which quotes are doubled. The last cell of a line may end with a carriage return. */
const textFormula = /^="((?:[^"]|"")*)"\r?$/

/** Returns `03082-1` for `="03082-1"`, which keeps Excel from reading a number or a date. Other cells stay. */
export function withoutTextFormula(cell: string): string {
  if (!cell.startsWith('="')) return cell
  return textFormula.exec(cell)?.[1]?.replaceAll('""', '"') ?? cell
}

/** The fault of an error value. */
export function toErrorValueFault(heading: string, value: string): ParseFault {
  return { expected: t`a value in ${heading}`, value }
}

/** The fault of a code, an id or a number of which Excel has made a date. */
export function toDateFault(heading: string, value: string): ParseFault {
  const expected = t`text in ${heading}, of which Excel has made a date (format the column as text and enter the value again)`
  return { expected, value }
}

/** The fault of a number that is too long for Excel, so that its last digits are lost. */
export function toLostDigitsFault(heading: string, value: string): ParseFault {
  const expected = t`text in ${heading}, because so long a number loses digits (format the column as text and enter it again)`
  return { expected, value }
}
