// Variable-length integers (seven bits a byte, low bits first) in a growing buffer: the alphabet of posting lists.

/**
 * An element that the caller knows to be there. Numbers and bytes apart: a function that meets arrays of several kinds
 * asks at every access which one it has.
 */
export function at(array: Uint32Array, index: number): number {
  return array[index] as number
}

export function byteAt(bytes: Uint8Array, index: number): number {
  return bytes[index] as number
}

/** Adds one and returns what was there before. */
export function increment(array: Uint32Array, index: number): number {
  const before = at(array, index)
  array[index] = before + 1
  return before
}

export const varintBytesMax = 5

export function varintBytes(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x200000 ? 3 : value < 0x10000000 ? 4 : varintBytesMax
}

/** Writes it where there is room for `varintBytesMax`, and returns where it ends. */
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

/** Of one UTF-16 unit. */
export const utf8BytesMax = 3

const encoder = new TextEncoder()

export class ByteWriter {
  bytes: Uint8Array
  length = 0

  constructor(capacity = 256) {
    this.bytes = new Uint8Array(capacity)
  }

  varint(value: number): void {
    this.length = putVarint(this.room(varintBytesMax), this.length, value)
  }

  /** Has room for so many bytes more; what it returns is to be written to. */
  room(bytes: number): Uint8Array {
    if (this.length + bytes > this.bytes.length) this.#grow(bytes)
    return this.bytes
  }

  /** Its length in bytes, then its bytes in UTF-8. */
  text(text: string): void {
    let isAscii = true
    for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) isAscii = false
    if (isAscii) {
      this.varint(text.length)
      const bytes = this.room(text.length)
      for (let i = 0; i < text.length; i++) bytes[this.length++] = text.charCodeAt(i)
    } else {
      const encoded = encoder.encode(text)
      this.varint(encoded.length)
      this.append(encoded, 0, encoded.length)
    }
  }

  append(source: Uint8Array, from: number, to: number): void {
    const size = to - from
    const bytes = this.room(size)
    const end = this.length
    // Most appends are a few bytes long, where a loop beats the call into the runtime.
    if (size < 32) for (let i = 0; i < size; i++) bytes[end + i] = byteAt(source, from + i)
    else bytes.set(source.subarray(from, to), end)
    this.length += size
  }

  /** A copy of what has been written; the writer starts anew. */
  take(): Uint8Array {
    const copy = this.bytes.slice(0, this.length)
    this.length = 0
    return copy
  }

  #grow(room: number): void {
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + room))
    grown.set(this.bytes.subarray(0, this.length))
    this.bytes = grown
  }
}

/** Reads what a ByteWriter wrote; the caller knows where to stop. Throws where the bytes end before that. */
export class ByteReader {
  at: number
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array, start = 0) {
    this.bytes = bytes
    this.at = start
  }

  /** The next bytes, in memory of their own. A few, where a loop beats the call into the runtime. */
  copy(size: number): Uint8Array {
    if (this.at + size > this.bytes.length) throw cutShort()
    const copy = new Uint8Array(size)
    for (let i = 0; i < size; i++) copy[i] = byteAt(this.bytes, this.at++)
    return copy
  }

  varint(): number {
    const bytes = this.bytes
    let byte = byteAt(bytes, this.at++)
    if (byte < 0x80) return byte
    let value = byte & 0x7f
    let shift = 7
    do {
      byte = byteAt(bytes, this.at++)
      value |= (byte & 0x7f) << shift
      shift += 7
    } while (byte >= 0x80)
    // What lies behind the end comes here too, since it is not less than anything.
    if (this.at > bytes.length) throw cutShort()
    return value >>> 0
  }
}

/** Whoever went on would go on for ever. */
export function cutShort(): Error {
  return new Error('a posting list ends before it should: the registry is damaged')
}
