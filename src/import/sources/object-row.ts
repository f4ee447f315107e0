// The members of a JSON object as the cells of a row. Objects of a source never become objects of ours: a key is
// only ever compared with headings, so that `__proto__` stays text.
import type { Layout } from '../rows/columns.ts'
import type { Row } from './source.ts'

export function readMembers(members: Iterable<readonly [string, unknown]>, line: number, layout: Layout): Row {
  const cells: (string | undefined)[] = []
  let broken: Row['broken']
  for (const [key, value] of members) {
    if (key === '__proto__') {
      broken ??= { expected: 'keys that name columns', value: key }
      continue
    }
    const index = layout.add(key)
    const cell = toCell(value, index === layout.indexOf('document'))
    // What nobody reads may be of any shape.
    if (cell === undefined && layout.isUsed(index)) {
      broken ??= { expected: `${key} to be text`, value: toShape(value) }
    }
    cells[index] = cell ?? toShape(value)
  }
  return broken === undefined ? { line, cells } : { line, cells, broken }
}

/** Undefined where the value is no text: an object, or a list that is not one of document names. */
function toCell(value: unknown, isList: boolean): string | undefined {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  // A longer number has lost its last digits already; it is text in the source, or refused.
  if (typeof value === 'number' && !(Number.isInteger(value) && !Number.isSafeInteger(value))) return String(value)
  if (isList && Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(';')
  return undefined
}

/** Not its JSON: a value nested deep enough would overflow the stack of whoever writes it out. */
function toShape(value: unknown): string {
  return typeof value === 'number' ? String(value) : Array.isArray(value) ? '[…]' : '{…}'
}
