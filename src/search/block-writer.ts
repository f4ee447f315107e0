// Lays out one posting list after another as blocks, in ascending record positions, and hands them on as they fill.
import { ByteWriter } from './bytes.ts'
import { type Block, blockRecordsMax } from './lists.ts'

/** Takes finished lists: the blocks of a list, then its head; a list of one block has it in the head. */
export interface ListSink {
  putBlock(list: number, block: Block): void
  putList(key: string, list: number, records: number, only: Block | null): void
}

export class BlockWriter {
  readonly #sink: ListSink
  readonly #recordBytes = new ByteWriter(4096)
  readonly #positionBytes = new ByteWriter(65536)
  #list = 0
  #records = 0
  #inBlock = 0
  #last = 0
  #withPositions = false
  #closed: Block | null = null

  constructor(sink: ListSink) {
    this.#sink = sink
  }

  begin(withPositions: boolean): void {
    this.#list++
    this.#records = 0
    this.#withPositions = withPositions
    this.#closed = null
  }

  /** `positions[from..to)` are the word positions, already encoded as deltas. */
  add(record: number, positions: Uint8Array, from: number, to: number): void {
    if (this.#inBlock === blockRecordsMax) this.#closeBlock()
    this.#recordBytes.varint(this.#inBlock === 0 ? record : record - this.#last)
    this.#last = record
    this.#inBlock++
    this.#records++
    if (!this.#withPositions) return
    this.#positionBytes.varint(to - from)
    this.#positionBytes.append(positions, from, to)
  }

  end(key: string): void {
    this.#closeBlock()
    const only = this.#records <= blockRecordsMax ? this.#closed : null
    if (only === null && this.#closed !== null) this.#sink.putBlock(this.#list, this.#closed)
    this.#sink.putList(key, this.#list, this.#records, only)
  }

  #closeBlock(): void {
    if (this.#inBlock === 0) return
    if (this.#closed !== null) this.#sink.putBlock(this.#list, this.#closed)
    this.#closed = {
      last: this.#last,
      records: this.#recordBytes.take(),
      positions: this.#withPositions ? this.#positionBytes.take() : null,
    }
    this.#inBlock = 0
  }
}
