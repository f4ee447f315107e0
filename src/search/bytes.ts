// Variable-length integers (seven bits a byte, low bits first) in a growing buffer: the alphabet of posting lists.

/** An element that the caller knows to be there; the one place where hot loops over typed arrays say so. */
export function at(array: Uint8Array | Uint16Array | Uint32Array | Int32Array, index: number): number {
  return array[index] as number
}

/** Adds one and returns what was there before. */
export function increment(array: Uint32Array, index: number): number {
  const before = at(array, index)
  array[index] = before + 1
  return before
}

const encoder = new TextEncoder()

export class ByteWriter {
  bytes: Uint8Array
  length = 0

  constructor(capacity = 256) {
    this.bytes = new Uint8Array(capacity)
  }

  varint(value: number): void {
    if (this.length + 5 > this.bytes.length) this.#grow(5)
    const bytes = this.bytes
    let rest = value
    let end = this.length
    while (rest >= 0x80) {
      bytes[end++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    bytes[end++] = rest
    this.length = end
  }

  /** Its length in bytes, then its bytes in UTF-8. */
  text(text: string): void {
    let isAscii = true
    for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) isAscii = false
    if (isAscii) {
      this.varint(text.length)
      if (this.length + text.length > this.bytes.length) this.#grow(text.length)
      for (let i = 0; i < text.length; i++) this.bytes[this.length++] = text.charCodeAt(i)
    } else {
      const encoded = encoder.encode(text)
      this.varint(encoded.length)
      this.append(encoded, 0, encoded.length)
    }
  }

  append(source: Uint8Array, from: number, to: number): void {
    const size = to - from
    if (this.length + size > this.bytes.length) this.#grow(size)
    // Most appends are a few bytes long, where a loop beats the call into the runtime.
    if (size < 32) for (let i = 0; i < size; i++) this.bytes[this.length + i] = at(source, from + i)
    else this.bytes.set(source.subarray(from, to), this.length)
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

/** Reads what a ByteWriter wrote; the caller knows where to stop. */
export class ByteReader {
  at: number
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array, start = 0) {
    this.bytes = bytes
    this.at = start
  }

  varint(): number {
    const bytes = this.bytes
    let byte = at(bytes, this.at++)
    if (byte < 0x80) return byte
    let value = byte & 0x7f
    let shift = 7
    do {
      byte = at(bytes, this.at++)
      value |= (byte & 0x7f) << shift
      shift += 7
    } while (byte >= 0x80)
    return value >>> 0
  }
}
