// Splits CSV text into records with papaparse (RFC 4180 and the looser forms that spreadsheets write). Where the quotes
// of a record do not match, only that line is marked as faulty and parsing resumes at the next one. The parser alone
// would silently merge all rows up to the next quote of the file into one.
import Papa from 'papaparse'

export interface Dialect {
  readonly delimiter: string
  readonly newline: '\n' | '\r'
}

export interface CsvRecord {
  readonly cells: readonly string[]
  /** Number of lines it spans. */
  readonly lines: number
  /** What its quotes should have been. The only cell is then the text of the line. */
  readonly quoteFault?: string
  /** It ends the text without a line break. */
  readonly isCutOff: boolean
}

export interface ParsedText {
  readonly records: readonly CsvRecord[]
  /** Characters consumed; the rest is an incomplete record. */
  readonly characters: number
}

const unclosedQuote = 'a closing quote'
const undoubledQuote = 'doubled quotes inside a quoted field'
/** After a fault the text is parsed in small chunks, because every further fault restarts the parser. */
const chunkCharactersMin = 2 * 1024

/**
 * `containsRow` decides whether the cells of a record that spans several lines contain another row. If they do, a quote
 * was not closed and the next quote of the file closed it by chance.
 */
export function parseRecords(
  text: string,
  dialect: Dialect,
  isEnd: boolean,
  containsRow: (cells: readonly string[]) => boolean = () => false,
): ParsedText {
  const records: CsvRecord[] = []
  let position = 0
  let chunkCharacters = text.length
  while (position < text.length) {
    const chunk = text.slice(position, position + chunkCharacters)
    const isLast = position + chunk.length === text.length
    const mayBeCutOff = isLast && isEnd
    let parsed = parseChunk(chunk, dialect, mayBeCutOff)
    const isOneLinePerRecord = !mayBeCutOff && countLines(chunk, 0, parsed.characters, dialect) === parsed.data.length
    if (!isOneLinePerRecord) {
      const faulty = parsed.data.findIndex((cells) => linesOf(cells, dialect) > 1 && containsRow(cells))
      if (faulty !== -1) parsed = cutAtFault(chunk, dialect, parsed.data, faulty, 0, unclosedQuote)
    }
    for (const cells of parsed.data) {
      records.push({ cells, lines: isOneLinePerRecord ? 1 : linesOf(cells, dialect), isCutOff: false })
    }
    position += parsed.characters
    if (parsed.fault !== undefined) {
      records.push(parsed.fault)
      position += parsed.faultCharacters
      chunkCharacters = chunkCharactersMin
    } else if (isLast) {
      break
    } else {
      chunkCharacters *= 4
    }
  }
  const last = records.at(-1)
  if (isEnd && last !== undefined && !text.endsWith(dialect.newline)) {
    records[records.length - 1] = { ...last, isCutOff: true }
  }
  return { records, characters: position }
}

interface ParsedChunk {
  readonly data: readonly string[][]
  readonly characters: number
  readonly fault?: CsvRecord
  readonly faultCharacters: number
}

/** Returns the records before the first one whose quotes do not match, and the line of that one. */
function parseChunk(chunk: string, dialect: Dialect, isEnd: boolean): ParsedChunk {
  // The streaming mode of the package is not used: it neither limits the size of a record nor counts lines.
  const parsed = new Papa.Parser({ ...dialect }).parse(chunk, 0, !isEnd) as {
    data: string[][]
    errors: { row: number; index: number }[]
    meta: { cursor: number }
  }
  for (const { row, index } of parsed.errors) {
    const quoteFault = findQuoteFault(chunk, index, dialect, isEnd)
    if (quoteFault === undefined) continue
    // The faulty line is incomplete.
    if (!isEnd && chunk.indexOf(dialect.newline, index) === -1) {
      return { data: parsed.data.slice(0, row), characters: startOf(row, chunk, dialect), faultCharacters: 0 }
    }
    return cutAtFault(chunk, dialect, parsed.data, row, index, quoteFault)
  }
  // The parser returns an empty record after the last line break.
  const data = isEnd && chunk.endsWith(dialect.newline) ? parsed.data.slice(0, -1) : parsed.data
  return { data, characters: parsed.meta.cursor, faultCharacters: 0 }
}

/** Returns the records before the faulty one, and the faulty one up to the end of the line with the fault. */
function cutAtFault(
  chunk: string,
  dialect: Dialect,
  data: readonly string[][],
  row: number,
  faultAt: number,
  quoteFault: string,
): ParsedChunk {
  const start = startOf(row, chunk, dialect)
  const newline = chunk.indexOf(dialect.newline, Math.max(start, faultAt))
  const end = newline === -1 ? chunk.length : newline + 1
  const cells = [chunk.slice(start, end).trim()]
  const fault = { cells, lines: countLines(chunk, start, end, dialect), quoteFault, isCutOff: false }
  return { data: data.slice(0, row), characters: start, fault, faultCharacters: end - start }
}

/** Returns the index of the first character of a record. */
export function startOf(row: number, chunk: string, dialect: Dialect): number {
  if (row === 0) return 0
  // The fast mode for text without quotes reads one record too many.
  const parser = new Papa.Parser({ ...dialect, preview: row, fastMode: false })
  const before = parser.parse(chunk, 0, false) as { meta: { cursor: number } }
  return before.meta.cursor
}

/** Returns undefined if the quoted field that begins at `start` is correct, or may be once more text is read. */
function findQuoteFault(text: string, start: number, dialect: Dialect, isEnd: boolean): string | undefined {
  for (let quote = text.indexOf('"', start); quote !== -1; quote = text.indexOf('"', quote + 2)) {
    if (text[quote + 1] === '"') continue
    let next = quote + 1
    while (text[next] !== dialect.delimiter && text[next] !== dialect.newline && /\s/.test(text[next] ?? '')) next += 1
    if (next < text.length) {
      if (text[next] === dialect.delimiter || text[next] === dialect.newline) return undefined
      // A quote on a later line usually opens a field there.
      return text.slice(start, quote).includes(dialect.newline) ? unclosedQuote : undoubledQuote
    }
    return undefined
  }
  return isEnd ? unclosedQuote : undefined
}

function linesOf(cells: readonly string[], dialect: Dialect): number {
  let lines = 1
  for (const cell of cells) lines += countLines(cell, 0, cell.length, dialect)
  return lines
}

function countLines(text: string, start: number, end: number, { newline }: Dialect): number {
  let lines = 0
  for (
    let index = text.indexOf(newline, start);
    index !== -1 && index < end;
    index = text.indexOf(newline, index + 1)
  ) {
    lines += 1
  }
  return lines
}
