// Collects the text layer of one document from worker messages. If a worker crashes, the next one continues at
// `nextPage`.
import type { DocumentLimits } from './limits.ts'
import { choosePagesToInspect, findLowTextPages } from './ocr-candidates.ts'
import type { DocumentFormat, PageInspection, WorkerMessage } from './worker-messages.ts'

export interface LostPage {
  readonly page: number
  readonly reason: string
  /** The content is the cause, so that a later import need not try again. */
  readonly isFinal: boolean
}

/** Assumed for a page whose inspection crashes the worker: it is certainly not blank. */
export const assumedScan: PageInspection = { imageShare: 1, hiddenLetters: 0, bodyLetters: 0, drawings: 0 }

export class TextLayerCollector {
  format: DocumentFormat = 'pdf'
  /** The text of each page; empty if it has none. */
  readonly pages: string[] = []
  readonly lost: LostPage[] = []
  readonly inspections: Map<number, PageInspection> = new Map()
  isOpened = false
  readonly #limits: DocumentLimits
  readonly #onPage: () => void
  readonly #deadlineAt: number
  #pageCount = 0
  #characters = 0

  constructor(limits: DocumentLimits, onPage: () => void) {
    this.#limits = limits
    this.#onPage = onPage
    this.#deadlineAt = performance.now() + limits.documentTimeoutMs
  }

  get nextPage(): number {
    return this.pages.length + 1
  }

  get hasAllPages(): boolean {
    return this.pages.length >= Math.min(this.#pageCount, this.#limits.documentPagesMax)
  }

  get hasLostAll(): boolean {
    return this.lost.length === this.#pageCount
  }

  /** Returns false if a limit is reached and the worker should stop. */
  add(message: WorkerMessage): boolean {
    const { documentPagesMax, documentCharactersMax, documentTimeoutMs } = this.#limits
    switch (message.kind) {
      case 'opened':
        this.isOpened = true
        this.format = message.format
        this.#pageCount = message.pages
        break
      case 'page':
        this.pages.push(message.text)
        this.#characters += message.text.length
        this.#onPage()
        break
      case 'broken':
        if (message.page === this.nextPage) this.skipPage(message.reason, true)
        break
      case 'inspection':
        this.inspections.set(message.page, message.inspection)
        break
    }
    const isLastPage = message.kind === 'page' && this.hasAllPages
    if (isLastPage && this.#pageCount > documentPagesMax) this.#cut(`more than ${documentPagesMax} pages`, true)
    if (this.hasAllPages) return true
    if (this.#characters > documentCharactersMax) {
      return this.#cut(`more than ${documentCharactersMax} characters of text`, true)
    }
    if (performance.now() > this.#deadlineAt) {
      return this.#cut(`reading took longer than ${documentTimeoutMs / 1000} s`, false)
    }
    return true
  }

  skipPage(reason: string, isFinal = false): void {
    this.lost.push({ page: this.nextPage, reason, isFinal })
    this.pages.push('')
  }

  /** The worker crashed during inspection; the page that it was inspecting counts as a scan. */
  endInspection(): void {
    const [page] = choosePagesToInspect(findLowTextPages(this.pages), this.pages, this.inspections)
    if (page !== undefined) this.inspections.set(page, assumedScan)
  }

  #cut(limit: string, isFinal: boolean): false {
    this.lost.push({ page: this.nextPage, reason: `${limit}; the pages from here on are left out`, isFinal })
    return false
  }
}
