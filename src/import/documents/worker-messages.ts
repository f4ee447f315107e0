// The messages between the worker pool and its worker processes. A worker handles one request at a time and answers
// with any number of messages, of which the last is `done` or `refused`.
import type { Reason } from '../../domain/document-reason.ts'

/** A document, and what to do with it. */
export type WorkerRequest = DocumentFile & WorkerTask

export interface DocumentFile {
  readonly path: string
  /** Hash of the expected content: a file that has changed is refused. */
  readonly sha256: string
}

export type WorkerTask =
  /**
   * Extract the text layer of the pages from `fromPage` (the first is 1) to `lastPage`, or to the end of the document
   * if that comes first. Then, if `fromPage` is 1, inspect some of the pages with little text, which may be scans. A
   * worker that continues at a later page, after a failure, inspects none: choosing them takes the texts of all pages
   * (ocr-candidates.ts), and it lacks the earlier ones.
   */
  | { readonly task: 'text'; readonly fromPage: number; readonly lastPage: number }
  /** Inspect what these pages draw. */
  | { readonly task: 'inspect'; readonly pages: readonly number[] }
  /** Render these pages and recognise their text. */
  | { readonly task: 'ocr'; readonly pages: readonly number[] }

export type WorkerMessage =
  /** The worker has loaded its libraries. */
  | { readonly kind: 'ready' }
  /** The document is open. */
  | {
      readonly kind: 'opened'
      readonly format: DocumentFormat
      /** The number of pages, or of the parts of a text without pages. */
      readonly pageCount: number
      /** What is not in the pages and is not read, such as attached files. */
      readonly omitted: readonly Reason[]
    }
  /** The text of one page, from its text layer or from OCR. */
  | {
      readonly kind: 'page'
      /** The number of the page. */
      readonly page: number
      readonly text: string
      /** The text of its annotations that `text` does not contain. */
      readonly annotations: string
      /** The page has more text than a message may contain. */
      readonly isCut: boolean
    }
  /** The task failed for this page, which counts as damaged. The worker goes on with the next one. */
  | { readonly kind: 'broken'; readonly page: number; readonly reason: Reason }
  /** What one page draws. */
  | { readonly kind: 'inspection'; readonly page: number; readonly inspection: PageInspection }
  /** All results were sent. `residentBytes` is the memory of the process. */
  | { readonly kind: 'done'; readonly residentBytes: number }
  /** The document cannot be read. `isFinal` if its content is the cause, so that a later import need not try again. */
  | { readonly kind: 'refused'; readonly reasons: readonly Reason[]; readonly isFinal: boolean }

export type DocumentFormat = 'pdf' | 'plain' | 'html'

/** What a page draws. */
export interface PageInspection {
  /** Share of the page that images cover, from 0 to 1. */
  readonly imageShare: number
  /**
   * Letters that are invisible, or that an image of more than half of the page probably covers, because it is drawn
   * later than they are.
   */
  readonly hiddenLetters: number
  /**
   * Letters outside the margins, in which a scan may have a stamp or a page number. If images cover less than half of
   * the page, it is no scan wherever its letters are, so they are not located, and all of them count.
   */
  readonly bodyLetters: number
  /** Number of lines, areas and letters drawn. */
  readonly drawings: number
}
