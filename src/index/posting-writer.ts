// Encodes posting lists, one after the other, as blocks (records), position chunks (word positions) and term entries
// (where these are). posting-list.ts describes the format. The writer passes each of them to a sink as soon as it is
// complete. merge.ts writes the posting lists of words with it, snapshot/file/filter-lists.ts those of filters, such as
// a municipality.
import assert from 'node:assert/strict'
import {
  blockRecordsMax,
  type ChunkKind,
  groupRecordsMax,
  inlineRecordsMax,
  positionChunkRecordsMax,
  type TermEntry,
} from './posting-list.ts'
import { byteAt } from './typed-array.ts'
import { ByteReader, ByteWriter, varintBytesMax } from './varint.ts'

const noBytes = new Uint8Array(0)

/**
 * Receives posting lists: the chunks of a list, which are blocks or position chunks, then its term entry. The chunks of
 * each kind are numbered from 0 without gaps; the numbers go on from one list to the next.
 */
export interface PostingSink {
  putChunk(kind: ChunkKind, chunkNumber: number, bytes: Uint8Array): void
  putEntry(entry: TermEntry): void
}

/** For each posting list, call `begin`, `add` for each record, and `end`. */
export class PostingWriter {
  readonly #sink: PostingSink
  /** Deltas of the records in the current group: a part of a block, up to `groupRecordsMax` records. */
  readonly #group = new ByteWriter(1024)
  /** The bitmap of the group. It is made only if it is shorter than the deltas, so it never needs more than they do. */
  readonly #bitmap = new Uint8Array(groupRecordsMax * varintBytesMax)
  /** The finished groups of the current block. */
  readonly #block = new ByteWriter(16384)
  /** The word positions of the current position chunk. */
  readonly #positions = new ByteWriter(65536)
  /** The numbers of the next block and of the next position chunk. They go on from one posting list to the next. */
  #nextBlockNumber = 0
  #nextPositionChunkNumber = 0
  /** The first block and the first position chunk of the current posting list. */
  #firstBlockNumber = 0
  #firstPositionChunkNumber = 0
  #withPositions = false
  /** The last record of each finished block of the current posting list. */
  #skipTable: number[] = []
  /** Number of records of the current posting list. */
  #recordCount = 0
  /** The record that was added last; zero at the start of a block, because each block is decoded on its own. */
  #lastRecord = 0
  /** The last record of the previous group; zero at the start of a block. */
  #groupBase = 0

  constructor(sink: PostingSink) {
    this.#sink = sink
  }

