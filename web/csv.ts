// Records as CSV that spreadsheets open by a double click (RFC 4180 lines and quotes, UTF-8 with a mark at its start).
import type { WireRecord } from '../src/domain/record.ts'

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

/** Excel takes a file for UTF-8 only when it begins with this. */
export const byteOrderMark = '\uFEFF'

export function toCsvHeader(separator: string): string {
  return `${columns.join(separator)}\r\n`
}

export function toCsvLine(record: WireRecord, separator: string): string {
  return `${columns.map((column) => toCell(record[column] ?? '', separator)).join(separator)}\r\n`
}

/**
 * A cell that begins like a formula would be run by the spreadsheet of whoever opens the file ("CSV injection",
 * OWASP): an apostrophe before it makes it text. Full-width signs count, because spreadsheets fold them.
 */
function toCell(value: string, separator: string): string {
  const text = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  return text.includes(separator) || /["\r\n;,\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
