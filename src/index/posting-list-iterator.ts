// Iterator over the records of one posting list, whose format posting-list.ts describes. A list consists of blocks, a
// block of groups, a group of record numbers; blocks and groups whose last record is before the target are skipped.
import assert from 'node:assert/strict'
import { lowerBound } from '../lower-bound.ts'
import { end, type PostingIterator, pending } from './posting-iterator.ts'
import { blockRecordsMax, groupRecordsMax, positionChunkRecordsMax, type TermEntry } from './posting-list.ts'
import type { SearchContext } from './search-context.ts'
import { at, byteAt } from './typed-array.ts'
import { ByteReader, toTruncatedError } from './varint.ts'
import type { WordPositions } from './word-positions.ts'

/** Blocks per request grow from one to this: a first page reads little, a long search makes few round trips. */
const readAheadBlocksMax = 16

/** Position chunks of the records of a full block. */
const positionChunksPerBlock = blockRecordsMax / positionChunkRecordsMax
const noBytes = new Uint8Array(0)

export class PostingListIterator implements PostingIterator {
  readonly cost: number
  /** The match that `seek` returned last, or `end`; before the first match -1, which is less than every record. */
  current: number = pending
  readonly #context: SearchContext
  readonly #entry: TermEntry

  /** Blocks in memory, from the number `#firstFetchedBlock` on. Blocks are numbered from 0 in each posting list. */
  #fetchedBlocks: readonly Uint8Array[]
  #firstFetchedBlock = 0
  #readAheadBlocks = 1

  /** The number of the open block, its last record, and the reader of its bytes. -1 before the first block. */
  #blockNumber = -1
  #blockLastRecord = -1
  #blockReader: ByteReader = new ByteReader(noBytes)

  /** The open group, numbered from 0 in each block. */
  #groupNumber = -1
  /** The last record of the group before, from which deltas and bits count; zero in the first group of a block. */
  #groupBase = 0
  /** The last record of the open group. */
  #groupLastRecord = -1
  /** Byte offsets of the body of the group in the block. */
  #bodyStart = 0
  #bodyEnd = 0
  #isBitmap = false
  /** The record that was decoded last, in a group of deltas. */
  #decodedRecord = 0
  /** Bits of the bitmap that are included in `#rank`. */
  #countedBits = 0
  /**
   * Number of records of the block up to the current one, included. It tells where the word positions of the record
   * are. In a bitmap it lags behind, at `#countedBits`, until `#countBits` is called.
   */
  #rank = 0

  /** The requested position chunk, numbered from 0 in the list. Its reader is undefined until it is delivered. */
  #chunkNumber = -1
  #chunkReader: ByteReader | undefined
  /** Records of the position chunk that `#chunkReader` has passed. */
  #passedRecords = 0

  constructor(entry: TermEntry, context: SearchContext) {
    this.#entry = entry
    this.cost = entry.recordCount
    this.#context = context
    const firstBlock = entry.inlineBlock ?? entry.firstBlockBytes
    this.#fetchedBlocks = firstBlock === undefined ? [] : [firstBlock]
  }

  seek(target: number): number {
    if (this.current >= target) return this.current
    if (target > this.#blockLastRecord) {
      const block = this.#findBlock(target)
      if (block === this.#entry.skipTable.length) {
        this.current = end
        return end
      }
      const bytes = this.#fetchedBlocks[block - this.#firstFetchedBlock]
      if (bytes === undefined) {
        this.#requestBlocks(block)
        return pending
      }
      this.#openBlock(block, bytes)
    }
    const reader = this.#blockReader
    while (target > this.#groupLastRecord) this.#openNextGroup(reader)
    if (this.#isBitmap) {
      this.current = this.#findBit(target)
      return this.current
    }
    // The loop ends inside the group, because the target is not after its last record.
    let record = this.#decodedRecord
    let rank = this.#rank
    do {
      record += reader.varint()
      rank++
    } while (record < target)
    this.#decodedRecord = record
    this.#rank = rank
    this.current = record
    return record
  }

  /**
   * Requests the word positions of the current record, unless they are in memory. Returns false while they are not: the
   * caller fetches the requested chunks and calls again.
   */
  loadPositions(): boolean {
    const { firstPositionChunk } = this.#entry
    // There is nothing to load, because the posting list stores no word positions.
    if (firstPositionChunk === null) return true
    if (this.#isBitmap) this.#countBits()
    const indexInBlock = this.#rank - 1
    const chunk = this.#blockNumber * positionChunksPerBlock + Math.floor(indexInBlock / positionChunkRecordsMax)
    if (chunk !== this.#chunkNumber) {
      this.#chunkNumber = chunk
      this.#chunkReader = undefined
      this.#context.chunkRequests.push({
        kind: 'positions',
        first: firstPositionChunk + chunk,
        count: 1,
        deliver: ([bytes]) => {
          this.#chunkReader = new ByteReader(bytes ?? noBytes)
          this.#passedRecords = 0
        },
      })
    }
    return this.#chunkReader !== undefined
  }

