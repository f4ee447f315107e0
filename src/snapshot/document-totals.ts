// Pages of documents: how many a record or a registry has, and how many of them can be searched. The page counts of
// all records are stored together in the table `document_chunk`, so that a summary adds them up without reading
// records.
import type { RecordDocument } from '../domain/document.ts'
import { at } from '../index/typed-array.ts'
import { compress, decompress } from './segments.ts'

/** Numbers of pages, of one document or of several. */
export interface DocumentTotals {
  readonly pages: number
  /** Pages whose text was in the file of the document, and blank pages. */
  readonly read: number
  /** Pages whose text was recognised from their image (OCR). */
  readonly recognised: number
  /** Pages that cannot be searched, or not completely. */
  readonly unread: number
}

/** The documents of a whole registry. */
export interface RegistryDocuments extends DocumentTotals {
  /** Documents that are missing, damaged or only scans. Undefined in a registry of an older version. */
  readonly withoutText?: number
}

/** Number of records whose totals are in one row of `document_chunk`. */
export const documentChunkRecords = 65_536

/** The totals of a record are stored as four 32-bit integers: pages, read, recognised, unread. */
const integersPerRecord = 4

export const noDocuments: DocumentTotals = { pages: 0, read: 0, recognised: 0, unread: 0 }

/** Adds up each of the four counts. */
export function sumTotals(summands: readonly DocumentTotals[]): DocumentTotals {
  let { pages, read, recognised, unread } = noDocuments
  for (const summand of summands) {
    pages += summand.pages
    read += summand.read
    recognised += summand.recognised
    unread += summand.unread
  }
  return { pages, read, recognised, unread }
}

/** The property `documents` of a record, as JSON: everything about its documents except the texts of the pages. */
export function toDocumentsJson(documents: readonly RecordDocument[]): string {
  return JSON.stringify(
    documents.map(({ href, pages, read, recognised, unread, reason, sha256 }) => ({
      href,
      pages,
      read,
      recognised,
      unread,
      reason,
      sha256,
    })),
  )
}

/**
 * The totals of up to `documentChunkRecords` consecutive records as the compressed bytes of a row. The integers have
 * the byte order of the processor; all supported ones are little-endian.
 */
export function toDocumentChunk(totals: readonly DocumentTotals[]): Uint8Array {
  const integers = new Uint32Array(totals.length * integersPerRecord)
  for (const [index, { pages, read, recognised, unread }] of totals.entries()) {
    integers.set([pages, read, recognised, unread], index * integersPerRecord)
  }
  return compress(new Uint8Array(integers.buffer))
}

/** The totals of all records of a snapshot. */
export class DocumentTotalsByRecord {
  readonly #chunks: readonly Uint32Array[]

  /** `chunks` has the bytes of all rows of `document_chunk` in the order of their numbers. */
  constructor(chunks: readonly Uint8Array[]) {
    this.#chunks = chunks.map((compressed) => {
      const { buffer, byteOffset, length } = decompress(compressed)
      // A copy, because a `Uint32Array` needs an offset that is a multiple of four.
      return new Uint32Array(buffer.slice(byteOffset, byteOffset + length))
    })
  }

  /** The totals of the record at this position. */
  ofRecord(position: number): DocumentTotals {
    const chunk = this.#chunks[Math.floor(position / documentChunkRecords)]
    // Every record has totals, so this happens only for a position that the snapshot does not have.
    if (chunk === undefined) return noDocuments
    const start = (position % documentChunkRecords) * integersPerRecord
    return {
      pages: at(chunk, start),
      read: at(chunk, start + 1),
      recognised: at(chunk, start + 2),
      unread: at(chunk, start + 3),
    }
  }
}
