// Turns rows of the tables of a snapshot on PostgreSQL into values: the entry of a term of the index, a record.
// storage.ts in this folder selects the columns; the functions here rely on their order.
import type { TermEntry } from '../../index/posting-list.ts'
import type { RecordRow } from '../storage.ts'
import type { Row } from './connection.ts'

/** The columns of `term_entry` that `toTermEntry` reads. */
export const entryColumns = 'term, records, skip_table, first_block, first_chunk, inline_block'

/**
 * The row has `entryColumns`, then the bytes of the first block of the posting list, which are null if they were not
 * read with the entry, or if the entry itself has the only block (`inlineBlock`). `TermEntry` explains the other nulls.
 */
export function toTermEntry(row: Row): TermEntry {
  const [key, recordCount, skipTable, firstBlockNumber, firstPositionChunkNumber, inlineBlock, firstBlockBytes] =
    row as unknown as [
      key: string,
      recordCount: number,
      skipTable: Buffer,
      firstBlockNumber: number,
      firstPositionChunkNumber: number | null,
      inlineBlock: Buffer | null,
      firstBlockBytes: Buffer | null,
    ]
  const entry = {
    key,
    recordCount,
    skipTable: toUint32Array(skipTable),
    firstBlockNumber,
    firstPositionChunkNumber,
    inlineBlock,
  }
  return firstBlockBytes === null ? entry : { ...entry, firstBlockBytes }
}

/**
 * Returns the bytes as 32-bit integers: a copy, because a buffer of the driver need not be 4-byte aligned. Integers are
 * stored in little-endian order, as all supported processors have it.
 */
export function toUint32Array(bytes: Buffer): Uint32Array {
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}

/**
 * The row has `includedColumns` (../schema.ts), from which the properties of `include` are made, then the record in
 * wire format. The INE code is null if the name of the municipality is unknown or ambiguous.
 */
export function toRecordRow(row: Row): RecordRow {
  const [code, checkinDate, ineCode, documents, firstSegment, wire] = row as unknown as [
    code: string,
    checkinDate: string,
    ineCode: string | null,
    documents: string,
    firstSegment: number,
    wire: string,
  ]
  return { code, checkinDate, ineCode, documents, firstSegment, wire }
}
