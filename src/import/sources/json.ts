// Reads the records of a JSON file: an array, or an object that contains it, as open-data portals publish it. A single
// object with all required columns is one record.
import { t, toQuantity } from '../../language.ts'
import type { Layout } from '../rows/layout.ts'
import { toQuoted } from '../rows/quote.ts'
import type { Row } from '../rows/row.ts'
import { SourceFault } from '../source-fault.ts'
import { type Encoding, requireUtf8, toEncodingName } from './encoding.ts'
import { depthChange, type JsonOutline, readOutline, readTokens, type Token } from './json-tokens.ts'
import { nestingMax, toRow } from './object-row.ts'
import { recordCharactersMax, type Source } from './source.ts'
import type { SourceFile } from './source-file.ts'

/** Where open-data portals have their records: CKAN, OpenDataSoft, GeoJSON and ArcGIS, and OData. */
const knownPaths: readonly string[] = ['result.records', 'records', 'results', 'features', 'result.results', 'value']
/** Properties and arrays listed in a message. */
const listedMax = 12

/** `recordsAt` is the path of the array, if the user gave it. */
export function openJson(file: SourceFile, layout: Layout, encoding: Encoding, recordsAt?: string): Source {
  return {
    name: file.name,
    layout,
    rows: () => readRows(file, layout, encoding, recordsAt),
    describe: () => `JSON, ${toEncodingName(encoding)}`,
    shareRead: () => file.bytesRead / file.size,
    close: () => file.close(),
  }
}

async function* readRows(
  file: SourceFile,
  layout: Layout,
  encoding: Encoding,
  recordsAt: string | undefined,
): AsyncGenerator<readonly Row[], void, undefined> {
  const outline = await readOutline(file, encoding)
  const path = findRecords(file.name, outline, layout, recordsAt)
  if (path !== '' && path !== null) layout.notes.push(t`records found at ${toQuoted(path)}`)
  const records = new RecordCollector(file.name, layout, encoding, path)
  let isFirstBatch = true
  for await (const { tokens, line, characters, endsChunk } of readTokens(file, encoding)) {
    records.addTokens(tokens, line, characters)
    if (!endsChunk) continue
    const rows = records.takeRows()
    if (rows.length === 0) continue
    if (isFirstBatch) layout.requireColumns()
    isFirstBatch = false
    yield rows
  }
}

/**
 * Returns the path of the array of records, or null if the file is one record: the path that the user gave, the only
 * array of objects (or else the only empty array), or one where a portal has its records.
 */
function findRecords(
  name: string,
  { arrays, properties }: JsonOutline,
  layout: Layout,
  recordsAt: string | undefined,
): string | null {
  const listed = arrays.slice(0, listedMax).map(({ path, elements }) => `${path} (${toQuantity(elements, 'element')})`)
  if (recordsAt !== undefined) {
    if (arrays.some(({ path }) => path === recordsAt)) return recordsAt
    const found = listed.length === 0 ? t`it has no array` : t`its arrays are ${listed.join(', ')}`
    throw new SourceFault(t`Cannot read ${name}: there is no array at ${toQuoted(recordsAt)}; ${found}`)
  }
  // The layout of the file if it is a single record.
  const probe = layout.toEmpty()
  for (const property of properties) probe.addKey(property)
  if (probe.missingColumns().length === 0) return null
  const arraysOfObjects = arrays.filter(({ objects }) => objects > 0)
  const candidates = arraysOfObjects.length > 0 ? arraysOfObjects : arrays.filter(({ elements }) => elements === 0)
  if (candidates.length === 1) return candidates[0]?.path ?? ''
  const known = knownPaths.find((path) => candidates.some((each) => each.path === path))
  if (known !== undefined) return known
  if (candidates.length > 1) {
    throw new SourceFault(
      t`Cannot read ${name}: it has several arrays: ${listed.join(', ')}; choose one with --records-at`,
    )
  }
  // The file is probably one record that lacks a column, and the later message about the column helps more.
  if (probe.countColumns() > 1) return null
  const seen = [...properties, ...arrays.map(({ path }) => path)].slice(0, listedMax).map(toQuoted)
  const found = seen.length === 0 ? t`it has no properties` : t`its properties are ${seen.join(', ')}`
  throw new SourceFault(t`Cannot read ${name}: expected an array of records, or an object with that array; ${found}`)
}

/** State machine that turns the tokens of a file into rows. */
class RecordCollector {
  readonly #name: string
  readonly #layout: Layout
  readonly #encoding: Encoding
  /** Path of the array; null if the file is one record. */
  readonly #arrayPath: string | null
  #rows: Row[] = []
  /** `outside` the array of records, between its `records`, or inside a `record`. */
  #state: 'outside' | 'records' | 'record' = 'outside'
  /** Outside the array: keys of the objects around the next value, and its own key. */
  readonly #path: string[] = []
  #outerKey = ''
  /** Line where the current record begins, or the number of the record if `Layout.countsRecords` is set. */
  #line = 1
  /** Records begun so far. */
  #recordNumber = 0
  /** Characters since the end of the last record. */
  #characters = 0
  /** Inside a record: keys of the objects around the current member, its own key, and the members read so far. */
  #prefixes: string[] = []
  #key = ''
  #members: [key: string, value: unknown][] = []
  /** Nesting depth inside a value of which only `#strings` are kept; 0 outside such a value. */
  #depth = 0
  /** The strings of the skipped value, as long as it is a flat list of strings; undefined otherwise. */
  #strings: string[] | undefined

