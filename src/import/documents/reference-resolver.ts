// Follows every reference to its content and every content to its reading, many at a time, and keeps count of what
// became of them. What is known stays on disk: memory holds the references under way, not those done.
import { rm } from 'node:fs/promises'
import type { DocumentCache, ReferenceEntry } from './cache.ts'
import type { Content, Contents } from './cached-extractor.ts'
import { type DocumentFolder, hashFile } from './document-folder.ts'
import type { Downloader } from './download.ts'
import type { DocumentLimits } from './limits.ts'
import type { DocumentOutcome, DocumentProblem, DocumentReference } from './reference.ts'

const problemsOfOutcomeMax = 1_000

export interface PreparationMeans {
  /** Marks what this import has followed, by which a reference that comes again is known. */
  readonly run: string
  readonly cache: DocumentCache
  readonly contents: Contents
  readonly folder: DocumentFolder | undefined
  readonly downloader: Downloader | undefined
  readonly limits: DocumentLimits
}

export interface PreparationResult {
  readonly outcomes: Readonly<Record<DocumentOutcome, number>>
  readonly problems: readonly DocumentProblem[]
  readonly problemCount: number
}

interface SequencedProblem extends DocumentProblem {
  readonly sequence: number
}

interface Followed {
  readonly entry: Omit<ReferenceEntry, 'run'>
  readonly reason?: string | undefined
}

export class Preparation {
  readonly #means: PreparationMeans
  readonly #outcomes: Record<DocumentOutcome, number> = { text: 0, scan: 0, unreadable: 0, missing: 0 }
  readonly #problems: Record<DocumentOutcome, SequencedProblem[]> = { text: [], scan: [], unreadable: [], missing: [] }
  #problemCount = 0

  constructor(means: PreparationMeans) {
    this.#means = means
  }

  /** Throws what cannot be borne (a cache that cannot be written), having told those at work to stop. */
  async prepareAll(
    references: AsyncIterable<DocumentReference> | Iterable<DocumentReference>,
    onReference: () => void,
    abandon: () => void,
  ): Promise<void> {
    const underWay = new Map<string, Promise<void>>()
    let sequence = 0
    let failure: { readonly error: unknown } | undefined
    let makeRoom: (() => void) | undefined
    for await (const reference of references) {
      if (failure !== undefined) break
      sequence += 1
      const name = `${reference.kind} ${toName(reference)}`
      if (underWay.has(name)) {
        onReference()
        continue
      }
      const work = this.#prepare(reference, sequence)
        .then(onReference, (error: unknown) => {
          failure ??= { error }
          abandon()
        })
        .finally(() => {
          underWay.delete(name)
          makeRoom?.()
        })
      underWay.set(name, work)
      while (underWay.size >= this.#means.limits.documentsAtOnceMax) {
        // Not Promise.race: each call would leave a handler on every document that takes long.
        await new Promise<void>((resolve) => {
          makeRoom = resolve
        })
      }
    }
    await Promise.all(underWay.values())
    if (failure !== undefined) throw failure.error
  }

  result(): PreparationResult {
    const lists = Object.values(this.#problems)
    for (const list of lists) keepFirst(list)
    const problems = lists.flat().sort((a, b) => a.sequence - b.sequence)
    return {
      outcomes: { ...this.#outcomes },
      problems: problems.map(({ outcome, document, reason }) => ({ outcome, document, reason })),
      problemCount: this.#problemCount,
    }
  }

  async #prepare(reference: DocumentReference, sequence: number): Promise<void> {
    const { cache, run } = this.#means
    const before = await cache.readEntry(reference)
    if (before?.run === run) return
    const { entry, reason } =
      reference.kind === 'file'
        ? await this.#followFile(reference.name, before)
        : await this.#fetch(reference.url, before)
    await cache.writeEntry(reference, { ...entry, run })
    this.#outcomes[entry.outcome] += 1
    if (reason === undefined) return
    this.#problemCount += 1
    const problems = this.#problems[entry.outcome]
    problems.push({ sequence, outcome: entry.outcome, document: toName(reference), reason })
    if (problems.length >= 2 * problemsOfOutcomeMax) keepFirst(problems)
  }

  async #followFile(name: string, before: ReferenceEntry | undefined): Promise<Followed> {
    const { contents, folder, limits } = this.#means
    if (folder === undefined) return without('missing', 'no folder to look in; name it with --documents')
    const file = await folder.locate(name, limits.documentBytesMax)
    if (file.kind !== 'found') return without(file.kind, file.reason)
    const { path, fileState } = file
    const isKnown = fileState !== undefined && fileState === before?.fileState
    const sha256 = (isKnown ? before.sha256 : undefined) ?? (await hashFile(path))
    if (sha256 === undefined) return without('missing', 'the file vanished while it was being read')
    return toFollowed(asNamed(await contents.read({ path, sha256 }), name), { sha256, fileState })
  }

  async #fetch(url: string, before: ReferenceEntry | undefined): Promise<Followed> {
    const { contents, downloader } = this.#means
    if (downloader === undefined) return without('missing', 'documents are fetched only with --fetch-documents')
    // Without its reading a document that has not changed would have to be fetched all the same.
    const known = before?.sha256 === undefined ? undefined : await contents.known(before.sha256)
    const download = await downloader.fetch(url, known === undefined || before === undefined ? {} : before)
    switch (download.kind) {
      case 'missing':
      case 'unreadable':
        return without(download.kind, download.reason)
      case 'unchanged':
        if (known === undefined) return without('unreadable', 'the host answers 304 to a request without condition')
        return toFollowed(asFetched(known), before)
      case 'unavailable':
        if (known === undefined) return without('missing', download.reason)
        return {
          ...toFollowed(asFetched(known), before),
          reason: `${download.reason}; its text of an earlier import is kept`,
        }
      case 'fetched':
        try {
          const content = await contents.read({ path: download.path, sha256: download.sha256 })
          return toFollowed(asFetched(content), { ...download.validators, sha256: download.sha256 })
        } finally {
          await rm(download.path, { force: true })
        }
    }
  }
}

/** Documents end in any order; the list keeps the first ones in the order of the references. */
function keepFirst(problems: SequencedProblem[]): void {
  problems.sort((a, b) => a.sequence - b.sequence)
  problems.splice(problemsOfOutcomeMax)
}

function toFollowed({ outcome, reason, reading }: Content, source: Partial<ReferenceEntry> = {}): Followed {
  const { sha256, fileState, etag, lastModified } = source
  return { entry: { outcome, reading, sha256, fileState, etag, lastModified }, reason }
}

/** A host that has no document any more often answers with a page that says so. */
function asFetched(content: Content): Content {
  if (content.format !== 'html') return content
  return { outcome: 'unreadable', reason: 'the address answers with a web page, not with a document' }
}

/** Saved by hand or by a script, such a page has the name of the document it should have been. */
function asNamed(content: Content, name: string): Content {
  if (content.format !== 'html' || !/\.pdf$/i.test(name)) return content
  return { outcome: 'unreadable', reason: 'expected a PDF, got a web page; ask for it anew' }
}

function without(outcome: 'missing' | 'unreadable', reason: string): Followed {
  return { entry: { outcome }, reason }
}

function toName(reference: DocumentReference): string {
  return reference.kind === 'file' ? reference.name : reference.url
}
