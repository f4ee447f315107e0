// Types for the documents of an import: a reference to a document, and what became of it.

/** A document as a record names it. */
export type DocumentReference =
  /** A name under the documents folder (column `document`). */
  | { readonly kind: 'file'; readonly name: string }
  /** An address (columns `links`, `agreement_link`), byte for byte as in the registry. */
  | { readonly kind: 'address'; readonly url: string }

export type DocumentOutcome =
  /** Text was read, though some pages may lack it. */
  | 'text'
  /** Some pages are known to be scans, no other page has complete text, and `--ocr` was not given. */
  | 'scan'
  /** It exists and cannot be read: damaged, encrypted, over a limit, without any text, or not a document. */
  | 'unreadable'
  /** It does not exist or may not be fetched, or its host fails and no earlier import has its text. */
  | 'missing'

export interface DocumentProblem {
  readonly outcome: DocumentOutcome
  /** The name or address, as given. */
  readonly document: string
  /** What is wrong and, if something can be done, how to fix it, in one line. */
  readonly reason: string
}

/** A problem that ends the import, unlike one of a single document. The message names the problem and the fix. */
export class DocumentFault extends Error {
  override readonly name = 'DocumentFault'
}
