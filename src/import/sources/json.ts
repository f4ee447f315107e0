// A JSON file that is an array of records, or an object whose one property is that array, read token by token
// (stream-json), so that its size does not matter. The text is fed line by line: a token then knows its line.
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { jsonParser, type Token } from 'stream-json/core/parser.js'
import verifier from 'stream-json/utils/verifier.js'
import type { Layout } from '../rows/columns.ts'
import { SourceFault } from '../rows/row-fault.ts'
import { type Encoding, readText, requireUtf8 } from './encoding.ts'
import { readMembers } from './object-row.ts'
import { type Row, recordCharactersMax, type Source } from './source.ts'
import type { SourceFile } from './source-file.ts'

const shapeWanted = 'expected an array of records, or an object whose one property is that array'

export function openJson(file: SourceFile, layout: Layout, encoding: Encoding): Source {
  return {
    name: file.name,
    layout,
    rows: () => readRows(file, layout, encoding),
    shareRead: () => file.bytesRead / file.size,
    close: () => file.close(),
  }
}

export function wrongShape(name: string): SourceFault {
  return new SourceFault(`Cannot read ${name}: ${shapeWanted}`)
}

async function* readRows(
  file: SourceFile,
  layout: Layout,
  encoding: Encoding,
): AsyncGenerator<readonly Row[], void, undefined> {
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
      records.take(tokens, line, end - start)
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
  if (!records.isWhole) {
    throw new SourceFault(
      `Cannot read ${file.name}: it ends at line ${line}, column ${column} in the middle of the JSON; export it again`,
    )
  }
}

/** Turns tokens into rows, whatever way the text was cut. */
class RecordCollector {
  readonly #name: string
  readonly #layout: Layout
  readonly #encoding: Encoding
  #rows: Row[] = []
  #state: 'start' | 'envelope' | 'records' | 'record' | 'after records' | 'end' = 'start'
  #isEnveloped = false
  #line = 1
  #characters = 0
  #key = ''
  #members: [string, unknown][] = []
  /** Inside a value of a record that is a list or an object: how deep, and the texts of a flat list. */
  #depth = 0
  #texts: string[] | undefined

  constructor(name: string, layout: Layout, encoding: Encoding) {
    this.#name = name
    this.#layout = layout
    this.#encoding = encoding
  }

  get isWhole(): boolean {
    return this.#state === 'end'
  }

  takeRows(): Row[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  take(tokens: readonly Token[], line: number, characters: number): void {
    this.#characters += characters
    if (this.#characters > recordCharactersMax) {
      throw new SourceFault(
        `Cannot read ${this.#name}: the record at line ${this.#line} is longer than ${recordCharactersMax} characters`,
      )
    }
    for (const token of tokens) this.#takeToken(token, line)
  }

  #takeToken(token: Token, line: number): void {
    switch (this.#state) {
      case 'start':
        if (token.name === 'startArray') this.#state = 'records'
        else if (token.name === 'startObject') this.#state = 'envelope'
        else throw wrongShape(this.#name)
        return
      case 'envelope':
        if (token.name === 'keyValue') return
        if (token.name !== 'startArray') throw wrongShape(this.#name)
        this.#isEnveloped = true
        this.#state = 'records'
        return
      case 'records':
        this.#beginRecord(token, line)
        return
      case 'record':
        this.#takeMember(token)
        return
      case 'after records':
        if (token.name !== 'endObject') throw wrongShape(this.#name)
        this.#state = 'end'
        return
      case 'end':
        throw wrongShape(this.#name)
    }
  }

  #beginRecord(token: Token, line: number): void {
    if (this.#depth > 0) {
      this.#depth += nesting(token)
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
    this.#rows.push({ line, cells: [], broken: { expected: 'every record to be an object', value } })
    this.#depth += nesting(token)
  }

  #takeMember(token: Token): void {
    if (this.#depth > 0) {
      this.#depth += nesting(token)
      if (this.#depth === 0) this.#members.push([this.#key, this.#texts ?? {}])
      else if (token.name === 'stringValue') this.#texts?.push(token.value)
      else this.#texts = undefined
      return
    }
    if (token.name === 'keyValue') this.#key = token.value
    else if (token.name === 'startArray' || token.name === 'startObject') {
      this.#depth = 1
      this.#texts = token.name === 'startArray' ? [] : undefined
    } else if (token.name === 'endObject') {
      const row = readMembers(this.#members, this.#line, this.#layout)
      this.#rows.push(requireUtf8(row, this.#members, this.#encoding))
      this.#characters = 0
      this.#state = 'records'
    } else if ('value' in token) this.#members.push([this.#key, token.value])
  }
}

function nesting(token: Token): number {
  if (token.name === 'startArray' || token.name === 'startObject') return 1
  return token.name === 'endArray' || token.name === 'endObject' ? -1 : 0
}

/** The parser does not say where it stopped; the verifier of the same package does, so the file is read once more. */
async function locateFault(file: SourceFile, encoding: Encoding, line: number): Promise<SourceFault> {
  let place = `line ${line}`
  const nowhere = new Writable({ objectMode: true, write: (_chunk, _encoding, done) => done() })
  try {
    await pipeline(Readable.from(readText(file, encoding)), verifier.asStream(), nowhere)
  } catch (error) {
    if (error instanceof SourceFault) return error
    if (error instanceof Error && 'line' in error && 'pos' in error) place = `line ${error.line}, column ${error.pos}`
  }
  return new SourceFault(`Cannot read ${file.name}: ${place} is not JSON; mend it or export the file again`)
}
