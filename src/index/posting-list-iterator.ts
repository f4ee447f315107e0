// Iterator over the records of one posting list, a sequence of blocks. Blocks whose last record is before the target
// are skipped without reading them; posting-block.ts decodes the others. The iterator also finds the word positions of
// a record, which position-chunk.ts reads.
import assert from 'node:assert/strict'
import { lowerBound } from '../lower-bound.ts'
import { PositionChunk, type PositionsPlace } from './position-chunk.ts'
import { PostingBlock } from './posting-block.ts'
import { end, type PostingIterator, pending } from './posting-iterator.ts'
import { blockRecordsMax, positionChunkRecordsMax, type TermEntry } from './posting-list.ts'
import type { SearchContext } from './search-context.ts'
import { at } from './typed-array.ts'
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

  /** The block of the current record, and its number: undefined and -1 before the first `seek`. */
  #block: PostingBlock | undefined
  #blockNumber = -1

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
    let block = this.#block
    if (block === undefined || target > block.lastRecord) {
      const { skipTable } = this.#entry
      const blockNumber = this.#findBlockNumber(target)
      if (blockNumber === skipTable.length) {
        this.#current = end
        return end
      }
      const bytes = this.#fetchedBlocks[blockNumber - this.#firstFetchedBlockNumber]
      if (bytes === undefined) {
        this.#requestBlocks(blockNumber)
        return pending
      }
      block = new PostingBlock(bytes, at(skipTable, blockNumber))
      this.#block = block
      this.#blockNumber = blockNumber
    }
    this.#current = block.seek(target)
    return this.#current
  }

  /** Where the word positions of the current record are; undefined if the posting list stores none. */
  locatePositions(): PositionsPlace | undefined {
    const { firstPositionChunkNumber } = this.#entry
    if (firstPositionChunkNumber === null) return undefined
    assert.ok(this.#block !== undefined, '`seek` has returned a record')
    const recordInBlock = this.#block.countRecords() - 1
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
