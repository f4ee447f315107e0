// Reads CSV as registries export it: detects the dialect, counts lines and marks rows that cannot be split reliably.
// csv-records.ts splits the text into records.
import Papa from 'papaparse'
import { isInscriptionCode } from '../../domain/inscription-code.ts'
import type { Layout } from '../rows/layout.ts'
import type { Row } from '../rows/row.ts'
import { SourceFault } from '../source-fault.ts'
import { type CsvRecord, type Dialect, parseRecords, startOf } from './csv-records.ts'
import { type Encoding, readText } from './encoding.ts'
import { recordCharactersMax, type Source } from './source.ts'
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
  /** An incomplete record is parsed again only when twice as much text is available, to avoid quadratic time. */
  let parsedCharacters = 0
  let rest = ''
  for await (const chunk of readText(file, encoding)) {
    rest += chunk
    if (rest.length < parsedCharacters * 2 && rest.length <= recordCharactersMax) continue
    const rows = reader.parse(rest, false)
    rest = rest.slice(reader.consumed)
    parsedCharacters = rest.length
    if (rest.length > recordCharactersMax) {
      throw new SourceFault(
        `Cannot read ${file.name}: the record at line ${reader.line} is longer than ${recordCharactersMax} characters; close its quote, or shorten its text`,
      )
    }
    if (rows.length > 0) yield rows
  }
  const rows = reader.parse(rest, true)
  if (rows.length > 0) yield rows
}

/** Parses text that begins with a record into rows. The caller passes the unconsumed rest again, with more text. */
class CsvReader {
  /** Line of the next record. */
  line = 1
  /** Characters of the last text that were complete records. */
  consumed = 0
  /** Detected from the first text. */
  #dialect: Dialect | undefined
  readonly #name: string
  readonly #layout: Layout
  readonly #encoding: Encoding

  constructor(name: string, layout: Layout, encoding: Encoding) {
    this.#name = name
    this.#layout = layout
    this.#encoding = encoding
  }

  parse(text: string, isEnd: boolean): Row[] {
    let skipped = 0
    if (this.#dialect === undefined) {
      const found = detectStart(text, this.#layout)
      skipped = found.characters
      if (skipped > 0) this.line += 1
      this.#dialect = found.dialect
    }
    const dialect = this.#dialect
    if (this.#layout.headings.length === 0) skipped += this.#readHeadings(text.slice(skipped), dialect, isEnd)
    const parsed = parseRecords(text.slice(skipped), dialect, isEnd, (cells) =>
      containsRow(cells, this.#layout, dialect),
    )
    this.consumed = skipped + parsed.characters
    const rows: Row[] = []
    for (const record of parsed.records) {
      const first = this.line
      this.line += record.lines
      if (!record.cells.every(isBlank)) rows.push(toRow(first, record, this.#layout, this.#encoding, dialect))
    }
    return rows
  }

  /** Returns how many characters the headings and blank lines before them take. */
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

/** Returns the number of characters before the first record, and the dialect. */
function detectStart(text: string, layout: Layout): { characters: number; dialect: Dialect } {
  // Excel may write a first line that names the separator.
  const characters = /^sep=[^\r\n]\r?\n/i.exec(text)?.[0].length ?? 0
  return { characters, dialect: detectDialect(text.slice(characters), layout) }
}

/** Chooses the separator that yields the most known headings and, if two are equal, the most headings. */
function detectDialect(text: string, layout: Layout): Dialect {
  const newline = text.includes('\n') ? '\n' : text.includes('\r') ? '\r' : '\n'
  let best: Dialect = { delimiter: ',', newline }
  let bestCount = { known: 0, all: 1 }
  for (const delimiter of [',', ';', '\t']) {
    const [headings = []] = Papa.parse<string[]>(text.trimStart(), { delimiter, newline, preview: 1 }).data
    const count = { known: headings.filter((heading) => layout.isKnown(heading)).length, all: headings.length }
    if (count.all > 1 && (count.known - bestCount.known || count.all - bestCount.all) > 0) {
      bestCount = count
      best = { delimiter, newline }
    }
  }
  return best
}

function addHeadings(layout: Layout, { cells, quoteFault }: CsvRecord, name: string): void {
  if (quoteFault !== undefined) {
    throw new SourceFault(`Cannot read ${name}: the quotes in its headings do not match; fix the first line`)
  }
  for (const heading of cells) layout.append(heading.trim())
  layout.requireColumns()
}

function toRow(
  line: number,
  { cells, quoteFault, isCutOff }: CsvRecord,
  layout: Layout,
  encoding: Encoding,
  { delimiter }: Dialect,
): Row {
  const broken = (expected: string, value: string): Row => ({ line, cells, broken: { expected, value } })
  const count = layout.headings.length
  if (quoteFault !== undefined) {
    const [text = ''] = cells
    // With the right number of separators, the rejects file can show the cells.
    const fields = text.split(delimiter)
    return { line, cells: fields.length === count ? fields : cells, broken: { expected: quoteFault, value: text } }
  }
  // Spreadsheets add empty fields at the end of a line. A value there means that an unquoted separator shifted cells.
  const named = layout.headings.findLastIndex((heading) => !isBlank(heading)) + 1
  if (cells.length > named && !cells.slice(named).every(isBlank)) {
    return broken(`${named} fields (quote a field that contains a separator)`, `${cells.length} fields`)
  }
  // Spreadsheets omit trailing empty fields, but a short last line without a line break was probably cut off.
  if (cells.length < count && isCutOff) return broken(`${count} fields before the file ends`, `${cells.length} fields`)
  if (encoding.isMixed) {
    const invalid = cells.find((cell) => cell.includes('\uFFFD'))
    if (invalid !== undefined) return broken('text in UTF-8, like the rest of the file', invalid)
  }
  return { line, cells }
}

/**
 * Whether an unclosed quote has swallowed another row: a line inside a cell has a code of the same form as the row's
 * own code, or any code if the cell has as many separators as a row.
 */
function containsRow(cells: readonly string[], layout: Layout, { delimiter, newline }: Dialect): boolean {
  const codeIndex = layout.indexOf('code') ?? layout.indexOf('prefix')
  if (codeIndex === undefined || layout.headings.length === 0) return false
  const hasCode = layout.indexOf('code') !== undefined
  const form = toCodeForm(cells[codeIndex] ?? '', hasCode)
  return cells.some((cell, index) => {
    if (index === layout.indexOf('content') || !cell.includes(newline)) return false
    const hasWholeRow = hasCode && cell.split(delimiter).length >= layout.headings.length
    const [, ...lines] = cell.split(newline)
    return lines.some((line) => {
      const fields = line.split(delimiter)
      const code = fields[codeIndex]?.trim() ?? ''
      if (fields.length <= codeIndex + 1) return false
      return (
        (hasWholeRow && isInscriptionCode(code)) ||
        (form.length >= formCharactersMin && toCodeForm(code, hasCode) === form)
      )
    })
  })
}

/** Shorter forms match ordinary text such as `A-1, B-2`. */
const formCharactersMin = 3

/** The prefix of a code with `0` for every digit and `a` for every letter; empty if the text is not a code. */
function toCodeForm(written: string, isWholeCode: boolean): string {
  const text = written.trim()
  if (isWholeCode && !isInscriptionCode(text)) return ''
  const prefix = isWholeCode ? text.slice(0, text.lastIndexOf('-')) : text
  return prefix.replace(/\p{N}/gu, '0').replace(/\p{L}/gu, 'a')
}

function isBlank(cell: string): boolean {
  return cell === '' || cell.trim() === ''
}
