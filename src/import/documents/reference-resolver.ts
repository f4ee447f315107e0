// Resolves every document reference (a file name or an address) to its extracted text, many concurrently, and counts
// the outcomes. Results are kept on disk; memory holds only the references in progress, and a limited list of problems.
import { rm } from 'node:fs/promises'
import { type Reason, toPublicReason, toText } from '../../domain/document-reason.ts'
import { type DocumentCache, isRefusal, type ReferenceEntry } from './cache.ts'
import type { CachedExtractor, ContentResult } from './cached-extractor.ts'
import { type DocumentFolder, hashFile, type LocatedFile } from './document-folder.ts'
import type { Downloader, Validators } from './download.ts'
import type { DocumentLimits } from './limits.ts'
import type { DocumentOutcome, DocumentProblem, DocumentReference } from './reference.ts'

/** Further problems of an outcome are counted and not listed. */
const problemsPerOutcomeMax = 1_000

export interface ResolverOptions {
  readonly cache: DocumentCache
  readonly extractor: CachedExtractor
  /** Undefined without `--documents`. */
  readonly folder: DocumentFolder | undefined
  /** Undefined without `--fetch-documents`. */
  readonly downloader: Downloader | undefined
  readonly limits: DocumentLimits
}

export interface ResolverResult {
  /** The number of documents with each outcome. */
  readonly outcomes: Readonly<Record<DocumentOutcome, number>>
  /** In the order of the references, at most `problemsPerOutcomeMax` per outcome. */
  readonly problems: readonly DocumentProblem[]
  /** The number of all problems, listed or not. */
  readonly problemCount: number
}

interface SequencedProblem extends DocumentProblem {
  /** Number of the reference, from 1, in the order of the records. */
  readonly sequence: number
}

/** What a reference leads to. */
interface Resolution {
  readonly entry: ReferenceEntry
  /** The problem that the import reports; empty if there is none. */
  readonly reported: readonly Reason[]
}

export class ReferenceResolver {
  readonly #options: ResolverOptions
  readonly #outcomes: Record<DocumentOutcome, number> = { text: 0, scan: 0, unreadable: 0, missing: 0 }
  readonly #problems: Record<DocumentOutcome, SequencedProblem[]> = { text: [], scan: [], unreadable: [], missing: [] }
  #problemCount = 0
  /** The references that are being resolved, by kind and name: `file plan.pdf`. */
  readonly #inProgress = new Map<string, Promise<void>>()

  constructor(options: ResolverOptions) {
    this.#options = options
  }

  /**
   * Calls `onReference` after each reference. If a reference fails with an error, because the cache cannot be written
   * or no worker can be started, or if `references` itself fails, calls `stop`, which ends the work in progress, waits
   * for it, and throws the error.
   */
  async resolveAll(references: Iterable<DocumentReference>, onReference: () => void, stop: () => void): Promise<void> {
    let sequence = 0
    /** An object, because any value can be thrown. */
    let failure: { readonly error: unknown } | undefined
    const iterator = Iterator.from(references)
    // All of them take their references from one iterator.
    const resolveUntilEnd = async (): Promise<void> => {
      try {
        while (failure === undefined) {
          const { done, value: reference } = iterator.next()
          if (done) return
          sequence += 1
          // A document that several records name is resolved once. A repeated reference does not wait for it.
          if (!this.#inProgress.has(toKey(reference))) await this.#resolveOnce(reference, sequence)
          onReference()
        }
      } catch (error) {
        failure ??= { error }
        stop()
      }
    }
    await Promise.all(Array.from({ length: this.#options.limits.concurrentDocumentsMax }, resolveUntilEnd))
    if (failure !== undefined) throw failure.error
  }

  result(): ResolverResult {
    const lists = Object.values(this.#problems)
    for (const list of lists) sortAndCut(list)
    const problems = lists.flat().sort((a, b) => a.sequence - b.sequence)
    return {
      outcomes: { ...this.#outcomes },
      problems: problems.map(({ outcome, document, reason }) => ({ outcome, document, reason })),
      problemCount: this.#problemCount,
    }
  }

  /** Resolves a reference, unless this import has already resolved it, and waits if that is in progress. */
  #resolveOnce(reference: DocumentReference, sequence: number): Promise<void> {
    const key = toKey(reference)
    let work = this.#inProgress.get(key)
    if (work === undefined) {
      work = this.#resolveIfNew(reference, sequence).finally(() => this.#inProgress.delete(key))
      this.#inProgress.set(key, work)
    }
    return work
  }

  async #resolveIfNew(reference: DocumentReference, sequence: number): Promise<void> {
    const { cache, folder, limits } = this.#options
    if (cache.readEntryOfThisImport(reference) !== undefined) return
    if (reference.kind === 'address') {
      const previous = cache.readLastEntry(reference)
      return this.#storeAndCount(reference, sequence, await this.#resolveAddress(reference.url, previous))
    }
    const file = await folder?.locate(reference.name, limits.documentBytesMax)
    const realName = file === undefined || file.kind === 'missing' ? reference.name : file.name
    if (realName !== reference.name) {
      return await this.#resolveSpelling(reference, { kind: 'file', name: realName }, sequence)
    }
    const previous = cache.readLastEntry(reference)
    this.#storeAndCount(reference, sequence, await this.#resolveFile(reference.name, file, previous))
  }

  /**
   * Resolves another spelling of a file name, such as `PLAN.PDF` for `plan.pdf`. The file is resolved and counted under
   * its real name, and both references get the same entry.
   */
  async #resolveSpelling(spelling: DocumentReference, real: DocumentReference, sequence: number): Promise<void> {
    const { cache } = this.#options
    await this.#resolveOnce(real, sequence)
    const entry = cache.readEntryOfThisImport(real)
    if (entry !== undefined) cache.writeEntry(spelling, entry)
  }

  async #storeAndCount(reference: DocumentReference, sequence: number, { entry, reported }: Resolution): Promise<void> {
    const { cache } = this.#options
    cache.writeEntry(reference, entry)
    this.#outcomes[entry.outcome] += 1
    if (reported.length === 0) return
    this.#problemCount += 1
    const problems = this.#problems[entry.outcome]
    problems.push({ sequence, outcome: entry.outcome, document: toName(reference), reason: toText(reported, 'en') })
    // The list is cut when it has reached twice its limit: sorting it for every problem would be slow.
    if (problems.length >= 2 * problemsPerOutcomeMax) sortAndCut(problems)
  }

  /** `file` is undefined without a documents folder. */
  async #resolveFile(
    name: string,
    file: LocatedFile | undefined,
    previous: ReferenceEntry | undefined,
  ): Promise<Resolution> {
    const { extractor } = this.#options
    if (file === undefined) return toMissingFile([{ code: 'noFolder' }, { code: 'giveFolder' }])
    if (file.kind === 'missing') return toMissingFile(file.reasons)
    if (file.kind === 'unreadable') return toFailedResolution('unreadable', file.reasons)
    // `fileState` is the identity, size and times of the file; undefined if it was changed just now.
    const { path, fileState } = file
    const isUnchanged = fileState !== undefined && fileState === previous?.fileState
    const previousSha256 = isUnchanged ? previous.sha256 : undefined
    const sha256 = previousSha256 ?? (await hashFile(path))
    if (sha256 === undefined) return toMissingFile([{ code: 'removed' }])
    const content = await extractor.extract({ path, sha256 })
    return toResolution(rejectWebPageNamedPdf(content, name), { sha256, fileState })
  }

  async #resolveAddress(url: string, previous: ReferenceEntry | undefined): Promise<Resolution> {
    const { extractor, downloader } = this.#options
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
      case 'unavailable':
        if (complete === undefined) return this.#useIncompleteText(previous, download.reason)
        return useCompleteText(complete, previous, download.reason)
      case 'fetched':
        try {
          const content = await extractor.extract({ path: download.path, sha256: download.sha256 })
          return toResolution(rejectFetchedWebPage(content), { ...download.validators, sha256: download.sha256 })
        } finally {
          await rm(download.path, { force: true })
        }
    }
  }

  /** Uses the text of the previous entry, even if pages of it were lost or not recognised. */
  #useIncompleteText(previous: ReferenceEntry | undefined, failure: Reason): Resolution {
    // In place of a text, the cache may have the reason why the document cannot be read (a refusal).
    const text = previous?.textKey === undefined ? undefined : this.#options.cache.readText(previous.textKey)
    if (previous === undefined || text === undefined || isRefusal(text)) return toNotFetched('missing', [failure])
    return { entry: previous, reported: [failure, { code: 'earlierText' }] }
  }
}

