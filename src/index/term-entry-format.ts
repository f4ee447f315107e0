// Binary form of a term entry, for the files that pass posting lists from one thread to another (posting-file.ts). An
// entry says where the posting list of a term is (`TermEntry` in posting-list.ts). All numbers are varints. If a number
// may be null, null is stored as zero and every other value plus one.
import type { TermEntry } from './posting-list.ts'
import { type ByteReader, type ByteWriter, toTruncatedError } from './varint.ts'

/** Writes the entry. `firstBlockBytes` is left out, because only the storage of a finished snapshot sets it. */
export function putTermEntry(writer: ByteWriter, entry: TermEntry): void {
  const { key, recordCount, skipTable, firstBlockNumber, firstPositionChunkNumber, inlineBlock } = entry
  writer.text(key)
  writer.varint(recordCount)
  writer.varint(skipTable.length)
  for (const lastRecordOfBlock of skipTable) writer.varint(lastRecordOfBlock)
  writer.varint(firstBlockNumber)
  writer.varint(firstPositionChunkNumber === null ? 0 : firstPositionChunkNumber + 1)
  writer.varint(inlineBlock === null ? 0 : inlineBlock.length + 1)
  if (inlineBlock !== null) writer.append(inlineBlock, 0, inlineBlock.length)
}

/** Reads term entries at the offset of a `ByteReader`, and advances it. The entries are copies, not views. */
export class TermEntryReader {
  readonly #bytes: Buffer
  readonly #reader: ByteReader

  /** `reader` is a reader of `bytes`; the bytes themselves are needed as a `Buffer` to decode keys. */
  constructor(bytes: Buffer, reader: ByteReader) {
    this.#bytes = bytes
    this.#reader = reader
  }

  /** Reads the next entry. Throws if the bytes end too early. */
  next(): TermEntry {
    const reader = this.#reader
    const keyBytes = reader.varint()
    const key = this.#bytes.toString('utf8', reader.offset, reader.offset + keyBytes)
    reader.offset += keyBytes
    const recordCount = reader.varint()
    const blockCount = reader.varint()
    // Each element of the table takes at least one byte. The check keeps damaged bytes from allocating a huge array.
    if (blockCount > this.#bytes.length) throw toTruncatedError()
    const skipTable = new Uint32Array(blockCount)
    for (let block = 0; block < blockCount; block++) skipTable[block] = reader.varint()
    const firstBlockNumber = reader.varint()
    const firstPositionChunkNumberPlusOne = reader.varint()
    const inlineBytesPlusOne = reader.varint()
    return {
      key,
      recordCount,
      skipTable,
      firstBlockNumber,
      firstPositionChunkNumber: firstPositionChunkNumberPlusOne === 0 ? null : firstPositionChunkNumberPlusOne - 1,
      inlineBlock: inlineBytesPlusOne === 0 ? null : reader.copy(inlineBytesPlusOne - 1),
    }
  }
}
