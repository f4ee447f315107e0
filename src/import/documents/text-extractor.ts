// Extracts the text of one document with the worker pool: the text layer of every page, then which pages are scans and,
// with OCR, the text of the scans. If a worker fails while it reads the text of a page, the page is skipped.
import type { Reason } from '../../domain/document-reason.ts'
import type { DocumentLimits } from './limits.ts'
import { findCandidates, findLowTextPages, groupByText, inspectLowTextPages } from './ocr-candidates.ts'
import type { WorkerFailure } from './running-request.ts'
import { toRunningText } from './running-text.ts'
import { type InspectionResult, isScan } from './scanned-page.ts'
import { type LostPages, TextLayerCollector } from './text-layer-collector.ts'
import type { DocumentFile, DocumentFormat } from './worker-messages.ts'
import type { WorkerPool } from './worker-pool.ts'

/** The text of a document, from its text layer alone or with OCR. Page numbers begin with 1. */
export interface ExtractedText {
  readonly format: DocumentFormat
  /** Pages of the file; 1 if its format has none. */
  readonly pageCount: number
  /**
   * The text of each page, without the pages past a limit; empty if a page has none. In a format without pages, a long
   * text is split into several.
   */
  readonly pages: readonly string[]
  /** The text of annotations. It is not in `pages`, whose texts show which pages may be scans. */
  readonly annotations: readonly (readonly [page: number, text: string])[]
  /** Numbers of the pages whose image OCR has read. */
  readonly recognised: readonly number[]
  /** Numbers of the pages with little or no text that OCR may read. Empty after OCR. */
  readonly candidates: readonly number[]
  /** How many candidates were inspected and are scans; the others were not inspected. 0 after OCR. */
  readonly scans: number
  readonly lost: readonly LostPages[]
  /** What is not in the pages and is not read, such as attached files. */
  readonly omitted: readonly Reason[]
}

/** Why a document cannot be read. */
export interface Refusal {
  /** The cause, then advice. */
  readonly refused: readonly Reason[]
  /** Pages of the file; 0 if it could not be opened. */
  readonly pageCount: number
  /** Whether the content is the cause, so that a later import need not try again. */
  readonly isFinal: boolean
}

/** Pages that one worker recognises per request. They are few, so that several workers share a document. */
const ocrPagesPerRequest = 4

/** What OCR found on some pages. Each of them is in `texts` or in `lost`. */
interface OcrResult {
  /** By page number. */
  readonly texts: ReadonlyMap<number, string>
  readonly lost: readonly LostPages[]
}

export class TextExtractor {
  readonly #pool: WorkerPool
  readonly #limits: DocumentLimits
  readonly #onPage: () => void

  /** `onPage` is called after each page that was read. */
  constructor(pool: WorkerPool, limits: DocumentLimits, onPage: () => void) {
    this.#pool = pool
    this.#limits = limits
    this.#onPage = onPage
  }