function useCompleteText(complete: ContentResult, previous: ReferenceEntry | undefined, failure: Reason): Resolution {
  const { entry, reported } = toResolution(rejectFetchedWebPage(complete), previous)
  // The earlier import could not read the document either, so there is no text to use.
  const hasNoText = entry.outcome === 'unreadable'
  return { entry, reported: hasNoText ? [...reported, failure] : [failure, { code: 'earlierText' }] }
}

/**
 * Returns what the next request to the address sends. If the earlier content gave no text (there is no `textKey`), its
 * date is left out. The content was perhaps an error page, and the document that replaces it may be older: a host that
 * compares dates would say that nothing has changed.
 */
function toValidators({ etag, lastModified, textKey }: Partial<ReferenceEntry> = {}): Validators {
  return textKey === undefined ? { etag } : { etag, lastModified }
}

/** Keeps the first `problemsPerOutcomeMax` problems in the order of the references; documents finish in any order. */
function sortAndCut(problems: SequencedProblem[]): void {
  problems.sort((a, b) => a.sequence - b.sequence)
  problems.splice(problemsPerOutcomeMax)
}

/**
 * `identity` tells the next import whether the document has changed. Only its `sha256`, `fileState`, `etag` and
 * `lastModified` are used.
 */
function toResolution(content: ContentResult, identity: Partial<ReferenceEntry> = {}): Resolution {
  const { outcome, reasons, textKey, pageCount } = content
  const { sha256, fileState, etag, lastModified } = identity
  const [first] = reasons
  const unreadReason = textKey === undefined && first !== undefined ? toPublicReason(first) : undefined
  const entry = { outcome, textKey, unreadReason, pageCount, sha256, fileState, etag, lastModified }
  return { entry, reported: reasons }
}

/** A host that has deleted a document often responds with a web page that says so. */
function rejectFetchedWebPage(content: ContentResult): ContentResult {
  if (content.format !== 'html') return content
  return { outcome: 'unreadable', reasons: [{ code: 'addressOfWebPage' }] }
}

/** The web page of a host may also have been saved under the name of the document: a `plan.pdf` that contains HTML. */
function rejectWebPageNamedPdf(content: ContentResult, name: string): ContentResult {
  if (content.format !== 'html' || !/\.pdf$/i.test(name)) return content
  const reason: Reason = { code: 'notPdf', values: { kind: { code: 'kind.html' } } }
  return { outcome: 'unreadable', reasons: [reason, { code: 'newCopy' }] }
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
  return `${reference.kind} ${toName(reference)}`
}

function toName(reference: DocumentReference): string {
  return reference.kind === 'file' ? reference.name : reference.url
}
