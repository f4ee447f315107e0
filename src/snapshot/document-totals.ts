// Pages of documents: how many a record or a registry has, and how many of them can be searched. The numbers of all
// records are stored in the rows of `document_chunk`, so that a summary adds them up without reading records.
import type { RecordDocument } from '../domain/document.ts'
import { at } from '../index/typed-array.ts'
import { compress, decompress } from './segments.ts'

/** Numbers of pages, of one document or of several. */
export interface DocumentTotals {
  readonly pages: number
  /** Pages whose text was in the file of the document. */
  readonly read: number
  /** Pages whose text was recognised from their image (OCR). */
  readonly recognised: number
  /** Pages without text, which cannot be searched. */
  readonly unread: number
}

/** Records whose totals are in one row of `document_chunk`. */
export const documentChunkRecords = 65_536

/** The totals of a record are stored as four numbers: pages, read, recognised, unread. */
const numbersPerRecord = 4

export const noDocuments: DocumentTotals = { pages: 0, read: 0, recognised: 0, unread: 0 }

/** Adds up the numbers, each on its own. */
export function sumTotals(documents: readonly DocumentTotals[]): DocumentTotals {
  let { pages, read, recognised, unread } = noDocuments
  for (const document of documents) {
    pages += document.pages
    read += document.read
    recognised += document.recognised
    unread += document.unread
  }
  return { pages, read, recognised, unread }
}

/** The property `documents` of a record, as JSON. The texts of the pages are not part of it. */
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

/** The totals of up to `documentChunkRecords` consecutive records as the bytes of a row. */
export function toDocumentChunk(totals: readonly DocumentTotals[]): Uint8Array {
  const numbers = new Uint32Array(totals.length * numbersPerRecord)
  for (const [index, { pages, read, recognised, unread }] of totals.entries()) {
    numbers.set([pages, read, recognised, unread], index * numbersPerRecord)
  }
  return compress(new Uint8Array(numbers.buffer))
}

/** The totals of all records of a snapshot, from the rows of `document_chunk` in their order. */
export class DocumentTotalsByRecord {
  readonly #chunks: readonly Uint32Array[]

  constructor(rows: readonly Uint8Array[]) {
    this.#chunks = rows.map((bytes) => {
      const { buffer, byteOffset, length } = decompress(bytes)
      // A copy, because a `Uint32Array` needs an offset that is a multiple of four.
      return new Uint32Array(buffer.slice(byteOffset, byteOffset + length))
    })
  }

  /** The totals of the record at the position. */
  at(position: number): DocumentTotals {
    const chunk = this.#chunks[Math.floor(position / documentChunkRecords)]
    // Every record has totals, so only a position that the snapshot does not have comes here.
    if (chunk === undefined) return noDocuments
    const start = (position % documentChunkRecords) * numbersPerRecord
    return {
      pages: at(chunk, start),
      read: at(chunk, start + 1),
      recognised: at(chunk, start + 2),
      unread: at(chunk, start + 3),
    }
  }
}

/** Adds up the pages of the records that a search finds, one position at a time. */
export class DocumentPageCounter {
  readonly #byRecord: DocumentTotalsByRecord
  #totals = noDocuments

  constructor(byRecord: DocumentTotalsByRecord) {
    this.#byRecord = byRecord
  }

  get totals(): DocumentTotals {
    return this.#totals
  }

  add(position: number): void {
    const totals = this.#byRecord.at(position)
    if (totals.pages > 0) this.#totals = sumTotals([this.#totals, totals])
  }
}
