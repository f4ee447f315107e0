// Variable-length integers, with a writer whose buffer grows and a reader. The encoding is LEB128: seven bits per byte,
// low bits first, and the high bit of a byte says that another byte follows; 300 is the bytes 0xac, 0x02. Values are
// unsigned 32-bit integers. The posting blocks and position chunks of the index, and the temporary files of an import,
// consist mostly of varints.
import { byteAt } from './typed-array.ts'

/** The size of the largest 32-bit number as a varint. */
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

/** `append` copies fewer bytes than this in a loop, which is faster than `set` for a few bytes. */
const loopBytesLimit = 32

/**
 * Buffer that grows as it is written to. The first `length` bytes are written; setting `length` to zero empties it. A
 * write may replace `bytes`.
 */
export class ByteWriter {
  bytes: Uint8Array
  length = 0

  constructor(capacity = 256) {
    this.bytes = new Uint8Array(capacity)
  }

  /** Writes a number. */
  varint(value: number): void {
    this.length = putVarint(this.reserve(varintBytesMax), this.length, value)
  }

  /** Makes sure that `size` bytes are free. Returns the buffer. The caller writes at `length` and increases it. */
  reserve(size: number): Uint8Array {
    if (this.length + size > this.bytes.length) this.#grow(size)
    return this.bytes
  }

  /** Writes the size in bytes, then the text in UTF-8. */
  text(text: string): void {
    let isAscii = true
    for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > asciiMax) isAscii = false
    // A text in ASCII has as many bytes as characters, and needs no encoder.
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
    const start = this.length
    if (size < loopBytesLimit) for (let i = 0; i < size; i++) bytes[start + i] = byteAt(source, from + i)
    else bytes.set(source.subarray(from, to), start)
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

/**
 * Reads what a `ByteWriter` wrote, and throws if the bytes end too early. The caller decodes a text: it reads the size
 * with `varint`, then takes so many of `bytes` at `offset`, and moves `offset` behind them.
 */
export class ByteReader<Bytes extends Uint8Array = Uint8Array> {
  /** Where the next read starts. The caller may move it. */
  offset: number
  readonly bytes: Bytes

  constructor(bytes: Bytes, start = 0) {
    this.bytes = bytes
    this.offset = start
  }

  /** Returns a copy of the next `size` bytes. For a few bytes a loop is faster than `slice`. */
  copy(size: number): Uint8Array {
    if (this.offset + size > this.bytes.length) throw toTruncatedError()
    const copy = new Uint8Array(size)
    for (let i = 0; i < size; i++) copy[i] = byteAt(this.bytes, this.offset++)
    return copy
  }

  /** Reads a number. */
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
    // Past the end, `byteAt` gives `undefined`, which fails both comparisons with 0x80 and so leads here.
    if (this.offset > bytes.length) throw toTruncatedError()
    return value >>> 0
  }
}

/** The error for bytes that end too early. Without it a decoder of damaged bytes could loop forever. */
export function toTruncatedError(): Error {
  return new Error('a posting list is truncated: the registry is damaged')
}
