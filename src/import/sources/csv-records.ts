// Splits CSV text into records with papaparse (RFC 4180 and the looser forms that spreadsheets write). A record whose
// quotes do not match becomes a faulty record, which ends with the line of the fault; parsing resumes at the next line.
// The parser alone would silently merge all rows up to the next quote of the file into one.
import Papa from 'papaparse'
import { withoutTextFormula } from '../rows/excel-cell.ts'

/** The form of a CSV text. The properties have the names of papaparse's options. */
export interface Dialect {
  /** The character between two cells, such as `;`. */
  readonly delimiter: string
  /** The end of a line. It is `\n` also for files with `\r\n`: the carriage return is then part of the last cell. */
  readonly newline: '\n' | '\r'
}

export interface CsvRecord {
  readonly cells: readonly string[]
  /** Number of its lines: the next record begins so many lines after the first line of this one. */
  readonly lines: number
  /** What was expected, if its quotes do not match: `a closing quote`. The only cell is then the unsplit text. */
  readonly quoteFault?: string
  /** Whether the file ends after this record without a line break. */
  readonly isCutOff: boolean
}

/** The result of `parseRecords`. */
export interface ParsedText {
  readonly records: readonly CsvRecord[]
  /** Length of the text that the records take; the rest of the text is an incomplete record. */
  readonly charactersConsumed: number
}

export interface ParseOptions {
  /** Whether the text reaches the end of the file. Otherwise its last record may be incomplete and is not returned. */
  readonly isEndOfFile: boolean
  /**
   * Decides whether the cells of a record that spans several lines contain another row. If they do, a quote was not
   * closed and the next quote of the file closed it by chance. By default no record contains another one.
   */
  readonly containsRow?: (cells: readonly string[]) => boolean
}

/** The values of `CsvRecord.quoteFault`. Each completes the sentence `expected …`; csv.ts translates them. */
const unclosedQuote = 'a closing quote'
const undoubledQuote = 'doubled quotes inside a quoted field'

/**
 * Length of the chunk that is parsed after a fault. It is short, because a further fault ends the parsing of its chunk,
 * and what follows the fault in the chunk has to be parsed again.
 */
const chunkCharactersMin = 2 * 1024
/** Each chunk without a fault is followed by one that is longer by this factor. */
const chunkGrowth = 4

/** `text` begins where a record begins. */
export function parseRecords(text: string, dialect: Dialect, options: ParseOptions): ParsedText {
  const { isEndOfFile, containsRow = () => false } = options
  const records: CsvRecord[] = []
  /** Where the next chunk begins, as an index of the text. It is always the beginning of a record. */
  let chunkStart = 0
  /** The first chunk is the whole text, because most texts have no fault. After a fault, chunks are short. */
  let chunkCharacters = text.length
  while (chunkStart < text.length) {
    const chunk = text.slice(chunkStart, chunkStart + chunkCharacters)
    const isLastChunk = chunkStart + chunk.length === text.length
    const parsed = parseChunk(chunk, dialect, isLastChunk && isEndOfFile, containsRow)
    for (const record of parsed.records) records.push(record)
    chunkStart += parsed.charactersConsumed
    const hasFault = parsed.records.at(-1)?.quoteFault !== undefined
    if (hasFault) chunkCharacters = chunkCharactersMin
    else if (isLastChunk) break
    else chunkCharacters *= chunkGrowth
  }
  const last = records.at(-1)
  if (isEndOfFile && last !== undefined && !text.endsWith(dialect.newline)) {
    records[records.length - 1] = { ...last, isCutOff: true }
  }
  return { records, charactersConsumed: chunkStart }
}

/**
 * Returns the records of a chunk up to the first faulty one, which is included. `endsFile` is whether the chunk reaches
 * the end of the file; otherwise its last record may be incomplete and is left out.
 */
function parseChunk(
  chunk: string,
  dialect: Dialect,
  endsFile: boolean,
  containsRow: (cells: readonly string[]) => boolean,
): ParsedText {
  // The streaming mode of the package is not used: it neither limits the size of a record nor counts lines.
  const ignoreLastRecord = !endsFile
  // The parser accepts white space after a closing quote only before a delimiter or a line break.
  const text = endsFile && !chunk.endsWith(dialect.newline) ? chunk + dialect.newline : chunk
  const { data, errors, meta } = new Papa.Parser({ ...dialect }).parse(text, 0, ignoreLastRecord) as {
    data: string[][]
    errors: ParserError[]
    meta: { cursor: number }
  }
  // The parser returns an empty record after the last line break.
  if (endsFile) data.pop()
  const quoteFault = findFirstFault(errors, chunk, dialect, endsFile)
  // Most chunks have one line per record. Then it is not counted in the cells of each record.
  const isOneLinePerRecord = !endsFile && countLineBreaks(chunk, 0, meta.cursor, dialect) === data.length
  const records = data.slice(0, quoteFault?.recordIndex).map((written): CsvRecord => {
    const cells = written.map(withoutTextFormula)
    return { cells, lines: isOneLinePerRecord ? 1 : countLines(cells, dialect), isCutOff: false }
  })
  const containingIndex = records.findIndex(({ cells, lines }) => lines > 1 && containsRow(cells))
  if (containingIndex !== -1) {
    // The unclosed quote is taken to be on the first line of the record, so only that line becomes the faulty record.
    const fault = { recordIndex: containingIndex, fieldStart: 0, expected: unclosedQuote }
    return cutAtFault(records, fault, chunk, dialect, endsFile)
  }
  if (quoteFault !== undefined) return cutAtFault(records, quoteFault, chunk, dialect, endsFile)
  return { records, charactersConsumed: Math.min(meta.cursor, chunk.length) }
}

