// One JSON object a line, read by the parser of the language itself. A line that is none is refused alone.
import type { Layout } from '../rows/columns.ts'
import { SourceFault } from '../rows/row-fault.ts'
import { type Encoding, readText, requireUtf8 } from './encoding.ts'
import { wrongShape } from './json.ts'
import { readMembers } from './object-row.ts'
import { batchRows, type Row, recordCharactersMax, type Source } from './source.ts'
import type { SourceFile } from './source-file.ts'

export function openNdjson(file: SourceFile, layout: Layout, encoding: Encoding): Source {
  return {
    name: file.name,
    layout,
    rows: () => readRows(file, layout, encoding),
    shareRead: () => file.bytesRead / file.size,
    close: () => file.close(),
  }
}

async function* readRows(
  file: SourceFile,
  layout: Layout,
  encoding: Encoding,
): AsyncGenerator<readonly Row[], void, undefined> {
  let line = 0
  let first: Members = []
  let isFirstBatch = true
  let rows: Row[] = []
  for await (const text of readLines(file, encoding)) {
    line += 1
    if (text.trim() === '') continue
    const members = parseMembers(text)
    if (rows.length === 0) first = members ?? []
    rows.push(toRow(members, text, line, layout, encoding))
    if (rows.length < batchRows) continue
    if (isFirstBatch) layout.requireColumns()
    isFirstBatch = false
    yield rows
    rows = []
  }
  if (isFirstBatch && layout.headings.length > 0) requireRecords(file.name, layout, rows.length === 1 ? first : [])
  if (rows.length > 0) yield rows
}

async function* readLines(file: SourceFile, encoding: Encoding): AsyncGenerator<string, void, undefined> {
  let line = 1
  let rest = ''
  for await (const chunk of readText(file, encoding)) {
    const lines = chunk.split('\n')
    lines[0] = rest + lines[0]
    rest = lines.pop() ?? ''
    yield* lines
    line += lines.length
    if (rest.length > recordCharactersMax) {
      const mend = 'export its records one a line, or as an array'
      throw new SourceFault(
        `Cannot read ${file.name}: line ${line} is longer than ${recordCharactersMax} characters; ${mend}`,
      )
    }
  }
  if (rest !== '') yield rest
}

type Members = readonly (readonly [string, unknown])[]

/** Undefined where the line is no object. */
function parseMembers(text: string): Members | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return undefined
  }
  return isObject(parsed) ? Object.entries(parsed) : undefined
}

function toRow(members: Members | undefined, text: string, line: number, layout: Layout, encoding: Encoding): Row {
  if (members !== undefined) return requireUtf8(readMembers(members, line, layout), members, encoding)
  const value = text.trim()
  return { line, cells: [value], broken: { expected: 'one JSON object a line', value } }
}

/** A line that stands alone, lacks a column and holds objects is a whole JSON file, of a shape that is not read. */
function requireRecords(name: string, layout: Layout, alone: Members): void {
  try {
    layout.requireColumns()
  } catch (fault) {
    const holdsObjects = alone.some(([, value]) => (Array.isArray(value) ? value.every(isObject) : isObject(value)))
    throw holdsObjects ? wrongShape(name) : fault
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