  /**
   * Returns a sink for posting lists that another writer has encoded, with chunk numbers from 0. The sink passes them
   * on to the sink of this writer, and adds to each number how many chunks of its kind were written before this call.
   */
  toAppendSink(): PostingSink {
    const firstBlockNumber = this.#nextBlockNumber
    const firstPositionChunkNumber = this.#nextPositionChunkNumber
    return {
      putChunk: (kind, chunkNumber, bytes) => {
        if (kind === 'block') {
          this.#nextBlockNumber++
          this.#sink.putChunk(kind, firstBlockNumber + chunkNumber, bytes)
        } else {
          this.#nextPositionChunkNumber++
          this.#sink.putChunk(kind, firstPositionChunkNumber + chunkNumber, bytes)
        }
      },
      putEntry: (entry) => {
        this.#sink.putEntry({
          ...entry,
          firstBlockNumber: firstBlockNumber + entry.firstBlockNumber,
          firstPositionChunkNumber:
            entry.firstPositionChunkNumber === null ? null : firstPositionChunkNumber + entry.firstPositionChunkNumber,
        })
      },
    }
  }

  /** Starts a posting list. */
  begin({ withPositions }: { readonly withPositions: boolean }): void {
    this.#firstBlockNumber = this.#nextBlockNumber
    this.#firstPositionChunkNumber = this.#nextPositionChunkNumber
    this.#withPositions = withPositions
    this.#skipTable = []
    this.#recordCount = 0
    this.#lastRecord = 0
    this.#groupBase = 0
  }

  /**
   * Adds a record to the posting list. Records must ascend. The bytes of `positions` from `from` to `to` (excluded) are
   * its word positions, already encoded (`TermEntry`); a posting list without positions ignores them.
   */
  add(record: number, positions: Uint8Array = noBytes, from = 0, to = 0): void {
    // At the start of a block, `#lastRecord` is zero whatever the record before was.
    assert.ok(record > this.#lastRecord || this.#lastRecord === 0, 'records of a posting list ascend')
    this.#group.varint(record - this.#lastRecord)
    this.#lastRecord = record
    this.#recordCount++
    if (this.#withPositions) {
      this.#positions.varint(to - from)
      this.#positions.append(positions, from, to)
      if (this.#recordCount % positionChunkRecordsMax === 0) this.#finishPositionChunk()
    }
    if (this.#recordCount % groupRecordsMax === 0) this.#finishGroup()
    if (this.#recordCount % blockRecordsMax === 0) this.#finishBlock()
  }

  /** Finishes the posting list and writes its term entry. `key` begins with its letter in `termKinds`. */
  end(key: string): void {
    this.#finishGroup()
    // The entry of a short posting list contains its only block.
    const inlineBlock = this.#recordCount <= inlineRecordsMax ? this.#block.take() : null
    if (inlineBlock === null) this.#finishBlock()
    else if (this.#recordCount > 0) this.#skipTable.push(this.#lastRecord)
    this.#finishPositionChunk()
    this.#sink.putEntry({
      key,
      recordCount: this.#recordCount,
      skipTable: Uint32Array.from(this.#skipTable),
      firstBlockNumber: this.#firstBlockNumber,
      firstPositionChunkNumber: this.#withPositions ? this.#firstPositionChunkNumber : null,
      inlineBlock,
    })
  }

  /** Appends the group to the block, as deltas or as a bitmap. Does nothing if it has no records. */
  #finishGroup(): void {
    if (this.#group.length === 0) return
    const span = this.#lastRecord - this.#groupBase
    // The bitmap has a bit for each record from `#groupBase` to `#lastRecord`, both included: `span + 1` bits.
    const bitmapBytes = (span >>> 3) + 1
    this.#block.varint(span)
    // The low bit of the size says whether the group is a bitmap.
    if (bitmapBytes < this.#group.length) {
      this.#block.varint(bitmapBytes * 2 + 1)
      this.#appendBitmap(bitmapBytes)
    } else {
      this.#block.varint(this.#group.length * 2)
      this.#block.append(this.#group.bytes, 0, this.#group.length)
    }
    this.#group.length = 0
    this.#groupBase = this.#lastRecord
  }

  /** Converts the deltas of the group to a bitmap of `size` bytes, and appends it to the block. */
  #appendBitmap(size: number): void {
    this.#bitmap.fill(0, 0, size)
    const deltas = new ByteReader(this.#group.bytes)
    for (let bit = 0; deltas.offset < this.#group.length; ) {
      bit += deltas.varint()
      this.#bitmap[bit >>> 3] = byteAt(this.#bitmap, bit >>> 3) | (1 << (bit & 7))
    }
    this.#block.append(this.#bitmap, 0, size)
  }

  /** Passes the block to the sink. Does nothing if it has no records. */
  #finishBlock(): void {
    if (this.#block.length === 0) return
    this.#sink.putChunk('block', this.#nextBlockNumber++, this.#block.take())
    this.#skipTable.push(this.#lastRecord)
    this.#lastRecord = 0
    this.#groupBase = 0
  }

  /** Passes the position chunk to the sink. Does nothing if it has no records. */
  #finishPositionChunk(): void {
    if (this.#positions.length === 0) return
    this.#sink.putChunk('positions', this.#nextPositionChunkNumber++, this.#positions.take())
  }
}
