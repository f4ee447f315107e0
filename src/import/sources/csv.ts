// Reads CSV as registries export it: detects the delimiter, finds the headings, counts lines and marks rows that cannot
// be split into cells reliably, which the import then rejects. csv-records.ts splits the text into records.
import { t, toQuantity, translate } from '../../language.ts'
import { identifierColumns } from '../rows/columns.ts'
import {
  isErrorValue,
  isMonthDate,
  isShortenedNumber,
  toDateFault,
  toErrorValueFault,
  toLostDigitsFault,
} from '../rows/excel-cell.ts'
import type { Layout } from '../rows/layout.ts'
import { toQuoted } from '../rows/quote.ts'
import type { ParseFault, Row } from '../rows/row.ts'
import { SourceFault } from '../source-fault.ts'
import { type CsvRecord, type Dialect, indexAfter, parseRecords } from './csv-records.ts'
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
    /** Length of what comes before the records: the `sep=` line, the lines above the headings, and the headings. */
    let skipped = 0
    if (this.#dialect === undefined) {
      skipped = separatorLineCharacters(text)
      if (skipped > 0) this.line += 1
      this.#dialect = detectDialect(text.slice(skipped), this.#layout)
      this.#layout.separator = this.#dialect.delimiter
    }
    const dialect = this.#dialect
    if (this.#layout.headings.length === 0) skipped += this.#readHeadings(text.slice(skipped), dialect, isEndOfFile)
    const { records, charactersConsumed } = parseRecords(text.slice(skipped), dialect, {
      isEndOfFile,
      containsRow: (cells) => containsRow(cells, this.#layout, dialect),
    })
    this.charactersConsumed = skipped + charactersConsumed
    if (records.at(-1)?.isCutOff === true) {
      this.#layout.notes.push(t`the last line has no line break; if the file was cut off, its last cell is incomplete`)
    }
    this.#warnOfEncoding(text)
    const rows: Row[] = []
    this.#surplus ??= findSurplus(records, this.#layout)
    for (const record of records) {
      const firstLine = this.line
      this.line += record.lines
      if (record.cells.every(isBlank)) continue
      rows.push(toRow(firstLine, record, this.#layout, this.#surplus, this.#encoding, dialect))
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

  /** Returns the length of the headings and of the blank lines and titles above them. */
  #readHeadings(text: string, dialect: Dialect, isEndOfFile: boolean): number {
    const { records, charactersConsumed } = parseRecords(text, dialect, { isEndOfFile })
    const candidates = records
      .map((record, index) => ({ record, index }))
      .filter(({ record }) => !record.cells.every(isBlank))
    const candidateCells = candidates.map(({ record }) => record.cells)
    const candidateIndex = findHeadingRow(candidateCells, this.#layout)
    const headings = candidates[candidateIndex]
    if (headings === undefined) {
      // There are only blank lines so far.
      for (const { lines } of records) this.line += lines
      return charactersConsumed
    }
    const recordsAbove = records.slice(0, headings.index + 1)
    for (const { lines } of recordsAbove) this.line += lines
    noteTitleLines(this.#layout, candidateCells.slice(0, candidateIndex))
    addHeadings(this.#layout, headings.record, this.#name)
    return indexAfter(recordsAbove, text, dialect)
  }
}

/**
 * Excel may write a first line such as `sep=;`. Returns its length with the line break; 0 if there is none. The line is
 * only skipped, because `detectDialect` finds the delimiter in any case.
 */
function separatorLineCharacters(text: string): number {
  return /^sep=[^\r\n](?:\r?\n|\r)/i.exec(text)?.[0].length ?? 0
}

const delimiters = [',', ';', '\t', '|']

/**
 * Chooses the delimiter that gives the most columns of a record (`Layout.countColumns`) and, if two are equal, the most
 * headings. Also tells how lines end.
 */
function detectDialect(text: string, layout: Layout): Dialect {
  // Old programs end a line with a carriage return alone. A carriage return before a line feed is left in the last
  // cell, which normalise.ts trims.
  const newline = !text.includes('\n') && text.includes('\r') ? '\r' : '\n'
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

/**
 * Returns by how many fields the records exceed the headings: the most frequent number, and the smallest of equally
 * frequent ones. Records with fewer fields than headings do not count. Undefined if no record counts.
 */
function findSurplus(records: readonly CsvRecord[], { headings }: Layout): number | undefined {
  const counts = new Map<number, number>()
  for (const { cells } of records) {
    if (cells.length < headings.length || cells.every(isBlank)) continue
    const surplus = cells.length - headings.length
    counts.set(surplus, (counts.get(surplus) ?? 0) + 1)
  }
  const [mostFrequent] = [...counts].sort(([a, countOfA], [b, countOfB]) => countOfB - countOfA || a - b)
  return mostFrequent?.[0]
}

/**
 * Checks quotes, number of fields and encoding. A record that breaks a rule becomes a row with a fault. `usualSurplus`
 * is the result of `findSurplus`.
 */
function toRow(
  line: number,
  { cells, quoteFault, isCutOff }: CsvRecord,
  layout: Layout,
  usualSurplus: number | undefined,
  encoding: Encoding,
  { delimiter }: Dialect,
): Row {
  const toFaultyRow = (expected: string, value: string): Row => ({ line, cells, parseFault: { expected, value } })
  const headingCount = layout.headings.length
  if (quoteFault !== undefined) {
    const [unsplitText = ''] = cells
    // csv-records.ts names the fault in English.
    const row = toFaultyRow(translate(quoteFault), unsplitText)
    // If there are as many fields as headings, the rejects file can show the fields under their headings.
    const fields = unsplitText.split(delimiter)
    return fields.length === headingCount ? { ...row, cells: fields } : row
  }
  // Some programs end each line with empty fields, with or without blank headings above them. But a filled field past
  // the last named heading, or more fields than usual, means that a delimiter has split an unquoted field.
  const namedCount = layout.headings.findLastIndex((heading) => !isBlank(heading)) + 1
  const hasValueTooMany = !cells.slice(namedCount).every(isBlank)
  const surplus = cells.length - headingCount
  if (hasValueTooMany || surplus > (usualSurplus ?? 0)) {
    return toFaultyRow(
      t`${namedCount} fields (quote a field that contains a separator)`,
      toQuantity(cells.length, 'field'),
    )
  }
  // Some programs omit trailing empty fields, but a short last line without a line break was probably cut off.
  if (cells.length < headingCount && isCutOff) {
    return toFaultyRow(t`${headingCount} fields before the file ends`, toQuantity(cells.length, 'field'))
  }
  // The file is mostly UTF-8. Its invalid bytes were decoded as U+FFFD.
  if (encoding.isMixed) {
    const invalid = cells.find((cell) => cell.includes('\uFFFD'))
    if (invalid !== undefined) return toFaultyRow(t`text in UTF-8, like the rest of the file`, invalid)
  }
  const parseFault = findExcelFault(cells, layout)
  return parseFault === undefined ? { line, cells } : { line, cells, parseFault }
}

/** Returns the fault of the first cell that the XLSX reader would reject too; undefined if there is none. */
function findExcelFault(cells: readonly string[], layout: Layout): ParseFault | undefined {
  for (const [index, cell] of cells.entries()) {
    const heading = layout.headings[index] ?? ''
    if (isErrorValue(cell) && layout.isUsed(index)) return toErrorValueFault(heading, cell.trim())
    if (isShortenedNumber(cell) && identifierColumns.some((column) => layout.readsFrom(column, index)))
      return toLostDigitsFault(heading, cell.trim())
    if (isMonthDate(cell) && identifierColumns.some((column) => layout.readsWhole(column, index)))
      return toDateFault(heading, cell.trim())
  }
  return undefined
}

/** Shorter forms (`toPrefixForm`) are not compared: `a`, for the prefix of `A-1`, would match ordinary text too. */
const formCharactersMin = 3

/**
 * Whether one of the cells contains another row, because a quote was not closed. After the line `05019-1,"Plan A`, the
 * line `05019-2,Plan B` is another row. `parseRecords` then rejects the first line of the record and parses the next
 * lines again. Each line of a cell, except its first, is split into fields, one of which has the index of the code. The
 * line is taken for a row if further fields follow that one, and
 * - the field has the same form as the code of the record (`toCodeForm`), or
 * - the field is any valid code, and all lines of the cell together have at least as many fields as there are headings.
 *
 * Without a column `code`, only the first rule applies, to the prefixes. The column `content` is not searched: it may
 * quote tables.
 */
function containsRow(cells: readonly string[], layout: Layout, { delimiter, newline }: Dialect): boolean {
  const codeIndex = layout.indexOf('code') ?? layout.indexOf('prefix')
  if (codeIndex === undefined || layout.headings.length === 0) return false
  const hasCodeColumn = layout.indexOf('code') !== undefined
  const toForm = (text: string): string => (hasCodeColumn ? toCodeForm(text, layout) : toPrefixForm(text))
  const ownForm = toForm(cells[codeIndex] ?? '')
  const isOwnForm = (code: string): boolean => ownForm.length >= formCharactersMin && toForm(code) === ownForm
  return cells.some((cell, index) => {
    if (index === layout.indexOf('content') || !cell.includes(newline)) return false
    // Without a column `code`, the field is a prefix, which `isCode` cannot judge.
    const hasFieldsOfRow = hasCodeColumn && cell.split(delimiter).length >= layout.headings.length
    const [, ...laterLines] = cell.split(newline)
    return laterLines.some((line) => {
      const fields = line.split(delimiter)
      const hasFieldAfterCode = fields.length > codeIndex + 1
      if (!hasFieldAfterCode) return false
      const code = fields[codeIndex]?.trim() ?? ''
      return isOwnForm(code) || (hasFieldsOfRow && layout.isCode(code))
    })
  })
}

/** Returns the form of the prefix of a code: `00000-aa` for `05019-PU-1101`. Empty if the text is not a code. */
function toCodeForm(text: string, { isCode }: Layout): string {
  const code = text.trim()
  // A code of `--code-pattern` may have no hyphen; then the form of the whole code is compared.
  const hyphen = code.lastIndexOf('-')
  return isCode(code) ? toPrefixForm(hyphen === -1 ? code : code.slice(0, hyphen)) : ''
}

/** Returns the prefix with `0` for every digit and `a` for every letter: `00000-aa` for `05019-PU`. */
function toPrefixForm(prefix: string): string {
  return prefix.trim().replace(/\p{N}/gu, '0').replace(/\p{L}/gu, 'a')
}

function isBlank(cell: string): boolean {
  return cell.trim() === ''
}
