// Reads the bytes of a posting list (lists.ts) as a matcher, block by block and group by group; and finds out of
// several lists in which records their words follow each other.
import { lowerBound } from '../lower-bound.ts'
import { AllOf, end, type Matcher, pending, type Turn } from './iterators.ts'
import { blockRecordsMax, groupRecordsMax, type ListHead, placeRecordsMax } from './posting-list.ts'
import { at, ByteReader, byteAt, cutShort } from './varint.ts'
import { Positions } from './word-positions.ts'

/** Blocks asked for at once grow from one to this, so a first page reads little and a long walk reads in strides. */
const blocksAheadMax = 16

const placesPerBlock = blockRecordsMax / placeRecordsMax
const nothing = new Uint8Array(0)

/** What comparing the word positions of a record costs beside one step along a list. */
const comparisonSteps = 64

/** One posting list. */
export class ListMatcher implements Matcher {
  readonly recordsMax: number
  current: number = pending
  readonly #turn: Turn
  readonly #head: ListHead
  #fetched: readonly Uint8Array[]
  #firstFetched = 0
  #ahead = 1
  #block = -1
  #blockLast = -1
  #reader: ByteReader = new ByteReader(nothing)
  #groupLast = -1
  #groupEnd = 0
  #record = 0
  #group = -1
  #isOfBits = false
  #groupBase = 0
  #groupStart = 0
  /** Of a group of bits, those before this one have been counted. */
  #counted = 0
  /** How many records of the block have been passed, the current one included; in a group of bits, been counted. */
  #passed = 0
  #place = -1
  #placeReader: ByteReader | undefined
  #placePassed = 0

  constructor(head: ListHead, turn: Turn) {
    this.#head = head
    this.recordsMax = head.records
    this.#turn = turn
    const first = head.inline ?? head.firstBlockBytes
    this.#fetched = first === undefined ? [] : [first]
  }

  advanceTo(target: number): number {
    if (this.current >= target) return this.current
    if (target > this.#blockLast) {
      const block = this.#blockOf(target)
      if (block === this.#head.lasts.length) {
        this.current = end
        return end
      }
      const bytes = this.#fetched[block - this.#firstFetched]
      if (bytes === undefined) {
        this.#askForBlocks(block)
        return pending
      }
      this.#open(block, bytes)
    }
    const reader = this.#reader
    while (target > this.#groupLast) this.#nextGroup(reader)
    if (this.#isOfBits) {
      this.current = this.#nextBit(target)
      return this.current
    }
    let record = this.#record
    let passed = this.#passed
    do {
      record += reader.varint()
      passed++
    } while (record < target)
    this.#record = record
    this.#passed = passed
    this.current = record
    return record
  }

  /** Whether the word positions in the current record are at hand; asks for them where they are not. */
  hasPositions(): boolean {
    const { firstPlace } = this.#head
    if (firstPlace === null) return true
    if (this.#isOfBits) this.#countBits()
    const place = this.#block * placesPerBlock + Math.floor((this.#passed - 1) / placeRecordsMax)
    if (place !== this.#place) {
      this.#place = place
      this.#placeReader = undefined
      this.#turn.requests.push({
        table: 'place',
        first: firstPlace + place,
        count: 1,
        deliver: ([bytes]) => {
          this.#placeReader = new ByteReader(bytes ?? nothing)
          this.#placePassed = 0
        },
      })
    }
    return this.#placeReader !== undefined
  }

  /** Where they are at hand. */
  readPositions(into: Positions): void {
    into.count = 0
    const reader = this.#placeReader
    if (reader === undefined) return
    const before = (this.#passed - 1) % placeRecordsMax
    for (; this.#placePassed < before; this.#placePassed++) {
      const size = reader.varint()
      reader.at += size
    }
    const start = reader.at
    const size = reader.varint()
    const stop = reader.at + size
    for (let position = 0; reader.at < stop; ) {
      position += reader.varint()
      into.push(position)
    }
    // Stay before this record, so that it can be read again.
    reader.at = start
  }

  /** The first block that reaches the target. */
  #blockOf(target: number): number {
    const { lasts } = this.#head
    return lowerBound(this.#block + 1, lasts.length, (block) => at(lasts, block) < target)
  }

  #open(block: number, bytes: Uint8Array): void {
    this.#block = block
    this.#blockLast = at(this.#head.lasts, block)
    this.#reader = new ByteReader(bytes)
    this.#group = -1
    this.#groupEnd = 0
    this.#groupLast = 0
    this.#nextGroup(this.#reader)
  }

