// Reads CSV as registries export it: detects the separator, finds the headings, counts lines, and marks rows that cannot
// be split into cells reliably. csv-records.ts splits the text into records.
import { t, toQuantity } from '../../language.ts'
import { findExcelFault } from '../rows/excel-cell.ts'
import type { Layout } from '../rows/layout.ts'
import { toQuoted } from '../rows/quote.ts'
import type { ParseFault, Row } from '../rows/row.ts'
import { recordCharactersMax } from '../rows/row.ts'
import { SourceFault } from '../source-fault.ts'
import { type CsvRecord, indexAfter, parseRecords } from './csv-records.ts'
import { type Encoding, findForeignWord, readText, toEncodingName } from './encoding.ts'
import { findHeadingRow, isBlankRow, takeHeadings } from './heading-row.ts'
import type { Source } from './source.ts'
import type { SourceFile } from './source-file.ts'

const separators = [',', ';', '\t', '|']

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
  for await (const chunk of readLines(readText(file, encoding))) {
    rest += chunk
    // Parsing an incomplete record again after every chunk would take quadratic time. It is parsed again when the text
    // has doubled.
    if (rest.length < incompleteCharacters * 2 && rest.length <= recordCharactersMax) continue
    const rows = reader.parse(rest, false)
    rest = rest.slice(reader.consumed)
    incompleteCharacters = rest.length
    if (rest.length > recordCharactersMax) {
      throw new SourceFault(
        t`Cannot read ${file.name}: the record at line ${String(reader.line)} is longer than ${String(recordCharactersMax)} characters; close its quote, or shorten its text`,
      )
    }
    if (rows.length > 0) yield rows
  }
  const rows = reader.parse(rest, true)
  if (rows.length > 0) yield rows
}

/**
 * Yields the text with a line feed at the end of each line. Old programs end lines with a carriage return alone, which
 * the first chunk shows; in other files such a character is part of a cell.
 */
