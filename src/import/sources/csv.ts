// Comma-separated values as registries export them: the dialect is found out, lines are counted, and rows that cannot
// be trusted are marked. csv-records.ts tells the records apart.
import Papa from 'papaparse'
import { isCode } from '../../domain/inscription-code.ts'
import type { Layout } from '../rows/columns.ts'
import { SourceFault } from '../rows/row-fault.ts'
import { type CsvRecord, type Dialect, parseRecords, startOf } from './csv-records.ts'
import { type Encoding, readText } from './encoding.ts'
import { type Row, recordCharactersMax, type Source } from './source.ts'
import type { SourceFile } from './source-file.ts'

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
  const reader = new CsvReader(file.name, layout, encoding)
  /** A record that does not end in what was read is tried again only once there is twice as much of it. */
  let triedCharacters = 0
  let rest = ''
  for await (const chunk of readText(file, encoding)) {
    rest += chunk
    if (rest.length < triedCharacters * 2 && rest.length <= recordCharactersMax) continue
    const rows = reader.take(rest, false)
    rest = rest.slice(reader.taken)
    triedCharacters = rest.length
    if (rest.length > recordCharactersMax) {
      throw new SourceFault(
        `Cannot read ${file.name}: the record at line ${reader.line} is longer than ${recordCharactersMax} characters; close its quote, or shorten its text`,
      )
    }
    if (rows.length > 0) yield rows
  }
  const rows = reader.take(rest, true)
  if (rows.length > 0) yield rows
}

/** Reads text that begins with a record into rows, and goes on where it stopped. */
class CsvReader {
  /** Where the next record begins. */
  line = 1
  /** How many characters of the last text were records; the others are one that has not ended. */
  taken = 0
  /** Found out from the first text. */
  #dialect: Dialect | undefined
  readonly #name: string
  readonly #layout: Layout
  readonly #encoding: Encoding

  constructor(name: string, layout: Layout, encoding: Encoding) {
    this.#name = name
    this.#layout = layout
    this.#encoding = encoding
  }

