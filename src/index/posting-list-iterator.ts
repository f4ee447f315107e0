// Iterator over the records of one posting list. `TermEntry` in posting-list.ts describes the format: a list consists
// of blocks, a block of groups, a group of records (as deltas or as a bitmap). Blocks and groups whose last record is
// before the target are skipped without decoding them. The iterator also finds the word positions of a record, which
// position-chunk.ts reads.
import assert from 'node:assert/strict'
import { lowerBound } from '../lower-bound.ts'
import { PositionChunk, type PositionsPlace } from './position-chunk.ts'
import { end, type PostingIterator, pending } from './posting-iterator.ts'
import { blockRecordsMax, groupRecordsMax, positionChunkRecordsMax, type TermEntry } from './posting-list.ts'
import type { SearchContext } from './search-context.ts'
import { at, byteAt } from './typed-array.ts'
import { ByteReader, toTruncatedError } from './varint.ts'
import type { WordPositions } from './word-positions.ts'

/**
 * The most blocks in a request. The first request asks for one block, and each later one for twice as many as the one
 * before. So the first page of results reads little, and a long search makes few round trips.
 */
const readAheadBlocksMax = 16

/** Number of position chunks for the records of a full block. */
const positionChunksPerBlock = blockRecordsMax / positionChunkRecordsMax
const noBytes = new Uint8Array(0)

export class PostingListIterator implements PostingIterator {
  readonly cost: number
  /** What `seek` returned last: a record, or `end`. Before that it is -1, which is less than every record. */
  #current = -1
  readonly #context: SearchContext
  readonly #entry: TermEntry

  /** Consecutive blocks in memory, and the number of the first one. In each posting list, blocks count from 0. */
  #fetchedBlocks: readonly Uint8Array[]
  #firstFetchedBlockNumber = 0
  /** How many blocks the next request asks for. */
  #readAheadBlocks = 1

  /** The block that is being decoded: its number, its last record (both -1 before the first block), and its bytes. */
  #blockNumber = -1
  #blockLastRecord = -1
  #blockReader: ByteReader = new ByteReader(noBytes)

  /** The group that is being decoded, numbered from 0 in each block. */
  #groupNumber = -1
  /** The last record of the previous group, from which deltas and bits count; zero in the first group of a block. */
  #groupBase = 0
  /** The last record of this group. */
  #groupLastRecord = -1
  /** Byte offsets of the body of the group in the block: its start, and the offset after it. */
  #bodyStart = 0
  #bodyEnd = 0
  #isBitmap = false
  /** In a group of deltas, the record that was decoded last. */
  #decodedRecord = 0
  /**
   * Number of records of the block up to the current one, included. It tells where the word positions of the record
   * are. In a bitmap, `seek` does not update it, because counting bits takes time, and most searches read no word
   * positions. There it includes only the first `#countedBits` bits of the group, until `#countBits` counts the rest.
   */
  #recordsPassed = 0
  #countedBits = 0

  /** The number of the position chunk requested last, and the chunk, which is undefined until it is delivered. */
  #chunkNumber = -1
  #chunk: PositionChunk | undefined

  constructor(entry: TermEntry, context: SearchContext) {
    this.#entry = entry
    this.cost = entry.recordCount
    this.#context = context
    // `inlineBlock` is the only block of a short list. `firstBlockBytes` is set if the store has read the first block
    // together with the entry.
    const firstBlock = entry.inlineBlock ?? entry.firstBlockBytes
    this.#fetchedBlocks = firstBlock === undefined ? [] : [firstBlock]
  }

