// Binary form of a term entry, for the files that pass posting lists from thread to thread (posting-file.ts). A number
// that may be null is stored plus one, and null as zero.
import type { TermEntry } from './posting-list.ts'
import { type ByteReader, type ByteWriter, toTruncatedError } from './varint.ts'

/** Writes the entry without `firstBlockBytes`, the first block itself: only a storage that has read it adds it. */
export function putTermEntry(writer: ByteWriter, entry: TermEntry): void {
  const { key, recordCount, skipTable, firstBlock, firstPositionChunk, inlineBlock } = entry
  writer.text(key)
  writer.varint(recordCount)
  writer.varint(skipTable.length)
  for (const lastRecordOfBlock of skipTable) writer.varint(lastRecordOfBlock)
  writer.varint(firstBlock)
  writer.varint(firstPositionChunk === null ? 0 : firstPositionChunk + 1)
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
    const recordCount = reader.varint()
    const blockCount = reader.varint()
    // Damaged bytes must not allocate a huge array.
    if (blockCount > this.#bytes.length) throw toTruncatedError()
    const skipTable = new Uint32Array(blockCount)
    for (let i = 0; i < skipTable.length; i++) skipTable[i] = reader.varint()
    const firstBlock = reader.varint()
    const firstPositionChunkPlusOne = reader.varint()
    const inlineBytesPlusOne = reader.varint()
    return {
      key,
      recordCount,
      skipTable,
      firstBlock,
      firstPositionChunk: firstPositionChunkPlusOne === 0 ? null : firstPositionChunkPlusOne - 1,
      inlineBlock: inlineBytesPlusOne === 0 ? null : reader.copy(inlineBytesPlusOne - 1),
    }
  }
}
