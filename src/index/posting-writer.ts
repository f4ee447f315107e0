// Lays out one posting list after another as blocks and places (lists.ts), in ascending record positions, and hands
// them on as they fill.

import { blockRecordsMax, groupRecordsMax, inlineRecordsMax, type ListHead, placeRecordsMax } from './posting-list.ts'
import { ByteReader, ByteWriter, byteAt, varintBytesMax } from './varint.ts'

/** Takes finished lists: blocks and places in ascending numbers, the head of a list behind them. */
export interface ListSink {
  putChunk(table: 'block' | 'place', number: number, bytes: Uint8Array): void
  putHead(head: ListHead): void
}

export class BlockWriter {
  readonly #sink: ListSink
  readonly #group = new ByteWriter(1024)
  readonly #bits = new Uint8Array(groupRecordsMax * varintBytesMax)
  readonly #block = new ByteWriter(16384)
  readonly #place = new ByteWriter(65536)
  #blocks = 0
  #places = 0
  #firstBlock = 0
  #firstPlace = 0
  #withPositions = false
  #lasts: number[] = []
  #records = 0
  #last = 0
  #groupBase = 0

  constructor(sink: ListSink) {
    this.#sink = sink
  }

  /** A sink for lists that another writer has laid out, which count their blocks and places from zero. */
  takeOver(): ListSink {
    const first = { block: this.#blocks, place: this.#places }
    return {
      putChunk: (table, number, bytes) => {
        if (table === 'block') this.#blocks++
        else this.#places++
        this.#sink.putChunk(table, first[table] + number, bytes)
      },
      putHead: (head) => {
        const firstPlace = head.firstPlace === null ? null : first.place + head.firstPlace
        this.#sink.putHead({ ...head, firstBlock: first.block + head.firstBlock, firstPlace })
      },
    }
  }

  begin(withPositions: boolean): void {
    this.#firstBlock = this.#blocks
    this.#firstPlace = this.#places
    this.#withPositions = withPositions
    this.#lasts = []
    this.#records = 0
    this.#last = 0
    this.#groupBase = 0
  }

  /** `positions[from..to)` are the word positions, already encoded as distances. */
  add(record: number, positions: Uint8Array, from: number, to: number): void {
    this.#group.varint(record - this.#last)
    this.#last = record
    this.#records++
    if (this.#withPositions) {
      this.#place.varint(to - from)
      this.#place.append(positions, from, to)
      if (this.#records % placeRecordsMax === 0) this.#closePlace()
    }
    if (this.#records % groupRecordsMax === 0) this.#closeGroup()
    if (this.#records % blockRecordsMax === 0) this.#closeBlock()
  }

  end(key: string): void {
    this.#closeGroup()
    const inline = this.#records <= inlineRecordsMax ? this.#block.take() : null
    if (inline === null) this.#closeBlock()
    else if (this.#records > 0) this.#lasts.push(this.#last)
    this.#closePlace()
    this.#sink.putHead({
      key,
      records: this.#records,
      lasts: Uint32Array.from(this.#lasts),
      firstBlock: this.#firstBlock,
      firstPlace: this.#withPositions ? this.#firstPlace : null,
      inline,
    })
  }

  #closeGroup(): void {
    if (this.#group.length === 0) return
    const span = this.#last - this.#groupBase
    const bitBytes = (span >>> 3) + 1
    this.#block.varint(span)
    if (bitBytes < this.#group.length) {
      this.#block.varint(bitBytes * 2 + 1)
      this.#appendBits(bitBytes)
    } else {
      this.#block.varint(this.#group.length * 2)
      this.#block.append(this.#group.bytes, 0, this.#group.length)
    }
    this.#group.length = 0
    this.#groupBase = this.#last
  }

  /** The records of the group, out of their distances. */
  #appendBits(bytes: number): void {
    this.#bits.fill(0, 0, bytes)
    const distances = new ByteReader(this.#group.bytes)
    for (let bit = 0; distances.at < this.#group.length; ) {
      bit += distances.varint()
      this.#bits[bit >>> 3] = byteAt(this.#bits, bit >>> 3) | (1 << (bit & 7))
    }
    this.#block.append(this.#bits, 0, bytes)
  }

  #closeBlock(): void {
    if (this.#block.length === 0) return
    this.#sink.putChunk('block', this.#blocks++, this.#block.take())
    this.#lasts.push(this.#last)
    // The next block is read on its own: its distances begin at zero again.
    this.#last = 0
    this.#groupBase = 0
  }

  #closePlace(): void {
    if (this.#place.length === 0) return
    this.#sink.putChunk('place', this.#places++, this.#place.take())
  }
}
