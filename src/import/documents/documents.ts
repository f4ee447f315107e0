// The documents of the records: from file names and addresses to texts that can be searched. The import names every
// document once through `prepareDocuments` and reads the texts afterwards, record by record, from the cache on disk.
import { randomUUID } from 'node:crypto'
import { type AddressRule, isForbiddenAddress, parseAllowedHost } from './address-policy.ts'
import { DocumentCache } from './cache.ts'
import { Contents } from './cached-extractor.ts'
import { DocumentFolder } from './document-folder.ts'
import { Downloader } from './download.ts'
import { type DocumentLimits, toLimits } from './limits.ts'
import { DocumentFault, type DocumentOutcome, type DocumentProblem, type DocumentReference } from './reference.ts'
import { Preparation } from './reference-resolver.ts'
import { DocumentReader } from './text-extractor.ts'
import { ReadingPool } from './worker-pool.ts'

export { DocumentFault, type DocumentOutcome, type DocumentProblem, type DocumentReference } from './reference.ts'

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
  readonly limits?: Partial<DocumentLimits>
  /** Which addresses of the network are never connected to; the tests, whose hosts are on loopback, put their own. */
  readonly isForbiddenAddress?: AddressRule
  /** Called a few times a second and once at the end. */
  readonly onProgress?: (progress: DocumentProgress) => void
}

export interface DocumentProgress {
  /** References done, repeated ones included, so that it ends at the number of references given. */
  readonly references: number
  /** Pages read in this run, those found in the cache not counted. */
  readonly pages: number
}

/** The texts of the documents, once all of them have been prepared. */
export interface DocumentTexts {
  /** How many documents ended how; a document named by several records counts once. */
  readonly outcomes: Readonly<Record<DocumentOutcome, number>>
  /**
   * In the order of the references, at most 1,000 of each outcome; of outcome `text` those that lack some pages or
   * could not be asked for again.
   */
  readonly problems: readonly DocumentProblem[]
  /** How many problems there were, those left out of the list included. */
  readonly problemCount: number
  /** The text, pages separated by a form feed, lines by a line feed; empty where the document has none. */
  read(reference: DocumentReference): Promise<string>
  close(): Promise<void>
}

/**
 * Reads every document that is not in the cache yet. Throws `DocumentFault` when the folder of documents or an
 * allowed host is none or no reader can be started, and the system's own error when the cache cannot be written.
 */
export async function prepareDocuments(
  references: AsyncIterable<DocumentReference> | Iterable<DocumentReference>,
  options: DocumentOptions,
): Promise<DocumentTexts> {
  const limits = toLimits(options.ocr, options.limits)
  const allowHosts = new Set(options.allowHosts.flatMap(toAllowedHosts))
  const folder = options.folder === undefined ? undefined : await DocumentFolder.open(options.folder)
  if (options.folder !== undefined && folder === undefined) {
    throw new DocumentFault(`Cannot read documents folder ${options.folder}: there is no such folder`)
  }
  const cache = await DocumentCache.open(options.cacheFolder)
  const pool = new ReadingPool(limits)
  const isForbidden = options.isForbiddenAddress ?? isForbiddenAddress
  const downloader = options.fetch ? new Downloader(cache.scratch, allowHosts, isForbidden, limits) : undefined
  const progress = new Progress(options.onProgress)
  const contents = new Contents(cache, new DocumentReader(pool, limits, () => progress.page()), options.ocr)
  const preparation = new Preparation({ run: randomUUID(), cache, contents, folder, downloader, limits })
  let stopping: Promise<unknown> | undefined
  const stop = (): Promise<unknown> => {
    stopping ??= Promise.all([pool.close(), downloader?.close()])
    return stopping
  }
  try {
    await preparation.prepareAll(references, () => progress.reference(), stop)
  } catch (error) {
    await stop()
    await cache.close()
    throw error
  } finally {
    await stop()
    progress.end()
  }
  return {
    ...preparation.result(),
    read: async (reference) => {
      const key = (await cache.readEntry(reference))?.reading
      if (key === undefined) return ''
      const reading = await cache.readReading(key)
      if (reading === undefined || 'refused' in reading) {
        throw new DocumentFault(
          `Cannot read the documents cache ${cache.folder}: it was changed meanwhile; import again`,
        )
      }
      return reading.pages.join('\f')
    },
    close: () => cache.close(),
  }
}

function toAllowedHosts(text: string): string[] {
  const hosts = parseAllowedHost(text)
  if (hosts === undefined) {
    throw new DocumentFault(`Cannot read --allow-host ${text}: expected HOST or HOST:PORT, without scheme and path`)
  }
  return hosts
}

/** Counts, and tells four times a second what it counted. */
class Progress {
  readonly #tell: ((progress: DocumentProgress) => void) | undefined
  readonly #timer: NodeJS.Timeout
  #references = 0
  #pages = 0

  constructor(tell: ((progress: DocumentProgress) => void) | undefined) {
    this.#tell = tell
    this.#timer = setInterval(() => this.#tellNow(), 250)
  }

  reference(): void {
    this.#references += 1
  }

  page(): void {
    this.#pages += 1
  }

  end(): void {
    clearInterval(this.#timer)
    this.#tellNow()
  }

  #tellNow(): void {
    this.#tell?.({ references: this.#references, pages: this.#pages })
  }
}
