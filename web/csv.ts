// Records as CSV (RFC 4180) in UTF-8 with a byte order mark, so that spreadsheets open the file correctly.
import type { WireRecord } from '../src/client/client.ts'

const columns = [
  'id',
  'registration_number',
  'title',
  'area',
  'checkin_date',
  'inscription_date',
  'municipality',
  'links',
  'agreement_link',
] as const

/** Excel reads a file as UTF-8 only if it starts with this. */
export const byteOrderMark = '\uFEFF'

export function toCsvHeader(separator: string): string {
  return `${columns.join(separator)}\r\n`
}

export function toCsvLine(record: WireRecord, separator: string): string {
  return `${columns.map((column) => toCell(record[column] ?? '', separator)).join(separator)}\r\n`
}

/**
 * A spreadsheet runs a cell that starts like a formula ("CSV injection", OWASP); an apostrophe before it makes it text.
 * Spreadsheets accept full-width signs too.
 */
function toCell(value: string, separator: string): string {
  const text = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  return text.includes(separator) || /["\r\n;,\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