/** An error of papaparse: the index of the record, and where its field begins, after the opening quote. */
interface ParserError {
  readonly row: number
  readonly index: number
}

interface Fault {
  readonly recordIndex: number
  /** Where the field with the fault begins, as an index of the chunk. */
  readonly fieldStart: number
  /** `unclosedQuote` or `undoubledQuote`. */
  readonly expected: string
}

/** Returns the first error that is a fault: the parser also reports white space between a closing quote and the end. */
function findFirstFault(
  errors: readonly ParserError[],
  chunk: string,
  dialect: Dialect,
  endsFile: boolean,
): Fault | undefined {
  for (const { row, index } of errors) {
    const expected = findQuoteFault(chunk, index, dialect, endsFile)
    if (expected !== undefined) return { recordIndex: row, fieldStart: index, expected }
  }
  return undefined
}

/** Returns the records before the faulty one, and the faulty one, which ends with the line where its field begins. */
function cutAtFault(
  records: readonly CsvRecord[],
  { recordIndex, fieldStart, expected }: Fault,
  chunk: string,
  dialect: Dialect,
  endsFile: boolean,
): ParsedText {
  const recordsBefore = records.slice(0, recordIndex)
  const start = indexAfter(recordsBefore, chunk, dialect)
  const lineBreak = chunk.indexOf(dialect.newline, Math.max(start, fieldStart))
  // If the chunk ends inside the line, the record is parsed again with more text.
  if (lineBreak === -1 && !endsFile) return { records: recordsBefore, charactersConsumed: start }
  const end = lineBreak === -1 ? chunk.length : lineBreak + 1
  const cells = [chunk.slice(start, end).trim()]
  const lines = countLineBreaks(chunk, start, end, dialect)
  const faultyRecord = { cells, lines, quoteFault: expected, isCutOff: false }
  return { records: [...recordsBefore, faultyRecord], charactersConsumed: end }
}

/** Returns where the text after the records begins. They are the first records of the text. */
export function indexAfter(records: readonly CsvRecord[], text: string, { newline }: Dialect): number {
  let index = 0
  for (const { lines } of records) {
    for (let line = 0; line < lines; line++) {
      const lineBreak = text.indexOf(newline, index)
      // The last record of the file may have no line break.
      if (lineBreak === -1) return text.length
      index = lineBreak + 1
    }
  }
  return index
}

/**
 * Returns what is wrong with the quotes of a field: `unclosedQuote`, `undoubledQuote`, or undefined if the field is
 * correct, or if the text ends before that is certain. `start` is where the field begins, after its opening quote.
 */
function findQuoteFault(text: string, start: number, dialect: Dialect, endsFile: boolean): string | undefined {
  const isSeparator = (character: string | undefined): boolean =>
    character === dialect.delimiter || character === dialect.newline
  // A doubled quote stands for one quote of the text, so the search goes on after both.
  for (let quote = text.indexOf('"', start); quote !== -1; quote = text.indexOf('"', quote + 2)) {
    const isDoubled = text[quote + 1] === '"'
    if (isDoubled) continue
    // White space between the closing quote and the separator is allowed.
    let next = quote + 1
    while (!isSeparator(text[next]) && /\s/.test(text[next] ?? '')) next += 1
    const isTextUsedUp = next >= text.length
    if (isTextUsedUp || isSeparator(text[next])) return undefined
    // A quote on a later line usually opens a field of that line, so the quote before it was not closed.
    return text.slice(start, quote).includes(dialect.newline) ? unclosedQuote : undoubledQuote
  }
  return endsFile ? unclosedQuote : undefined
}

/** Counts the lines of a record, line breaks inside its cells included. */
function countLines(cells: readonly string[], dialect: Dialect): number {
  let lines = 1
  for (const cell of cells) lines += countLineBreaks(cell, 0, cell.length, dialect)
  return lines
}

/** Counts the line breaks from `start` up to `end`, which are indexes of the text. */
function countLineBreaks(text: string, start: number, end: number, { newline }: Dialect): number {
  let lineBreaks = 0
  for (
    let index = text.indexOf(newline, start);
    index !== -1 && index < end;
    index = text.indexOf(newline, index + 1)
  ) {
    lineBreaks += 1
  }
  return lineBreaks
}
