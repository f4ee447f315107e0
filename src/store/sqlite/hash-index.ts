// Finds by text the number of what bears it: the hash of every text, in ascending order, each with its number. A few
// bytes for each of a million, so that all of them are in memory and to look one up reads nothing but what bears it.
import { halve } from '../../halve.ts'
import { hashText } from '../../hash.ts'
import { at } from '../../search/bytes.ts'
import { NumberList } from './number-list.ts'

export class HashIndexWriter {
  readonly #hashes = new NumberList()

  /** The hash of the text of the next number (hash.ts). */
  add(hash: number): void {
    this.#hashes.push(hash)
  }

  /** Number and hash in turn: as numbers of 64 bits, whose lower half comes first, they are in order of hash. */
  finish(): Uint8Array {
    const pairs = new Uint32Array(this.#hashes.count * 2)
    let number = 0
    for (const hashes of this.#hashes.pieces()) {
      for (const hash of hashes) {
        pairs[number * 2] = number
        pairs[number * 2 + 1] = hash
        number++
      }
    }
    new BigUint64Array(pairs.buffer).sort()
    return new Uint8Array(pairs.buffer)
  }
}

/** How many different ones there are. */
const hashes = 2 ** 32
/** Each brings the distance down to about its square root: of a million, a thousand, then thirty. */
const guesses = 2
/** As many as one line of memory holds. */
const margin = 8

export class HashIndex {
  readonly count: number
  readonly #pairs: Uint32Array

  /** What a writer has made. */
  constructor(bytes: Uint8Array) {
    this.#pairs = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / Uint32Array.BYTES_PER_ELEMENT)
    this.count = this.#pairs.length / 2
  }

  /** The number of the first that has the hash of the text and, as `bears` tells, the text itself. */
  find(text: string, bears: (number: number) => boolean): number | undefined {
    const hash = hashText(text)
    let nth = this.#firstOf(hash)
    for (; nth < this.count && this.hashAt(nth) === hash; nth++) {
      if (bears(this.numberAt(nth))) return this.numberAt(nth)
    }
    return undefined
  }

  /**
   * The first that has the hash or a higher one. Hashes are spread evenly, so each tells where any other must be near;
   * halving from the whole would touch memory in many places that nobody has touched lately.
   */
  #firstOf(hash: number): number {
    let near = Math.floor((hash / hashes) * this.count)
    for (let guess = 0; guess < guesses && near < this.count; guess++) {
      const missed = Math.round(((hash - this.hashAt(near)) / hashes) * this.count)
      near = Math.min(Math.max(near + missed, 0), this.count - 1)
    }
    let low = near
    for (let step = margin; low > 0 && this.hashAt(low) >= hash; step *= 2) low = Math.max(low - step, 0)
    let high = near
    for (let step = margin; high < this.count && this.hashAt(high) < hash; step *= 2)
      high = Math.min(high + step, this.count)
    return halve(low, high, (nth) => this.hashAt(nth) < hash)
  }

  /** In ascending order of the hashes. */
  hashAt(nth: number): number {
    return at(this.#pairs, nth * 2 + 1)
  }

  numberAt(nth: number): number {
    return at(this.#pairs, nth * 2)
  }
}