  #nextGroup(reader: ByteReader): void {
    reader.at = this.#groupEnd
    this.#record = this.#groupLast
    this.#groupBase = this.#groupLast
    this.#group++
    this.#passed = this.#group * groupRecordsMax
    this.#counted = 0
    this.#groupLast += reader.varint()
    const size = reader.varint()
    this.#isOfBits = (size & 1) === 1
    this.#groupStart = reader.at
    this.#groupEnd = reader.at + (size >>> 1)
  }

  /** The first record at or after the target, which the group is known to reach. */
  #nextBit(target: number): number {
    const { bytes } = this.#reader
    let bit = Math.max(target - this.#groupBase, 0)
    let index = this.#groupStart + (bit >>> 3)
    let rest = byteAt(bytes, index) >>> (bit & 7)
    if (rest === 0) {
      do rest = byteAt(bytes, ++index)
      while (rest === 0)
      if (index >= this.#groupEnd) throw cutShort()
      bit = (index - this.#groupStart) << 3
    }
    return this.#groupBase + bit + 31 - Math.clz32(rest & -rest)
  }

  #countBits(): void {
    const { bytes } = this.#reader
    const current = this.current - this.#groupBase
    for (; this.#counted <= current; this.#counted++) {
      const byte = byteAt(bytes, this.#groupStart + (this.#counted >>> 3))
      if ((byte >>> (this.#counted & 7)) & 1) this.#passed++
    }
  }

  #askForBlocks(block: number): void {
    const count = Math.min(this.#ahead, this.#head.lasts.length - block)
    this.#ahead = Math.min(this.#ahead * 2, blocksAheadMax)
    // The blocks before this one have been passed.
    this.#turn.requests.push({
      table: 'block',
      first: this.#head.firstBlock + block,
      count,
      deliver: (chunks) => {
        this.#fetched = chunks
        this.#firstFetched = block
      },
    })
  }
}

/** Records in which the stems of the lists stand one after the other. */
export class Phrase implements Matcher {
  readonly recordsMax: number
  readonly #lists: readonly ListMatcher[]
  readonly #together: AllOf
  readonly #turn: Turn
  #rejected = -1
  #accepted = -1

  constructor(lists: readonly ListMatcher[], turn: Turn) {
    this.#lists = lists
    this.#together = new AllOf(lists, turn)
    this.recordsMax = this.#together.recordsMax
    this.#turn = turn
  }

  advanceTo(target: number): number {
    let candidate = Math.max(target, this.#rejected + 1)
    for (;;) {
      if (this.#turn.steps-- <= 0) return pending
      const found = this.#together.advanceTo(candidate)
      if (found === pending || found === end) return found
      const stands = found === this.#accepted || this.#standTogether()
      if (stands === undefined) return pending
      if (stands) {
        this.#accepted = found
        return found
      }
      this.#rejected = found
      this.#turn.steps -= comparisonSteps
      candidate = found + 1
    }
  }

  /** Whether the stems follow each other in the current record; undefined while word positions are being fetched. */
  #standTogether(): boolean | undefined {
    // Every list is asked before any answer is looked at, so that one trip fetches all that is lacking.
    let areAtHand = true
    for (const list of this.#lists) if (!list.hasPositions()) areAtHand = false
    if (!areAtHand) return undefined
    this.#lists[0]?.readPositions(starts)
    for (let offset = 1; offset < this.#lists.length && starts.count > 0; offset++) {
      this.#lists[offset]?.readPositions(positions)
      starts.keepFollowed(positions, offset)
    }
    return starts.count > 0
  }
}

/** Of the record that is looked at, whichever search looks: a record is compared in one go. */
const starts = new Positions()
const positions = new Positions()
