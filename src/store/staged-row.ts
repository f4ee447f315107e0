// A row of an import as bytes: written once, when it is read, and from then on only moved, to a file and back. This
// file alone knows how they lie; sorted-runs.ts puts them in order.
import { type RegistryRecord, type StoredRecord, toWire } from '../record/record.ts'
import { Spellings } from './spellings.ts'

export interface StagedRow {
  readonly record: StoredRecord
  /** The text to search that the source itself gives. */
  readonly content: string
  /** File names under the documents folder. */
  readonly documents: readonly string[]
}

export type NewRow = Omit<StagedRow, 'record'> & { readonly record: RegistryRecord }

/** Where a row came from. */
export interface RowPlace {
  /** Number of the source, in the order given. */
  readonly source: number
  readonly line: number
}

/**
 * The numbers before a row. Behind them lie its date, code and title, which are one text (cut into three it costs less
 * to read than three), its municipality, its wire form, its documents and its content.
 */
const head = {
  size: 0,
  /** Where the parts end, counted from the row's beginning; the content ends with the row. */
  textEnd: 4,
  municipalityEnd: 8,
  wireEnd: 12,
  documentsEnd: 16,
  codeCharacters: 20,
  codeBytes: 24,
  /** As a number. */
  date: 28,
  number: 32,
  source: 36,
  line: 40,
} as const
export const headBytes = 44

const utf8BytesMax = 3
const dateCharacters = 'YYYY-MM-DD'.length

/** The parts of a row before they are bytes. */
export interface RowParts {
  readonly code: string
  readonly title: string
  readonly date: string
  readonly municipality: string
  readonly wire: string
  readonly documents: string
  readonly content: string
  readonly bytesMax: number
}

export function toParts({ record, content, documents }: NewRow): RowParts {
  const { code, title, checkinDate: date, municipality } = record
  const wire = toWire(record)
  const names = documents.length === 0 ? '' : JSON.stringify(documents)
  const characters = dateCharacters + code.length + title.length + municipality.length + wire.length + names.length
  const bytesMax = headBytes + (characters + content.length) * utf8BytesMax
  return { code, title, date, municipality, wire, documents: names, content, bytesMax }
}

/** Writes the row where there is room for `bytesMax`, and returns where it ends. */
export function writeRow(bytes: Buffer, row: number, parts: RowParts, place: RowPlace, number: number): number {
  const { code, title, date, municipality, wire, documents, content } = parts
  const codeStart = row + headBytes + dateCharacters
  const textEnd = row + headBytes + bytes.write(date + code + title, row + headBytes)
  const municipalityEnd = textEnd + bytes.write(municipality, textEnd)
  const wireEnd = municipalityEnd + bytes.write(wire, municipalityEnd)
  const documentsEnd = documents === '' ? wireEnd : wireEnd + bytes.write(documents, wireEnd)
  const end = content === '' ? documentsEnd : documentsEnd + bytes.write(content, documentsEnd)
  bytes.writeUInt32LE(end - row, row + head.size)
  bytes.writeUInt32LE(textEnd - row, row + head.textEnd)
  bytes.writeUInt32LE(municipalityEnd - row, row + head.municipalityEnd)
  bytes.writeUInt32LE(wireEnd - row, row + head.wireEnd)
  bytes.writeUInt32LE(documentsEnd - row, row + head.documentsEnd)
  bytes.writeUInt32LE(code.length, row + head.codeCharacters)
  bytes.writeUInt32LE(countBytes(bytes, codeStart, code.length), row + head.codeBytes)
  bytes.writeUInt32LE(toDateNumber(date), row + head.date)
  bytes.writeUInt32LE(number, row + head.number)
  bytes.writeUInt32LE(place.source, row + head.source)
  bytes.writeUInt32LE(place.line, row + head.line)
  return end
}

/** How many bytes so many UTF-16 units take. */
function countBytes(bytes: Buffer, start: number, units: number): number {
  let at = start
  for (let left = units; left > 0; left--) {
    const byte = bytes[at] as number
    at += byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    if (byte >= 0xf0) left--
  }
  return at - start
}

export function sizeOf(bytes: Buffer, row: number): number {
  return bytes.readUInt32LE(row + head.size)
}

export function dateOf(bytes: Buffer, row: number): number {
  return bytes.readUInt32LE(row + head.date)
}

/** When it came: later ones have higher numbers. */
export function numberOf(bytes: Buffer, row: number): number {
  return bytes.readUInt32LE(row + head.number)
}

export function placeOf(bytes: Buffer, row: number): RowPlace {
  return { source: bytes.readUInt32LE(row + head.source), line: bytes.readUInt32LE(row + head.line) }
}

export function codeOf(bytes: Buffer, row: number): string {
  const start = row + headBytes + dateCharacters
  return bytes.toString('utf8', start, start + bytes.readUInt32LE(row + head.codeBytes))
}

/** In the canonical order (record.ts), of two rows of one day; of equal ones the earlier first. */
export function compareCodes(bytes: Buffer, row: number, others: Buffer, other: number): number {
  const size = bytes.readUInt32LE(row + head.codeBytes)
  const otherSize = others.readUInt32LE(other + head.codeBytes)
  const start = row + headBytes + dateCharacters
  const otherStart = other + headBytes + dateCharacters
  for (let at = 0; at < size && at < otherSize; at++) {
    const byte = bytes[start + at] as number
    const otherByte = others[otherStart + at] as number
    if (byte !== otherByte) return rankOf(byte) - rankOf(otherByte)
  }
  return size - otherSize || numberOf(bytes, row) - numberOf(others, other)
}

/** JavaScript compares UTF-16 units, where what UTF-8 begins with 0xf0 or more stands before 0xee. */
function rankOf(byte: number): number {
  return byte >= 0xf0 ? byte - 2 : byte >= 0xee ? byte + 0x10 : byte
}

/** Content is the bulk of a row: whoever does not need it saves the decoding of it. */
export function readRow(bytes: Buffer, row: number, content: 'with content' | 'without content'): StagedRow {
  const textEnd = row + bytes.readUInt32LE(row + head.textEnd)
  const municipalityEnd = row + bytes.readUInt32LE(row + head.municipalityEnd)
  const wireEnd = row + bytes.readUInt32LE(row + head.wireEnd)
  const documentsEnd = row + bytes.readUInt32LE(row + head.documentsEnd)
  const end = row + bytes.readUInt32LE(row + head.size)
  const text = bytes.toString('utf8', row + headBytes, textEnd)
  const codeEnd = dateCharacters + bytes.readUInt32LE(row + head.codeCharacters)
  return {
    record: {
      checkinDate: text.slice(0, dateCharacters),
      code: text.slice(dateCharacters, codeEnd),
      title: text.slice(codeEnd),
      municipality: municipalities.read(bytes, textEnd, municipalityEnd),
      wire: bytes.subarray(municipalityEnd, wireEnd),
    },
    content: end === documentsEnd || content === 'without content' ? '' : bytes.toString('utf8', documentsEnd, end),
    documents:
      documentsEnd === wireEnd ? noDocuments : (JSON.parse(bytes.toString('utf8', wireEnd, documentsEnd)) as string[]),
  }
}

const noDocuments: readonly string[] = []
const municipalities = new Spellings()

/** `2004-05-18` as 20040518, which dates are compared by. */
function toDateNumber(date: string): number {
  let number = 0
  for (let at = 0; at < date.length; at++) {
    const digit = date.charCodeAt(at) - zero
    if (digit >= 0) number = number * 10 + digit
  }
  return number
}

const zero = 0x30
