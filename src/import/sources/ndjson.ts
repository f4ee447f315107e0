// One JSON object a line, read by the parser of the language itself. A line that is none is refused alone.
import type { Layout } from '../columns.ts'
import { SourceFault } from '../fault.ts'
import { type Encoding, readText, requireUtf8 } from './encoding.ts'
import type { SourceFile } from './file.ts'
import { readMembers } from './members.ts'
import { batchRows, type Row, recordCharactersMax, type Source } from './source.ts'

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
  let isFirstBatch = true
  let rows: Row[] = []
  for await (const text of readLines(file, encoding)) {
    line += 1
    if (text.trim() === '') continue
    rows.push(parseLine(text, line, layout, encoding))
    if (rows.length < batchRows) continue
    if (isFirstBatch) layout.requireColumns()
    isFirstBatch = false
    yield rows
    rows = []
  }
  if (isFirstBatch && layout.headings.length > 0) layout.requireColumns()
  if (rows.length > 0) yield rows
}

async function* readLines(file: SourceFile, encoding: Encoding): AsyncGenerator<string, void, undefined> {
  let rest = ''
  for await (const chunk of readText(file, encoding)) {
    const lines = chunk.split('\n')
    lines[0] = rest + lines[0]
    rest = lines.pop() ?? ''
    yield* lines
    if (rest.length > recordCharactersMax) {
      throw new SourceFault(
        `Cannot read ${file.name}: a line is longer than ${recordCharactersMax} characters; split it`,
      )
    }
  }
  if (rest !== '') yield rest
}

function parseLine(text: string, line: number, layout: Layout, encoding: Encoding): Row {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    parsed = undefined
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return { line, cells: [], broken: { expected: 'one JSON object a line', value: text.trim() } }
  }
  const members = Object.entries(parsed)
  return requireUtf8(readMembers(members, line, layout), members, encoding)
}
