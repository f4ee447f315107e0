// Lists that hold a good part of all titles, as bitmaps. Where two such words seldom stand in one title ("interior",
// "parcial"), every title that holds one of them would be looked at; bitmaps are compared 32 records at a step. Made
// when they are first wanted, in turns like any walk, and kept: a snapshot never changes.
import { Recent } from '../recent.ts'
import { at } from './bytes.ts'
import { ListMatcher } from './list-matcher.ts'
import type { ListHead, ListSource } from './lists.ts'
import { end, type Matcher, type Turn } from './matcher.ts'
import { Walk } from './walk.ts'

/** A list is worth a bitmap when it holds one record in so many of the registry. */
const densityMin = 256

/** Shorter lists are walked in no time. */
const recordsMin = 256

/** Taken from a list at once. */
const batchRecords = 4096

const bitmapBytesMax = 48 * 1024 * 1024

export class Bitmaps {
  readonly #records: number
  readonly #kept = new Recent<string, Uint32Array>(bitmapBytesMax, 4096, 1024)
  readonly #making = new Map<string, Promise<unknown>>()

  /** For a registry of so many records. */
  constructor(records: number) {
    this.#records = records
  }

  isWorthwhile({ records }: ListHead): boolean {
    return records >= recordsMin && records * densityMin >= this.#records
  }

  find({ key }: ListHead): Uint32Array | undefined {
    return this.#kept.get(key)
  }

  /** Several searches that want the same one at a time wait for the first of them to make it. */
  async read(head: ListHead, source: ListSource, turn: Turn): Promise<Uint32Array> {
    const kept = this.find(head)
    if (kept !== undefined) return kept
    const making = this.#making.get(head.key)
    if (making !== undefined) {
      // Where the first gives up, the next makes it.
      await making.catch(() => undefined)
      return this.read(head, source, turn)
    }
    const made = this.#make(head, source, turn)
    this.#making.set(head.key, made)
    try {
      return await made
    } finally {
      this.#making.delete(head.key)
    }
  }

  async #make(head: ListHead, source: ListSource, turn: Turn): Promise<Uint32Array> {
    const bits = new Uint32Array((this.#records >>> 5) + 1)
    const walk = new Walk(new ListMatcher(head, turn), turn, source, 0, this.#records)
    for (let batch: number[] = []; ; batch = []) {
      await walk.collect(batch, batchRecords)
      for (const record of batch) bits[record >>> 5] = at(bits, record >>> 5) | (1 << (record & 31))
      if (batch.length < batchRecords) break
    }
    this.#kept.keep(head.key, bits, bits.byteLength)
    return bits
  }
}

/** Records that every bitmap holds. */
export class BitmapMatcher implements Matcher {
  readonly recordsMax: number = end
  readonly #first: Uint32Array
  readonly #second: Uint32Array
  readonly #others: readonly Uint32Array[]
  readonly #turn: Turn
  #current = -1

  constructor([first = noBits, second = first, ...others]: readonly Uint32Array[], turn: Turn) {
    this.#first = first
    this.#second = second
    this.#others = others
    this.#turn = turn
  }

  advanceTo(target: number): number {
    if (this.#current >= target) return this.#current
    const from = target >>> 5
    const to = this.#first.length
    let index = from
    let bits = from < to ? this.#bitsAt(from) & (-1 << (target & 31)) : 0
    while (bits === 0 && index + 1 < to) {
      index = this.#nextBoth(index + 1, to)
      bits = index < to ? this.#bitsAt(index) : 0
    }
    this.#turn.steps -= (index - from) >>> 3
    this.#current = bits === 0 ? end : index * 32 + 31 - Math.clz32(bits & -bits)
    return this.#current
  }

  /** Where the first two next have a record in common: most searches have no more than two, and this is their bulk. */
  #nextBoth(from: number, to: number): number {
    const first = this.#first
    const second = this.#second
    let index = from
    while (index < to && (at(first, index) & at(second, index)) === 0) index++
    return index
  }

  #bitsAt(index: number): number {
    let bits = at(this.#first, index) & at(this.#second, index)
    for (const other of this.#others) bits &= at(other, index)
    return bits
  }
}

const noBits = new Uint32Array(0)
