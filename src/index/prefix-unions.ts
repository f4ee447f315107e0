// Builds the unions of all words with a common prefix while the words pass by in order, and stores a union if more
// words share the prefix than a request may unite (`prefixUnionMax`). There is one bitmap per prefix length; a finished
// prefix is merged into the next shorter one.
import { prefixLettersMin, prefixUnionMax, type TermKind, termKinds } from './posting-list.ts'
import type { PostingWriter } from './posting-writer.ts'
import { at } from './typed-array.ts'

/** Longer prefixes have no stored union; natural words with one are few. */
const prefixLettersMax = 16

const unionKinds: Partial<Record<string, TermKind>> = {
  [termKinds.form]: termKinds.prefix,
  [termKinds.titleForm]: termKinds.titlePrefix,
}

const noPositions = new Uint8Array(0)

export class PrefixUnions {
  readonly #writer: PostingWriter
  readonly #unions: PrefixUnion[]
  #key = ''
  /** Letters of the current word that count: zero if its kind has no prefixes. */
  #letters = 0

  constructor(recordCount: number, writer: PostingWriter) {
    this.#writer = writer
    this.#unions = Array.from({ length: prefixLettersMax + 1 }, () => new PrefixUnion(recordCount))
  }

  /** Starts the next term. Keys must ascend. May write posting lists, so none may be open in the writer. */
  startTerm(key: string): void {
    this.#finishLongerThan(commonLength(this.#key, key) - 1)
    this.#key = key
    this.#letters = unionKinds[key.charAt(0)] === undefined ? 0 : Math.min(key.length - 1, prefixLettersMax)
    if (this.#letters >= prefixLettersMin) this.#union(this.#letters).words++
  }

  addRecord(record: number): void {
    if (this.#letters >= prefixLettersMin) this.#union(this.#letters).add(record)
  }

  finish(): void {
    this.#finishLongerThan(0)
  }

  #finishLongerThan(letters: number): void {
    for (let length = this.#letters; length > letters && length >= prefixLettersMin; length--) {
      const union = this.#union(length)
      if (union.words > prefixUnionMax) this.#write(union, length)
      if (length > prefixLettersMin) union.moveTo(this.#union(length - 1))
      else union.clear()
    }
  }

  #write(union: PrefixUnion, letters: number): void {
    this.#writer.begin(false)
    union.writeTo(this.#writer)
    this.#writer.end(`${unionKinds[this.#key.charAt(0)]}${this.#key.slice(1, letters + 1)}`)
  }

  #union(letters: number): PrefixUnion {
    return this.#unions[letters] as PrefixUnion
  }
}

/** Bitmap of the records of all words with a prefix. It remembers its non-zero elements, so that clearing is cheap. */
class PrefixUnion {
  words = 0
  readonly #bits: Uint32Array
  readonly #nonZero: number[] = []

  constructor(recordCount: number) {
    this.#bits = new Uint32Array((recordCount >>> 5) + 1)
  }

  add(record: number): void {
    this.#or(record >>> 5, 1 << (record & 31))
  }

  moveTo(shorter: PrefixUnion): void {
    shorter.words += this.words
    for (const index of this.#nonZero) shorter.#or(index, at(this.#bits, index))
    this.clear()
  }

  clear(): void {
    for (const index of this.#nonZero) this.#bits[index] = 0
    this.#nonZero.length = 0
    this.words = 0
  }

  writeTo(writer: PostingWriter): void {
    for (let index = 0; index < this.#bits.length; index++) {
      for (let bits = at(this.#bits, index); bits !== 0; bits &= bits - 1) {
        writer.add(index * 32 + 31 - Math.clz32(bits & -bits), noPositions, 0, 0)
      }
    }
  }

  #or(index: number, bits: number): void {
    const before = at(this.#bits, index)
    if (before === 0) this.#nonZero.push(index)
    this.#bits[index] = before | bits
  }
}

function commonLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length++
  return length
}
