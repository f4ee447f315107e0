// Tells the records of a CSV apart. papaparse does it (RFC 4180, and the loose forms of spreadsheets); where the quotes
// of a record do not match, that line alone is given up and reading goes on with the next: a parser left to itself
// would swallow rows up to the next quote of the file, and nobody would miss them.
import Papa from 'papaparse'

export interface Dialect {
  readonly delimiter: string
  readonly newline: '\n' | '\r'
}

export interface CsvRecord {
  readonly cells: readonly string[]
  /** How many lines it takes. */
  readonly lines: number
  /** What is wrong with its quotes; then its only cell is the text of the line. */
  readonly quotes?: string
  /** The text ends with it, without a line break. */
  readonly isCutOff: boolean
}

export interface ParsedText {
  readonly records: readonly CsvRecord[]
  /** How many characters they took; what follows is a record that has not ended. */
  readonly characters: number
}

const unclosed = 'a quote to be closed'
const undoubled = 'quotes inside a quoted field to be doubled'
/** After a fault the text is parsed in small pieces: each fault begins a parsing of its own. */
const pieceCharactersMin = 2 * 1024

/**
 * `hasSwallowed` tells of the cells of a record over several lines whether they hold another: then a quote was never
 * closed, and the next one of the file closes it by chance.
 */
export function parseRecords(
  text: string,
  dialect: Dialect,
  isEnd: boolean,
  hasSwallowed: (cells: readonly string[]) => boolean = () => false,
): ParsedText {
  const records: CsvRecord[] = []
  let position = 0
  let pieceCharacters = text.length
  while (position < text.length) {
    const piece = text.slice(position, position + pieceCharacters)
    const isLast = position + piece.length === text.length
    const mayBeCutOff = isLast && isEnd
    let parsed = parsePiece(piece, dialect, mayBeCutOff)
    const isOneLineEach = !mayBeCutOff && countLines(piece, 0, parsed.characters, dialect) === parsed.data.length
    if (!isOneLineEach) {
      const swallowing = parsed.data.findIndex((cells) => linesOf(cells, dialect) > 1 && hasSwallowed(cells))
      if (swallowing !== -1) parsed = upToFault(piece, dialect, parsed.data, swallowing, 0, unclosed)
    }
    for (const cells of parsed.data) {
      records.push({ cells, lines: isOneLineEach ? 1 : linesOf(cells, dialect), isCutOff: false })
    }
    position += parsed.characters
    if (parsed.fault !== undefined) {
      records.push(parsed.fault)
      position += parsed.faultCharacters
      pieceCharacters = pieceCharactersMin
    } else if (isLast) {
      break
    } else {
      pieceCharacters *= 4
    }
  }
  const last = records.at(-1)
  if (isEnd && last !== undefined && !text.endsWith(dialect.newline)) {
    records[records.length - 1] = { ...last, isCutOff: true }
  }
  return { records, characters: position }
}

interface ParsedPiece {
  readonly data: readonly string[][]
  readonly characters: number
  readonly fault?: CsvRecord
  readonly faultCharacters: number
}

/** The records of the piece up to the first whose quotes do not match, and that one's first line. */
function parsePiece(piece: string, dialect: Dialect, isEnd: boolean): ParsedPiece {
  // The parser itself without the streaming of the package, which neither bounds a record nor counts lines.
  const parsed = new Papa.Parser({ ...dialect }).parse(piece, 0, !isEnd) as {
    data: string[][]
    errors: { row: number; index: number }[]
    meta: { cursor: number }
  }
  for (const { row, index } of parsed.errors) {
    const quotes = findQuoteFault(piece, index, dialect, isEnd)
    if (quotes === undefined) continue
    // The line itself has not been read to its end.
    if (!isEnd && piece.indexOf(dialect.newline, index) === -1) {
      return { data: parsed.data.slice(0, row), characters: startOf(row, piece, dialect), faultCharacters: 0 }
    }
    return upToFault(piece, dialect, parsed.data, row, index, quotes)
  }
  // Behind the last line break there is no record.
  const data = isEnd && piece.endsWith(dialect.newline) ? parsed.data.slice(0, -1) : parsed.data
  return { data, characters: parsed.meta.cursor, faultCharacters: 0 }
}

/** What comes before the record with the fault, and of that one all up to the end of the line that the fault is in. */
function upToFault(
  piece: string,
  dialect: Dialect,
  data: readonly string[][],
  row: number,
  faultAt: number,
  quotes: string,
): ParsedPiece {
  const start = startOf(row, piece, dialect)
  const newline = piece.indexOf(dialect.newline, Math.max(start, faultAt))
  const end = newline === -1 ? piece.length : newline + 1
  const cells = [piece.slice(start, end).trim()]
  const fault = { cells, lines: countLines(piece, start, end, dialect), quotes, isCutOff: false }
  return { data: data.slice(0, row), characters: start, fault, faultCharacters: end - start }
}

/** Where the record with the number begins. */
export function startOf(row: number, piece: string, dialect: Dialect): number {
  if (row === 0) return 0
  // Its way for texts without quotes reads a record too many.
  const parser = new Papa.Parser({ ...dialect, preview: row, fastMode: false })
  const before = parser.parse(piece, 0, false) as { meta: { cursor: number } }
  return before.meta.cursor
}

/** Undefined where the quoted field that begins at `start` may yet end well in text that has not been read. */
function findQuoteFault(text: string, start: number, dialect: Dialect, isEnd: boolean): string | undefined {
  for (let quote = text.indexOf('"', start); quote !== -1; quote = text.indexOf('"', quote + 2)) {
    if (text[quote + 1] === '"') continue
    let next = quote + 1
    while (text[next] !== dialect.delimiter && text[next] !== dialect.newline && /\s/.test(text[next] ?? '')) next += 1
    if (next < text.length) {
      if (text[next] === dialect.delimiter || text[next] === dialect.newline) return undefined
      // A quote of another line is most often the first of a field there.
      return text.slice(start, quote).includes(dialect.newline) ? unclosed : undoubled
    }
    return undefined
  }
  return isEnd ? unclosed : undefined
}

function linesOf(cells: readonly string[], dialect: Dialect): number {
  let lines = 1
  for (const cell of cells) lines += countLines(cell, 0, cell.length, dialect)
  return lines
}

function countLines(text: string, start: number, end: number, { newline }: Dialect): number {
  let lines = 0
  for (let at = text.indexOf(newline, start); at !== -1 && at < end; at = text.indexOf(newline, at + 1)) lines += 1
  return lines
}