async function* readLines(chunks: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let lineBreak: RegExp | undefined
  /** A carriage return at the end of the last chunk. */
  let carried = ''
  for await (const chunk of chunks) {
    const text = carried + chunk
    carried = text.endsWith('\r') ? '\r' : ''
    const complete = text.slice(0, text.length - carried.length)
    lineBreak ??= /^[^\n]*\r[^\n]*$/.test(complete.replace(/"[^"]*"?/g, '')) ? /\r\n?/g : /\r\n/g
    yield complete.replace(lineBreak, '\n')
  }
  if (carried !== '') yield '\n'
}

/** Turns text into rows. Each call of `parse` gets the text that the last call has not consumed, and more. */
class CsvReader {
  /** Line of the next record, from 1. */
  line = 1
  /** Length of the text that the last call of `parse` has read completely; the next call gets the text after it. */
  consumed = 0
  /** Undefined before the first call of `parse`. */
  #delimiter: string | undefined
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
  parse(text: string, isEndOfFile: boolean): Row[] {
    const isCutOff = isEndOfFile && text !== '' && !text.endsWith('\n')
    let rest = isCutOff ? `${text}\n` : text
    const length = rest.length
    if (this.#delimiter === undefined) {
      // Excel may write a first line such as `sep=;`.
      const [separatorLine = ''] = /^sep=[^\n]\n/i.exec(rest) ?? []
      rest = rest.slice(separatorLine.length)
      this.line += separatorLine === '' ? 0 : 1
      this.#delimiter = detectDelimiter(rest, this.#layout)
      this.#layout.separator = this.#delimiter
    }
    const options = { delimiter: this.#delimiter, isEndOfFile }
    if (this.#layout.headings.length === 0) rest = this.#readHeadings(rest, options)
    // Before the headings are known, nothing tells whether a record contains a row.
    const containsRow = toRowTest(this.#layout, this.#delimiter)
    const { records, consumed } = parseRecords(rest, { ...options, containsRow })
    this.consumed = length - rest.length + consumed
    if (isCutOff && records.length > 0) {
      this.#layout.notes.push(t`the last line has no line break; if the file was cut off, its last cell is incomplete`)
    }
    this.#warnOfEncoding(text)
    this.#surplus ??= findSurplus(records, this.#layout)
    const rows: Row[] = []
    for (const [index, record] of records.entries()) {
      if (!isBlankRow(record.cells)) rows.push(this.#toRow(record, isCutOff && index === records.length - 1))
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

  /**
   * Adds the headings to the layout, and returns the text after them. If there are only blank lines so far, it returns
   * the text after these, and the next call looks for the headings.
   */
  #readHeadings(text: string, options: Parameters<typeof parseRecords>[1]): string {
    const { records, consumed } = parseRecords(text, options)
    const candidates = records.filter(({ cells }) => !isBlankRow(cells))
    const headings = candidates[findHeadingRow(candidates, this.#layout)]
    const recordsRead = headings === undefined ? records : records.slice(0, records.indexOf(headings) + 1)
    for (const { lines } of recordsRead) this.line += lines
    if (headings === undefined) return text.slice(consumed)
    if (headings.hasFaultyQuote) {
      throw new SourceFault(t`Cannot read ${this.#name}: the quotes in its headings do not match; fix the first line`)
    }
    takeHeadings(candidates, this.#layout)
    this.#layout.requireColumns()
    return text.slice(indexAfter(recordsRead, text))
  }

  #toRow({ cells, hasFaultyQuote }: CsvRecord, isCutOff: boolean): Row {
    const { line } = this
    if (hasFaultyQuote) {
      // If the line has as many fields as there are headings, the rejects file can show them under their headings.
      const [value = ''] = cells
      const fields = value.split(this.#layout.separator)
      const expected = t`matching quotes: one at each end of a text, and doubled ones inside it`
      const areCells = fields.length === this.#layout.headings.length
      return { line, cells: areCells ? fields : cells, parseFault: { expected, value } }
    }
    const fault =
      this.#findCountFault(cells, isCutOff) ??
      findEncodingFault(cells, this.#encoding) ??
      findExcelFault(cells, this.#layout)
    return fault === undefined ? { line, cells } : { line, cells, parseFault: fault }
  }

  /**
   * Returns a fault if a separator has probably split a text without quotes, or the file was cut off. If the headings
   * are `code;title;;` and records have four fields, so that the usual surplus is 0:
   *
   * record           | fault
   * `05019-1;Plan;;` | none: some programs end each line with empty fields
   * `05019-1;Plan`   | none, because some programs omit empty fields; but it is cut off if it has no line break
   * `05019-1;A;B;`   | it has a value past the last heading that is not blank
   * `05019-1;A;;;`   | it has more fields than usual
   */
  #findCountFault(cells: readonly string[], isCutOff: boolean): ParseFault | undefined {
    const { headings, namedCount } = this.#layout
    const toFault = (expected: string): ParseFault => ({ expected, value: toQuantity(cells.length, 'field') })
    const isTooLong = cells.length > headings.length + (this.#surplus ?? 0)
    if (isTooLong || (cells.length > namedCount && !isBlankRow(cells.slice(namedCount)))) {
      return toFault(t`${namedCount} fields (quote a field that contains a separator)`)
    }
    const isIncomplete = isCutOff && cells.length < headings.length
    return isIncomplete ? toFault(t`${headings.length} fields before the file ends`) : undefined
  }
}

/** If the file is mostly UTF-8, its invalid bytes were decoded as U+FFFD. */
function findEncodingFault(cells: readonly string[], { isMixed }: Encoding): ParseFault | undefined {
  const invalid = isMixed ? cells.find((cell) => cell.includes('\uFFFD')) : undefined
  return invalid === undefined ? undefined : { expected: t`text in UTF-8, like the rest of the file`, value: invalid }
}

/**
 * Returns by how many fields the records exceed the headings: the most frequent number, and the smallest of equally
 * frequent ones. Records with fewer fields than headings do not count. Undefined if no record counts.
 */
function findSurplus(records: readonly CsvRecord[], { headings }: Layout): number | undefined {
  const counts = new Map<number, number>()
  for (const { cells } of records) {
    if (cells.length < headings.length || isBlankRow(cells)) continue
    const surplus = cells.length - headings.length
    counts.set(surplus, (counts.get(surplus) ?? 0) + 1)
  }
  const [mostFrequent] = [...counts].sort(([a, countOfA], [b, countOfB]) => countOfB - countOfA || a - b)
  return mostFrequent?.[0]
}

/**
 * Chooses the separator that gives the most columns of a record (`Layout.countColumns`) and, if two are equal, the most
 * headings.
 */
function detectDelimiter(text: string, layout: Layout): string {
  let best = { delimiter: ',', knownCount: 0, headingCount: 1 }
  for (const delimiter of separators) {
    const { records } = parseRecords(`${text}\n`, { delimiter, isEndOfFile: true })
    const candidates = records.filter(({ cells }) => !isBlankRow(cells))
    const headings = candidates[findHeadingRow(candidates, layout)]?.cells ?? []
    const probe = layout.toEmpty()
    for (const heading of headings) probe.append(heading)
    const [knownCount, headingCount] = [probe.countColumns(), headings.length]
    const isBetter =
      knownCount > best.knownCount || (knownCount === best.knownCount && headingCount > best.headingCount)
    // A single heading means that the separator does not occur.
    if (headingCount > 1 && isBetter) best = { delimiter, knownCount, headingCount }
  }
  return best.delimiter
}

/** A shorter form is not compared: `a`, for the prefix of `A-1`, would match ordinary text too. */
const formCharactersMin = 3

/**
 * Returns a test of whether the cells of a record contain another row. Here the quote of the first line is closed by
 * the one of the third, so the parser makes one record of three cells, and the second cell has a row:
 *
 *   05019-1,"Plan A,Ávila
 *   05019-2,Plan B,Ávila
 *   05019-3,Plan C",Ávila
 *
 * A later line of a cell is a row if the field in the place of the code has the form of the record's own code, or if
 * the cell has as many fields as there are headings and that one is any code. The column `content` may quote tables.
 */
function toRowTest(layout: Layout, delimiter: string): (cells: readonly string[]) => boolean {
  const hasCode = layout.indexOf('code') !== undefined
  const codeIndex = layout.indexOf('code') ?? layout.indexOf('prefix')
  const contentIndex = layout.indexOf('content')
  /** Returns `00000-aa` for the code `05019-PU-1101` and for the prefix `05019-PU`. Empty if the text is no code. */
  const toForm = (text: string): string => {
    if (hasCode && !layout.isCode(text)) return ''
    const hyphen = hasCode ? text.lastIndexOf('-') : -1
    const prefix = hyphen === -1 ? text : text.slice(0, hyphen)
    return prefix.replace(/\p{N}/gu, '0').replace(/\p{L}/gu, 'a')
  }
  return (cells) => {
    if (codeIndex === undefined) return false
    const ownForm = toForm((cells[codeIndex] ?? '').trim())
    return cells.some((cell, index) => {
      if (index === contentIndex || !cell.includes('\n')) return false
      const hasFieldsOfRow = hasCode && cell.split(delimiter).length >= layout.headings.length
      return cell
        .split('\n')
        .slice(1)
        .map((line) => line.split(delimiter))
        .some((fields) => {
          const code = fields.length > codeIndex + 1 ? (fields[codeIndex] ?? '').trim() : ''
          const hasOwnForm = ownForm.length >= formCharactersMin && toForm(code) === ownForm
          return hasOwnForm || (hasFieldsOfRow && layout.isCode(code))
        })
    })
  }
}
