// Resolves a document reference (a file name or an address) to its extracted text. The result is in the cache on disk.
import { rm } from 'node:fs/promises'
import { type Reason, toPublicReason, toText } from '../../domain/document-reason.ts'
import type { DocumentCache, ReferenceEntry } from './cache.ts'
import type { CachedExtractor, ContentResult } from './cached-extractor.ts'
import { Shared } from './concurrent.ts'
import { type DocumentFolder, hashFile, type LocatedFile } from './document-folder.ts'
import type { Downloader } from './download.ts'
import type { PublishedFiles } from './published-files.ts'
import type { DocumentReference } from './reference.ts'
import { isRefusal } from './text-extractor.ts'

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

/** What tells the next import whether the document has changed, and what is published of it. */
type Identity = Pick<ReferenceEntry, 'sha256' | 'published' | 'fileState' | 'etag' | 'lastModified'>

export class ReferenceResolver {
  readonly #options: ResolverOptions
  /** By kind and name: `file plan.pdf`. */
  readonly #inProgress = new Shared<void>()

  constructor(options: ResolverOptions) {
    this.#options = options
  }

  /**
   * Resolves a reference, unless this import has already resolved it; does not wait if that is in progress. `number` is
   * its place among the references. Throws if the cache cannot be written, or no worker can be started.
   */
  async resolve(reference: DocumentReference, number: number): Promise<void> {
    if (!this.#inProgress.has(toKey(reference))) await this.#resolveOnce(reference, number)
  }

  #resolveOnce(reference: DocumentReference, number: number): Promise<void> {
    return this.#inProgress.run(toKey(reference), async () => {
      const { cache } = this.#options
      if (cache.readEntryOfThisImport(reference) !== undefined) return
      const previous = cache.readLastEntry(reference)
      const resolution =
        reference.kind === 'address'
          ? await this.#resolveAddress(reference.url, previous)
          : await this.#resolveName(reference.name, previous, number)
      if ('aliasOf' in resolution) {
        const entry = cache.readEntryOfThisImport(resolution.aliasOf)
        if (entry !== undefined) cache.writeEntry(reference, entry)
        return
      }
      const { entry, reported } = resolution
      cache.writeEntry(reference, entry, { number, problem: reported.length === 0 ? null : toText(reported) })
    })
  }

  /** Another spelling, such as `PLAN.PDF` for `plan.pdf`, is resolved and counted under the real name. */
  async #resolveName(
    name: string,
    previous: ReferenceEntry | undefined,
    number: number,
  ): Promise<Resolution | { readonly aliasOf: DocumentReference }> {
    const { folder, documentBytesMax } = this.#options
    if (folder === undefined) return toMissingFile([{ code: 'noFolder' }, { code: 'giveFolder' }])
    const file = await folder.locate(name, documentBytesMax)
    if (file.kind === 'missing') return toMissingFile(file.reasons)
    if (file.name !== name) {
      const aliasOf: DocumentReference = { kind: 'file', name: file.name }
      await this.#resolveOnce(aliasOf, number)
      return { aliasOf }
    }
    return file.kind === 'unreadable' ? toFailed('unreadable', file.reasons) : this.#resolveFile(file, previous)
  }

  async #resolveFile(
    { path, name, fileState }: Extract<LocatedFile, { kind: 'found' }>,
    previous: ReferenceEntry | undefined,
  ): Promise<Resolution> {
    const { extractor, published: files } = this.#options
    const isUnchanged = fileState !== undefined && fileState === previous?.fileState
    const sha256 = (isUnchanged ? previous.sha256 : undefined) ?? (await hashFile(path))
    if (sha256 === undefined) return toMissingFile([{ code: 'removed' }])
    const content = await extractor.extract({ path, sha256 })
    const published = await files?.keep(path, sha256)
    if (files !== undefined && published === undefined) return toMissingFile([{ code: 'removed' }])
    // The web page of a host may have been saved under the name of the document.
    const isWebPage = content.format === 'html' && /\.pdf$/i.test(name)
    const notPdf: Reason = { code: 'notPdf', values: { kind: { code: 'kind.html' } } }
    const reading: ContentResult = isWebPage
      ? { outcome: 'unreadable', reasons: [notPdf, { code: 'newCopy' }] }
      : content
    return toResolution(reading, { sha256, fileState, published })
  }

  async #resolveAddress(url: string, previous: ReferenceEntry | undefined): Promise<Resolution> {
    const { cache, extractor, downloader } = this.#options
    if (downloader === undefined) return toNotFetched('missing', [{ code: 'noDownloads' }])
    /** The earlier content, if the cache has all that this import needs of it, such as the OCR text of its scans. */
    const complete = previous?.sha256 === undefined ? undefined : extractor.findCached(previous.sha256)
    const earlier = complete && toResolution(rejectFetchedWebPage(complete), previous)
    // Without it, the document is needed even if it has not changed: the request is unconditional. If the earlier
    // content gave no text, its date is left out: the content was perhaps an error page, and the document that replaces
    // it may be older. A host that compares dates would say that nothing has changed.
    const { etag, lastModified, textKey }: Partial<ReferenceEntry> = previous ?? {}
    const validators = earlier === undefined ? {} : textKey === undefined ? { etag } : { etag, lastModified }
    const download = await downloader.fetch(url, validators)
    switch (download.kind) {
      case 'missing':
      case 'unreadable':
        return toNotFetched(download.kind, download.reasons)
      case 'unchanged':
        return earlier ?? toNotFetched('unreadable', [{ code: 'unexpected304' }])
      // While the host fails, the text of an earlier import is used, even if pages of it were lost or not recognised.
      case 'unavailable': {
        const { reason } = download
        // If the earlier import could not read the document either, there is no text to use.
        if (earlier?.entry.outcome === 'unreadable') return { ...earlier, reported: [...earlier.reported, reason] }
        const text = textKey === undefined ? undefined : cache.readText(textKey)
        const entry = earlier?.entry ?? (text === undefined || isRefusal(text) ? undefined : previous)
        if (entry === undefined) return toNotFetched('missing', [reason])
        return { entry, reported: [reason, { code: 'earlierText' }] }
      }
      case 'fetched': {
        const { path, sha256 } = download
        try {
          const content = await extractor.extract({ path, sha256 })
          return toResolution(rejectFetchedWebPage(content), { ...download.validators, sha256 })
        } finally {
          await rm(path, { force: true })
        }
      }
    }
  }
}

