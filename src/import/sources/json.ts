// Reads JSON, in which the array of records may be inside objects, as open-data portals publish it, and NDJSON, one
// object per line. A file of one object with all required columns is one record.
import { t, toQuantity } from '../../language.ts'
import type { Layout } from '../rows/layout.ts'
import { toQuoted } from '../rows/quote.ts'
import type { Row } from '../rows/row.ts'
import { recordCharactersMax } from '../rows/row.ts'
import { SourceFault } from '../source-fault.ts'
import { type Encoding, readText, toEncodingName } from './encoding.ts'
import { completeRating, rateHeadings } from './heading-row.ts'
import { describeJsonFault, parseJson } from './json-text.ts'
import { addObject, membersOf } from './object-row.ts'
import { batchCharactersMax, batchRows, type Source } from './source.ts'
import type { SourceFile } from './source-file.ts'

/** Limit of a JSON file in MiB, because it is in memory as a whole. NDJSON has none. */
const jsonMebibytesMax = 128
/**
 * Where open-data portals have their records: CKAN (`result.…`), OpenDataSoft (`records` and `results`), GeoJSON and
 * ArcGIS (`features`), and OData (`value`). The keys of nested objects are joined with dots. An earlier path is
 * preferred.
 */
const knownPaths: readonly string[] = ['result.records', 'records', 'results', 'features', 'result.results', 'value']
/** Arrays are looked for in objects up to this depth. */
const pathDepthMax = 10
/** The keys of so many objects of an array show whether they are records. */
const ratedElementsMax = 100
/** Properties or arrays listed in a message. */
const listedMax = 12

/** `recordsAt` is the path of the array of records, such as `result.records`, if the user gave it. */
export function openJson(file: SourceFile, layout: Layout, encoding: Encoding, recordsAt?: string): Source {
  return toSource('JSON', file, layout, encoding, () => readArray(file, layout, encoding, recordsAt))
}

export function openNdjson(file: SourceFile, layout: Layout, encoding: Encoding): Source {
  return toSource('NDJSON', file, layout, encoding, () => readLines(file, encoding))
}

/** A value that should be an object, and its place in the source. */
interface Element {
  readonly line: number
  readonly value: unknown
  /** Length of its text; 0 if the whole source is in memory. */
  readonly characters: number
  /** Completes the message "expected …" if it is no object. */
  readonly expected: string
}

function toSource(
  format: string,
  file: SourceFile,
  layout: Layout,
  encoding: Encoding,
  read: () => AsyncGenerator<Element, void, undefined>,
): Source {
  return {
    name: file.name,
    layout,
    rows: () => toBatches(read(), layout, encoding),
    describe: () => `${format}, ${toEncodingName(encoding)}`,
    shareRead: () => file.bytesRead / file.size,
    close: () => file.close(),
  }
}

async function* toBatches(
  elements: AsyncIterable<Element>,
  layout: Layout,
  encoding: Encoding,
): AsyncGenerator<readonly Row[], void, undefined> {
  /** Functions that make the rows of the batch, to be called once the keys of all its objects are known. */
  let rows: (() => Row)[] = []
  /** Long records could fill the memory before there are `batchRows` of them. */
  let characters = 0
  const takeRows = (): Row[] => {
    // Without any object there are no columns to require; every element is rejected on its own.
    if (layout.headings.length > 0) layout.requireColumns()
    const taken = rows.map((toRow) => toRow())
    rows = []
    characters = 0
    return taken
  }
  for await (const element of elements) {
    rows.push(addElement(element, layout, encoding))
    characters += element.characters
    if (rows.length >= batchRows || characters >= batchCharactersMax) yield takeRows()
  }
  if (rows.length > 0) yield takeRows()
}

function addElement({ line, value, expected }: Element, layout: Layout, encoding: Encoding): () => Row {
  if (isObject(value)) {
    const toRow = addObject(value, line, layout)
    return encoding.isMixed ? () => withEncodingFault(toRow(), Object.keys(value)) : toRow
  }
  const text = Array.isArray(value) ? t`a list` : String(value)
  return () => ({ line, cells: [text], parseFault: { expected, value: text } })
}

