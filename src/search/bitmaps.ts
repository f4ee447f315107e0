// Lists that hold a good part of all records, as bitmaps. Where two such words seldom stand in one title ("interior",
// "parcial"), every title that holds one of them would be looked at; bitmaps are compared 32 records at a step, and
// whether a record of a municipality holds a word is one look. Made when they are wanted a second time, and kept: a
// snapshot never changes. Where there is no room left for another, its list is walked as all others are.
import { at } from './bytes.ts'
import { markRecords } from './list-matcher.ts'
import { type ListHead, type ListSource, listKinds } from './lists.ts'
import { end, type Matcher, type Turn } from './matcher.ts'
import { waitForTurn } from './turnstile.ts'

/** A list is worth a bitmap when it holds one record in so many of the registry; words of titles are much fewer. */
const titleDensityMin = 256
const densityMin = 32

/** Read in a turn. */
const blocksAtOnce = 16

export const bitmapBytesMax: number = 96 * 1024 * 1024

export class Bitmaps {
  readonly #records: number
  /** By the first block of the list, which no other list has that has blocks. */
  readonly #kept = new Map<number, Uint32Array>()
  /** Those that were wanted once: most words are not soon asked for again, and to walk their lists takes less. */
  readonly #wanted = new Set<number>()
  readonly #making = new Map<number, Promise<void>>()

  /** For a registry of so many records. */
  constructor(records: number) {
    this.#records = records
  }

  /** The bitmap of a list, null where it is worth making, undefined where it is not. */
  find({ key, records, firstBlock, inline }: ListHead): Uint32Array | null | undefined {
    if (inline !== null) return undefined
    const kept = this.#kept.get(firstBlock)
    if (kept !== undefined) return kept
    const density = key.startsWith(listKinds.titleStem) ? titleDensityMin : densityMin
    if (records * density < this.#records || !this.#hasRoom) return undefined
    if (this.#wanted.has(firstBlock)) return null
    this.#wanted.add(firstBlock)
    return undefined
  }

  /** Several searches that want the same one at a time wait for the first of them to make it. */
  make(head: ListHead, source: ListSource): Promise<void> {
    const { firstBlock } = head
    const making = this.#making.get(firstBlock)
    if (making !== undefined) return making
    // Others may have taken the room since it was found lacking.
    if (this.#kept.has(firstBlock) || !this.#hasRoom) return Promise.resolve()
    const made = this.#make(head, source).finally(() => this.#making.delete(firstBlock))
    this.#making.set(firstBlock, made)
    return made
  }

  async #make({ firstBlock, lasts }: ListHead, source: ListSource): Promise<void> {
    const bits = new Uint32Array(this.#words)
    let room: ArrayBufferLike | undefined
    for (let block = 0; block < lasts.length; block += blocksAtOnce) {
      if (block > 0) await waitForTurn()
      const count = Math.min(blocksAtOnce, lasts.length - block)
      const deliver = (chunks: readonly Uint8Array[], taken?: ArrayBufferLike): void => {
        for (const chunk of chunks) markRecords(chunk, bits)
        room = taken
      }
      await source.readChunks([{ table: 'block', first: firstBlock + block, count, room, deliver }])
    }
    this.#kept.set(firstBlock, bits)
  }

  get #hasRoom(): boolean {
    const bitmaps = this.#kept.size + this.#making.size + 1
    return bitmaps * this.#words * Uint32Array.BYTES_PER_ELEMENT <= bitmapBytesMax
  }

  /** Of 32 bits each. */
  get #words(): number {
    return (this.#records >>> 5) + 1
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
