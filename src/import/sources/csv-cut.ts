// Where the records of a CSV end, told by its bytes alone, so that threads can read it in pieces. Of quotes it knows
// what RFC 4180 says; where they are used otherwise it stops, and what follows is left to csv-records.ts.
import type { Dialect } from './csv-records.ts'
import type { Encoding } from './encoding.ts'

/** Whole records of a file, to be read by a thread. */
export interface CsvPiece {
  readonly descriptor: number
  readonly start: number
  readonly bytes: number
  /** The line at which it begins, and how many it has. */
  readonly line: number
  readonly lines: number
  readonly dialect: Dialect
  readonly encoding: Encoding
}

export interface Cut {
  /** Behind the last record that is whole; zero where none is for certain. */
  readonly bytes: number
  /** How many lines that are. */
  readonly lines: number
}

/** Of bytes that begin with a record, in an encoding where a byte below 0x80 is ASCII. */
export function findCut(bytes: Buffer, dialect: Dialect): Cut {
  const delimiter = dialect.delimiter.charCodeAt(0)
  const newline = dialect.newline.charCodeAt(0)
  let cut: Cut = { bytes: 0, lines: 0 }
  let lines = 0
  let lineEnd = bytes.indexOf(newline)
  let quoteAt = bytes.indexOf(quote)
  while (lineEnd !== -1) {
    if (quoteAt === -1 || quoteAt > lineEnd) {
      lines += 1
      cut = { bytes: lineEnd + 1, lines }
      lineEnd = bytes.indexOf(newline, lineEnd + 1)
      continue
    }
    const isFieldStart = quoteAt === cut.bytes || bytes[quoteAt - 1] === delimiter
    if (isFieldStart) {
      const end = findClosing(bytes, quoteAt)
      const behind = bytes[end + 1]
      const isEnd = behind === delimiter || behind === newline
      if (end === -1 || (!isEnd && (behind !== carriageReturn || bytes[end + 2] !== newline))) break
      for (; lineEnd !== -1 && lineEnd < end; lineEnd = bytes.indexOf(newline, lineEnd + 1)) lines += 1
      quoteAt = end
    }
    quoteAt = bytes.indexOf(quote, quoteAt + 1)
  }
  return cut
}

/** Where the field ends that a quote begins; -1 where it does not. */
function findClosing(bytes: Buffer, opening: number): number {
  let closing = bytes.indexOf(quote, opening + 1)
  while (closing !== -1 && bytes[closing + 1] === quote) closing = bytes.indexOf(quote, closing + 2)
  return closing
}

const quote = 0x22
const carriageReturn = 0x0d
