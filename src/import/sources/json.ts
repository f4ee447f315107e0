// Reads the records of a JSON file: an array, or an object that contains it, as open-data portals publish it. A single
// object with all required columns is one record.
import { t, toQuantity } from '../../language.ts'
import type { Layout } from '../rows/layout.ts'
import { toQuoted } from '../rows/quote.ts'
import type { Row } from '../rows/row.ts'
import { SourceFault } from '../source-fault.ts'
import { type Encoding, toEncodingName, withEncodingFault } from './encoding.ts'
import { JsonText } from './json-text.ts'
import { depthChange, type JsonOutline, readOutline, readTokens, type Token, toPath } from './json-tokens.ts'
import { addObject, nestingMax } from './object-row.ts'
import { batchCharactersMax, batchRows, recordCharactersMax, type Source } from './source.ts'
import type { SourceFile } from './source-file.ts'

/**
 * Where open-data portals have their records: CKAN (`result.…`), OpenDataSoft (`records` and `results`), GeoJSON and
 * ArcGIS (`features`), and OData (`value`). The keys of nested objects are joined with dots. An earlier path is
 * preferred.
 */
const knownPaths: readonly string[] = ['result.records', 'records', 'results', 'features', 'result.results', 'value']
/** Properties or arrays listed in a message. */
const listedMax = 12

/** `recordsAt` is the path of the array of records, such as `result.records`, if the user gave it. */
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
  const arrayPath = findRecords(file.name, outline, layout, recordsAt)
  if (arrayPath !== '' && arrayPath !== null) layout.notes.push(t`records found at ${toQuoted(arrayPath)}`)
  const records = new RecordCollector(file.name, layout, encoding, arrayPath)
  /** Length of the text of the batch so far. Long records could fill the memory before there are `batchRows` rows. */
  let batchCharacters = 0
  for await (const { tokens, line, characters, endsChunk } of readTokens(file, encoding)) {
    records.addTokens(tokens, line, characters)
    batchCharacters += characters
    const isBatchFull = records.rowCount >= batchRows || batchCharacters >= batchCharactersMax
    // A full batch takes the rest of the chunk too, which is small and already in memory.
    if (!endsChunk || !isBatchFull) continue
    yield* takeBatch(records, layout)
    batchCharacters = 0
  }
  yield* takeBatch(records, layout)
}

/** Yields the rows collected so far, if there are any. */
function* takeBatch(records: RecordCollector, layout: Layout): Generator<readonly Row[], void, undefined> {
  if (records.rowCount === 0) return
  // The keys of the records are the headings, so they are not known earlier.
  layout.requireColumns()
  yield records.takeRows()
}

/**
 * Returns the path of the array of records: the path that the user gave, the only array of objects (or else the only
 * empty array), or one where a portal has its records. The path is empty if the file itself is the array, and null if
 * the file is one record.
 */
function findRecords(
  name: string,
  { arrays, properties }: JsonOutline,
  layout: Layout,
  recordsAt: string | undefined,
): string | null {
  const listedArrays = arrays
    .slice(0, listedMax)
    .map(({ path, elements }) => `${path} (${toQuantity(elements, 'element')})`)
  if (recordsAt !== undefined) {
    if (arrays.some(({ path }) => path === recordsAt)) return recordsAt
    const found = listedArrays.length === 0 ? t`it has no array` : t`its arrays are ${listedArrays.join(', ')}`
    throw new SourceFault(t`Cannot read ${name}: there is no array at ${toQuoted(recordsAt)}; ${found}`)
  }
  const singleRecordLayout = layout.toEmpty()
  for (const property of properties) singleRecordLayout.addKey(property)
  if (singleRecordLayout.missingColumns().length === 0) return null
  const arraysOfObjects = arrays.filter(({ objects }) => objects > 0)
  const candidates = arraysOfObjects.length > 0 ? arraysOfObjects : arrays.filter(({ elements }) => elements === 0)
  if (candidates.length === 1) return candidates[0]?.path ?? ''
  const knownPath = knownPaths.find((path) => candidates.some((each) => each.path === path))
  if (knownPath !== undefined) return knownPath
  if (candidates.length > 1) {
    throw new SourceFault(
      t`Cannot read ${name}: it has several arrays: ${listedArrays.join(', ')}; choose one with --records-at`,
    )
  }
  // The file is probably one record that lacks a column. Reading it as a record gives a message about the column, which
  // helps more than the message below.
  if (singleRecordLayout.countColumns() > 1) return null
  const listedPaths = [...properties, ...arrays.map(({ path }) => path)].slice(0, listedMax).map(toQuoted)
  const found = listedPaths.length === 0 ? t`it has no properties` : t`its properties are ${listedPaths.join(', ')}`
  throw new SourceFault(t`Cannot read ${name}: expected an array of records, or an object with that array; ${found}`)
}