/** In a file that is mostly UTF-8, `readText` has replaced other bytes of the keys and cells by U+FFFD. */
function withEncodingFault(row: Row, keys: readonly string[]): Row {
  const invalid = [...keys, ...row.cells].find((text) => text?.includes('\uFFFD'))
  if (row.parseFault !== undefined || invalid === undefined) return row
  return { ...row, parseFault: { expected: t`text in UTF-8, like the rest of the file`, value: invalid } }
}

/** Yields the value of each line that is not blank. A line that is not JSON is a text, which is rejected. */
async function* readLines(file: SourceFile, encoding: Encoding): AsyncGenerator<Element, void, undefined> {
  const expected = t`one JSON object per line`
  let line = 0
  const toElement = (text: string): Element[] => {
    line += 1
    const trimmed = text.trim()
    return trimmed === '' ? [] : [{ line, value: parseLine(trimmed), characters: text.length, expected }]
  }
  /** The incomplete line at the end of the last chunk. */
  let rest = ''
  for await (const chunk of readText(file, encoding)) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const text of lines) yield* toElement(text)
    if (rest.length > recordCharactersMax) {
      throw new SourceFault(
        t`Cannot read ${file.name}: line ${String(line + 1)} is longer than ${String(recordCharactersMax)} characters; export one record per line, or an array of records`,
      )
    }
  }
  yield* toElement(rest)
}

/** A list is shown as it is written, because the line is rejected. */
function parseLine(text: string): unknown {
  try {
    const value = parseJson(text)
    return isObject(value) ? value : text
  } catch {
    return text
  }
}

async function* readArray(
  file: SourceFile,
  layout: Layout,
  encoding: Encoding,
  recordsAt: string | undefined,
): AsyncGenerator<Element, void, undefined> {
  const { name } = file
  if (file.size > jsonMebibytesMax * 1024 * 1024) {
    throw new SourceFault(
      t`Cannot read ${name}: a JSON file may have ${jsonMebibytesMax} MB; export it as NDJSON (one record per line) or as CSV`,
    )
  }
  let text = ''
  for await (const chunk of readText(file, encoding)) text += chunk
  let parsed: unknown
  try {
    parsed = parseJson(text)
  } catch (error) {
    throw new SourceFault(t`Cannot read ${name}: ${describeJsonFault(text, error)}; fix it, or export the file again`)
  }
  layout.countsRecords = true
  const expected = t`every record to be an object`
  let line = 0
  for (const value of findRecords(name, parsed, layout, recordsAt))
    yield { line: ++line, value, characters: 0, expected }
}

/** An array of the file. In GeoJSON its path is `features`. */
interface FoundArray {
  readonly path: string
  readonly elements: unknown[]
}

/**
 * Returns the records: the array that the user named, the file itself if it is an array or one record, the only array
 * of objects (or else the only empty array), the one whose keys are best known, or one where a portal has its records.
 */
