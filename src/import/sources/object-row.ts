// Turns the members of a JSON object, or of a database row, into the cells of a row. Members of nested objects have
// names with dots (`properties.EXP_ID`). The keys of a source are kept in a list of headings, and never as keys of an
// object of this program: a key `__proto__` would change its prototype.
import { t } from '../../language.ts'
import type { Layout } from '../rows/layout.ts'
import type { Row } from '../rows/row.ts'
import { toUncorrectedCell } from '../rows/uncorrected-cell.ts'
import { JsonText, toJsonText } from './json-text.ts'

/** Objects in objects are read up to this depth: `a.b.c.d.e` has depth 4. Deeper objects are shown as `{…}`. */
export const nestingMax = 4

/** A key of an object with its value. */
type Member = readonly [key: string, value: unknown]

/**
 * Adds the new keys of an object to the headings of `layout`. Returns a function that makes the row. It must be called
 * only once the keys of all objects of the batch are added: a later key may change the heading that a column is read
 * from, so it is not known earlier which values are needed.
 *
 * The row has a fault if a column is read from a key whose value is an object, a list (except a list of document names)
 * or an integer that is so large that it has lost digits. It also has a fault if a key is `__proto__`.
 */
export function addObject(members: Iterable<Member>, line: number, layout: Layout): () => Row {
  const flatMembers = [...flatten(members)]
  const isOpenDataSoft = flatMembers.some(([key]) => key.startsWith('record.fields.'))
  const readMembers = flatMembers.filter(([key, value]) => {
    // OpenDataSoft 2.0 adds to every record a list of links to its own pages. They are not our column `links`.
    const isLinksOfPortal = isOpenDataSoft && key === 'links' && toCell(value) === undefined
    return !isLinksOfPortal && !isProto(key)
  })
  for (const [key] of readMembers) layout.addKey(key)
  const hasProto = flatMembers.some(([key]) => isProto(key))
  const fault = hasProto ? { expected: t`keys that name columns`, value: '__proto__' } : undefined
  return () => toRow(readMembers, line, layout, fault)
}

/** No registry has a column of this name, so it is a mistake or an attack. */
function isProto(key: string): boolean {
  return /(?:^|\.)__proto__$/.test(key)
}

/** The keys of `members` are headings of `layout`. `fault` is the fault of the row, if it is known already. */
function toRow(members: readonly Member[], line: number, layout: Layout, fault: Row['parseFault']): Row {
  const cells: (string | undefined)[] = []
  /** The first fault of the row. */
  let parseFault = fault
  for (const [key, value] of members) {
    const index = layout.addKey(key)
    const isDocumentColumn = index === layout.indexOf('document')
    const cell = toCell(value) ?? (isDocumentColumn ? joinDocumentNames(value) : undefined)
    const isRejected = cell === undefined && layout.isUsed(index)
    if (isRejected) parseFault ??= { expected: t`${key} to be text`, value: toPlaceholder(value) }
    // The rejects file needs the value, so that it can be corrected. Other columns keep only a placeholder, because
    // the coordinates of a map may be long.
    cells[index] = cell ?? (isRejected ? toUncorrectedCell(toRejectedText(value)) : toPlaceholder(value))
  }
  return parseFault === undefined ? { line, cells } : { line, cells, parseFault }
}

/**
 * Yields the members of nested objects in place of the objects. An object stays if it is empty or nested deeper than
 * `nestingMax`. `prefix` is put before the keys; it is empty or ends with a dot.
 */
function* flatten(members: Iterable<Member>, prefix = '', depth = 0): Generator<Member, void, undefined> {
  for (const [key, value] of members) {
    // A list, bytes (bytea of PostgreSQL) and a value that json.ts has skipped (`JsonText`) are not taken apart.
    // `toCell` has no text for them. Dates of a query are text already (postgres.ts).
    const isSingle = Array.isArray(value) || value instanceof Uint8Array || value instanceof JsonText
    const isNested = typeof value === 'object' && value !== null && !isSingle
    const nested = isNested && depth < nestingMax ? Object.entries(value) : []
    if (nested.length === 0 || key === '__proto__') yield [prefix + key, value]
    else yield* flatten(nested, `${prefix}${key}.`, depth + 1)
  }
}

/** Returns undefined for an object, for bytes, for a list, and for an integer that has lost digits. */
function toCell(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  if (typeof value === 'number') {
    const hasLostDigits = Number.isInteger(value) && !Number.isSafeInteger(value)
    return hasLostDigits ? undefined : String(value)
  }
  return undefined
}

/** The column `document` may be a list of file names. Returns undefined if the value is anything else. */
function joinDocumentNames(value: unknown): string | undefined {
  const isListOfNames = Array.isArray(value) && value.every((each) => typeof each === 'string')
  return isListOfNames ? value.join(';') : undefined
}

/** The value for the rejects file, if `toCell` has no text: the JSON text of a list or an object. */
function toRejectedText(value: unknown): string {
  const isJson = typeof value === 'object' && value !== null && !(value instanceof Uint8Array)
  return (isJson ? toJsonText(value) : undefined) ?? toPlaceholder(value)
}

/** Stands for a value in a message, if `toCell` has no text. */
function toPlaceholder(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return Array.isArray(value) ? '[…]' : '{…}'
}
