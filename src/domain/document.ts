// The documents of a record: the text of each page, and how many pages could be read. The import extracts the text; the
// writer of a snapshot (a new copy of the registry) stores and indexes it.

/** The text of one page. */
export interface PageText {
  /** Number of the page in its file, from 1; null for text without pages, such as HTML. */
  readonly page: number | null
  readonly text: string
  /** Whether the text was recognised from an image (OCR). */
  readonly recognised: boolean
}

/** The file of a document that the service hands out (`import --publish-documents`). */
export interface PublishedFile {
  /** The file's own name, without its folder. */
  readonly name: string
  readonly bytes: number
  /** Whether it is a PDF by its content. */
  readonly isPdf: boolean
}

/** The address of a published file, relative to the base address of the service. */
export function toPublishedPath(sha256: string): string {
  return `documento/${sha256}`
}

/** One document. `read`, `recognised` and `unread` add up to `pages`. */
export interface RecordDocument {
  /** Public address; null if the document has none. */
  readonly href: string | null
  /** SHA-256 of the file in hexadecimal digits; null if the file is not known. */
  readonly sha256: string | null
  /** Number of pages of the file; 1 for text without pages, 0 if it is not known because the file could not be read. */
  readonly pages: number
  /** Pages whose text was in the file, and blank pages. */
  readonly read: number
  /** Pages whose text was recognised from their image (OCR). */
  readonly recognised: number
  /** Pages of which some or all of the text is missing. */
  readonly unread: number
  /** Why text of the document is missing, for example because pages are unread; null if none is missing. */
  readonly reason: string | null
  /** Undefined if the file is not published. */
  readonly published?: PublishedFile | undefined
  /** The pages that have text, in order. */
  readonly texts: readonly PageText[]
}

/** Everything that is searched besides the fields of a record. */
export interface RecordContent {
  /** The column `content` of the source. */
  readonly text: string
  readonly documents: readonly RecordDocument[]
}

/** The content of a record without documents. */
export function toRecordContent(text: string): RecordContent {
  return { text, documents: [] }
}
