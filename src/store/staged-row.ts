// A row of an import as bytes: written once, when it is read, and from then on only moved, to a file and back. This
// file alone knows how they lie; sorted-runs.ts puts them in order.
import { hashText } from '../hash.ts'
import { foldCode } from '../record/code.ts'
import { type RegistryRecord, type StoredRecord, toWire } from '../record/record.ts'
import { putDigest } from './digest.ts'
import { codeStart as codeInEntry, putEntry } from './sqlite/entry.ts'

export interface NewRow {
  readonly record: RegistryRecord
  /** The text to search that the source itself gives. */
  readonly content: string
  /** File names under the documents folder. */
  readonly documents: readonly string[]
}

/** Where a row came from. */
export interface RowPlace {
  /** Number of the source, in the order given. */
  readonly source: number
  readonly line: number
}

/**
 * The numbers before a row. Behind them lie its title and its documents, its entry as a registry keeps it (entry.ts),
 * which ends with the code, its wire form and its content. From the code on, with a zero before each of the last two,
 * they are what the digest in the entry is made of.
 */
const head = {
  size: 0,
  /** Where the parts begin or end, counted from the row's beginning; the content ends with the row. */
  titleEnd: 4,
  entryStart: 8,
  wireStart: 12,
  wireEnd: 16,
  /** Among the names of its file. */
  municipality: 20,
  codeHash: 24,
  /** As a number. */
  date: 28,
  number: 32,
  source: 36,
  line: 40,
} as const
export const headBytes = 44

const utf8BytesMax = 3
const zeros = 2
const dateCharacters = 'YYYY-MM-DD'.length

/** The parts of a row before they are bytes. */
export interface RowParts extends Omit<NewRow, 'documents'> {
  readonly wire: string
  readonly documents: string
  readonly bytesMax: number
}

export function toParts({ record, content, documents: names }: NewRow): RowParts {
  const wire = toWire(record)
  const documents = names.length === 0 ? '' : JSON.stringify(names)
  const characters = record.code.length + record.title.length + wire.length + documents.length + content.length
  return { record, wire, documents, content, bytesMax: headBytes + codeInEntry + zeros + characters * utf8BytesMax }
}

/** What a row has from elsewhere than its source. */
export interface RowNumbers {
  /** Of its municipality, among the names of its file. */
  readonly municipality: number
  /** Tells which of equal rows came first. */
  readonly number: number
}

/** Writes the row where there is room for `bytesMax`, and returns where it ends. */
export function writeRow(bytes: Buffer, row: number, parts: RowParts, place: RowPlace, numbers: RowNumbers): number {
  const { record, wire, documents, content } = parts
  const { code, title, checkinDate } = record
  const titleEnd = row + headBytes + bytes.write(title, row + headBytes)
  const entryStart = documents === '' ? titleEnd : titleEnd + bytes.write(documents, titleEnd)
  const codeEnd = putEntry(bytes, entryStart, { hasText: content !== '', checkinDate, code })
  bytes[codeEnd] = 0
  const wireStart = codeEnd + 1
  const wireEnd = wireStart + bytes.write(wire, wireStart)
  bytes[wireEnd] = 0
  const contentStart = wireEnd + 1
  const end = content === '' ? contentStart : contentStart + bytes.write(content, contentStart)
  putDigest(bytes.subarray(entryStart + codeInEntry, end), bytes, entryStart)
  bytes.writeUInt32LE(end - row, row + head.size)
  bytes.writeUInt32LE(titleEnd - row, row + head.titleEnd)
  bytes.writeUInt32LE(entryStart - row, row + head.entryStart)
  bytes.writeUInt32LE(wireStart - row, row + head.wireStart)
  bytes.writeUInt32LE(wireEnd - row, row + head.wireEnd)
  bytes.writeUInt32LE(numbers.municipality, row + head.municipality)
  bytes.writeUInt32LE(hashText(foldCode(code)), row + head.codeHash)
  bytes.writeUInt32LE(toDateNumber(checkinDate), row + head.date)
  bytes.writeUInt32LE(numbers.number, row + head.number)
  bytes.writeUInt32LE(place.source, row + head.source)
  bytes.writeUInt32LE(place.line, row + head.line)
  return end
}

export function sizeOf(bytes: Buffer, row: number): number {
  return bytes.readUInt32LE(row + head.size)
}

export function dateOf(bytes: Buffer, row: number): number {
  return bytes.readUInt32LE(row + head.date)
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

function codeStartOf(bytes: Buffer, row: number): number {
  return row + bytes.readUInt32LE(row + head.entryStart) + codeInEntry
}

function codeEndOf(bytes: Buffer, row: number): number {
  return row + bytes.readUInt32LE(row + head.wireStart) - 1
}

function numberOf(bytes: Buffer, row: number): number {
  return bytes.readUInt32LE(row + head.number)
}

/** JavaScript compares UTF-16 units, where what UTF-8 begins with 0xf0 or more stands before 0xee. */
function rankOf(byte: number): number {
  return byte >= 0xf0 ? byte - 2 : byte >= 0xee ? byte + 0x10 : byte
}

/** A row where it lies; each of its parts is decoded where it is asked for. */
export class StagedRow implements StoredRecord {
  protected bytes: Buffer
  protected row = 0
  /** The names of its file. */
  readonly #municipalities: readonly string[]

  constructor(bytes: Buffer, municipalities: readonly string[]) {
    this.bytes = bytes
    this.#municipalities = municipalities
  }

  get checkinDate(): string {
    const end = codeStartOf(this.bytes, this.row)
    return this.bytes.toString('latin1', end - dateCharacters, end)
  }

  get code(): string {
    return this.bytes.toString('utf8', codeStartOf(this.bytes, this.row), codeEndOf(this.bytes, this.row))
  }

  get codeHash(): number {
    return this.bytes.readUInt32LE(this.row + head.codeHash)
  }

  get title(): string {
    return this.bytes.toString('utf8', this.row + headBytes, this.#at(head.titleEnd))
  }

  get municipality(): string {
    return this.#municipalities[this.bytes.readUInt32LE(this.row + head.municipality)] as string
  }

  get wire(): Buffer {
    return this.bytes.subarray(this.#at(head.wireStart), this.#at(head.wireEnd))
  }

  /** Of record and content (entry.ts). */
  get entry(): Buffer {
    return this.bytes.subarray(this.#at(head.entryStart), codeEndOf(this.bytes, this.row))
  }

  /** The text to search that the source itself gives. */
  get content(): string {
    const start = this.#at(head.wireEnd) + 1
    const end = this.#at(head.size)
    return start === end ? '' : this.bytes.toString('utf8', start, end)
  }

  /** File names under the documents folder. */
  get documents(): readonly string[] {
    const start = this.#at(head.titleEnd)
    const end = this.#at(head.entryStart)
    return start === end ? [] : (JSON.parse(this.bytes.toString('utf8', start, end)) as string[])
  }

  /** When it came: later ones have higher numbers. */
  get number(): number {
    return numberOf(this.bytes, this.row)
  }

  get place(): RowPlace {
    const { bytes, row } = this
    return { source: bytes.readUInt32LE(row + head.source), line: bytes.readUInt32LE(row + head.line) }
  }

  #at(part: number): number {
    return this.row + this.bytes.readUInt32LE(this.row + part)
  }
}

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