/** State machine that turns the JSON tokens of a file into rows. A member is a key of a record with its value. */
class RecordCollector {
  readonly #name: string
  readonly #layout: Layout
  readonly #encoding: Encoding
  /** Path of the array of records; empty if it is the file itself, null if the file is one record. */
  readonly #arrayPath: string | null
  /** Functions that make the rows, to be called once the keys of all records of the batch are known (`addObject`). */
  #rows: (() => Row)[] = []
  /** `outside` the array of records, in the array but `between records`, or `in record`. */
  #state: 'outside' | 'between records' | 'in record' = 'outside'
  /** Outside the array: keys of the objects around the next value. The first is `''`, for the file itself. */
  readonly #outerParents: string[] = []
  /** Outside the array: key of the next value. */
  #outerKey = ''
  /** Line where the current record begins, or the number of the record if `Layout.countsRecords` is set. */
  #line = 1
  /** Number of the current record, from 1; 0 before the first. */
  #recordNumber = 0
  /** Length of the text that `addTokens` has got since the call in which the last record ended. */
  #characters = 0
  /** In a record: keys of the nested objects around the current member. */
  #memberParents: string[] = []
  /** In a record: key of the current member. */
  #memberKey = ''
  /** Members of the current record so far. The key of a nested member has dots: `properties.EXP_ID`. */
  #members: [key: string, value: unknown][] = []
  /** Nesting depth inside a value that is skipped; 0 outside one. A list in a record is skipped, except its strings. */
  #skippedDepth = 0
  /** In a skipped value of a record: its strings so far. Undefined if it is no list, or has other elements too. */
  #listedStrings: string[] | undefined
  /** In a skipped value of a record: its text so far. */
  #skippedText = new JsonText()

  constructor(name: string, layout: Layout, encoding: Encoding, arrayPath: string | null) {
    this.#name = name
    this.#layout = layout
    this.#encoding = encoding
    this.#arrayPath = arrayPath
  }

  /** Number of rows collected since the last call of `takeRows`. */
  get rowCount(): number {
    return this.#rows.length
  }

  /** Returns the rows collected since the last call. */
  takeRows(): Row[] {
    const rows = this.#rows.map((toRow) => toRow())
    this.#rows = []
    return rows
  }

  /** All tokens are on one line; lines are counted from 1. `characters` is the length of their text. */
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
    if (this.#state === 'between records') this.#addTokenBetweenRecords(token, line)
    else if (this.#state === 'in record') this.#addMemberToken(token)
    else this.#addOuterToken(token, line)
  }

  /** Handles a token before or after the records: finds the array of records or, if there is none, the record. */
  #addOuterToken(token: Token, line: number): void {
    if (this.#skippedDepth > 0) {
      this.#skippedDepth += depthChange(token)
      return
    }
    if (token.name === 'keyValue') this.#outerKey = token.value
    else if (token.name === 'startObject') {
      if (this.#arrayPath === null) this.#startRecord(line)
      else this.#outerParents.push(this.#outerKey)
    } else if (token.name === 'endObject') this.#outerParents.pop()
    else if (token.name === 'startArray') {
      const isArrayOfRecords = toPath(this.#outerParents, this.#outerKey) === this.#arrayPath
      // If a key is repeated, the first array that is not empty is read.
      if (isArrayOfRecords && this.#recordNumber === 0) this.#state = 'between records'
      else this.#skippedDepth = 1
    }
  }

  /** Handles a token between records. Any value except an object becomes a faulty row. */
  #addTokenBetweenRecords(token: Token, line: number): void {
    // The token is inside a list that stands in place of a record.
    if (this.#skippedDepth > 0) {
      this.#skippedDepth += depthChange(token)
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
    const row = { line: this.#line, cells: [], parseFault: { expected: t`every record to be an object`, value } }
    this.#rows.push(() => row)
    this.#skippedDepth += depthChange(token)
  }

  #startRecord(line: number): void {
    this.#countRecord(line)
    this.#members = []
    this.#memberParents = []
    this.#state = 'in record'
  }

  /**
   * Counts a record and sets `#line`. In a file whose first record is on the first line, the others are probably there
   * too: messages then give the number of a record instead of its line.
   */
  #countRecord(line: number): void {
    this.#recordNumber += 1
    if (this.#recordNumber === 1) this.#layout.countsRecords = line === 1
    this.#line = this.#layout.countsRecords ? this.#recordNumber : line
  }

  /** Handles a token inside a record. Reads nested objects up to `nestingMax` deep, and lists of strings. */
  #addMemberToken(token: Token): void {
    if (this.#skippedDepth > 0) {
      this.#skippedDepth += depthChange(token)
      this.#skippedText.add(token)
      // At depth 0 the skipped value ends. If it is not a list of strings, its text stands for it, and object-row.ts
      // rejects the record if a column is read from it.
      if (this.#skippedDepth === 0) this.#addMember(this.#listedStrings ?? this.#skippedText)
      else if (token.name === 'stringValue') this.#listedStrings?.push(token.value)
      else this.#listedStrings = undefined
      return
    }
    if (token.name === 'keyValue') this.#memberKey = token.value
    else if (token.name === 'startArray') {
      this.#startSkipping(token)
      this.#listedStrings = []
    } else if (token.name === 'startObject') {
      this.#listedStrings = undefined
      // `__proto__` is skipped here, and object-row.ts rejects the record.
      const isSkipped = this.#memberParents.length >= nestingMax || this.#memberKey === '__proto__'
      if (isSkipped) this.#startSkipping(token)
      else this.#memberParents.push(this.#memberKey)
    } else if (token.name === 'endObject') this.#endObject()
    else if ('value' in token) this.#addMember(token.value)
  }

  /** `token` begins the value that is skipped. */
  #startSkipping(token: Token): void {
    this.#skippedDepth = 1
    this.#skippedText = new JsonText()
    this.#skippedText.add(token)
  }

  #addMember(value: unknown): void {
    this.#members.push([[...this.#memberParents, this.#memberKey].join('.'), value])
  }

  /** Ends a nested object or, if there is none, the record. */
  #endObject(): void {
    if (this.#memberParents.pop() !== undefined) return
    const members = this.#members
    const toRow = addObject(members, this.#line, this.#layout)
    this.#rows.push(() => withEncodingFault(toRow(), members, this.#encoding))
    this.#characters = 0
    this.#state = this.#arrayPath === null ? 'outside' : 'between records'
  }
}
