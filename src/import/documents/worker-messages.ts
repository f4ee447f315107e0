// The messages between the worker pool and its worker processes. A worker handles one request at a time and answers
// with any number of messages, of which the last is `done` or `refused`.
import type { Reason } from '../../domain/document-reason.ts'
import type { Finding, Tallies } from './scanned-page.ts'

/** A document, and what to do with it. Page numbers begin with 1. */
export type WorkerRequest = DocumentFile & WorkerTask

export interface DocumentFile {
  readonly path: string
  /** Hash of the expected content: a file that has changed is refused. */
  readonly sha256: string
}

export type WorkerTask =
  /**
   * Extract the text layer of the pages from `fromPage` to `lastPage`, or to the end of the document if that comes
   * first, and inspect some of those with few letters, which may be scans. `tallies` are of the pages before.
   */
  | {
      readonly task: 'text'
      readonly fromPage: number
      readonly lastPage: number
      /** A longer text without pages is cut. */
      readonly charactersMax: number
      readonly tallies: Tallies
    }
  /** Recognise a page with OCR. One with letters in its text layer is recognised only if it is a scan. */
  | { readonly task: 'ocr'; readonly page: number; readonly letters: number }

export type WorkerMessage =
  /** The worker has loaded its libraries. */
  | { readonly kind: 'ready' }
  /** The document is open. `pageCount` is 1 for text without pages. */
  | {
      readonly kind: 'opened'
      readonly format: DocumentFormat
      readonly pageCount: number
      /** What is not in the pages and is not read, such as attached files. */
      readonly omitted: readonly Reason[]
    }
  | PageMessage
  /** What the inspection of a page has found. */
  | { readonly kind: 'inspected'; readonly page: number; readonly finding: Finding }
  /** The page is damaged. The worker goes on with the next one. */
  | { readonly kind: 'damaged'; readonly page: number }
  /** All results were sent. `residentBytes` is the memory of the process. */
  | { readonly kind: 'done'; readonly residentBytes: number }
  /** The document cannot be read. `isFinal` if its content is the cause, so that a later import need not try again. */
  | { readonly kind: 'refused'; readonly reasons: readonly Reason[]; readonly isFinal: boolean }

/** The text of one page, from its text layer or from OCR. */
export interface PageMessage {
  readonly kind: 'page'
  readonly page: number
  readonly text: string
  /** The text of its annotations that `text` does not contain. */
  readonly annotations: string
  /** The page has more text, which was cut. */
  readonly isCut: boolean
  /** The worker inspects the page next. */
  readonly isInspected: boolean
}

export type DocumentFormat = 'pdf' | 'plain' | 'html'
