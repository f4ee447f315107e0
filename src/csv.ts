// Writes CSV (RFC 4180). Spreadsheets run cells that look like formulas; an apostrophe before such a cell makes it a
// text.

/** Excel reads a CSV file as UTF-8 only if it starts with this. */
export const byteOrderMark = '\uFEFF'

/** Returns one line with CRLF at its end, as RFC 4180 requires. */
export function toCsvLine(cells: readonly string[], separator: string): string {
  return `${cells.map((cell) => toCell(cell, separator)).join(separator)}\r\n`
}

/**
 * Returns the cell with an apostrophe before a formula, and in quotes where they are needed. A formula that already has
 * an apostrophe gets another one, so that `withoutFormulaApostrophe` gives back each cell as it was. A cell that
 * contains any usual separator is quoted, so that a program that expects another separator reads it as one cell too.
 */
function toCell(value: string, separator: string): string {
  const text = isFormula(value) ? `'${value}` : value
  const needsQuotes = text.includes(separator) || /["\r\n;,\t]/.test(text)
  return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text
}

/** The cell without the apostrophe that `toCsvLine` has put before a formula. */
export function withoutFormulaApostrophe(cell: string): string {
  return cell.startsWith("'") && isFormula(cell) ? cell.slice(1) : cell
}

/** Whether the cell is like a formula, perhaps with apostrophes before it. */
function isFormula(cell: string): boolean {
  return formulaStart.test(cell.replace(/^'+/, ''))
}

/**
 * Matches a cell that a spreadsheet may run as a formula ("CSV injection", OWASP): `=1+1`, `-2`, ` @SUM(A1)`, and any
 * that starts with a tab or a line break. Some programs skip white space before the formula, and accept full-width
 * signs (`＝`). Does not match `1-2`.
 */
const formulaStart = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/u
