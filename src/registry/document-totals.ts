// Pages of documents: how many a record or a registry has, and how many of them can be searched.
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
