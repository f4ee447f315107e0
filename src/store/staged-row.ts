// A row of an import as bytes: written once, when it is read, and from then on only moved, to a file and back. This
// file alone knows how they lie; sorted-runs.ts puts them in order.
import { type RegistryRecord, type StoredRecord, toWire } from '../record/record.ts'
import { digestBytes, putDigest } from './digest.ts'
import { Spellings } from './spellings.ts'

export interface StagedRow {
  readonly record: StoredRecord
  /** Of record and content. */
  readonly digest: Uint8Array
  /** The text to search that the source itself gives. */
  readonly content: string
  /** File names under the documents folder. */
  readonly documents: readonly string[]
}

export type NewRow = Pick<StagedRow, 'content' | 'documents'> & { readonly record: RegistryRecord }

/** Where a row came from. */
export interface RowPlace {
  /** Number of the source, in the order given. */
  readonly source: number
  readonly line: number
}

/**
 * The numbers before a row, and its digest. Behind them lie its municipality and its documents, then date, title and
 * code, which are one text (cut into three it costs less to read than three), its wire form and its content. From the
 * code on, with a zero before each of the last two, they are what the digest is made of.
 */
const head = {
  size: 0,
  /** Where the parts begin or end, counted from the row's beginning; the content ends with the row. */
  municipalityEnd: 4,
  documentsEnd: 8,
  codeStart: 12,
  wireStart: 16,
  wireEnd: 20,
  /** Of date and title. */
  textCharacters: 24,
  /** As a number. */
  date: 28,
  number: 32,
  source: 36,
  line: 40,
  digest: 44,
} as const
export const headBytes: number = head.digest + digestBytes

const utf8BytesMax = 3
const zeros = 2
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
  const bytesMax = headBytes + zeros + (characters + content.length) * utf8BytesMax
  return { code, title, date, municipality, wire, documents: names, content, bytesMax }
}

/** Writes the row where there is room for `bytesMax`, and returns where it ends. */
export function writeRow(bytes: Buffer, row: number, parts: RowParts, place: RowPlace, number: number): number {
  const { code, title, date, municipality, wire, documents, content } = parts
  const municipalityEnd = row + headBytes + bytes.write(municipality, row + headBytes)
  const documentsEnd = documents === '' ? municipalityEnd : municipalityEnd + bytes.write(documents, municipalityEnd)
  const codeStart = documentsEnd + bytes.write(date + title, documentsEnd)
  const codeEnd = codeStart + bytes.write(code, codeStart)
  bytes[codeEnd] = 0
  const wireStart = codeEnd + 1
  const wireEnd = wireStart + bytes.write(wire, wireStart)
  bytes[wireEnd] = 0
  const contentStart = wireEnd + 1
  const end = content === '' ? contentStart : contentStart + bytes.write(content, contentStart)
  bytes.writeUInt32LE(end - row, row + head.size)
  bytes.writeUInt32LE(municipalityEnd - row, row + head.municipalityEnd)
  bytes.writeUInt32LE(documentsEnd - row, row + head.documentsEnd)
  bytes.writeUInt32LE(codeStart - row, row + head.codeStart)
  bytes.writeUInt32LE(wireStart - row, row + head.wireStart)
  bytes.writeUInt32LE(wireEnd - row, row + head.wireEnd)
  bytes.writeUInt32LE(date.length + title.length, row + head.textCharacters)
  bytes.writeUInt32LE(toDateNumber(date), row + head.date)
  bytes.writeUInt32LE(number, row + head.number)
  bytes.writeUInt32LE(place.source, row + head.source)
  bytes.writeUInt32LE(place.line, row + head.line)
  putDigest(bytes.subarray(codeStart, end), bytes, row + head.digest)
  return end
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
  return bytes.toString('utf8', codeStartOf(bytes, row), codeEndOf(bytes, row))
}

function codeStartOf(bytes: Buffer, row: number): number {
  return row + bytes.readUInt32LE(row + head.codeStart)
}

function codeEndOf(bytes: Buffer, row: number): number {
  return row + bytes.readUInt32LE(row + head.wireStart) - 1
}

/** In the canonical order (record.ts), of two rows of one day; of equal ones the earlier first. */
export function compareCodes(bytes: Buffer, row: number, others: Buffer, other: number): number {
  const start = codeStartOf(bytes, row)
  const otherStart = codeStartOf(others, other)
  const size = codeEndOf(bytes, row) - start
  const otherSize = codeEndOf(others, other) - otherStart
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
  const municipalityEnd = row + bytes.readUInt32LE(row + head.municipalityEnd)
  const documentsEnd = row + bytes.readUInt32LE(row + head.documentsEnd)
  const wireStart = row + bytes.readUInt32LE(row + head.wireStart)
  const wireEnd = row + bytes.readUInt32LE(row + head.wireEnd)
  const contentStart = wireEnd + 1
  const end = row + bytes.readUInt32LE(row + head.size)
  const text = bytes.toString('utf8', documentsEnd, wireStart - 1)
  const textCharacters = bytes.readUInt32LE(row + head.textCharacters)
  return {
    record: {
      checkinDate: text.slice(0, dateCharacters),
      code: text.slice(textCharacters),
      title: text.slice(dateCharacters, textCharacters),
      municipality: municipalities.read(bytes, row + headBytes, municipalityEnd),
      wire: bytes.subarray(wireStart, wireEnd),
    },
    digest: bytes.subarray(row + head.digest, row + headBytes),
    content: end === contentStart || content === 'without content' ? '' : bytes.toString('utf8', contentStart, end),
    documents:
      documentsEnd === municipalityEnd
        ? noDocuments
        : (JSON.parse(bytes.toString('utf8', municipalityEnd, documentsEnd)) as string[]),
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
