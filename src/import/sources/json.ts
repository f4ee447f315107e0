// Reads a JSON array of records, or an object whose only property is that array, as a stream of tokens (stream-json).
// The parser is fed line by line, so that the line of every token is known.
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { jsonParser, type Token } from 'stream-json/core/parser.js'
import verifier from 'stream-json/utils/verifier.js'
import type { Layout } from '../rows/layout.ts'
import type { Row } from '../rows/row.ts'
import { SourceFault } from '../source-fault.ts'
import { type Encoding, readText, requireUtf8 } from './encoding.ts'
import { toRow } from './object-row.ts'
import { recordCharactersMax, type Source } from './source.ts'
import type { SourceFile } from './source-file.ts'

const expectedShape = 'expected an array of records, or an object whose only property is that array'

export function openJson(file: SourceFile, layout: Layout, encoding: Encoding): Source {
  return {
    name: file.name,
    layout,
    rows: () => readRows(file, layout, encoding),
    shareRead: () => file.bytesRead / file.size,
    close: () => file.close(),
  }
}

export function toShapeFault(name: string): SourceFault {
  return new SourceFault(`Cannot read ${name}: ${expectedShape}`)
}

async function* readRows(
  file: SourceFile,
  layout: Layout,
  encoding: Encoding,
): AsyncGenerator<readonly Row[], void, undefined> {
  // A string or number comes as one token, even if chunks split it.
  const parse = jsonParser({ packValues: true, streamValues: false })
  const records = new RecordCollector(file.name, layout, encoding)
  let line = 1
  let column = 1
  let isFirstBatch = true
  for await (const chunk of readText(file, encoding)) {
    for (let start = 0; start < chunk.length; ) {
      const newline = chunk.indexOf('\n', start)
      const end = newline === -1 ? chunk.length : newline + 1
      let tokens: readonly Token[]
      try {
        const parsed = parse(chunk.slice(start, end))
        tokens = typeof parsed === 'object' && 'values' in parsed ? parsed.values : []
      } catch {
        throw await locateFault(file, encoding, line)
      }
      records.addTokens(tokens, line, end - start)
      column = newline === -1 ? column + end - start : 1
      if (newline !== -1) line += 1
      start = end
    }
    const rows = records.takeRows()
    if (rows.length === 0) continue
    if (isFirstBatch) layout.requireColumns()
    isFirstBatch = false
    yield rows
  }
  if (!records.isComplete) {
    throw new SourceFault(
      `Cannot read ${file.name}: the JSON is cut off at line ${line}, column ${column}; export it again`,
    )
  }
}

/** State machine that turns tokens into rows. An `envelope` is the object around the array of records. */
class RecordCollector {
  readonly #name: string
  readonly #layout: Layout
  readonly #encoding: Encoding
  #rows: Row[] = []
  #state: 'start' | 'envelope' | 'records' | 'record' | 'after records' | 'end' = 'start'
  #isEnveloped = false
  /** Line where the current record begins. */
  #line = 1
  /** Characters since the end of the last record. */
  #characters = 0
  /** Key of the current member, and the members read so far. */
  #key = ''
  #members: [key: string, value: unknown][] = []
  /** Nesting depth inside a list or object that is the value of a member, or that stands in place of a record. */
  #depth = 0
  /** The strings of the current value, as long as it is a flat list of strings; undefined otherwise. */
  #strings: string[] | undefined

  constructor(name: string, layout: Layout, encoding: Encoding) {
    this.#name = name
    this.#layout = layout
    this.#encoding = encoding
  }

  get isComplete(): boolean {
    return this.#state === 'end'
  }

  takeRows(): Row[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  /** All tokens are on one line. `characters` is the length of their text. */
  addTokens(tokens: readonly Token[], line: number, characters: number): void {
    this.#characters += characters
    if (this.#characters > recordCharactersMax) {
      throw new SourceFault(
        `Cannot read ${this.#name}: the record at line ${this.#line} is longer than ${recordCharactersMax} characters`,
      )
    }
    for (const token of tokens) this.#addToken(token, line)
  }

  #addToken(token: Token, line: number): void {
    switch (this.#state) {
      case 'start':
        if (token.name === 'startArray') this.#state = 'records'
        else if (token.name === 'startObject') this.#state = 'envelope'
        else throw toShapeFault(this.#name)
        return
      case 'envelope':
        if (token.name === 'keyValue') return
        if (token.name !== 'startArray') throw toShapeFault(this.#name)
        this.#isEnveloped = true
        this.#state = 'records'
        return
      case 'records':
        this.#beginRecord(token, line)
        return
      case 'record':
        this.#addMemberToken(token)
        return
      case 'after records':
        if (token.name !== 'endObject') throw toShapeFault(this.#name)
        this.#state = 'end'
        return
      case 'end':
        throw toShapeFault(this.#name)
    }
  }

  /** Handles a token between records. Any value except an object becomes a faulty row. */
  #beginRecord(token: Token, line: number): void {
    // Inside a list that stands in place of a record.
    if (this.#depth > 0) {
      this.#depth += depthChange(token)
      return
    }
    if (token.name === 'endArray') {
      this.#state = this.#isEnveloped ? 'after records' : 'end'
      return
    }
    if (token.name === 'startObject') {
      this.#line = line
      this.#members = []
      this.#state = 'record'
      return
    }
    const value = 'value' in token ? String(token.value) : 'a list'
    this.#rows.push({ line, cells: [], parseFault: { expected: 'every record to be an object', value } })
    this.#depth += depthChange(token)
  }

  /** Handles a token inside a record. */
  #addMemberToken(token: Token): void {
    if (this.#depth > 0) {
      this.#depth += depthChange(token)
      // Nested values other than lists of strings are not read; an empty object stands for them.
      if (this.#depth === 0) this.#members.push([this.#key, this.#strings ?? {}])
      else if (token.name === 'stringValue') this.#strings?.push(token.value)
      else this.#strings = undefined
      return
    }
    if (token.name === 'keyValue') this.#key = token.value
    else if (token.name === 'startArray' || token.name === 'startObject') {
      this.#depth = 1
      this.#strings = token.name === 'startArray' ? [] : undefined
    } else if (token.name === 'endObject') {
      const row = toRow(this.#members, this.#line, this.#layout)
      this.#rows.push(requireUtf8(row, this.#members, this.#encoding))
      this.#characters = 0
      this.#state = 'records'
    } else if ('value' in token) this.#members.push([this.#key, token.value])
  }
}

function depthChange(token: Token): number {
  if (token.name === 'startArray' || token.name === 'startObject') return 1
  return token.name === 'endArray' || token.name === 'endObject' ? -1 : 0
}

/** The parser does not report the position of an error; the verifier of the same package does, on a second read. */
async function locateFault(file: SourceFile, encoding: Encoding, line: number): Promise<SourceFault> {
  let position = `line ${line}`
  const discard = new Writable({ objectMode: true, write: (_chunk, _encoding, done) => done() })
  try {
    await pipeline(Readable.from(readText(file, encoding)), verifier.asStream(), discard)
  } catch (error) {
    if (error instanceof SourceFault) return error
    if (error instanceof Error && 'line' in error && 'pos' in error)
      position = `line ${error.line}, column ${error.pos}`
  }
  return new SourceFault(`Cannot read ${file.name}: invalid JSON at ${position}; fix it, or export the file again`)
}
