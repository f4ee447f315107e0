// Decoder of one posting block (posting-list.ts describes its format): a sequence of groups, each with records as
// deltas or as a bitmap. Groups whose last record is before the target are skipped without decoding them.
import { groupRecordsMax } from './posting-list.ts'
import { byteAt } from './typed-array.ts'
import { ByteReader, toTruncatedError } from './varint.ts'

export class PostingBlock {
  /** The last record of the block. */
  readonly lastRecord: number
  readonly #reader: ByteReader
  /** What `seek` returned last; -1 before that. */
  #current = -1

  /** Number of records in the groups before the open group. */
  #recordsBeforeGroup = 0
  /** The last record of the group before, from which deltas and bits count; zero in the first group of the block. */
  #groupBase = 0
  #groupLastRecord = 0
  /** Byte offsets of the body of the group in the block: its start, and the offset after it. */
  #bodyStart = 0
  #bodyEnd = 0
  #isBitmap = false

  /** Only in a group of deltas: the last decoded record, and the number of decoded deltas. The reader is after them. */
  #decodedRecord = 0
  #decodedDeltas = 0

  /**
   * Only in a bitmap: how many bits `countRecords` has looked at, and how many of them are set. `seek` leaves the
   * counting to it, because counting takes time, and most searches read no word positions.
   */
  #countedBits = 0
  #countedRecords = 0

  constructor(bytes: Uint8Array, lastRecord: number) {
    this.lastRecord = lastRecord
    this.#reader = new ByteReader(bytes)
    this.#openGroup(0, 0)
  }

  /** The first record at or after the target, which is after the current record and not after `lastRecord`. */
  seek(target: number): number {
    while (target > this.#groupLastRecord) {
      // All groups of a block but the last are full.
      this.#recordsBeforeGroup += groupRecordsMax
      this.#openGroup(this.#bodyEnd, this.#groupLastRecord)
    }
    this.#current = this.#isBitmap ? this.#findBit(target) : this.#decodeDeltas(target)
    return this.#current
  }

  /** The number of records of the block up to the current one, included. */
  countRecords(): number {
    return this.#recordsBeforeGroup + (this.#isBitmap ? this.#countBits() : this.#decodedDeltas)
  }

  /** Reads the start of the group at the byte offset: its last record, its size, and whether it is a bitmap. */
  #openGroup(offset: number, base: number): void {
    const reader = this.#reader
    reader.offset = offset
    this.#groupBase = base
    this.#groupLastRecord = base + reader.varint()
    const sizeAndFlag = reader.varint()
    this.#isBitmap = (sizeAndFlag & 1) === 1
    this.#bodyStart = reader.offset
    this.#bodyEnd = reader.offset + (sizeAndFlag >>> 1)
    if (this.#bodyEnd > reader.bytes.length) throw toTruncatedError()
    this.#decodedRecord = base
    this.#decodedDeltas = 0
    this.#countedBits = 0
    this.#countedRecords = 0
  }

  /** Decodes deltas up to the target. They end inside the group, because the target is not after its last record. */
  #decodeDeltas(target: number): number {
    const reader = this.#reader
    let record = this.#decodedRecord
    let deltas = this.#decodedDeltas
    do {
      record += reader.varint()
      deltas++
    } while (record < target)
    this.#decodedRecord = record
    this.#decodedDeltas = deltas
    return record
  }

  /** The first record at or after the target in the bitmap. The target is not after the last record of the group. */
  #findBit(target: number): number {
    const { bytes } = this.#reader
    let bit = target - this.#groupBase
    let byteIndex = this.#bodyStart + (bit >>> 3)
    // The byte that contains `bit`, without the bits before it.
    let restOfByte = byteAt(bytes, byteIndex) >>> (bit & 7)
    if (restOfByte === 0) {
      // Skips bytes of zeros. In damaged bytes, a read past the end gives `undefined`, which ends the loop.
      do restOfByte = byteAt(bytes, ++byteIndex)
      while (restOfByte === 0)
      if (byteIndex >= this.#bodyEnd) throw toTruncatedError()
      bit = (byteIndex - this.#bodyStart) << 3
    }
    // `x & -x` keeps only the lowest bit that is set; `31 - clz32` is its index.
    const lowestSetBit = 31 - Math.clz32(restOfByte & -restOfByte)
    return this.#groupBase + bit + lowestSetBit
  }

  /** Counts the records of the bitmap up to the current one, included. Continues from the last call. */
  #countBits(): number {
    const { bytes } = this.#reader
    const currentBit = this.#current - this.#groupBase
    for (; this.#countedBits <= currentBit; this.#countedBits++) {
      const byte = byteAt(bytes, this.#bodyStart + (this.#countedBits >>> 3))
      if ((byte >>> (this.#countedBits & 7)) & 1) this.#countedRecords++
    }
    return this.#countedRecords
  }
}
