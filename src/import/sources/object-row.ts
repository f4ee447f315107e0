// Turns a JSON object, or a database row, into the cells of a row. Members of nested objects have names with dots
// (`properties.EXP_ID`). The keys of a source are kept in a list of headings, and never as keys of an object of this
// program: a key `__proto__` would change its prototype.
import { t } from '../../language.ts'
import type { Layout } from '../rows/layout.ts'
import type { Row } from '../rows/row.ts'
import { toUncorrectedCell } from '../rows/uncorrected-cell.ts'

/** Objects in objects are read up to this depth: `a.b.c.d.e` has depth 4. Deeper objects are shown as `{…}`. */
const nestingMax = 4
/** A list or an object in place of a text is cut at this length in the rejects file, and ends with `…`. */
const rejectedCharactersMax = 4000

/** A key of an object with its value. */
type Member = readonly [key: string, value: unknown]

/**
 * Adds the new keys of an object to the headings of `layout`. Returns a function that makes the row. It must be called
 * only once the keys of all objects of the batch are added: a later key may change the heading that a column is read
 * from, so it is not known earlier which values are needed.
 *
 * The row has a fault if a column is read from a key whose value is an object or a list (except a list of document
 * names), or if a key is `__proto__`.
 */
export function addObject(object: object, line: number, layout: Layout): () => Row {
  const members = membersOf(object)
  const isOpenDataSoft = members.some(([key]) => key.startsWith('record.fields.'))
  const readMembers = members.filter(([key, value]) => {
    // OpenDataSoft 2.0 adds to every record a list of links to its own pages. They are not our column `links`.
    const isLinksOfPortal = isOpenDataSoft && key === 'links' && Array.isArray(value)
    return !isLinksOfPortal && !isProto(key)
  })
  for (const [key] of readMembers) layout.addKey(key)
  // No registry has a column of this name, so it is a mistake or an attack.
  const hasProto = members.some(([key]) => isProto(key))
  const fault = hasProto ? { expected: t`keys that name columns`, value: '__proto__' } : undefined
  return () => toRow(readMembers, line, layout, fault)
}

function isProto(key: string): boolean {
  return key.endsWith('__proto__') && /(?:^|\.)__proto__$/.test(key)
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
    const placeholder = Array.isArray(value) ? '[…]' : '{…}'
    const isRejected = cell === undefined && layout.isUsed(index)
    if (isRejected) parseFault ??= { expected: t`${key} to be text`, value: placeholder }
    // The rejects file needs the value, so that it can be corrected. Other columns keep only a placeholder, because
    // the coordinates of a map may be long.
    cells[index] = cell ?? (isRejected ? toUncorrectedCell(toRejectedText(value) ?? placeholder) : placeholder)
  }
  return parseFault === undefined ? { line, cells } : { line, cells, parseFault }
}

/**
 * Returns the members of an object, with those of nested objects in place of the objects. An object stays if it is
 * empty or nested deeper than `nestingMax`. `prefix` is put before the keys; it is empty or ends with a dot.
 */
export function membersOf(object: object, prefix = '', depth = 0, members: Member[] = []): Member[] {
  for (const [key, value] of Object.entries(object)) {
    // A list and bytes (bytea of PostgreSQL) are not taken apart: `toCell` has no text for them.
    const isNested = typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value)
    const staysWhole = !isNested || depth >= nestingMax || key === '__proto__' || Object.keys(value).length === 0
    if (staysWhole) members.push([prefix + key, value])
    else membersOf(value, `${prefix}${key}.`, depth + 1, members)
  }
  return members
}

/** Returns undefined for an object, for bytes and for a list. */
function toCell(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? undefined : String(value)
}

/** The column `document` may be a list of file names. Returns undefined if the value is anything else. */
function joinDocumentNames(value: unknown): string | undefined {
  const isListOfNames = Array.isArray(value) && value.every((each) => typeof each === 'string')
  return isListOfNames ? value.join(';') : undefined
}

/** The JSON of a list or an object. Undefined for bytes, and if writing it would overflow the stack. */
function toRejectedText(value: unknown): string | undefined {
  if (ArrayBuffer.isView(value)) return undefined
  try {
    const text = JSON.stringify(value)
    return text.length > rejectedCharactersMax ? `${text.slice(0, rejectedCharactersMax)}…` : text
  } catch {
    return undefined
  }
}