  take(text: string, isEnd: boolean): Row[] {
    let skipped = 0
    if (this.#dialect === undefined) {
      const found = findStart(text, this.#layout)
      skipped = found.characters
      if (skipped > 0) this.line += 1
      this.#dialect = found.dialect
    }
    const dialect = this.#dialect
    if (this.#layout.headings.length === 0) skipped += this.#readHeadings(text.slice(skipped), dialect, isEnd)
    const parsed = parseRecords(text.slice(skipped), dialect, isEnd, (cells) => holdsRow(cells, this.#layout, dialect))
    this.taken = skipped + parsed.characters
    const rows: Row[] = []
    for (const record of parsed.records) {
      const first = this.line
      this.line += record.lines
      if (!record.cells.every(isBlank)) rows.push(toRow(first, record, this.#layout, this.#encoding, dialect))
    }
    return rows
  }

  /** Returns how many characters they take, with what is blank before them. */
  #readHeadings(text: string, dialect: Dialect, isEnd: boolean): number {
    const { records, characters } = parseRecords(text, dialect, isEnd)
    for (const [index, record] of records.entries()) {
      this.line += record.lines
      if (record.cells.every(isBlank)) continue
      addHeadings(this.#layout, record, this.#name)
      return startOf(index + 1, text, dialect)
    }
    return characters
  }
}

/** How many characters come before the first record, and how the records are written. */
function findStart(text: string, layout: Layout): { characters: number; dialect: Dialect } {
  // Excel's own first line, which names the separator.
  const characters = /^sep=[^\r\n]\r?\n/i.exec(text)?.[0].length ?? 0
  return { characters, dialect: findDialect(text.slice(characters), layout) }
}

/**
 * The separator is the one between most headings that mean a column, of equals that between most headings. It stands
 * outside quotes, which only a parser can see.
 */
function findDialect(text: string, layout: Layout): Dialect {
  const newline = text.includes('\n') ? '\n' : text.includes('\r') ? '\r' : '\n'
  let best: Dialect = { delimiter: ',', newline }
  let most = { known: 0, all: 1 }
  for (const delimiter of [',', ';', '\t']) {
    const [headings = []] = Papa.parse<string[]>(text.trimStart(), { delimiter, newline, preview: 1 }).data
    const told = { known: headings.filter((heading) => layout.means(heading)).length, all: headings.length }
    if (told.all > 1 && (told.known - most.known || told.all - most.all) > 0) {
      most = told
      best = { delimiter, newline }
    }
  }
  return best
}

function addHeadings(layout: Layout, { cells, quotes }: CsvRecord, name: string): void {
  if (quotes !== undefined) {
    throw new SourceFault(`Cannot read ${name}: the quotes of its headings do not match; mend the first line`)
  }
  for (const heading of cells) layout.append(heading.trim())
  layout.requireColumns()
}

function toRow(
  line: number,
  { cells, quotes, isCutOff }: CsvRecord,
  layout: Layout,
  encoding: Encoding,
  { delimiter }: Dialect,
): Row {
  const broken = (expected: string, value: string): Row => ({ line, cells, broken: { expected, value } })
  const count = layout.headings.length
  if (quotes !== undefined) {
    const [text = ''] = cells
    // Where the separators are in their places the rejects file may as well show the cells.
    const apart = text.split(delimiter)
    return { line, cells: apart.length === count ? apart : cells, broken: { expected: quotes, value: text } }
  }
  // Spreadsheets end lines with separators behind which nothing stands: what does stand there has been moved there.
  const named = layout.headings.findLastIndex((heading) => !isBlank(heading)) + 1
  if (cells.length > named && !cells.slice(named).every(isBlank)) {
    return broken(`${named} fields, those with a separator inside in quotes`, `${cells.length} fields`)
  }
  // Spreadsheets leave out trailing empty fields; but a last line without an end may be one that was cut off.
  if (cells.length < count && isCutOff) return broken(`${count} fields before the file ends`, `${cells.length} fields`)
  if (encoding.mixed) {
    const strange = cells.find((cell) => cell.includes('\uFFFD'))
    if (strange !== undefined) return broken('text in UTF-8, like the rest of the file', strange)
  }
  return { line, cells }
}

/**
 * Whether a quote that was never closed has made another row part of a cell: a line of it begins as rows do, with a
 * code like that of its own row, or with any code where the cell has as many separators as a row.
 */
function holdsRow(cells: readonly string[], layout: Layout, { delimiter, newline }: Dialect): boolean {
  const place = layout.indexOf('code') ?? layout.indexOf('prefix')
  if (place === undefined || layout.headings.length === 0) return false
  const hasCode = layout.indexOf('code') !== undefined
  const form = formOf(cells[place] ?? '', hasCode)
  return cells.some((cell, index) => {
    if (index === layout.indexOf('content') || !cell.includes(newline)) return false
    const hasWholeRow = hasCode && cell.split(delimiter).length >= layout.headings.length
    const [, ...behind] = cell.split(newline)
    return behind.some((line) => {
      const fields = line.split(delimiter)
      const code = fields[place]?.trim() ?? ''
      if (fields.length <= place + 1) return false
      return (hasWholeRow && isCode(code)) || (form.length >= tellingForm && formOf(code, hasCode) === form)
    })
  })
}

/** Characters of a form: shorter ones begin many a line, `A-1, B-2`. */
const tellingForm = 3

/** The prefix of a code with a `0` for every digit and an `a` for every letter; empty where it is none. */
function formOf(written: string, isWhole: boolean): string {
  const text = written.trim()
  if (isWhole && !isCode(text)) return ''
  const prefix = isWhole ? text.slice(0, text.lastIndexOf('-')) : text
  return prefix.replace(/\p{N}/gu, '0').replace(/\p{L}/gu, 'a')
}

function isBlank(cell: string): boolean {
  return cell === '' || cell.trim() === ''
}
