// Splits CSV text into records with papaparse (RFC 4180 and the looser forms that spreadsheets write). The parser alone
// would silently merge all rows between a faulty quote and the next quote of the file. So the first line of a record
// whose quotes do not match becomes a faulty record, and parsing goes on with the line after it.
import Papa from 'papaparse'
import { withoutTextFormula } from '../rows/excel-cell.ts'

export interface CsvRecord {
  /** If the quotes do not match, the only cell is the unsplit line. */
  readonly cells: readonly string[]
  /** Number of its lines: the next record begins so many lines after the first line of this one. */
  readonly lines: number
  readonly hasFaultyQuote: boolean
}

export interface ParsedText {
  readonly records: CsvRecord[]
  /** Length of the text that the records take; the rest of the text is an incomplete record. */
  readonly consumed: number
}

export interface ParseOptions {
  readonly delimiter: string
  /** Whether the text reaches the end of the file. It then ends with a line break. */
  readonly isEndOfFile: boolean
  /** Decides whether the cells of a record that spans several lines contain another row: a quote was not closed. */
  readonly containsRow?: (cells: readonly string[]) => boolean
}

/** After a fault, so much text is parsed next: a further fault ends the parsing of its slice, and wastes the rest. */
const sliceCharactersMin = 2 * 1024

/** `text` begins where a record begins, and its lines end with a line feed. */
export function parseRecords(text: string, options: ParseOptions): ParsedText {
  const records: CsvRecord[] = []
  let start = 0
  // Most texts have no fault and are one slice.
  let sliceCharacters = text.length
  while (start < text.length) {
    const slice = text.slice(start, start + sliceCharacters)
    const isLast = start + slice.length === text.length
    let parsed = parseSlice(slice, options)
    if (isLast && options.isEndOfFile && parsed.consumed < slice.length) parsed = cutLine(parsed.records, slice)
    for (const record of parsed.records) records.push(record)
    start += parsed.consumed
    const hasFault = parsed.records.at(-1)?.hasFaultyQuote === true
    if (isLast && !hasFault) break
    sliceCharacters = hasFault ? sliceCharactersMin : sliceCharacters * 4
  }
  return { records, consumed: start }
}

/** Returns the complete records of a slice, up to the first faulty one, which is included. */
function parseSlice(slice: string, { delimiter, containsRow = () => false }: ParseOptions): ParsedText {
  // The streaming mode of the package is not used: it neither limits the size of a record nor counts lines.
  const parser = new Papa.Parser({ delimiter, newline: '\n' })
  const { data, errors, meta } = parser.parse(slice, 0, true) as {
    data: string[][]
    errors: { readonly row: number; readonly index: number }[]
    meta: { cursor: number }
  }
  const hasQuotes = slice.includes('"')
  const records = data.map((written): CsvRecord => {
    if (!hasQuotes) return { cells: written, lines: 1, hasFaultyQuote: false }
    return { cells: written.map(withoutTextFormula), lines: countLines(written), hasFaultyQuote: false }
  })
  // An error in the incomplete record counts only if more text cannot change it.
  const error = errors.find(({ row, index }) => row < data.length || hasTextAfterQuote(slice, index))
  const merged = records.findIndex(({ cells, lines }) => lines > 1 && containsRow(cells))
  const faulty = Math.min(error?.row ?? records.length, merged === -1 ? records.length : merged)
  if (faulty === records.length && error === undefined) return { records, consumed: meta.cursor }
  return cutLine(records.slice(0, faulty), slice)
}

/** Whether text follows the closing quote of a field. `index` is where the field begins, after its opening quote. */
function hasTextAfterQuote(text: string, index: number): boolean {
  const pattern = /[^"]*(?:""[^"]*)*"\s*\S/y
  pattern.lastIndex = index
  return pattern.test(text)
}

/** Adds the line after the records as a faulty record. If its end is missing, it is parsed again with more text. */
function cutLine(records: CsvRecord[], text: string): ParsedText {
  const start = indexAfter(records, text)
  const end = text.indexOf('\n', start) + 1
  if (end === 0) return { records, consumed: start }
  const faulty = { cells: [text.slice(start, end - 1)], lines: 1, hasFaultyQuote: true }
  return { records: [...records, faulty], consumed: end }
}

/** Returns where the text after the records begins. They are the first records of the text. */
export function indexAfter(records: readonly CsvRecord[], text: string): number {
  let index = 0
  for (const { lines } of records) for (let line = 0; line < lines; line++) index = text.indexOf('\n', index) + 1
  return index
}

/** Counts the lines of a record, line breaks inside its cells included. */
function countLines(cells: readonly string[]): number {
  let lines = 1
  for (const cell of cells) {
    for (let index = cell.indexOf('\n'); index !== -1; index = cell.indexOf('\n', index + 1)) lines += 1
  }
  return lines
}
