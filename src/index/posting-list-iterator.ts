// Iterator over the records of one posting list, and reader of their word positions. `TermEntry` in posting-list.ts
// describes the format: a list consists of blocks, a block of groups, a group of records (as deltas or as a bitmap).
// Blocks and groups whose last record is before the target are skipped without decoding them.
import assert from 'node:assert/strict'
import { lowerBound } from '../lower-bound.ts'
import type { MatchBuffer } from './matches.ts'
import { codeMax, isSynonymCode, wordsOfCode, writtenCode } from './packed-position.ts'
import { end, type PostingIterator, pending } from './posting-iterator.ts'
import { blockRecordsMax, groupRecordsMax, positionChunkRecordsMax, type TermEntry } from './posting-list.ts'
import type { SearchContext } from './search-context.ts'
import { at, byteAt } from './typed-array.ts'
import { ByteReader, toTruncatedError } from './varint.ts'
import type { WordPositions } from './word-positions.ts'

/**
 * The first request asks for one block, each further one for twice as many as the one before, up to this number: a
 * first page of results reads little, and a long search makes few round trips.
 */
const readAheadBlocksMax = 16

/** Number of position chunks for the records of a full block. */
const positionChunksPerBlock = blockRecordsMax / positionChunkRecordsMax
const noBytes = new Uint8Array(0)

/** Which matches `PostingListIterator.readMatches` reads. */
export interface ReadMatchesOptions {
  readonly withSynonyms: boolean
  /** Matches whose first word is before this word position are left out. */
  readonly from: number
  readonly countMax: number
}

export class PostingListIterator implements PostingIterator {
  readonly cost: number
  /** The match that `seek` returned last, or `end`. Before the first match -1, which is less than every record. */
  #current = -1
  readonly #context: SearchContext
  readonly #entry: TermEntry

  /** Consecutive blocks in memory. `#firstFetchedBlock` is the number of the first, from 0 in each posting list. */
  #fetchedBlocks: readonly Uint8Array[]
  #firstFetchedBlock = 0
  /** How many blocks the next request asks for. */
  #readAheadBlocks = 1

  /** The block that is being decoded: its number, its last record (both -1 before the first block), and its bytes. */
  #blockNumber = -1
  #blockLastRecord = -1
  #blockReader: ByteReader = new ByteReader(noBytes)

  /** The group that is being decoded, numbered from 0 in each block. */
  #groupNumber = -1
  /** The last record of the group before, from which deltas and bits count; zero in the first group of a block. */
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
   * are. In a bitmap, `seek` does not count records, because that takes time: only the first `#countedBits` bits are
   * counted until `#countBits` is called.
   */
  #rank = 0
  #countedBits = 0

  /** The position chunk requested last, numbered from 0 in the list. Its reader is undefined until it is delivered. */
  #chunkNumber = -1
  #chunkReader: ByteReader | undefined
  /** Number of records of the position chunk that `#chunkReader` has passed. */
  #passedRecords = 0

  constructor(entry: TermEntry, context: SearchContext) {
    this.#entry = entry
    this.cost = entry.recordCount
    this.#context = context
    const firstBlock = entry.inlineBlock ?? entry.firstBlockBytes
    this.#fetchedBlocks = firstBlock === undefined ? [] : [firstBlock]
  }

