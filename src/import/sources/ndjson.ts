// Reads NDJSON, one JSON object per line, with `JSON.parse`. A line that is not an object is rejected on its own.
import { t } from '../../language.ts'
import type { Layout } from '../rows/layout.ts'
import type { Row } from '../rows/row.ts'
import { SourceFault } from '../source-fault.ts'
import { type Encoding, readText, toEncodingName, withEncodingFault } from './encoding.ts'
import { addObject } from './object-row.ts'
import { batchCharactersMax, batchRows, recordCharactersMax, type Source } from './source.ts'
import type { SourceFile } from './source-file.ts'

export function openNdjson(file: SourceFile, layout: Layout, encoding: Encoding): Source {
  return {
    name: file.name,
    layout,
    rows: () => readRows(file, layout, encoding),
    describe: () => `NDJSON, ${toEncodingName(encoding)}`,
    shareRead: () => file.bytesRead / file.size,
    close: () => file.close(),
  }
}

async function* readRows(
  file: SourceFile,
  layout: Layout,
  encoding: Encoding,
): AsyncGenerator<readonly Row[], void, undefined> {
  /** Number of the current line, from 1. */
  let line = 0
  /** Functions that make the rows of the batch, to be called once the keys of all its objects are known. */
  let rows: (() => Row)[] = []
  /** Length of the lines of `rows`. Long lines could fill the memory before there are `batchRows` of them. */
  let characters = 0
  for await (const text of readLines(file, encoding)) {
    line += 1
    if (text.trim() === '') continue
    const members = parseMembers(text)
    rows.push(addLine(members, text, line, layout, encoding))
    characters += text.length
    if (rows.length < batchRows && characters < batchCharactersMax) continue
    requireColumnsOfObjects(layout)
    yield rows.map((toRow) => toRow())
    rows = []
    characters = 0
  }
  requireColumnsOfObjects(layout)
  if (rows.length > 0) yield rows.map((toRow) => toRow())
}

/**
 * The keys of the objects are the headings, so they are known only after the first batch with an object. Without any
 * object there are no columns to require; every line is rejected on its own.
 */
function requireColumnsOfObjects(layout: Layout): void {
  if (layout.headings.length > 0) layout.requireColumns()
}

/** Yields the lines without their line feed. */
async function* readLines(file: SourceFile, encoding: Encoding): AsyncGenerator<string, void, undefined> {
  /** The incomplete line at the end of the last chunk, and its number. */
  let rest = ''
  let line = 1
  for await (const chunk of readText(file, encoding)) {
    const lines = chunk.split('\n')
    lines[0] = rest + lines[0]
    rest = lines.pop() ?? ''
    yield* lines
    line += lines.length
    if (rest.length > recordCharactersMax) {
      throw new SourceFault(
        t`Cannot read ${file.name}: line ${String(line)} is longer than ${String(recordCharactersMax)} characters; export one record per line, or an array of records`,
      )
    }
  }
  if (rest !== '') yield rest
}

/** The keys and values of an object. */
type Members = readonly (readonly [key: string, value: unknown])[]

/** Returns undefined if the line is not an object. */
function parseMembers(text: string): Members | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return undefined
  }
  return isObject(parsed) ? Object.entries(parsed) : undefined
}

/**
 * Adds the keys of the object on the line to the headings of `layout`, and returns a function that makes the row.
 * `members` are the members of the object; undefined if there is none: the row then has a fault.
 */
function addLine(
  members: Members | undefined,
  text: string,
  line: number,
  layout: Layout,
  encoding: Encoding,
): () => Row {
  if (members !== undefined) {
    const toRow = addObject(members, line, layout)
    return () => withEncodingFault(toRow(), members, encoding)
  }
  const value = text.trim()
  return () => ({ line, cells: [value], parseFault: { expected: t`one JSON object per line`, value } })
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
