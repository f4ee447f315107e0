// What the records say of their documents and what becomes of each: the words the import and its documents share.

/** A document as a record names it. */
export type DocumentReference =
  /** A name under the documents folder (column `document`). */
  | { readonly kind: 'file'; readonly name: string }
  /** An address (columns `links`, `agreement_link`), byte for byte as the registry holds it. */
  | { readonly kind: 'address'; readonly url: string }

/** What became of a document. */
export type DocumentOutcome =
  /** At least one page was read whole. */
  | 'text'
  /** It has pages, all of them scans that nobody read: `--ocr` was not given. */
  | 'scan'
  /** It is there and cannot be read: broken, encrypted, over a limit, or not a document. */
  | 'unreadable'
  /** It is not there, or must not be asked for. */
  | 'missing'

export interface DocumentProblem {
  readonly outcome: DocumentOutcome
  /** The name or the address, as given. */
  readonly document: string
  /** What is wrong and how to mend it, in one line. */
  readonly reason: string
}

/** Documents cannot be had at all; the message names the thing and the mend. */
export class DocumentFault extends Error {
  override readonly name = 'DocumentFault'
}
