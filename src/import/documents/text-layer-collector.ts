// What has been heard of a document's text layer so far. Several children may have had a hand in it, each going on
// where the one before was lost.
import type { DocumentLimits } from './limits.ts'
import { pagesToLookAt, toSuspects } from './ocr-candidates.ts'
import type { DocumentFormat, PageLook, ReadMessage } from './worker-messages.ts'

export interface LostPage {
  readonly page: number
  readonly reason: string
  /** Because of its own content, so that the next import need not try. */
  readonly isFinal: boolean
}

/** What costs a child its life by only looking at it is no blank page. */
export const overwhelming: PageLook = { pictureShare: 1, hiddenLetters: 0, bodyLetters: 0, drawings: 0 }

export class TextPass {
  format: DocumentFormat = 'pdf'
  /** The text of each page, empty where there is none. */
  readonly pages: string[] = []
  readonly lost: LostPage[] = []
  readonly looks: Map<number, PageLook> = new Map()
  isOpened = false
  readonly #limits: DocumentLimits
  readonly #onPage: () => void
  readonly #deadline: number
  #pageCount = 0
  #characters = 0

  constructor(limits: DocumentLimits, onPage: () => void) {
    this.#limits = limits
    this.#onPage = onPage
    this.#deadline = performance.now() + limits.documentTimeoutMs
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

  /** Whether there is more to hear. */
  hear(message: ReadMessage): boolean {
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
        if (message.page === this.nextPage) this.losePage(message.reason, true)
        break
      case 'look':
        this.looks.set(message.page, message.look)
        break
    }
    const isLastPage = message.kind === 'page' && this.hasAllPages
    if (isLastPage && this.#pageCount > documentPagesMax) this.#cut(`more than ${documentPagesMax} pages`, true)
    if (this.hasAllPages) return true
    if (this.#characters > documentCharactersMax) {
      return this.#cut(`text of more than ${documentCharactersMax} characters`, true)
    }
    if (performance.now() > this.#deadline) {
      return this.#cut(`reading took longer than ${documentTimeoutMs / 1000} s`, false)
    }
    return true
  }

  losePage(reason: string, isFinal = false): void {
    this.lost.push({ page: this.nextPage, reason, isFinal })
    this.pages.push('')
  }

  /** The child was lost while it looked at pages whose text is known. */
  endLooking(): void {
    const [culprit] = pagesToLookAt(toSuspects(this.pages), this.pages, this.looks)
    if (culprit !== undefined) this.looks.set(culprit, overwhelming)
  }

  #cut(limit: string, isFinal: boolean): false {
    this.lost.push({ page: this.nextPage, reason: `${limit}: the pages from here on are left out`, isFinal })
    return false
  }
}