function toResolution(content: ContentResult, identity: Identity = {}): Resolution {
  const { outcome, reasons, textKey, pageCount } = content
  const { sha256, published, fileState, etag, lastModified } = identity
  const [first] = reasons
  const unreadReason = textKey === undefined && first !== undefined ? toPublicReason(first) : undefined
  const entry = { outcome, textKey, unreadReason, pageCount, sha256, published, fileState, etag, lastModified }
  return { entry, reported: reasons }
}

/** A host that has deleted a document often responds with a web page that says so. */
function rejectFetchedWebPage(content: ContentResult): ContentResult {
  return content.format === 'html' ? { outcome: 'unreadable', reasons: [{ code: 'addressOfWebPage' }] } : content
}

function toMissingFile(reasons: readonly Reason[]): Resolution {
  return toFailed('missing', reasons, { code: 'fileMissing' })
}

/** The reason may name addresses of an internal network, so clients do not receive it. */
function toNotFetched(outcome: 'missing' | 'unreadable', reasons: readonly Reason[]): Resolution {
  return toFailed(outcome, reasons, { code: 'notFetched' })
}

/** Clients receive only the `publicReason`, by default the first reason. */
function toFailed(
  outcome: 'missing' | 'unreadable',
  reported: readonly Reason[],
  unreadReason: Reason | undefined = reported[0],
): Resolution {
  return { entry: { outcome, unreadReason }, reported }
}

/** For example `file plan.pdf`. */
function toKey(reference: DocumentReference): string {
  return `${reference.kind} ${reference.kind === 'file' ? reference.name : reference.url}`
}