  constructor(name: string, layout: Layout, encoding: Encoding, arrayPath: string | null) {
    this.#name = name
    this.#layout = layout
    this.#encoding = encoding
    this.#arrayPath = arrayPath
  }

  /** Returns the rows collected since the last call. */
  takeRows(): Row[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  /** All tokens are on one line. `characters` is the length of their text. */
  addTokens(tokens: readonly Token[], line: number, characters: number): void {
    if (this.#state !== 'outside') this.#characters += characters
    if (this.#characters > recordCharactersMax) {
      const position = this.#layout.countsRecords
        ? t`record ${String(this.#recordNumber)}`
        : t`the record at line ${String(this.#line)}`
      throw new SourceFault(
        t`Cannot read ${this.#name}: ${position} is longer than ${String(recordCharactersMax)} characters`,
      )
    }
    for (const token of tokens) this.#addToken(token, line)
  }

  #addToken(token: Token, line: number): void {
    if (this.#state === 'records') this.#addTokenBetweenRecords(token, line)
    else if (this.#state === 'record') this.#addMemberToken(token)
    else this.#addOuterToken(token, line)
  }

  /** Handles a token before or after the records: finds the array of records, or the file that is one record. */
  #addOuterToken(token: Token, line: number): void {
    if (this.#depth > 0) {
      this.#depth += depthChange(token)
      return
    }
    if (token.name === 'keyValue') this.#outerKey = token.value
    else if (token.name === 'startObject') {
      if (this.#arrayPath === null) this.#startRecord(line)
      else this.#path.push(this.#outerKey)
    } else if (token.name === 'endObject') this.#path.pop()
    else if (token.name === 'startArray') {
      const path = this.#path.length === 0 ? '' : [...this.#path.slice(1), this.#outerKey].join('.')
      // If a key is repeated, the first array is read.
      if (path === this.#arrayPath && this.#recordNumber === 0) this.#state = 'records'
      else this.#depth = 1
    }
  }

  /** Handles a token between records. Any value except an object becomes a faulty row. */
  #addTokenBetweenRecords(token: Token, line: number): void {
    // Inside a list that stands in place of a record.
    if (this.#depth > 0) {
      this.#depth += depthChange(token)
      return
    }
    if (token.name === 'endArray') {
      this.#state = 'outside'
      this.#characters = 0
      return
    }
    if (token.name === 'startObject') {
      this.#startRecord(line)
      return
    }
    this.#countRecord(line)
    const value = 'value' in token ? String(token.value) : t`a list`
    this.#rows.push({ line: this.#line, cells: [], parseFault: { expected: t`every record to be an object`, value } })
    this.#depth += depthChange(token)
  }

  #startRecord(line: number): void {
    this.#countRecord(line)
    this.#members = []
    this.#prefixes = []
    this.#state = 'record'
  }

  /** Records are counted in a file whose first record is on the first line: the others are probably there too. */
  #countRecord(line: number): void {
    this.#recordNumber += 1
    if (this.#recordNumber === 1) this.#layout.countsRecords = line === 1
    this.#line = this.#layout.countsRecords ? this.#recordNumber : line
  }

  /** Handles a token inside a record. */
  #addMemberToken(token: Token): void {
    if (this.#depth > 0) {
      this.#depth += depthChange(token)
      // Nested values other than lists of strings are not read; an empty object stands for them.
      if (this.#depth === 0) this.#addMember(this.#strings ?? {})
      else if (token.name === 'stringValue') this.#strings?.push(token.value)
      else this.#strings = undefined
      return
    }
    if (token.name === 'keyValue') this.#key = token.value
    else if (token.name === 'startArray') {
      this.#depth = 1
      this.#strings = []
    } else if (token.name === 'startObject') {
      this.#strings = undefined
      // `__proto__` is skipped here, and `toRow` rejects the record.
      if (this.#prefixes.length < nestingMax && this.#key !== '__proto__') this.#prefixes.push(this.#key)
      else this.#depth = 1
    } else if (token.name === 'endObject') this.#endObject()
    else if ('value' in token) this.#addMember(token.value)
  }

  #addMember(value: unknown): void {
    this.#members.push([[...this.#prefixes, this.#key].join('.'), value])
  }

  /** Ends a nested object or, if there is none, the record. */
  #endObject(): void {
    if (this.#prefixes.pop() !== undefined) return
    const row = toRow(this.#members, this.#line, this.#layout)
    this.#rows.push(requireUtf8(row, this.#members, this.#encoding))
    this.#characters = 0
    this.#state = this.#arrayPath === null ? 'outside' : 'records'
  }
}
