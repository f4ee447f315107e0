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
export function findCut(bytes: Uint8Array, dialect: Dialect): Cut {
  const delimiter = dialect.delimiter.charCodeAt(0)
  const newline = dialect.newline.charCodeAt(0)
  let cutBytes = 0
  let cutLines = 0
  let lines = 0
  let isFieldStart = true
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === newline) {
      lines += 1
      cutBytes = at + 1
      cutLines = lines
      isFieldStart = true
    } else if (byte === quote && isFieldStart) {
      for (at++; at < bytes.length; at++) {
        if (bytes[at] === newline) lines += 1
        else if (bytes[at] !== quote) continue
        else if (bytes[at + 1] === quote) at++
        else break
      }
      const behind = bytes[at + 1]
      const isEnd = behind === delimiter || behind === newline
      if (!isEnd && (behind !== carriageReturn || bytes[at + 2] !== newline)) break
      isFieldStart = false
    } else {
      isFieldStart = byte === delimiter
    }
  }
  return { bytes: cutBytes, lines: cutLines }
}

const quote = 0x22
const carriageReturn = 0x0d
