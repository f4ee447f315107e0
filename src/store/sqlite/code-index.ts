// Finds records by code: a hash of every code, in ascending order, each with the position of its record. A few bytes
// for each of a million, so that all of them are in memory and to look one up reads nothing but what bears it.
import { at } from '../../search/bytes.ts'
import { hashCode } from '../seen-codes.ts'

/** The upper 32 bits of what tells codes apart while they are imported. */
function toHash(code: string): number {
  return (hashCode(code) / 2 ** 21) >>> 0
}

export class CodeIndexWriter {
  /** Position and hash in turn: as numbers of 64 bits, whose lower half comes first, they are in order of hash. */
  #pairs = new Uint32Array(2048)
  #count = 0

  /** The code of the next record. */
  add(code: string): void {
    const place = this.#count * 2
    if (place === this.#pairs.length) {
      const grown = new Uint32Array(place * 2)
      grown.set(this.#pairs)
      this.#pairs = grown
    }
    this.#pairs[place] = this.#count++
    this.#pairs[place + 1] = toHash(code)
  }

  finish(): Uint8Array {
    const { buffer } = this.#pairs
    return new Uint8Array(new BigUint64Array(buffer, 0, this.#count).sort().buffer, 0, this.#count * 8)
  }
}

export class CodeIndex {
  readonly count: number
  readonly #pairs: Uint32Array

  /** What a writer has made. */
  constructor(bytes: Uint8Array) {
    this.#pairs = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / Uint32Array.BYTES_PER_ELEMENT)
    this.count = this.#pairs.length / 2
  }

  /** The position of the first record that has the hash of the code and, as `bears` tells, the code itself. */
  find(code: string, bears: (position: number) => boolean): number | undefined {
    const hash = toHash(code)
    let low = 0
    let high = this.count
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.hashAt(middle) < hash) low = middle + 1
      else high = middle
    }
    for (; low < this.count && this.hashAt(low) === hash; low++) {
      if (bears(this.positionAt(low))) return this.positionAt(low)
    }
    return undefined
  }

  hashAt(nth: number): number {
    return at(this.#pairs, nth * 2 + 1)
  }

  positionAt(nth: number): number {
    return at(this.#pairs, nth * 2)
  }
}
