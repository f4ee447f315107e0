// Writes CSV (RFC 4180): records for `{base}/record.csv` and the command `search`, and the rejected rows of an import.
// Spreadsheets run cells that look like formulas, so such cells are made harmless.

/** Spreadsheets read a file as UTF-8 only if it starts with this. */
export const byteOrderMark = '\uFEFF'

/** One line with its line break, which is CRLF in RFC 4180. `separator` is one character, such as `;`. */
export function toCsvLine(cells: readonly string[], separator: string): string {
  return `${cells.map((cell) => toCell(cell, separator)).join(separator)}\r\n`
}

/** Quotes a cell with any usual separator, not only this one: a program that expects another can read it too. */
function toCell(value: string, separator: string): string {
  const text = formulaStart.test(value) ? `'${value}` : value
  const needsQuotes = text.includes(separator) || /["\r\n;,\t]/.test(text)
  return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * A spreadsheet runs a cell that starts like a formula ("CSV injection", OWASP); an apostrophe before it makes it text.
 * Some programs skip white space before the formula, and accept full-width signs (`＝`).
 */
const formulaStart = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/u
