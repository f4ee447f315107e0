// Entry point for the documents of records, which are files in a folder or addresses. `prepareDocuments` extracts the
// text of every document into a cache on disk; the import then reads the texts record by record.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { t } from '../../language.ts'
import { primaryResultCodeOf } from '../../registry/sqlite-reason.ts'
import { systemReasonOf } from '../../system-reason.ts'
import { isFullDisk, toTemporaryFolderFault } from '../full-disk.ts'
import { isSystemError } from '../source-fault.ts'
import { type AddressRule, isForbiddenAddress, toAllowedOrigins } from './address-policy.ts'
import { DocumentCache } from './cache.ts'
import { CachedExtractor } from './cached-extractor.ts'
import { forEachConcurrent } from './concurrent.ts'
import { DocumentFolder } from './document-folder.ts'
import { type DocumentReading, toReading, toUnread } from './document-reading.ts'
import { Downloader } from './download.ts'
import { type DocumentLimits, toLimits } from './limits.ts'
import { collectModels, defaultOcrLanguages } from './ocr-languages.ts'
import type { PublishedFiles } from './published-files.ts'
import { DocumentFault, type DocumentOutcome, type DocumentProblem, type DocumentReference } from './reference.ts'
import { ReferenceResolver } from './reference-resolver.ts'
import { isRefusal, TextExtractor } from './text-extractor.ts'
import { WorkerPool } from './worker-pool.ts'

export type { DocumentReading } from './document-reading.ts'
export { DocumentFault, type DocumentOutcome, type DocumentProblem, type DocumentReference } from './reference.ts'

/** Further problems of an outcome are counted and not listed. */
const problemsPerOutcomeMax = 1_000

export interface DocumentOptions {
  /** `--documents DIR`; without it every reference to a file has the outcome `missing`. */
  readonly folder?: string | undefined
  /** `--fetch-documents`; without it every reference to a URL has the outcome `missing`. */
  readonly withDownloads: boolean
  /** `--allow-host`: hosts that documents may be fetched from, each `HOST` (ports 80 and 443) or `HOST:PORT`. */
  readonly allowHosts: readonly string[]
  /** `--ocr`: recognise the text of the pages that are scans. */
  readonly ocr: boolean
  /** `--ocr-languages`: codes of languages, whose models must be installed; Spanish by default. */
  readonly ocrLanguages?: readonly string[] | undefined
  /** With `--publish-documents`: keeps the files for readers. */
  readonly published?: PublishedFiles | undefined
  /** Created if missing. May be deleted between imports; the next import then reads every document again. */
  readonly cacheFolder: string
  /** Identifies the registry among those that use the cache. */
  readonly registry: string
  readonly limits?: Partial<DocumentLimits>
  /** Replaces `isForbiddenAddress` of address-policy.ts in tests, whose hosts have loopback addresses. */
  readonly isForbiddenAddress?: AddressRule
  /** Called after every reference and every page. */
  readonly onProgress?: (progress: DocumentProgress) => void
}

export interface DocumentProgress {
  /** References processed, repeated ones included. */
  readonly references: number
  /** Pages read, without those found in the cache. A page that OCR reads counts again. */
  readonly pages: number
}

export interface DocumentTexts {
  /** Documents by outcome. A document that several records name counts once. */
  readonly outcomes: Readonly<Record<DocumentOutcome, number>>
  /**
   * In the order of the references, at most 1,000 per outcome. A document with the outcome `text` is listed if some of
   * it was not read, or if its host failed and the text of an earlier import is used.
   */
  readonly problems: readonly DocumentProblem[]
  /** All problems, listed or not. */
  readonly problemCount: number
  /** What the report of the import should say, besides the problems. */
  readonly warnings: readonly string[]
  /** Reads a text from the cache. Throws `DocumentFault` if the cache was changed since the documents were read. */
  read(reference: DocumentReference): Promise<DocumentReading>
  /** Forgets what no record refers to any more. Called when the records are in service. */
  forgetUnused(): void
  /** The cache stays for the next import. */
  close(): void
}

/**
 * Reads every document that is not in the cache. Throws `DocumentFault` if the documents folder cannot be read, an
 * allowed host is malformed, OCR or the model of a language is not installed, no worker can be started, or the cache
 * cannot be read or written.
 */
