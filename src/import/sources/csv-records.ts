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
  /** Where the text after the record begins, as an index of the parsed text; only if its quotes do not match. */
  readonly end?: number
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
    const endsFile = isLastChunk && isEndOfFile
    let parsed = parseChunk(chunk, dialect, endsFile)
    // Most text has one line per record; then no record can contain another one, and the lines of each record need not
    // be counted. At the end of the file, the numbers cannot be compared: the last record may have no line break.
    const isOneLinePerRecord =
      !endsFile && countLineBreaks(chunk, 0, parsed.correctCharacters, dialect) === parsed.correctRecords.length
    if (!isOneLinePerRecord) parsed = cutAtContainedRow(parsed, chunk, dialect, containsRow)
    for (const cells of parsed.correctRecords) {
      records.push({ cells, lines: isOneLinePerRecord ? 1 : countLines(cells, dialect), isCutOff: false })
    }
    chunkStart += parsed.correctCharacters
    if (parsed.faultyRecord !== undefined) {
      chunkStart += parsed.faultyCharacters
      records.push({ ...parsed.faultyRecord, end: chunkStart })
      chunkCharacters = chunkCharactersMin
    } else if (isLastChunk) {
      break
    } else {
      chunkCharacters *= chunkGrowth
    }
  }
  const last = records.at(-1)
  if (isEndOfFile && last !== undefined && !text.endsWith(dialect.newline)) {
    records[records.length - 1] = { ...last, isCutOff: true }
  }
  return { records, charactersConsumed: chunkStart }
}

/** The records of a chunk up to the first one whose quotes do not match. */
interface ParsedChunk {
  /** The cells of each record before the faulty one. */
  readonly correctRecords: readonly string[][]
  /** Length of the text that the correct records take. */
  readonly correctCharacters: number
  /** Follows the correct records; undefined if all are correct. */
  readonly faultyRecord?: CsvRecord
  /** Length of the text that the faulty record takes; 0 if there is none. */
  readonly faultyCharacters: number
}

/** `endsFile` is whether the chunk reaches the end of the file; otherwise its last record may be incomplete. */
function parseChunk(chunk: string, dialect: Dialect, endsFile: boolean): ParsedChunk {
  // The streaming mode of the package is not used: it neither limits the size of a record nor counts lines.
  const ignoreLastRecord = !endsFile
  const parsed = new Papa.Parser({ ...dialect }).parse(chunk, 0, ignoreLastRecord) as {
    data: string[][]
    errors: { row: number; index: number }[]
    meta: { cursor: number }
  }
  const data = parsed.data.map((cells) => cells.map(withoutTextFormula))
  for (const { row: recordIndex, index: fieldStart } of parsed.errors) {
    const quoteFault = findQuoteFault(chunk, fieldStart, dialect, endsFile)
    if (quoteFault === undefined) continue
    const recordsBefore = data.slice(0, recordIndex)
    const start = startOfRecord(recordIndex, chunk, dialect)
    // If the chunk ends inside the line, the record is parsed again with more text.
    const isLineComplete = endsFile || chunk.includes(dialect.newline, fieldStart)
    if (!isLineComplete) return { correctRecords: recordsBefore, correctCharacters: start, faultyCharacters: 0 }
    return cutAtFault(chunk, dialect, recordsBefore, start, fieldStart, quoteFault)
  }
  // The parser returns an empty record after the last line break.
  const hasEmptyRecord = endsFile && chunk.endsWith(dialect.newline)
  const correctRecords = hasEmptyRecord ? data.slice(0, -1) : data
  return { correctRecords, correctCharacters: parsed.meta.cursor, faultyCharacters: 0 }
}

/** Makes the first record that contains another row the faulty one; returns `parsed` if there is none. */
function cutAtContainedRow(
  parsed: ParsedChunk,
  chunk: string,
  dialect: Dialect,
  containsRow: (cells: readonly string[]) => boolean,
): ParsedChunk {
  const { correctRecords } = parsed
  const faultyIndex = correctRecords.findIndex((cells) => countLines(cells, dialect) > 1 && containsRow(cells))
  if (faultyIndex === -1) return parsed
  // The unclosed quote is taken to be on the first line of the record, so only that line becomes the faulty record.
  const start = startOfRecord(faultyIndex, chunk, dialect)
  return cutAtFault(chunk, dialect, correctRecords.slice(0, faultyIndex), start, start, unclosedQuote)
}

/**
 * Makes a faulty record of the text from `start` up to the end of the line that contains `faultIndex`. Both are indexes
 * of the chunk, and `faultIndex` is not before `start`.
 */
function cutAtFault(
  chunk: string,
  dialect: Dialect,
  correctRecords: readonly string[][],
  start: number,
  faultIndex: number,
  quoteFault: string,
): ParsedChunk {
  const lineBreak = chunk.indexOf(dialect.newline, faultIndex)
  const end = lineBreak === -1 ? chunk.length : lineBreak + 1
  const cells = [chunk.slice(start, end).trim()]
  const lines = countLineBreaks(chunk, start, end, dialect)
  const faultyRecord = { cells, lines, quoteFault, isCutOff: false }
  return { correctRecords, correctCharacters: start, faultyRecord, faultyCharacters: end - start }
}

/** Returns where the text after a record begins. `records` are those that `parseRecords` has found in the text. */
export function endOfRecord(
  recordIndex: number,
  records: readonly CsvRecord[],
  text: string,
  dialect: Dialect,
): number {
  // `startOfRecord` cannot count past a faulty record: the parser alone would merge it with the rows after it. So the
  // count begins after the last faulty record or, if there is none (index -1), at the beginning of the text.
  const faultyIndex = records.findLastIndex(({ end }, index) => end !== undefined && index <= recordIndex)
  const start = records[faultyIndex]?.end ?? 0
  return start + startOfRecord(recordIndex - faultyIndex, text.slice(start), dialect)
}

/** Returns the index in the text where a record begins. Record 0 begins at index 0. No earlier record may be faulty. */
function startOfRecord(recordIndex: number, text: string, dialect: Dialect): number {
  if (recordIndex === 0) return 0
  // The fast mode for text without quotes reads one record too many.
  const parser = new Papa.Parser({ ...dialect, preview: recordIndex, fastMode: false })
  // Parses from index 0, and does not ignore the last record.
  const recordsBefore = parser.parse(text, 0, false) as { meta: { cursor: number } }
  return recordsBefore.meta.cursor
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
