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

export const unclosed = 'a quote to be closed'
const undoubled = 'quotes inside a quoted field to be doubled'
/** After a fault the text is parsed in small pieces: each fault begins a parsing of its own. */
const pieceCharactersMin = 2 * 1024

export function parseRecords(text: string, dialect: Dialect, isEnd: boolean): ParsedText {
  const records: CsvRecord[] = []
  let position = 0
  let pieceCharacters = text.length
  while (position < text.length) {
    const piece = text.slice(position, position + pieceCharacters)
    const isLast = position + piece.length === text.length
    const mayBeCutOff = isLast && isEnd
    const parsed = parsePiece(piece, dialect, mayBeCutOff)
    const isOneLineEach = !mayBeCutOff && countLines(piece, 0, parsed.characters, dialect) === parsed.data.length
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
    const data = parsed.data.slice(0, row)
    const start = row === 0 ? 0 : startOf(row, piece, dialect)
    const newline = piece.indexOf(dialect.newline, index)
    // The line itself has not been read to its end.
    if (newline === -1 && !isEnd) return { data, characters: start, faultCharacters: 0 }
    const end = newline === -1 ? piece.length : newline + 1
    const cells = [piece.slice(start, end).trim()]
    const fault = { cells, lines: countLines(piece, start, end, dialect), quotes, isCutOff: false }
    return { data, characters: start, fault, faultCharacters: end - start }
  }
  return { data: parsed.data, characters: parsed.meta.cursor, faultCharacters: 0 }
}

/** Where the record with the number begins. */
function startOf(row: number, piece: string, dialect: Dialect): number {
  const before = new Papa.Parser({ ...dialect, preview: row }).parse(piece, 0, false) as { meta: { cursor: number } }
  return before.meta.cursor
}

/** Undefined where the quoted field that begins at `start` may yet end well in text that has not been read. */
function findQuoteFault(text: string, start: number, dialect: Dialect, isEnd: boolean): string | undefined {
  for (let quote = text.indexOf('"', start); quote !== -1; quote = text.indexOf('"', quote + 2)) {
    if (text[quote + 1] === '"') continue
    let next = quote + 1
    while (text[next] !== dialect.delimiter && text[next] !== dialect.newline && /\s/.test(text[next] ?? '')) next += 1
    if (next < text.length) {
      return text[next] === dialect.delimiter || text[next] === dialect.newline ? undefined : undoubled
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
