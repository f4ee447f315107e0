// Reads CSV as registries export it: detects the delimiter, finds the headings and counts lines. csv-records.ts splits
// the text into records, and csv-row.ts makes rows of them.
import { t } from '../../language.ts'
import type { Layout } from '../rows/layout.ts'
import { toQuoted } from '../rows/quote.ts'
import type { Row } from '../rows/row.ts'
import { SourceFault } from '../source-fault.ts'
import { containsRow } from './contained-row.ts'
import { decodeCopyCell, isCopyText } from './copy-text.ts'
import { type CsvRecord, type Dialect, indexAfter, parseRecords } from './csv-records.ts'
import { findSurplus, isBlank, toRow } from './csv-row.ts'
import { type Encoding, findForeignWord, readText, toEncodingName } from './encoding.ts'
import { findHeadingRow, noteTitleLines } from './heading-row.ts'
import { recordCharactersMax, type Source } from './source.ts'
import type { SourceFile } from './source-file.ts'

export function openCsv(file: SourceFile, layout: Layout, encoding: Encoding): Source {
  return {
    name: file.name,
    layout,
    rows: () => readRows(file, layout, encoding),
    describe: () =>
      t`CSV, ${toEncodingName(encoding)}, separator ${layout.separator === '\t' ? t`tab` : layout.separator}`,
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
  /** Text that is not yet turned into rows; it begins where a record begins. */
  let rest = ''
  /** Length of the incomplete record that the last call of `parse` has left in `rest`. */
  let incompleteCharacters = 0
  for await (const chunk of readText(file, encoding)) {
    rest += chunk
    // Parsing an incomplete record again after every chunk would take quadratic time. It is parsed again when the text
    // has doubled.
    const hasDoubled = rest.length >= incompleteCharacters * 2
    if (!hasDoubled && rest.length <= recordCharactersMax) continue
    const rows = reader.parse(rest, { isEndOfFile: false })
    rest = rest.slice(reader.charactersConsumed)
    incompleteCharacters = rest.length
    if (rest.length > recordCharactersMax) {
      throw new SourceFault(
        t`Cannot read ${file.name}: the record at line ${String(reader.line)} is longer than ${String(recordCharactersMax)} characters; close its quote, or shorten its text`,
      )
    }
    if (rows.length > 0) yield rows
  }
  const rows = reader.parse(rest, { isEndOfFile: true })
  if (rows.length > 0) yield rows
}

/** Turns text into rows. Each call of `parse` gets the text that the last call has not consumed, and more. */
class CsvReader {
  /** Line of the next record, from 1. */
  line = 1
  /** Length of the text that the last call of `parse` has read completely; the next call gets the text after it. */
  charactersConsumed = 0
  /** Detected in the first call of `parse`. */
  #dialect: Dialect | undefined
  /** Whether cells have the escapes of PostgreSQL. Detected in the first call of `parse`. */
  #isCopyText = false
  /** How many more fields than headings a record usually has (`findSurplus`); undefined until records show it. */
  #surplus: number | undefined
  #hasWarnedOfEncoding = false
  readonly #name: string
  readonly #layout: Layout
  readonly #encoding: Encoding

  constructor(name: string, layout: Layout, encoding: Encoding) {
    this.#name = name
    this.#layout = layout
    this.#encoding = encoding
  }

  /** Returns the rows of all complete records. The first calls also read the headings. */
  parse(text: string, { isEndOfFile }: { readonly isEndOfFile: boolean }): Row[] {
    let rest = text
    if (this.#dialect === undefined) {
      rest = this.#skipSeparatorLine(rest)
      this.#dialect = detectDialect(rest, this.#layout)
      this.#layout.separator = this.#dialect.delimiter
      this.#isCopyText = isCopyText(rest, this.#dialect)
    }
    const dialect = this.#dialect
    if (this.#layout.headings.length === 0) rest = this.#readHeadings(rest, dialect, isEndOfFile)
    const { records, charactersConsumed } = parseRecords(rest, dialect, {
      isEndOfFile,
      containsRow: (cells) => containsRow(cells, this.#layout, dialect),
    })
    this.charactersConsumed = text.length - rest.length + charactersConsumed
    if (records.at(-1)?.isCutOff === true) {
      this.#layout.notes.push(t`the last line has no line break; if the file was cut off, its last cell is incomplete`)
    }
    this.#warnOfEncoding(text)
    return this.#toRows(this.#isCopyText ? records.map(decodeCopyRecord) : records, dialect)
  }

  #toRows(records: readonly CsvRecord[], { delimiter }: Dialect): Row[] {
    this.#surplus ??= findSurplus(records, this.#layout)
    const table = { layout: this.#layout, encoding: this.#encoding, delimiter, usualSurplus: this.#surplus ?? 0 }
    const rows: Row[] = []
    for (const record of records) {
      if (!record.cells.every(isBlank)) rows.push(toRow(record, this.line, table))
      this.line += record.lines
    }
    return rows
  }

  /** Warns once if a word shows that the text was probably decoded with the wrong encoding. */
  #warnOfEncoding(text: string): void {
    if (this.#hasWarnedOfEncoding || this.#encoding.label !== 'windows-1252') return
    const word = findForeignWord(text)
    if (word === undefined) return
    this.#hasWarnedOfEncoding = true
    this.#layout.warnings.push(
      t`letters of ${this.#name} are probably wrong, such as in ${toQuoted(word)}: if it was written by a DOS or old Macintosh program, save it as UTF-8`,
    )
  }

  /** Returns the text without a first line such as `sep=;`, which Excel may write; `detectDialect` does not need it. */
  #skipSeparatorLine(text: string): string {
    const separatorLine = /^sep=[^\r\n](?:\r?\n|\r)/i.exec(text)
    if (separatorLine === null) return text
    this.line += 1
    return text.slice(separatorLine[0].length)
  }

  /**
   * Adds the headings to the layout, and returns the text after them. If there are only blank lines so far, it returns
   * the text after these, and the next call looks for the headings.
   */
  #readHeadings(text: string, dialect: Dialect, isEndOfFile: boolean): string {
    const { records, charactersConsumed } = parseRecords(text, dialect, { isEndOfFile })
    const candidates = records.filter(({ cells }) => !cells.every(isBlank))
    const candidateCells = candidates.map(({ cells }) => cells)
    const candidateIndex = findHeadingRow(candidateCells, this.#layout)
    const headings = candidates[candidateIndex]
    const recordsRead = headings === undefined ? records : records.slice(0, records.indexOf(headings) + 1)
    for (const { lines } of recordsRead) this.line += lines
    if (headings === undefined) return text.slice(charactersConsumed)
    noteTitleLines(this.#layout, candidateCells.slice(0, candidateIndex))
    addHeadings(this.#layout, headings, this.#name)
    return text.slice(indexAfter(recordsRead, text, dialect))
  }
}

/** The text of a record whose quotes do not match is not split, so it is not decoded either. */
function decodeCopyRecord(record: CsvRecord): CsvRecord {
  return record.quoteFault === undefined ? { ...record, cells: record.cells.map(decodeCopyCell) } : record
}

const delimiters = [',', ';', '\t', '|']

/**
 * Chooses the delimiter that gives the most columns of a record (`Layout.countColumns`) and, if two are equal, the most
 * headings. Also tells how lines end.
 */
function detectDialect(text: string, layout: Layout): Dialect {
  // Old programs end a line with a carriage return alone; a quoted cell may have line feeds nevertheless. A carriage
  // return before a line feed is left in the last cell, which normalise.ts trims.
  const unquoted = text.replace(/"[^"]*"?/g, '')
  const newline = !unquoted.includes('\n') && unquoted.includes('\r') ? '\r' : '\n'
  let best = { delimiter: ',', knownCount: 0, headingCount: 1 }
  for (const delimiter of delimiters) {
    // `isEndOfFile` is true even for the beginning of a file, so that an incomplete last record counts too.
    const { records } = parseRecords(text, { delimiter, newline }, { isEndOfFile: true })
    const candidates = records.map(({ cells }) => cells).filter((cells) => !cells.every(isBlank))
    const headings = candidates[findHeadingRow(candidates, layout)] ?? []
    const probe = layout.toEmpty()
    for (const heading of headings) probe.append(heading)
    const knownCount = probe.countColumns()
    const headingCount = headings.length
    const isBetter =
      knownCount > best.knownCount || (knownCount === best.knownCount && headingCount > best.headingCount)
    // A single heading means that the delimiter does not occur.
    if (headingCount > 1 && isBetter) best = { delimiter, knownCount, headingCount }
  }
  return { delimiter: best.delimiter, newline }
}

/** Throws `SourceFault` if the headings cannot be split, or if a required column is missing. */
function addHeadings(layout: Layout, { cells, quoteFault }: CsvRecord, name: string): void {
  if (quoteFault !== undefined) {
    throw new SourceFault(t`Cannot read ${name}: the quotes in its headings do not match; fix the first line`)
  }
  for (const heading of cells) layout.append(heading.trim())
  layout.requireColumns()
}
