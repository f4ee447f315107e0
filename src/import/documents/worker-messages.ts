// What the import and its reading children say to each other. A child works on one request at a time and answers it
// with any number of messages, the last of which is `done` or `refused`.

export type ReadRequest = ReadFile & ReadTask

export interface ReadFile {
  readonly path: string
  /** Of the content that was promised: a file that changes under the reader is refused. */
  readonly sha256: string
}

export type ReadTask =
  /** The text layer, page by page from a page on (the first is 1); read from the first, also a look at suspects. */
  | { readonly task: 'text'; readonly fromPage: number; readonly pagesMax: number }
  /** How much of these pages is picture. */
  | { readonly task: 'look'; readonly pages: readonly number[] }
  /** Render these pages and recognise their text. */
  | { readonly task: 'ocr'; readonly pages: readonly number[] }

export type ReadMessage =
  /** The child has loaded its libraries and waits for work. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'opened'; readonly format: DocumentFormat; readonly pages: number }
  | { readonly kind: 'page'; readonly page: number; readonly text: string }
  /** This page is broken; the next one follows. */
  | { readonly kind: 'broken'; readonly page: number; readonly reason: string }
  | { readonly kind: 'look'; readonly page: number; readonly look: PageLook }
  | { readonly kind: 'done'; readonly residentBytes: number }
  /** The document cannot be read; `isFinal`, because of its own content, so that the next import need not try. */
  | { readonly kind: 'refused'; readonly reason: string; readonly isFinal: boolean }

export type DocumentFormat = 'pdf' | 'plain' | 'html'

/** What a page shows beside text. */
export interface PageLook {
  /** The part of the page that pictures cover, 0 to 1. */
  readonly pictureShare: number
  /** Letters drawn invisibly, or under a picture that covers half of the page. */
  readonly hiddenLetters: number
  /** Letters that stand in no margin, where a picture covers half of the page. */
  readonly bodyLetters: number
  /** How many lines, areas and letters are drawn; letters count on a page whose text cannot be told from them. */
  readonly drawings: number
}
