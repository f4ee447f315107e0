// A row of an import as bytes: written once, when it is read, and from then on only moved, to a file and back. This
// file alone knows how they lie; sorted-runs.ts puts them in order.
import { type RegistryRecord, type StoredRecord, toWire } from '../record/record.ts'
import { utf8BytesMax } from '../search/bytes.ts'
import { putDigest } from './digest.ts'
import { codeStart as codeInEntry, putEntry } from './sqlite/entry.ts'

export interface NewRow {
  readonly record: RegistryRecord
  /** No text of the record has a sign that JSON escapes. */
  readonly isPlain?: boolean
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
 * they are what the digest in the entry is made of. A row begins where a number may lie.
 */
const head = {
  /** In bytes, what is left free behind the row included. */
  size: 0,
  /** Where the parts begin or end, counted from the row's beginning. */
  titleEnd: 1,
  entryStart: 2,
  wireStart: 3,
  wireEnd: 4,
  contentEnd: 5,
  /** Among the names of its file. */
  municipality: 6,
  codeHash: 7,
  /** As a number. */
  date: 8,
  number: 9,
  source: 10,
  line: 11,
} as const
const numberBytes = Uint32Array.BYTES_PER_ELEMENT
export const headBytes: number = 12 * numberBytes

const zeros = 2
const dateCharacters = 'YYYY-MM-DD'.length

/** Memory in which rows lie. */
export class RowMemory {
  readonly bytes: Buffer
  readonly #numbers: Uint32Array

  /** Takes the buffer over, which lies as numbers may. */
  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.#numbers = new Uint32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / numberBytes))
  }

  /** A number of the head of the row that begins there. */
  numberAt(row: number, which: number): number {
    return this.#numbers[row / numberBytes + which] as number
  }

  putNumber(row: number, which: number, number: number): void {
    this.#numbers[row / numberBytes + which] = number
  }
}

/** The parts of a row before they are bytes. */
export interface RowParts extends Omit<NewRow, 'documents' | 'isPlain'> {
  readonly wire: string
  readonly documents: string
  readonly bytesMax: number
}

export function toParts({ record, isPlain, content, documents: names }: NewRow): RowParts {
  const wire = toWire(record, isPlain)
  const documents = names.length === 0 ? '' : JSON.stringify(names)
  const characters = record.code.length + record.title.length + wire.length + documents.length + content.length
  const bytesMax = headBytes + codeInEntry + zeros + characters * utf8BytesMax + numberBytes
  return { record, wire, documents, content, bytesMax }
}

/** What a row has from elsewhere than its source. */
export interface RowNumbers {
  /** Of its municipality, among the names of its file. */
  readonly municipality: number
  /** Of the code as codes are compared (hash.ts). */
  readonly codeHash: number
  /** Tells which of equal rows came first. */
  readonly number: number
}

/** Writes the row where there is room for `bytesMax`, and returns where the next may begin. */
export function writeRow(
  memory: RowMemory,
  row: number,
  parts: RowParts,
  place: RowPlace,
  numbers: RowNumbers,
): number {
  const { bytes } = memory
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
  const contentEnd = content === '' ? contentStart : contentStart + bytes.write(content, contentStart)
  putDigest(bytes.subarray(entryStart + codeInEntry, contentEnd), bytes, entryStart)
  const next = Math.ceil(contentEnd / numberBytes) * numberBytes
  memory.putNumber(row, head.size, next - row)
  memory.putNumber(row, head.titleEnd, titleEnd - row)
  memory.putNumber(row, head.entryStart, entryStart - row)
  memory.putNumber(row, head.wireStart, wireStart - row)
  memory.putNumber(row, head.wireEnd, wireEnd - row)
  memory.putNumber(row, head.contentEnd, contentEnd - row)
  memory.putNumber(row, head.municipality, numbers.municipality)
  memory.putNumber(row, head.codeHash, numbers.codeHash)
  memory.putNumber(row, head.date, toDateNumber(checkinDate))
  memory.putNumber(row, head.number, numbers.number)
  memory.putNumber(row, head.source, place.source)
  memory.putNumber(row, head.line, place.line)
  return next
}

export function sizeOf(memory: RowMemory, row: number): number {
  return memory.numberAt(row, head.size)
}

export function dateOf(memory: RowMemory, row: number): number {
  return memory.numberAt(row, head.date)
}

