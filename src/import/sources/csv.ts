// Comma-separated values as registries export them. papaparse tells rows and fields apart (RFC 4180, and the loose
// forms of spreadsheets); here the dialect is found out, lines are counted, and rows that cannot be trusted are marked.
import Papa from 'papaparse'
import type { Layout } from '../columns.ts'
import { SourceFault } from '../fault.ts'
import { type Encoding, readText } from './encoding.ts'
import type { SourceFile } from './file.ts'
import { type Row, recordCharactersMax, type Source } from './source.ts'

interface Dialect {
  readonly delimiter: string
  readonly newline: '\n' | '\r'
}

export function openCsv(file: SourceFile, layout: Layout, encoding: Encoding): Source {
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
  let dialect: Dialect | undefined
  let line = 1
  let rest = ''
  /** A record that does not end in what was read is tried again only once there is twice as much of it. */
  let triedCharacters = 0
  const toRows = (text: string, isEnd: boolean): Row[] => {
    let skipped = 0
    if (dialect === undefined) {
      // Excel's own first line, which names the separator.
      skipped = /^sep=[^\r\n]\r?\n/i.exec(text)?.[0].length ?? 0
      if (skipped > 0) line += 1
      dialect = findDialect(text.slice(skipped))
    }
    const parsed = parseChunk(text.slice(skipped), dialect, isEnd)
    rest = text.slice(skipped + parsed.cursor)
    const rows: Row[] = []
    for (const [index, cells] of parsed.records.entries()) {
      const first = line
      line += linesOf(cells, dialect)
      if (cells.every(isBlank)) continue
      if (layout.headings.length === 0) addHeadings(layout, cells, parsed.faulty.has(index), file.name)
      else rows.push(toRow(first, cells, layout, encoding, parsed.faulty.get(index), isEnd && index === parsed.last))
    }
    return rows
  }
  for await (const chunk of readText(file, encoding)) {
    rest += chunk
    if (rest.length < triedCharacters * 2 && rest.length <= recordCharactersMax) continue
    const rows = toRows(rest, false)
    triedCharacters = rest.length
    if (rest.length > recordCharactersMax) {
      throw new SourceFault(`Cannot read ${file.name}: line ${line} opens a quote that is never closed; close it`)
    }
    if (rows.length > 0) yield rows
  }
  const rows = toRows(rest, true)
  if (rows.length > 0) yield rows
}

interface ParsedChunk {
  readonly records: readonly string[][]
  /** Index of a record → what is wrong with its quotes. */
  readonly faulty: ReadonlyMap<number, string>
  /** How many characters the records took. */
  readonly cursor: number
  /** The record that the end of the file cut off without a line break, or -1. */
  readonly last: number
}

function parseChunk(text: string, dialect: Dialect, isEnd: boolean): ParsedChunk {
  const ended = text.endsWith(dialect.newline)
  // The parser itself without the streaming of the package, which neither bounds a record nor counts lines.
  const parsed = new Papa.Parser({ ...dialect }).parse(text, 0, !isEnd) as {
    data: string[][]
    errors: { code: string; row: number }[]
    meta: { cursor: number }
  }
  const faulty = new Map<number, string>()
  for (const { code, row } of parsed.errors) {
    faulty.set(row, code === 'MissingQuotes' ? 'a quote to be closed' : 'quotes inside a quoted field to be doubled')
  }
  return { records: parsed.data, faulty, cursor: parsed.meta.cursor, last: ended ? -1 : parsed.data.length - 1 }
}

/** The separator is the one that tells most headings apart; it stands outside quotes, which only a parser can see. */
function findDialect(text: string): Dialect {
  const newline = text.includes('\n') ? '\n' : text.includes('\r') ? '\r' : '\n'
  let best: Dialect = { delimiter: ',', newline }
  let most = 1
  for (const delimiter of [',', ';', '\t']) {
    const preview = Papa.parse<string[]>(text.trimStart(), { delimiter, newline, preview: 1 }).data
    const fields = preview[0]?.length ?? 0
    if (fields > most) {
      most = fields
      best = { delimiter, newline }
    }
  }
  return best
}

function addHeadings(layout: Layout, cells: readonly string[], faulty: boolean, name: string): void {
  if (faulty) throw new SourceFault(`Cannot read ${name}: the quotes of its headings do not match; mend the first line`)
  for (const heading of cells) layout.append(heading.trim())
  layout.requireColumns()
}

function toRow(
  line: number,
  cells: readonly string[],
  layout: Layout,
  encoding: Encoding,
  quotes: string | undefined,
  isCutOff: boolean,
): Row {
  const broken = (expected: string, value: string): Row => ({ line, cells, broken: { expected, value } })
  if (quotes !== undefined) return broken(quotes, cells.join(' '))
  const count = layout.headings.length
  if (cells.length > count && !cells.slice(count).every(isBlank)) {
    return broken(`${count} fields, those with a separator inside in quotes`, `${cells.length} fields`)
  }
  // Spreadsheets leave out trailing empty fields; but a last line without an end may be one that was cut off.
  if (cells.length < count && isCutOff) return broken(`${count} fields before the file ends`, `${cells.length} fields`)
  if (encoding.mixed) {
    const strange = cells.find((cell) => cell.includes('\uFFFD'))
    if (strange !== undefined) return broken('text in UTF-8, like the rest of the file', strange)
  }
  return { line, cells }
}

function isBlank(cell: string): boolean {
  return cell === '' || cell.trim() === ''
}

/** A record takes one line and one more for every line break inside its quotes. */
function linesOf(cells: readonly string[], dialect: Dialect): number {
  let lines = 1
  for (const cell of cells) {
    for (let at = cell.indexOf(dialect.newline); at !== -1; at = cell.indexOf(dialect.newline, at + 1)) lines += 1
  }
  return lines
}
