// Resolves every document reference (a file name or an address) to its extracted text, many concurrently. The results
// are in the cache on disk; memory holds only the references in progress.
import { rm } from 'node:fs/promises'
import { type Reason, toPublicReason, toText } from '../../domain/document-reason.ts'
import { type DocumentCache, isRefusal, type ReferenceEntry } from './cache.ts'
import type { CachedExtractor, ContentResult } from './cached-extractor.ts'
import { type DocumentFolder, hashFile, type LocatedFile } from './document-folder.ts'
import type { Downloader, Validators } from './download.ts'
import { forEachConcurrent } from './for-each-concurrent.ts'
import type { PublishedFiles } from './published-files.ts'
import type { DocumentReference } from './reference.ts'

export interface ResolverOptions {
  readonly cache: DocumentCache
  readonly extractor: CachedExtractor
  /** Undefined without `--documents`. */
  readonly folder: DocumentFolder | undefined
  /** Undefined without `--fetch-documents`. */
  readonly downloader: Downloader | undefined
  /** Undefined without `--publish-documents`. */
  readonly published: PublishedFiles | undefined
  /** A larger file is unreadable. */
  readonly documentBytesMax: number
}

/** What a reference leads to. */
interface Resolution {
  readonly entry: ReferenceEntry
  /** The problem that the import reports; empty if there is none. */
  readonly reported: readonly Reason[]
}

export class ReferenceResolver {
  readonly #options: ResolverOptions
  /** The references that are being resolved, by kind and name: `file plan.pdf`. */
  readonly #inProgress = new Map<string, Promise<void>>()

  constructor(options: ResolverOptions) {
    this.#options = options
  }

  /**
   * Resolves so many references at a time, and calls `onReference` after each. If one fails with an error, because the
   * cache cannot be written or no worker can be started, or if `references` itself fails, calls `stop`, which ends the
   * work in progress, waits for it, and throws the error.
   */
  async resolveAll(
    references: Iterable<DocumentReference>,
    concurrentMax: number,
    onReference: () => void,
    stop: () => void,
  ): Promise<void> {
    let count = 0
    const resolve = async (reference: DocumentReference): Promise<void> => {
      count += 1
      // A document that several records name is resolved once. A repeated reference does not wait for it.
      if (!this.#inProgress.has(toKey(reference))) await this.#resolveOnce(reference, count)
      onReference()
    }
    await forEachConcurrent(references, concurrentMax, resolve, stop)
  }

  /** Resolves a reference, unless this import has already resolved it, and waits if that is in progress. */
  #resolveOnce(reference: DocumentReference, number: number): Promise<void> {
    const key = toKey(reference)
    let work = this.#inProgress.get(key)
    if (work === undefined) {
      work = this.#resolveIfNew(reference, number).finally(() => this.#inProgress.delete(key))
      this.#inProgress.set(key, work)
    }
    return work
  }

