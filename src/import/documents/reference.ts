// Types shared by the import and its documents: a reference to a document, and what became of it.

/** A document as a record names it. */
export type DocumentReference =
  /** A name under the documents folder (column `document`). */
  | { readonly kind: 'file'; readonly name: string }
  /** An address (columns `links`, `agreement_link`), byte for byte as in the registry. */
  | { readonly kind: 'address'; readonly url: string }

export type DocumentOutcome =
  /** Text was read, though some pages may lack it. */
  | 'text'
  /** Some pages are scans, every other page has no text or may be a scan too, and `--ocr` was not given. */
  | 'scan'
  /** It exists and cannot be read: damaged, encrypted, over a limit, or not a document. */
  | 'unreadable'
  /** It does not exist, or may not be fetched. */
  | 'missing'

export interface DocumentProblem {
  readonly outcome: DocumentOutcome
  /** The name or address, as given. */
  readonly document: string
  /** What is wrong and how to fix it, in one line. */
  readonly reason: string
}

/** Ends the import, because no document can be read. The message names the problem and the fix. */
export class DocumentFault extends Error {
  override readonly name = 'DocumentFault'
}