/** In the canonical order (record.ts), of two rows of one day; of equal ones the earlier first. */
export function compareCodes(memory: RowMemory, row: number, others: RowMemory, other: number): number {
  const { bytes } = memory
  const { bytes: otherBytes } = others
  const start = codeStartOf(memory, row)
  const otherStart = codeStartOf(others, other)
  const size = codeEndOf(memory, row) - start
  const otherSize = codeEndOf(others, other) - otherStart
  for (let at = 0; at < size && at < otherSize; at++) {
    const byte = bytes[start + at] as number
    const otherByte = otherBytes[otherStart + at] as number
    if (byte !== otherByte) return rankOf(byte) - rankOf(otherByte)
  }
  return size - otherSize || memory.numberAt(row, head.number) - others.numberAt(other, head.number)
}

function codeStartOf(memory: RowMemory, row: number): number {
  return row + memory.numberAt(row, head.entryStart) + codeInEntry
}

function codeEndOf(memory: RowMemory, row: number): number {
  return row + memory.numberAt(row, head.wireStart) - 1
}

/** JavaScript compares UTF-16 units, where what UTF-8 begins with 0xf0 or more stands before 0xee. */
function rankOf(byte: number): number {
  return byte >= 0xf0 ? byte - 2 : byte >= 0xee ? byte + 0x10 : byte
}

/** Numbers the names of municipalities of several files, each once. */
export class MunicipalityNumbers {
  readonly #numberOf = new Map<string, number>()
  readonly #numbersOf = new Map<readonly string[], Uint32Array>()

  /** For each name of a file, in order. */
  of(names: readonly string[]): Uint32Array {
    let numbers = this.#numbersOf.get(names)
    if (numbers === undefined) {
      numbers = Uint32Array.from(names, (name) => this.#find(name))
      this.#numbersOf.set(names, numbers)
    }
    return numbers
  }

  #find(name: string): number {
    const number = this.#numberOf.get(name) ?? this.#numberOf.size
    this.#numberOf.set(name, number)
    return number
  }
}

/** A row where it lies; each of its parts is decoded where it is asked for. */
export class StagedRow implements StoredRecord {
  protected memory: RowMemory
  protected row = 0
  /** The names of its file, and their numbers among those of all files. */
  readonly #names: readonly string[]
  readonly #numbers: Uint32Array

  constructor(memory: RowMemory, names: readonly string[], all: MunicipalityNumbers) {
    this.memory = memory
    this.#names = names
    this.#numbers = all.of(names)
  }

  get checkinDate(): string {
    const end = codeStartOf(this.memory, this.row)
    return this.bytes.toString('latin1', end - dateCharacters, end)
  }

  get code(): string {
    return this.bytes.toString('utf8', codeStartOf(this.memory, this.row), this.entryEnd)
  }

  get codeHash(): number {
    return this.memory.numberAt(this.row, head.codeHash)
  }

  get title(): string {
    return this.bytes.toString('utf8', this.titleStart, this.titleEnd)
  }

  get municipality(): string {
    return this.#names[this.memory.numberAt(this.row, head.municipality)] as string
  }

  /** The same for rows of the same name, and for no others. */
  get municipalityNumber(): number {
    return this.#numbers[this.memory.numberAt(this.row, head.municipality)] as number
  }

  get wire(): Buffer {
    return this.bytes.subarray(this.wireStart, this.wireEnd)
  }

  /** The text to search that the source itself gives. */
  get content(): string {
    const { contentStart, contentEnd } = this
    return contentStart === contentEnd ? '' : this.bytes.toString('utf8', contentStart, contentEnd)
  }

  /** File names under the documents folder. */
  get documents(): readonly string[] {
    const { titleEnd, entryStart } = this
    return titleEnd === entryStart ? [] : (JSON.parse(this.bytes.toString('utf8', titleEnd, entryStart)) as string[])
  }

  /** When it came: later ones have higher numbers. */
  get number(): number {
    return this.memory.numberAt(this.row, head.number)
  }

  get place(): RowPlace {
    const { memory, row } = this
    return { source: memory.numberAt(row, head.source), line: memory.numberAt(row, head.line) }
  }

  /** In which its parts lie, for whoever moves them on undecoded. */
  get bytes(): Buffer {
    return this.memory.bytes
  }

  get titleStart(): number {
    return this.row + headBytes
  }

  get titleEnd(): number {
    return this.#at(head.titleEnd)
  }

  /** Of record and content (entry.ts). */
  get entryStart(): number {
    return this.#at(head.entryStart)
  }

  get entryEnd(): number {
    return codeEndOf(this.memory, this.row)
  }

  get wireStart(): number {
    return this.#at(head.wireStart)
  }

  get wireEnd(): number {
    return this.#at(head.wireEnd)
  }

  get contentStart(): number {
    return this.wireEnd + 1
  }

  get contentEnd(): number {
    return this.#at(head.contentEnd)
  }

  #at(part: number): number {
    return this.row + this.memory.numberAt(this.row, part)
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