export async function prepareDocuments(
  references: Iterable<DocumentReference>,
  options: DocumentOptions,
): Promise<DocumentTexts> {
  const allowedOrigins = new Set(options.allowHosts.flatMap(parseAllowedHost))
  const folder = options.folder === undefined ? undefined : await DocumentFolder.open(options.folder)
  const scratch = await mkdtemp(join(tmpdir(), 'planning-registry-'))
  let cache: DocumentCache | undefined
  try {
    cache = DocumentCache.open(options.cacheFolder, options.registry)
    await readDocuments(references, options, { cache, folder, allowedOrigins, scratch })
    return toTexts(cache, options)
  } catch (error) {
    cache?.close()
    throw toCacheError(options.cacheFolder, error)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** Returns the origins that one `--allow-host` allows. Throws `DocumentFault` if it is malformed. */
function parseAllowedHost(text: string): string[] {
  const origins = toAllowedOrigins(text)
  if (origins !== undefined) return origins
  throw new DocumentFault(t`Cannot read --allow-host ${text}: expected HOST or HOST:PORT, without a scheme or path`)
}

/** Returns the fault of the cache or of the temporary folder if it is the cause, otherwise the error as it is. */
function toCacheError(folder: string, error: unknown): unknown {
  const isSqliteError = primaryResultCodeOf(error) !== undefined
  if (isFullDisk(error) && !isSqliteError) return toTemporaryFolderFault(error)
  if (isFullDisk(error))
    return new DocumentFault(
      t`Cannot write the texts of the documents to ${folder}: the disk is full; free some space, or choose another folder with --document-cache`,
    )
  if (!isSystemError(error) && !isSqliteError) return error
  return new DocumentFault(
    t`Cannot use ${folder} for the texts of the documents: ${systemReasonOf(error)}; choose another folder with --document-cache`,
  )
}

interface Places {
  readonly cache: DocumentCache
  readonly folder: DocumentFolder | undefined
  readonly allowedOrigins: ReadonlySet<string>
  /** A folder for downloads and OCR models. */
  readonly scratch: string
}

/** Reads every document into the cache. No worker or download is left running, whether it returns or throws. */
async function readDocuments(
  references: Iterable<DocumentReference>,
  options: DocumentOptions,
  { cache, folder, allowedOrigins, scratch }: Places,
): Promise<void> {
  const limits = toLimits(options.ocr, options.limits)
  const languages = options.ocrLanguages ?? defaultOcrLanguages
  const models = options.ocr ? await collectModels(languages, join(scratch, 'models')) : undefined
  const pool = new WorkerPool(limits, models)
  const isForbidden = options.isForbiddenAddress ?? isForbiddenAddress
  const downloader = options.withDownloads ? new Downloader(scratch, allowedOrigins, isForbidden, limits) : undefined
  const progress = { references: 0, pages: 0 }
  options.onProgress?.(progress)
  const count = (counted: keyof DocumentProgress): void => {
    progress[counted] += 1
    options.onProgress?.({ ...progress })
  }
  const extractor = new CachedExtractor(cache, new TextExtractor(pool, limits, () => count('pages')), models?.languages)
  const { documentBytesMax, concurrentDocumentsMax } = limits
  const { published } = options
  const resolver = new ReferenceResolver({ cache, extractor, folder, downloader, published, documentBytesMax })
  let number = 0
  const resolve = async (reference: DocumentReference): Promise<void> => {
    await resolver.resolve(reference, ++number)
    count('references')
  }
  /** Kills the workers and aborts the downloads. */
  const stop = (): Promise<unknown> => Promise.all([pool.close(), downloader?.close()])
  try {
    await forEachConcurrent(references, concurrentDocumentsMax, resolve, stop)
  } finally {
    // Workers and downloads use the scratch folder, which is deleted next, so they end first.
    await stop()
  }
}

function toTexts(cache: DocumentCache, { folder, withDownloads }: DocumentOptions): DocumentTexts {
  return {
    outcomes: cache.countOutcomes(),
    problems: cache.readProblems(problemsPerOutcomeMax),
    problemCount: cache.countProblems(),
    warnings: cache.wasDamaged
      ? [t`the texts of documents in ${cache.path} were damaged and have been discarded; all documents were read again`]
      : [],
    read: async (reference) => readFromCache(cache, reference),
    forgetUnused: () => {
      // References of a kind that this import has not read may be needed again by an import that reads them.
      if (folder !== undefined) cache.forgetUnused('file')
      if (withDownloads) cache.forgetUnused('address')
    },
    close: () => cache.close(),
  }
}

/** Every document has an entry in the cache, and a text or the reason why it has none, unless the cache was changed. */
function readFromCache(cache: DocumentCache, reference: DocumentReference): DocumentReading {
  const entry = cache.readEntryOfThisImport(reference)
  if (entry !== undefined && entry.textKey === undefined) {
    const { unreadReason = { code: 'unreadable' }, sha256 = null, pageCount = 0, published } = entry
    return { ...toUnread([unreadReason], sha256, pageCount), published }
  }
  const text = entry?.textKey && cache.readText(entry.textKey)
  // Another import may have stored a refusal in place of the text.
  if (entry?.textKey === undefined || text === undefined || isRefusal(text)) {
    throw new DocumentFault(
      t`Cannot read the documents cache ${cache.path}: it was changed during the import; import again, or choose another folder with --document-cache`,
    )
  }
  return { ...toReading(entry.textKey.sha256, text), published: entry.published }
}