  seek(target: number): number {
    if (this.#current >= target) return this.#current
    if (target > this.#blockLastRecord) {
      const block = this.#findBlock(target)
      if (block === this.#entry.skipTable.length) {
        this.#current = end
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
      this.#current = this.#findBit(target)
      return this.#current
    }
    // Decodes deltas up to the target. The loop ends inside the group, because the target is not after its last record.
    let record = this.#decodedRecord
    let rank = this.#rank
    do {
      record += reader.varint()
      rank++
    } while (record < target)
    this.#decodedRecord = record
    this.#rank = rank
    this.#current = record
    return record
  }

  /**
   * Returns true if the word positions of the current record are in memory, or if the posting list stores none.
   * Otherwise requests their chunk in the search context and returns false; the caller fetches the chunk and calls
   * again.
   */
  loadPositions(): boolean {
    const { firstPositionChunk } = this.#entry
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
          this.#context.countRead(bytes ?? noBytes)
        },
      })
    }
    return this.#chunkReader !== undefined
  }

  /**
   * Replaces the contents of `into` by the positions of the term as a written word in the current record, which
   * `loadPositions` has loaded. If the posting list stores no word positions, `into` is empty.
   */
  readPositions(into: WordPositions): void {
    into.count = 0
    const opened = this.#openPositions()
    if (opened === undefined) return
    const { reader, recordStart, positionsEnd } = opened
    let stored = 0
    while (reader.offset < positionsEnd) {
      stored += reader.varint()
      if (isWritten(stored)) into.push(stored >>> 1)
      // The code of an added word is skipped.
      else reader.varint()
    }
    if (reader.offset !== positionsEnd) throw toTruncatedError()
    // Goes back, so that the record can be read again.
    reader.offset = recordStart
  }

  /**
   * Replaces the contents of `into` by the matches of the term in the current record, whose word positions
   * `loadPositions` has loaded: as a written word or a joined form or, with `withSynonyms`, as a synonym. The first
   * word of each is at `from` or after it. At most `countMax` matches are read.
   */
  readMatches(into: MatchBuffer, { withSynonyms, from, countMax }: ReadMatchesOptions): void {
    into.count = 0
    const opened = this.#openPositions()
    if (opened === undefined) return
    const { reader, recordStart, positionsEnd } = opened
    let stored = 0
    while (reader.offset < positionsEnd && into.count < countMax) {
      stored += reader.varint()
      const position = stored >>> 1
      const code = isWritten(stored) ? writtenCode : reader.varint()
      // A longer span can only come from damaged bytes.
      if (code > codeMax || reader.offset > positionsEnd) throw toTruncatedError()
      if (position < from || (isSynonymCode(code) && !withSynonyms)) continue
      into.push(position, position + wordsOfCode(code) - 1)
    }
    reader.offset = recordStart
  }

  /**
   * Moves the reader of the position chunk to the first position of the current record. `recordStart` is where the
   * record starts, and `positionsEnd` where its positions end. Undefined if the posting list stores no word positions.
   */
  #openPositions(): { reader: ByteReader; recordStart: number; positionsEnd: number } | undefined {
    const reader = this.#chunkReader
    if (reader === undefined) {
      assert.equal(this.#entry.firstPositionChunk, null, 'word positions are loaded before they are read')
      return undefined
    }
    const indexInChunk = (this.#rank - 1) % positionChunkRecordsMax
    // Skips the records before the current one.
    for (; this.#passedRecords < indexInChunk; this.#passedRecords++) {
      const positionsBytes = reader.varint()
      reader.offset += positionsBytes
    }
    const recordStart = reader.offset
    const positionsBytes = reader.varint()
    return { reader, recordStart, positionsEnd: reader.offset + positionsBytes }
  }

  /** The first block, after the current one, whose last record is not before the target; if none, the block count. */
  #findBlock(target: number): number {
    const { skipTable } = this.#entry
    return lowerBound(this.#blockNumber + 1, skipTable.length, (block) => at(skipTable, block) < target)
  }

  /** Makes a block the current one, and opens its first group. */
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

  /** Reads the start of the next group of the block: its last record, its size, and whether it is a bitmap. */
  #openNextGroup(reader: ByteReader): void {
    reader.offset = this.#bodyEnd
    this.#decodedRecord = this.#groupLastRecord
    this.#groupBase = this.#groupLastRecord
    this.#groupNumber++
    // All groups of a block but the last are full.
    this.#rank = this.#groupNumber * groupRecordsMax
    this.#countedBits = 0
    this.#groupLastRecord += reader.varint()
    const sizeAndFlag = reader.varint()
    this.#isBitmap = (sizeAndFlag & 1) === 1
    this.#bodyStart = reader.offset
    this.#bodyEnd = reader.offset + (sizeAndFlag >>> 1)
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

  /** In a bitmap, brings `#rank` up to the current record. */
  #countBits(): void {
    const { bytes } = this.#blockReader
    const currentBit = this.#current - this.#groupBase
    for (; this.#countedBits <= currentBit; this.#countedBits++) {
      const byte = byteAt(bytes, this.#bodyStart + (this.#countedBits >>> 3))
      if ((byte >>> (this.#countedBits & 7)) & 1) this.#rank++
    }
  }

  /** Requests a block, and blocks after it to read ahead. They replace those in memory, which are no longer needed. */
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
        for (const bytes of chunks) this.#context.countRead(bytes)
      },
    })
  }
}

/** Whether a stored position (posting-list.ts) is that of a word as written. */
function isWritten(stored: number): boolean {
  return (stored & 1) === 0
}
