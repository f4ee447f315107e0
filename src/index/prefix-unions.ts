// While the words as written pass by in order, unites the records of all that share a beginning, and writes the union
// as a list of its own where more words share it than a request should unite (`prefixUnionMax`). One bitmap a length
// of beginning; a longer beginning is poured into the shorter one when the words leave it.

import { type ListKind, listKinds, prefixLettersMin, prefixUnionMax } from './posting-list.ts'
import type { BlockWriter } from './posting-writer.ts'
import { at } from './varint.ts'

/** Beginnings longer than this are united per request whatever their number: natural words never come near. */
const prefixLettersMax = 16

const unionKinds: Partial<Record<string, ListKind>> = {
  [listKinds.form]: listKinds.prefix,
  [listKinds.titleForm]: listKinds.titlePrefix,
}

const noPositions = new Uint8Array(0)

export class PrefixLists {
  readonly #writer: BlockWriter
  readonly #levels: Level[]
  #key = ''
  #depth = 0

  constructor(recordCount: number, writer: BlockWriter) {
    this.#writer = writer
    this.#levels = Array.from({ length: prefixLettersMax + 1 }, () => new Level(recordCount))
  }

  /** The records that follow belong to this key. Between two keys only: it may write lists. */
  enter(key: string): void {
    this.#leave(commonLength(this.#key, key) - 1)
    this.#key = key
    this.#depth = unionKinds[key.charAt(0)] === undefined ? 0 : Math.min(key.length - 1, prefixLettersMax)
    if (this.#depth >= prefixLettersMin) this.#level(this.#depth).words++
  }

  addRecord(record: number): void {
    if (this.#depth >= prefixLettersMin) this.#level(this.#depth).add(record)
  }

  leaveAll(): void {
    this.#leave(0)
  }

  /** Closes every beginning longer than `letters`. */
  #leave(letters: number): void {
    for (let depth = this.#depth; depth > letters && depth >= prefixLettersMin; depth--) {
      const level = this.#level(depth)
      if (level.words > prefixUnionMax) this.#write(level, depth)
      if (depth > prefixLettersMin) level.pourInto(this.#level(depth - 1))
      else level.clear()
    }
  }

  #write(level: Level, depth: number): void {
    this.#writer.begin(false)
    level.writeTo(this.#writer)
    this.#writer.end(`${unionKinds[this.#key.charAt(0)]}${this.#key.slice(1, depth + 1)}`)
  }

  #level(depth: number): Level {
    return this.#levels[depth] as Level
  }
}

class Level {
  words = 0
  readonly #bits: Uint32Array
  readonly #touched: number[] = []

  constructor(recordCount: number) {
    this.#bits = new Uint32Array((recordCount >>> 5) + 1)
  }

  add(record: number): void {
    this.#or(record >>> 5, 1 << (record & 31))
  }

  pourInto(shorter: Level): void {
    shorter.words += this.words
    for (const index of this.#touched) shorter.#or(index, at(this.#bits, index))
    this.clear()
  }

  clear(): void {
    for (const index of this.#touched) this.#bits[index] = 0
    this.#touched.length = 0
    this.words = 0
  }

  writeTo(writer: BlockWriter): void {
    for (let index = 0; index < this.#bits.length; index++) {
      for (let bits = at(this.#bits, index); bits !== 0; bits &= bits - 1) {
        writer.add(index * 32 + 31 - Math.clz32(bits & -bits), noPositions, 0, 0)
      }
    }
  }

  #or(index: number, bits: number): void {
    const before = at(this.#bits, index)
    if (before === 0) this.#touched.push(index)
    this.#bits[index] = before | bits
  }
}

function commonLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length++
  return length
}
