// Turns the members of a JSON object, or of a database row, into the cells of a row. Keys are only compared with
// headings and never become keys of an object of ours, so that `__proto__` is harmless.
import type { Layout } from '../rows/layout.ts'
import type { Row } from '../rows/row.ts'

export function toRow(members: Iterable<readonly [string, unknown]>, line: number, layout: Layout): Row {
  const cells: (string | undefined)[] = []
  let broken: Row['broken']
  for (const [key, value] of members) {
    if (key === '__proto__') {
      broken ??= { expected: 'keys that name columns', value: key }
      continue
    }
    const index = layout.addKey(key)
    const cell = toCell(value, index === layout.indexOf('document'))
    if (cell === undefined && layout.isUsed(index)) {
      broken ??= { expected: `${key} to be text`, value: toShape(value) }
    }
    cells[index] = cell ?? toShape(value)
  }
  return broken === undefined ? { line, cells } : { line, cells, broken }
}

/** Returns undefined for an object, for a list that is not a list of document names, and for an unsafe integer. */
function toCell(value: unknown, isDocumentList: boolean): string | undefined {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  // An unsafe integer has already lost digits.
  if (typeof value === 'number' && !(Number.isInteger(value) && !Number.isSafeInteger(value))) return String(value)
  if (isDocumentList && Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(';')
  return undefined
}

/** Not `JSON.stringify`: a deeply nested value would overflow the stack. */
function toShape(value: unknown): string {
  return typeof value === 'number' ? String(value) : Array.isArray(value) ? '[…]' : '{…}'
}