  /**
   * Returns the text without OCR, and which pages may be scans. After the failure of a worker, the next request
   * continues with the page after the one that caused it. The document is refused if a worker refuses it, if a worker
   * fails before the document is open, if more than `lostPagesMax` pages make a worker fail, or if a worker fails and
   * all pages are then lost. No failure of a worker is final: the next import tries again, perhaps with more time or
   * memory.
   */
  async extractTextLayer(file: DocumentFile): Promise<ExtractedText | Refusal> {
    const { documentPagesMax: lastPage, lostPagesMax, pageTimeoutMs } = this.#limits
    const collector = new TextLayerCollector(this.#limits, this.#onPage)
    for (let retriesLeft = lostPagesMax; ; retriesLeft -= 1) {
      const request = { ...file, task: 'text', fromPage: collector.nextPage, lastPage } as const
      const result = await this.#pool.run(request, pageTimeoutMs, (message) => collector.add(message))
      if (result.kind === 'refused') return { refused: result.reasons, pageCount: 0, isFinal: result.isFinal }
      if (result.kind === 'done') break
      const fault = failures[result.cause]
      const refused: Reason[] = [{ code: 'document', values: { fault } }]
      if (!collector.isOpened) return { refused, pageCount: 0, isFinal: false }
      // All texts have arrived, so the worker failed while it inspected pages.
      if (collector.hasAllPages) {
        collector.takeFailedPageForScan()
        break
      }
      // The time until another worker has opened the document does not count.
      collector.stopDocumentTimer()
      collector.skipPage(fault, { isFinal: false })
      if (collector.hasLostAll || retriesLeft === 0) {
        return { refused, pageCount: collector.pageCount, isFinal: false }
      }
    }
    collector.end()
    return this.#findCandidates(file, collector)
  }

  /** Returns the text with its scanned pages recognised. The workers share the pages. */
  async addOcrText(file: DocumentFile, text: ExtractedText): Promise<ExtractedText> {
    const scannedPages = await this.#findScannedPages(file, text)
    const requests: Promise<OcrResult>[] = []
    for (let start = 0; start < scannedPages.length; start += ocrPagesPerRequest) {
      requests.push(this.#recognisePages(file, scannedPages.slice(start, start + ocrPagesPerRequest)))
    }
    const results = await Promise.all(requests)
    const pages = [...text.pages]
    const recognised: number[] = []
    for (const [page, ocrText] of results.flatMap(({ texts }) => [...texts])) {
      const textLayer = pages[page - 1]
      pages[page - 1] = textLayer ? `${textLayer}\n${ocrText}` : ocrText
      recognised.push(page)
    }
    recognised.sort((a, b) => a - b)
    const lost = [...text.lost, ...results.flatMap((result) => result.lost)]
    lost.sort((a, b) => a.firstPage - b.firstPage)
    return { ...text, pages: toRunningText(pages), recognised, candidates: [], scans: 0, lost }
  }

  /** Recognises the text of these pages. A page that is damaged or makes a worker fail is lost. */
  async #recognisePages(file: DocumentFile, pages: readonly number[]): Promise<OcrResult> {
    const texts = new Map<number, string>()
    const lost: LostPages[] = []
    for (let rest = pages; rest.length > 0; ) {
      const done = new Set<number>()
      const request = { ...file, task: 'ocr', pages: rest } as const
      const result = await this.#pool.run(request, this.#limits.ocrPageTimeoutMs, (message) => {
        if (message.kind === 'broken') {
          done.add(message.page)
          lost.push({ firstPage: message.page, lastPage: message.page, fault: message.reason, isFinal: true })
        } else if (message.kind === 'page') {
          done.add(message.page)
          texts.set(message.page, message.text)
          this.#onPage()
        }
        // The worker goes on.
        return true
      })
      const pagesLeft = rest.filter((page) => !done.has(page))
      // If the worker refuses the file, because it has changed or cannot be read, it would refuse it for the other
      // pages too. A worker that is done has left no pages.
      if (result.kind !== 'failed') {
        for (const page of pagesLeft) lost.push(toLostPage(page, { code: 'fault.unreadable' }))
        break
      }
      // The first page without a result made the worker fail; the next request begins after it.
      const [failedPage, ...pagesAfter] = pagesLeft
      if (failedPage !== undefined) lost.push(toLostPage(failedPage, failures[result.cause]))
      rest = pagesAfter
    }
    return { texts, lost }
  }

  /**
   * Returns the numbers of the pages for OCR. All candidates without text are among them, since OCR skips blank pages.
   * Candidates with little text are inspected again, because `ExtractedText`, which may come from the cache, has no
   * inspections; only the scans among them are returned.
   */
  async #findScannedPages(file: DocumentFile, { candidates, pages }: ExtractedText): Promise<number[]> {
    const withoutText = candidates.filter((page) => pages[page - 1] === '')
    const withText = candidates.filter((page) => pages[page - 1] !== '')
    const inspections = await this.#inspect(file, withText)
    const scansWithText = withText.filter((page) => isScan(pages[page - 1], inspections.get(page)))
    return [...withoutText, ...scansWithText].sort((a, b) => a - b)
  }

  /**
   * Adds to the text layer which of its pages are scans or may be (ocr-candidates.ts). The collector has the
   * inspections that arrived with the texts; what a failed worker has not inspected is inspected here.
   */
  async #findCandidates(file: DocumentFile, collector: TextLayerCollector): Promise<ExtractedText> {
    const { format, pages, pageCount, annotations, inspections, lost, omitted } = collector
    const textLayer = { format, pages: toRunningText(pages), annotations, recognised: [], lost, omitted }
    if (format !== 'pdf') return { ...textLayer, pageCount: 1, candidates: [], scans: 0 }
    // An entry of `lost` with several pages is the end of the document, which is not in `pages`. Every other entry has
    // one page, so its first page is all of it.
    const lostPages = new Set(lost.map((each) => each.firstPage))
    const lowTextPages = findLowTextPages(pages).filter((page) => !lostPages.has(page))
    const lowTextGroups = groupByText(lowTextPages, pages)
    await inspectLowTextPages(lowTextGroups, pages, inspections, (next) => this.#inspect(file, next))
    const candidates = findCandidates(lowTextGroups, pages, inspections)
    const scans = candidates.filter((page) => inspections.has(page)).length
    return { ...textLayer, pageCount, candidates, scans }
  }

  /** Returns inspections by page number. A page that makes a worker fail counts as a scan; a damaged page has none. */
  async #inspect(file: DocumentFile, pages: readonly number[]): Promise<Map<number, InspectionResult>> {
    const inspections = new Map<number, InspectionResult>()
    /** The pages with a result: inspected or damaged. */
    const done = new Set<number>()
    for (let rest = pages; rest.length > 0; ) {
      const request = { ...file, task: 'inspect', pages: rest } as const
      const result = await this.#pool.run(request, this.#limits.pageTimeoutMs, (message) => {
        if (message.kind === 'inspection') inspections.set(message.page, message.inspection)
        if (message.kind === 'inspection' || message.kind === 'broken') done.add(message.page)
        // The worker goes on.
        return true
      })
      // If the worker refuses the file, because it has changed or cannot be read, it would refuse it again.
      if (result.kind !== 'failed') break
      // The first page without a result made the worker fail; the next request begins after it.
      const [failedPage, ...pagesAfter] = rest.filter((page) => !done.has(page))
      if (failedPage !== undefined) inspections.set(failedPage, 'failed')
      rest = pagesAfter
    }
    return inspections
  }
}

/** Returns a page that is lost in this import only: the next import tries to read it again. */
function toLostPage(page: number, fault: Reason): LostPages {
  return { firstPage: page, lastPage: page, fault, isFinal: false }
}

const failures: Readonly<Record<WorkerFailure, Reason>> = {
  timeout: { code: 'fault.slow' },
  memory: { code: 'fault.memory' },
  crash: { code: 'fault.crashed' },
}
