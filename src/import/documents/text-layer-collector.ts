// Collects the text layer of one document (the text that its pages contain, without OCR) from worker messages. If a
// worker fails, the next one continues at `nextPage`.
import type { Reason } from '../../domain/document-reason.ts'
import type { DocumentLimits } from './limits.ts'
import { choosePagesToInspect, findLowTextPages, groupByText } from './ocr-candidates.ts'
import type { InspectionResult } from './scanned-page.ts'
import type { DocumentFormat, WorkerMessage } from './worker-messages.ts'

/** Consecutive pages that were not read, or not completely. Page numbers begin with 1. */
export interface LostPages {
  readonly firstPage: number
  readonly lastPage: number
  /** Its code begins with `fault.`. */
  readonly fault: Reason
  /** Whether the content is the cause, so that a later import need not try again. */
  readonly isFinal: boolean
}

export class TextLayerCollector {
  format: DocumentFormat = 'pdf'
  /** The text of each page, from page 1; empty if it has none or was skipped. */
  readonly pages: string[] = []
  /** The text of annotations, with the number of its page. */
  readonly annotations: [page: number, text: string][] = []
  readonly lost: LostPages[] = []
  /** What the worker found that pages with little text draw, by page number; it shows which of them are scans. */
  readonly inspections: Map<number, InspectionResult> = new Map()
  /** Whether a worker has opened the document, so that the number of pages is known. */
  isOpened = false
  /** Pages of the file; 0 until it is opened. */
  pageCount = 0
  /** What is not in the pages and is not read, such as attached files. */
  omitted: readonly Reason[] = []
  readonly #limits: DocumentLimits
  readonly #onPage: () => void
  /** Runs while a worker has the document open: the time that it waits for a worker does not count. */
  readonly #timer: PausableTimer
  /** Characters of all pages so far, annotations included. */
  #characters = 0

  constructor(limits: DocumentLimits, onPage: () => void) {
    this.#limits = limits
    this.#timer = new PausableTimer(limits.documentTimeoutMs)
    this.#onPage = onPage
  }

  /** Number of the first page that was neither read nor skipped. */
  get nextPage(): number {
    return this.pages.length + 1
  }

  /** Whether every page up to the limit was read or skipped. */
  get hasAllPages(): boolean {
    return this.pages.length >= Math.min(this.pageCount, this.#limits.documentPagesMax)
  }

  /**
   * Whether no page could be read completely; a page whose text was cut is lost too. Must only be called after a worker
   * has failed with the document open: then the number of pages is known, and each entry of `lost` is a single page.
   */
  get hasLostAll(): boolean {
    return this.lost.length === this.pageCount
  }

  /** Returns false if a limit is reached and the worker should stop. */
  add(message: WorkerMessage): boolean {
    const { documentCharactersMax, documentTimeoutMs } = this.#limits
    switch (message.kind) {
      case 'opened':
        this.#timer.run()
        this.isOpened = true
        this.format = message.format
        this.pageCount = message.pageCount
        this.omitted = message.omitted
        break
      case 'page':
        if (message.isCut) this.#losePage(message.page, { code: 'fault.long' }, { isFinal: true })
        this.pages.push(message.text)
        if (message.annotations !== '') this.annotations.push([message.page, message.annotations])
        this.#characters += message.text.length + message.annotations.length
        this.#onPage()
        break
      case 'broken':
        // The inspection, which follows the texts, may also find a page damaged; that page was already read or skipped.
        if (message.page === this.nextPage) this.skipPage(message.reason, { isFinal: true })
        break
      case 'inspection':
        this.inspections.set(message.page, message.inspection)
        break
    }
    // No limit applies once all pages are read: the worker only has to inspect some of them.
    if (this.hasAllPages) return true
    if (this.#characters > documentCharactersMax) {
      this.#loseRest({ code: 'fault.characters', values: { limit: documentCharactersMax } }, { isFinal: true })
      return false
    }
    if (this.#timer.hasEnded()) {
      this.#loseRest({ code: 'fault.seconds', values: { limit: documentTimeoutMs / 1000 } }, { isFinal: false })
      return false
    }
    return true
  }

  /** Called after a worker has failed. The time runs again once another worker has opened the document. */
  stopDocumentTimer(): void {
    this.#timer.pause()
  }

  /** Counts the next page as lost. */
  skipPage(fault: Reason, { isFinal }: Pick<LostPages, 'isFinal'>): void {
    this.#losePage(this.nextPage, fault, { isFinal })
    this.pages.push('')
  }

  /** Called if the worker failed during inspection. The next page to inspect, probably the cause, counts as a scan. */
  takeFailedPageForScan(): void {
    const lowTextGroups = groupByText(findLowTextPages(this.pages), this.pages)
    const [page] = choosePagesToInspect(lowTextGroups, this.pages, this.inspections)
    if (page !== undefined) this.inspections.set(page, 'failed')
  }

  /** Called when no further message is expected. Counts the pages past the limit of pages as lost. */
  end(): void {
    const { documentPagesMax } = this.#limits
    const isPastLimit = this.pages.length >= documentPagesMax && this.pageCount > documentPagesMax
    if (isPastLimit) this.#loseRest({ code: 'fault.pages', values: { limit: documentPagesMax } }, { isFinal: true })
  }

  /** Counts all pages from the next one on as lost. */
  #loseRest(fault: Reason, { isFinal }: Pick<LostPages, 'isFinal'>): void {
    this.lost.push({ firstPage: this.nextPage, lastPage: this.pageCount, fault, isFinal })
  }

  #losePage(page: number, fault: Reason, { isFinal }: Pick<LostPages, 'isFinal'>): void {
    this.lost.push({ firstPage: page, lastPage: page, fault, isFinal })
  }
}

/** Ends after it has run for a time, pauses not included. */
class PausableTimer {
  #remainingMs: number
  /** On the clock of `performance.now()`; undefined during a pause. */
  #endAt: number | undefined

  constructor(totalMs: number) {
    this.#remainingMs = totalMs
  }

  run(): void {
    this.#endAt = performance.now() + this.#remainingMs
  }

  pause(): void {
    if (this.#endAt !== undefined) this.#remainingMs = this.#endAt - performance.now()
    this.#endAt = undefined
  }

  /** False during a pause. */
  hasEnded(): boolean {
    return this.#endAt !== undefined && performance.now() > this.#endAt
  }
}