  async #resolveIfNew(reference: DocumentReference, number: number): Promise<void> {
    const { cache, folder, documentBytesMax } = this.#options
    if (cache.readEntryOfThisImport(reference) !== undefined) return
    let resolution: Resolution
    if (reference.kind === 'address') {
      resolution = await this.#resolveAddress(reference.url, cache.readLastEntry(reference))
    } else {
      const file = await folder?.locate(reference.name, documentBytesMax)
      const realName = file === undefined || file.kind === 'missing' ? reference.name : file.name
      if (realName !== reference.name) {
        // Another spelling, such as `PLAN.PDF` for `plan.pdf`. The file is resolved and counted under its real name.
        const real: DocumentReference = { kind: 'file', name: realName }
        await this.#resolveOnce(real, number)
        const entry = cache.readEntryOfThisImport(real)
        if (entry !== undefined) cache.writeEntry(reference, entry)
        return
      }
      resolution = await this.#resolveFile(reference.name, file, cache.readLastEntry(reference))
    }
    const { entry, reported } = resolution
    cache.writeEntry(reference, entry, { number, problem: reported.length === 0 ? null : toText(reported) })
  }

  /** `file` is undefined without a documents folder. */
  async #resolveFile(
    name: string,
    file: LocatedFile | undefined,
    previous: ReferenceEntry | undefined,
  ): Promise<Resolution> {
    if (file === undefined) return toMissingFile([{ code: 'noFolder' }, { code: 'giveFolder' }])
    if (file.kind === 'missing') return toMissingFile(file.reasons)
    if (file.kind === 'unreadable') return toFailedResolution('unreadable', file.reasons)
    // `fileState` is the identity, size and times of the file; undefined if it was changed just now.
    const { path, fileState } = file
    const isUnchanged = fileState !== undefined && fileState === previous?.fileState
    const sha256 = (isUnchanged ? previous.sha256 : undefined) ?? (await hashFile(path))
    if (sha256 === undefined) return toMissingFile([{ code: 'removed' }])
    const content = await this.#options.extractor.extract({ path, sha256 })
    const published = await this.#options.published?.keep(path, sha256)
    if (published === undefined && this.#options.published !== undefined) return toMissingFile([{ code: 'removed' }])
    const identity = { sha256, fileState, published }
    if (content.format === 'html' && /\.pdf$/i.test(name)) {
      // The web page of a host may have been saved under the name of the document.
      const reason: Reason = { code: 'notPdf', values: { kind: { code: 'kind.html' } } }
      return toResolution(toUnreadable(reason, { code: 'newCopy' }), identity)
    }
    return toResolution(content, identity)
  }

  async #resolveAddress(url: string, previous: ReferenceEntry | undefined): Promise<Resolution> {
    const { cache, extractor, downloader } = this.#options
    if (downloader === undefined) return toNotFetched('missing', [{ code: 'noDownloads' }])
    /** The earlier content, if the cache has all that this import needs of it, such as the OCR text of its scans. */
    const complete = previous?.sha256 === undefined ? undefined : extractor.findCached(previous.sha256)
    // Otherwise the document is needed even if it has not changed: the request is unconditional.
    const download = await downloader.fetch(url, complete === undefined ? {} : toValidators(previous))
    switch (download.kind) {
      case 'missing':
      case 'unreadable':
        return toNotFetched(download.kind, download.reasons)
      case 'unchanged':
        if (complete === undefined) return toNotFetched('unreadable', [{ code: 'unexpected304' }])
        return toResolution(rejectFetchedWebPage(complete), previous)
      // While the host fails, the text of an earlier import is used.
      case 'unavailable': {
        const { reason } = download
        if (complete !== undefined) {
          const { entry, reported } = toResolution(rejectFetchedWebPage(complete), previous)
          // If the earlier import could not read the document either, there is no text to use.
          const hasNoText = entry.outcome === 'unreadable'
          return { entry, reported: hasNoText ? [...reported, reason] : [reason, { code: 'earlierText' }] }
        }
        // Even if pages of it were lost or not recognised.
        const text = previous?.textKey === undefined ? undefined : cache.readText(previous.textKey)
        if (previous === undefined || text === undefined || isRefusal(text)) return toNotFetched('missing', [reason])
        return { entry: previous, reported: [reason, { code: 'earlierText' }] }
      }
      case 'fetched':
        try {
          const content = await extractor.extract({ path: download.path, sha256: download.sha256 })
          return toResolution(rejectFetchedWebPage(content), { ...download.validators, sha256: download.sha256 })
        } finally {
          await rm(download.path, { force: true })
        }
    }
  }
}

/**
 * Returns what the next request to the address sends. If the earlier content gave no text (there is no `textKey`), its
 * date is left out. The content was perhaps an error page, and the document that replaces it may be older: a host that
 * compares dates would say that nothing has changed.
 */
function toValidators({ etag, lastModified, textKey }: Partial<ReferenceEntry> = {}): Validators {
  return textKey === undefined ? { etag } : { etag, lastModified }
}

/**
 * `identity` tells the next import whether the document has changed. Only its `sha256`, `published`, `fileState`,
 * `etag` and `lastModified` are used.
 */
function toResolution(content: ContentResult, identity: Partial<ReferenceEntry> = {}): Resolution {
  const { outcome, reasons, textKey, pageCount } = content
  const { sha256, published, fileState, etag, lastModified } = identity
  const [first] = reasons
  const unreadReason = textKey === undefined && first !== undefined ? toPublicReason(first) : undefined
  const entry = { outcome, textKey, unreadReason, pageCount, sha256, published, fileState, etag, lastModified }
  return { entry, reported: reasons }
}

/** A host that has deleted a document often responds with a web page that says so. */
function rejectFetchedWebPage(content: ContentResult): ContentResult {
  return content.format === 'html' ? toUnreadable({ code: 'addressOfWebPage' }) : content
}

function toUnreadable(...reasons: readonly Reason[]): ContentResult {
  return { outcome: 'unreadable', reasons }
}

function toMissingFile(reasons: readonly Reason[]): Resolution {
  return toFailedResolution('missing', reasons, { code: 'fileMissing' })
}

/** The reason may name addresses of an internal network, so clients do not receive it. */
function toNotFetched(outcome: 'missing' | 'unreadable', reasons: readonly Reason[]): Resolution {
  return toFailedResolution(outcome, reasons, { code: 'notFetched' })
}

/** Clients receive only the `publicReason`, by default the first reason. */
function toFailedResolution(
  outcome: 'missing' | 'unreadable',
  reported: readonly Reason[],
  publicReason: Reason | undefined = reported[0],
): Resolution {
  return { entry: { outcome, unreadReason: publicReason }, reported }
}

/** For example `file plan.pdf`. */
function toKey(reference: DocumentReference): string {
  return `${reference.kind} ${reference.kind === 'file' ? reference.name : reference.url}`
}