function findRecords(name: string, parsed: unknown, layout: Layout, recordsAt: string | undefined): unknown[] {
  if (recordsAt !== undefined) {
    const arrays = findArrays(parsed, { inElements: true })
    const found = arrays.find(({ path }) => path === recordsAt)
    if (found !== undefined) return found.elements
    const known = arrays.length === 0 ? t`it has no array` : t`its arrays are ${toList(arrays)}`
    throw new SourceFault(t`Cannot read ${name}: there is no array at ${toQuoted(recordsAt)}; ${known}`)
  }
  const rate = (elements: readonly unknown[]): number => rateElements(elements, layout)
  if (rate([parsed]) === completeRating) return [parsed]
  const outer = findArrays(parsed, { inElements: false })
  // If nothing is known in these, the records may be in the elements of an array, such as pages.
  const isKnown = ({ elements }: FoundArray): boolean => rate(elements) > 0
  const inner = outer.some(isKnown) ? [] : findArrays(parsed, { inElements: true })
  const arrays = inner.some(isKnown) ? inner : outer
  const withObjects = arrays.filter(({ elements }) => elements.some(isObject))
  const candidates = withObjects.length > 0 ? withObjects : arrays.filter(({ elements }) => elements.length === 0)
  const best = Math.max(0, ...candidates.map(({ elements }) => rate(elements)))
  const [chosen, ...others] = candidates.filter(({ elements }) => rate(elements) === best)
  const isBetter = ({ elements }: FoundArray): boolean => rate(elements) > best
  const known =
    others.length === 0 ? chosen : knownPaths.flatMap((at) => candidates.filter(({ path }) => path === at))[0]
  if (known !== undefined) {
    if (known.path !== '') layout.notes.push(t`records found at ${toQuoted(known.path)}`)
    const isComplete = best === completeRating
    const inside = isComplete ? undefined : findArrays(parsed, { inElements: true }).find(isBetter)
    if (inside !== undefined) {
      layout.notes.push(t`more columns are known in ${toList([inside])}: --records-at ${inside.path} reads them`)
    }
    return known.elements
  }
  if (Array.isArray(parsed)) return parsed
  if (chosen !== undefined) {
    throw new SourceFault(
      t`Cannot read ${name}: it has several arrays: ${toList(arrays)}; choose one with --records-at`,
    )
  }
  // The file is probably one record that lacks a column. Reading it as a record gives a message about the column, which
  // helps more than the message below.
  if (rate([parsed]) > 0) return [parsed]
  const keys = isObject(parsed) ? membersOf(parsed).map(([key]) => toQuoted(key)) : []
  const properties =
    keys.length === 0 ? t`it has no properties` : t`its properties are ${keys.slice(0, listedMax).join(', ')}`
  throw new SourceFault(
    t`Cannot read ${name}: expected an array of records, or an object with that array; ${properties}`,
  )
}

/** Returns how likely the elements are records, by the columns that their keys give (`rateHeadings`). */
function rateElements(elements: readonly unknown[], layout: Layout): number {
  const probe = layout.toEmpty()
  for (const element of elements.filter(isObject).slice(0, ratedElementsMax)) addObject(element, 0, probe)
  return rateHeadings(probe)
}

/**
 * Returns the arrays in objects of the file or, if the file is an array, that one. With `inElements` also those in the
 * elements of others: `[{"municipio": "Ibi", "plan": [{"n": 1}]}, …]` then has `plan` with all plans. Each plan has the
 * texts and numbers of its element too, here the `municipio`.
 */
function findArrays(parsed: unknown, { inElements }: { readonly inElements: boolean }): FoundArray[] {
  const elementsByPath = new Map<string, unknown[]>()
  const visit = (value: unknown, keys: readonly string[], inherited: object): void => {
    if (Array.isArray(value)) {
      const path = keys.join('.')
      const found = elementsByPath.get(path) ?? []
      elementsByPath.set(path, found)
      for (const element of value) {
        found.push(isObject(element) ? { ...inherited, ...element } : element)
        if (inElements && isObject(element)) visit(element, keys, { ...inherited, ...toPlainMembers(element) })
      }
    } else if (isObject(value) && keys.length < pathDepthMax) {
      for (const [key, member] of Object.entries(value)) visit(member, [...keys, key], inherited)
    }
  }
  visit(parsed, [], {})
  return [...elementsByPath].map(([path, elements]) => ({ path, elements }))
}

function toPlainMembers(element: object): object {
  return Object.fromEntries(Object.entries(element).filter(([, member]) => typeof member !== 'object'))
}

function toList(arrays: readonly FoundArray[]): string {
  const listed = arrays.map(({ path, elements }) => `${path} (${toQuantity(elements.length, 'element')})`)
  return listed.slice(0, listedMax).join(', ')
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