  seek(target: number): number {
    if (this.#current >= target) return this.#current
    if (target > this.#blockLastRecord) {
      const blockNumber = this.#findBlockNumber(target)
      if (blockNumber === this.#entry.skipTable.length) {
        this.#current = end
        return end
      }
      const bytes = this.#fetchedBlocks[blockNumber - this.#firstFetchedBlockNumber]
      if (bytes === undefined) {
        this.#requestBlocks(blockNumber)
        return pending
      }
      this.#openBlock(blockNumber, bytes)
    }
    const reader = this.#blockReader
    while (target > this.#groupLastRecord) this.#openNextGroup(reader)
    if (this.#isBitmap) {
      this.#current = this.#findBit(target)
      return this.#current
    }
    // Decodes deltas up to the target. The loop ends inside the group, because the target is not after its last record.
    let record = this.#decodedRecord
    let passed = this.#recordsPassed
    do {
      record += reader.varint()
      passed++
    } while (record < target)
    this.#decodedRecord = record
    this.#recordsPassed = passed
    this.#current = record
    return record
  }

  /** Where the word positions of the current record are; undefined if the posting list stores none. */
  locatePositions(): PositionsPlace | undefined {
    const { firstPositionChunkNumber } = this.#entry
    if (firstPositionChunkNumber === null) return undefined
    if (this.#isBitmap) this.#countBits()
    const recordInBlock = this.#recordsPassed - 1
    const chunksBefore =
      this.#blockNumber * positionChunksPerBlock + Math.floor(recordInBlock / positionChunkRecordsMax)
    return { chunk: firstPositionChunkNumber + chunksBefore, recordInChunk: recordInBlock % positionChunkRecordsMax }
  }

  /**
   * Returns true if the word positions of the current record are in memory, or if the posting list stores none.
   * Otherwise requests their chunk in the search context and returns false; the caller fetches the chunk and calls
   * again.
   */
  loadPositions(): boolean {
    const place = this.locatePositions()
    if (place === undefined) return true
    if (place.chunk !== this.#chunkNumber) {
      this.#chunkNumber = place.chunk
      this.#chunk = undefined
      this.#context.chunkRequests.push({
        kind: 'positions',
        first: place.chunk,
        count: 1,
        deliver: (chunks) => {
          const bytes = chunks[0] ?? noBytes
          this.#chunk = new PositionChunk(bytes)
          this.#context.countRead(bytes)
        },
      })
    }
    return this.#chunk !== undefined
  }

  /**
   * Replaces the contents of `into` by the positions of the term as a written word in the current record, which
   * `loadPositions` has loaded. If the posting list stores no word positions, `into` is empty.
   */
  readPositions(into: WordPositions): void {
    const place = this.locatePositions()
    if (place === undefined) {
      into.count = 0
      return
    }
    assert.ok(
      this.#chunk !== undefined && this.#chunkNumber === place.chunk,
      'positions are loaded before they are read',
    )
    this.#chunk.readPositions(place.recordInChunk, into)
  }

  /**
   * The number of the first block, after the current one, whose last record is not before the target. If there is none,
   * the result is the number of blocks.
   */
  #findBlockNumber(target: number): number {
    const { skipTable } = this.#entry
    return lowerBound(this.#blockNumber + 1, skipTable.length, (number) => at(skipTable, number) < target)
  }

  /** Makes a block the current one, and opens its first group. */
  #openBlock(blockNumber: number, bytes: Uint8Array): void {
    this.#blockNumber = blockNumber
    this.#blockLastRecord = at(this.#entry.skipTable, blockNumber)
    this.#blockReader = new ByteReader(bytes)
    this.#groupNumber = -1
    this.#bodyEnd = 0
    // The first group of a block counts from zero.
    this.#groupLastRecord = 0
    this.#openNextGroup(this.#blockReader)
  }

  /** Reads the start of the next group of the block: its last record, its size, and whether it is a bitmap. */
  #openNextGroup(reader: ByteReader): void {
    reader.offset = this.#bodyEnd
    this.#decodedRecord = this.#groupLastRecord
    this.#groupBase = this.#groupLastRecord
    this.#groupNumber++
    // All groups of a block but the last are full.
    this.#recordsPassed = this.#groupNumber * groupRecordsMax
    this.#countedBits = 0
    this.#groupLastRecord += reader.varint()
    const sizeAndFlag = reader.varint()
    this.#isBitmap = (sizeAndFlag & 1) === 1
    this.#bodyStart = reader.offset
    this.#bodyEnd = reader.offset + (sizeAndFlag >>> 1)
    if (this.#bodyEnd > reader.bytes.length) throw toTruncatedError()
  }

  /** The first record at or after the target in the bitmap. The target is not after the last record of the group. */
  #findBit(target: number): number {
    const { bytes } = this.#blockReader
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

  /** In a bitmap, counts the bits up to the current record, so that `#recordsPassed` includes them. */
  #countBits(): void {
    const { bytes } = this.#blockReader
    const currentBit = this.#current - this.#groupBase
    for (; this.#countedBits <= currentBit; this.#countedBits++) {
      const byte = byteAt(bytes, this.#bodyStart + (this.#countedBits >>> 3))
      if ((byte >>> (this.#countedBits & 7)) & 1) this.#recordsPassed++
    }
  }

  /**
   * Requests a block, and blocks after it to read ahead. They replace the blocks in memory, which are no longer needed.
   */
  #requestBlocks(blockNumber: number): void {
    const count = Math.min(this.#readAheadBlocks, this.#entry.skipTable.length - blockNumber)
    this.#readAheadBlocks = Math.min(this.#readAheadBlocks * 2, readAheadBlocksMax)
    this.#context.chunkRequests.push({
      kind: 'block',
      first: this.#entry.firstBlockNumber + blockNumber,
      count,
      deliver: (chunks) => {
        this.#fetchedBlocks = chunks
        this.#firstFetchedBlockNumber = blockNumber
        for (const bytes of chunks) this.#context.countRead(bytes)
      },
    })
  }
}
