// Binary form of a term entry, for the files that pass posting lists from thread to thread.
import type { TermEntry } from './posting-list.ts'
import { type ByteReader, type ByteWriter, toTruncatedError } from './varint.ts'

export function putTermEntry(writer: ByteWriter, entry: TermEntry): void {
  const { key, records, skipTable, firstBlock, firstChunk, inlineBlock } = entry
  writer.text(key)
  writer.varint(records)
  writer.varint(skipTable.length)
  for (const last of skipTable) writer.varint(last)
  writer.varint(firstBlock)
  writer.varint(firstChunk === null ? 0 : firstChunk + 1)
  writer.varint(inlineBlock === null ? 0 : inlineBlock.length + 1)
  if (inlineBlock !== null) writer.append(inlineBlock, 0, inlineBlock.length)
}

/** Reads term entries at the offset of a `ByteReader`. The entries are copies. */
export class TermEntryReader {
  readonly #bytes: Buffer
  readonly #reader: ByteReader

  /** `reader` reads `bytes`. */
  constructor(bytes: Buffer, reader: ByteReader) {
    this.#bytes = bytes
    this.#reader = reader
  }

  next(): TermEntry {
    const reader = this.#reader
    const keyBytes = reader.varint()
    const key = this.#bytes.toString('utf8', reader.offset, reader.offset + keyBytes)
    reader.offset += keyBytes
    const records = reader.varint()
    const blocks = reader.varint()
    if (blocks > this.#bytes.length) throw toTruncatedError()
    const skipTable = new Uint32Array(blocks)
    for (let i = 0; i < skipTable.length; i++) skipTable[i] = reader.varint()
    const firstBlock = reader.varint()
    const firstChunkOrNull = reader.varint()
    const inlineSizeOrNull = reader.varint()
    return {
      key,
      records,
      skipTable,
      firstBlock,
      firstChunk: firstChunkOrNull === 0 ? null : firstChunkOrNull - 1,
      inlineBlock: inlineSizeOrNull === 0 ? null : reader.copy(inlineSizeOrNull - 1),
    }
  }
}