  /**
   * Reads the word positions of the current record, which `loadPositions` has loaded. With `withAdded`, also those at
   * which the word is a joined form or a synonym. None if the posting list stores no word positions.
   */
  readPositions(into: WordPositions, { withAdded }: { withAdded: boolean } = { withAdded: false }): void {
    into.count = 0
    const reader = this.#chunkReader
    if (reader === undefined) {
      assert.equal(this.#entry.firstPositionChunk, null, 'word positions are loaded before they are read')
      return
    }
    const indexInChunk = (this.#rank - 1) % positionChunkRecordsMax
    // Skips the records before the current one.
    for (; this.#passedRecords < indexInChunk; this.#passedRecords++) {
      const positionsBytes = reader.varint()
      reader.offset += positionsBytes
    }
    const recordStart = reader.offset
    const positionsBytes = reader.varint()
    const positionsEnd = reader.offset + positionsBytes
    for (let stored = 0, last = -1; reader.offset < positionsEnd; ) {
      stored += reader.varint()
      const position = stored >>> 1
      const isAdded = (stored & 1) === 1
      // A word may be both written and added at one position; it counts once.
      if (position === last || (isAdded && !withAdded)) continue
      into.push(position)
      last = position
    }
    // Go back, so that the record can be read again.
    reader.offset = recordStart
  }

  /** The first block after the open one whose last record is not before the target; the number of blocks if none is. */
  #findBlock(target: number): number {
    const { skipTable } = this.#entry
    return lowerBound(this.#blockNumber + 1, skipTable.length, (block) => at(skipTable, block) < target)
  }

  #openBlock(block: number, bytes: Uint8Array): void {
    this.#blockNumber = block
    this.#blockLastRecord = at(this.#entry.skipTable, block)
    this.#blockReader = new ByteReader(bytes)
    this.#groupNumber = -1
    this.#bodyEnd = 0
    // The first group of a block counts from zero.
    this.#groupLastRecord = 0
    this.#openNextGroup(this.#blockReader)
  }

  /** Reads the head of the group after the open one: its last record, its size, and whether it is a bitmap. */
  #openNextGroup(reader: ByteReader): void {
    reader.offset = this.#bodyEnd
    this.#decodedRecord = this.#groupLastRecord
    this.#groupBase = this.#groupLastRecord
    this.#groupNumber++
    this.#rank = this.#groupNumber * groupRecordsMax
    this.#countedBits = 0
    this.#groupLastRecord += reader.varint()
    const sizeAndFlag = reader.varint()
    this.#isBitmap = (sizeAndFlag & 1) === 1
    this.#bodyStart = reader.offset
    this.#bodyEnd = reader.offset + (sizeAndFlag >>> 1)
  }

  /** The first record at or after the target in a bitmap. The target is not after the last record of the group. */
  #findBit(target: number): number {
    const { bytes } = this.#blockReader
    let bit = Math.max(target - this.#groupBase, 0)
    let index = this.#bodyStart + (bit >>> 3)
    // The bits of the byte from `bit` on.
    let restOfByte = byteAt(bytes, index) >>> (bit & 7)
    if (restOfByte === 0) {
      // A read past the end gives `undefined`, which ends the loop.
      do restOfByte = byteAt(bytes, ++index)
      while (restOfByte === 0)
      if (index >= this.#bodyEnd) throw toTruncatedError()
      bit = (index - this.#bodyStart) << 3
    }
    const lowestSetBit = 31 - Math.clz32(restOfByte & -restOfByte)
    return this.#groupBase + bit + lowestSetBit
  }

  /** Brings `#rank` up to the current record. */
  #countBits(): void {
    const { bytes } = this.#blockReader
    const currentBit = this.current - this.#groupBase
    for (; this.#countedBits <= currentBit; this.#countedBits++) {
      const byte = byteAt(bytes, this.#bodyStart + (this.#countedBits >>> 3))
      if ((byte >>> (this.#countedBits & 7)) & 1) this.#rank++
    }
  }

  /** Requests a block and some after it. The blocks before it are not needed any more. */
  #requestBlocks(block: number): void {
    const count = Math.min(this.#readAheadBlocks, this.#entry.skipTable.length - block)
    this.#readAheadBlocks = Math.min(this.#readAheadBlocks * 2, readAheadBlocksMax)
    this.#context.chunkRequests.push({
      kind: 'block',
      first: this.#entry.firstBlock + block,
      count,
      deliver: (chunks) => {
        this.#fetchedBlocks = chunks
        this.#firstFetchedBlock = block
      },
    })
  }
}
