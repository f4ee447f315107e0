// Variable-length integers (LEB128: seven bits per byte, low bits first), with a growing writer and a reader. The files
// and chunks of the index consist of them.
import { byteAt } from './typed-array.ts'

/** The size of the largest 32-bit number. */
export const varintBytesMax = 5

/** The size of a number as a varint: one byte for every seven bits. */
export function varintBytes(value: number): number {
  if (value < 1 << 7) return 1
  if (value < 1 << 14) return 2
  if (value < 1 << 21) return 3
  return value < 1 << 28 ? 4 : varintBytesMax
}

/** Writes a varint at `start`, where `varintBytesMax` bytes must be free. Returns the offset after it. */
export function putVarint(bytes: Uint8Array, start: number, value: number): number {
  let end = start
  let rest = value
  while (rest >= 0x80) {
    bytes[end++] = (rest & 0x7f) | 0x80
    rest >>>= 7
  }
  bytes[end++] = rest
  return end
}

const encoder = new TextEncoder()
const asciiMax = 0x7f

/** Fewer bytes than this are appended in a loop, more by `set`. */
const loopBytesMax = 32

/** Buffer that grows as it is written to. The bytes before `length` are written; setting it to zero empties it. */
export class ByteWriter {
  bytes: Uint8Array
  length = 0

  constructor(capacity = 256) {
    this.bytes = new Uint8Array(capacity)
  }

  varint(value: number): void {
    this.length = putVarint(this.reserve(varintBytesMax), this.length, value)
  }

  /** Makes sure that `size` bytes are free, and returns the buffer to write them to. */
  reserve(size: number): Uint8Array {
    if (this.length + size > this.bytes.length) this.#grow(size)
    return this.bytes
  }

  /** Writes the size in bytes, then the text in UTF-8. */
  text(text: string): void {
    let isAscii = true
    for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > asciiMax) isAscii = false
    if (isAscii) {
      this.varint(text.length)
      const bytes = this.reserve(text.length)
      for (let i = 0; i < text.length; i++) bytes[this.length++] = text.charCodeAt(i)
    } else {
      const encoded = encoder.encode(text)
      this.varint(encoded.length)
      this.append(encoded, 0, encoded.length)
    }
  }

  /** Appends the bytes of `source` from `from` (included) to `to` (excluded). */
  append(source: Uint8Array, from: number, to: number): void {
    const size = to - from
    const bytes = this.reserve(size)
    const end = this.length
    // Most appends are a few bytes long; for those a loop is faster than `set`.
    if (size < loopBytesMax) for (let i = 0; i < size; i++) bytes[end + i] = byteAt(source, from + i)
    else bytes.set(source.subarray(from, to), end)
    this.length += size
  }

  /** Returns a copy of the bytes written so far and empties the writer. */
  take(): Uint8Array {
    const copy = this.bytes.slice(0, this.length)
    this.length = 0
    return copy
  }

  #grow(size: number): void {
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + size))
    grown.set(this.bytes.subarray(0, this.length))
    this.bytes = grown
  }
}

/** Reads what a `ByteWriter` wrote. Throws if the bytes end too early. */
export class ByteReader {
  offset: number
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array, start = 0) {
    this.bytes = bytes
    this.offset = start
  }

  /** Returns a copy of the next bytes. For a few bytes a loop is faster than `slice`. */
  copy(size: number): Uint8Array {
    if (this.offset + size > this.bytes.length) throw toTruncatedError()
    const copy = new Uint8Array(size)
    for (let i = 0; i < size; i++) copy[i] = byteAt(this.bytes, this.offset++)
    return copy
  }

  varint(): number {
    const bytes = this.bytes
    let byte = byteAt(bytes, this.offset++)
    if (byte < 0x80) return byte
    let value = byte & 0x7f
    let shift = 7
    do {
      byte = byteAt(bytes, this.offset++)
      value |= (byte & 0x7f) << shift
      shift += 7
    } while (byte >= 0x80)
    // A read past the end gives `undefined`, which fails both comparisons and arrives here.
    if (this.offset > bytes.length) throw toTruncatedError()
    return value >>> 0
  }
}

/** Without this error a decoder of damaged bytes could loop forever. */
export function toTruncatedError(): Error {
  return new Error('a posting list is truncated: the registry is damaged')
}
