// Extracts the text of one document with the worker pool: the text layer of every page, which pages are scans and, with
// OCR, the text of the scans. If a worker fails, the page that it was reading is lost and the next page is continued
// with.
import type { Reason } from '../../domain/document-reason.ts'
import type { DocumentLimits } from './limits.ts'
import { toRunningText } from './running-text.ts'
import { countLetters, Findings } from './scanned-page.ts'
import type { DocumentFile, DocumentFormat, WorkerMessage } from './worker-messages.ts'
import type { WorkerPool } from './worker-pool.ts'

/** The text of a document, from its text layer alone or with OCR. Page numbers begin with 1. */
export interface ExtractedText {
  readonly format: DocumentFormat
  /** Pages of the file; 1 if its format has none. */
  readonly pageCount: number
  /**
   * The text of each page, without the pages past a limit; empty if a page has none. A format without pages has one.
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

/** Consecutive pages that were not read, or not completely. */
export interface LostPages {
  readonly firstPage: number
  readonly lastPage: number
  /** Its code begins with `fault.`. */
  readonly fault: Reason
  /** Whether the content is the cause, so that a later import need not try again. */
  readonly isFinal: boolean
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

export function isRefusal(text: ExtractedText | Refusal): text is Refusal {
  return 'refused' in text
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
   * Returns the text without OCR, and which pages may be scans. The document is refused if a worker refuses it, if a
   * worker fails before the document is open, if more than `lostPagesMax` pages make a worker fail, or if a worker
   * fails and all pages are then lost. No failure of a worker is final: the next import tries again, perhaps with more
   * time or memory.
   */
  async extractTextLayer(file: DocumentFile): Promise<ExtractedText | Refusal> {
    const { documentPagesMax, documentCharactersMax, documentTimeoutMs, lostPagesMax, pageTimeoutMs } = this.#limits
    const tooManyCharacters: Reason = { code: 'fault.characters', values: { limit: documentCharactersMax } }
    let format: DocumentFormat = 'pdf'
    let pageCount = 0
    let omitted: readonly Reason[] = []
    const pages: string[] = []
    const annotations: [page: number, text: string][] = []
    const lost: LostPages[] = []
    const findings = new Findings()
    /** The last page of `pages`, if a worker is inspecting it. */
    let inspectedPage: number | undefined
    let characters = 0
    /** How long workers have had the document open. The time that it waits for a worker does not count. */
    let openMs = 0
    let openedAt: number | undefined
    const lose = (fault: Reason, isFinal: boolean, lastPage = pages.length + 1): void => {
      lost.push({ firstPage: pages.length + 1, lastPage, fault, isFinal })
      if (lastPage === pages.length + 1) pages.push('')
    }
    const onMessage = (message: WorkerMessage): boolean => {
      inspectedPage = undefined
      if (message.kind === 'opened') {
        ;({ format, pageCount, omitted } = message)
        openedAt = performance.now()
      } else if (message.kind === 'page') {
        const { page, text } = message
        const fault: Reason = format === 'pdf' ? { code: 'fault.long' } : tooManyCharacters
        if (message.isCut) lost.push({ firstPage: page, lastPage: page, fault, isFinal: true })
        if (message.isInspected) inspectedPage = page
        pages.push(text)
        if (message.annotations !== '') annotations.push([page, message.annotations])
        characters += text.length + message.annotations.length
        this.#onPage()
      } else if (message.kind === 'damaged') lose({ code: 'fault.damaged' }, true)
      else if (message.kind === 'inspected')
        findings.add(message.page, countLetters(pages[message.page - 1] ?? ''), message.finding)
      // No limit applies once all pages are read: the worker only has to inspect the last one.
      if (pages.length >= Math.min(pageCount, documentPagesMax)) return true
      if (characters > documentCharactersMax) {
        lose(tooManyCharacters, true, pageCount)
        return false
      }
      if (openMs + performance.now() - (openedAt ?? Number.POSITIVE_INFINITY) > documentTimeoutMs) {
        lose({ code: 'fault.seconds', values: { limit: documentTimeoutMs / 1000 } }, false, pageCount)
        return false
      }
      return true
    }
    for (let retriesLeft = lostPagesMax; ; ) {
      const request = {
        ...file,
        task: 'text',
        fromPage: pages.length + 1,
        lastPage: documentPagesMax,
        charactersMax: documentCharactersMax,
        tallies: findings.tallies,
      } as const
      const result = await this.#pool.run(request, pageTimeoutMs, onMessage)
      if (result.kind === 'refused') return { refused: result.reasons, pageCount: 0, isFinal: result.isFinal }
      if (result.kind === 'done') break
      if (inspectedPage !== undefined) {
        findings.add(inspectedPage, countLetters(pages.at(-1) ?? ''), 'failed')
        if (pages.length >= Math.min(pageCount, documentPagesMax)) break
      } else {
        const refused: Reason[] = [{ code: 'document', values: { fault: result.fault } }]
        if (pageCount === 0) return { refused, pageCount, isFinal: false }
        lose(result.fault, false)
        if (lost.length === pageCount || retriesLeft === 0) return { refused, pageCount, isFinal: false }
        retriesLeft -= 1
      }
      openMs += performance.now() - (openedAt ?? performance.now())
      openedAt = undefined
    }
    const isPastLimit = pages.length >= documentPagesMax && pageCount > documentPagesMax
    if (isPastLimit) lose({ code: 'fault.pages', values: { limit: documentPagesMax } }, true, pageCount)
    const text = { format, pages: toRunningText(pages), annotations, recognised: [], lost, omitted }
    if (format !== 'pdf') return { ...text, pageCount, candidates: [], scans: 0 }
    const lostPages = new Set(lost.map(({ firstPage }) => firstPage))
    return { ...text, pageCount, ...findings.findCandidates(pages, lostPages) }
  }

  /** Returns the text with its scanned pages recognised. The workers share the pages. */
  async addOcrText(file: DocumentFile, text: ExtractedText): Promise<ExtractedText> {
    const pages = [...text.pages]
    const lost = [...text.lost]
    const recognised: number[] = []
    const recognise = async (page: number): Promise<void> => {
      const textLayer = pages[page - 1] ?? ''
      let isDone = false
      let fault: Reason | undefined
      const request = { ...file, task: 'ocr', page, letters: countLetters(textLayer) } as const
      const result = await this.#pool.run(request, this.#limits.ocrPageTimeoutMs, (message) => {
        if ('page' in message) isDone = true
        if (message.kind === 'damaged') fault = { code: 'fault.damaged' }
        if (message.kind === 'page') {
          pages[page - 1] = textLayer === '' ? message.text : `${textLayer}\n${message.text}`
          recognised.push(page)
          this.#onPage()
        }
        return true
      })
      // A worker refuses the file if it has changed or cannot be read.
      if (!isDone) fault = result.kind === 'failed' ? result.fault : { code: 'fault.unreadable' }
      if (fault !== undefined) lost.push({ firstPage: page, lastPage: page, fault, isFinal: isDone })
    }
    await Promise.all(text.candidates.map(recognise))
    recognised.sort((a, b) => a - b)
    lost.sort((a, b) => a.firstPage - b.firstPage)
    return { ...text, pages: toRunningText(pages), recognised, candidates: [], scans: 0, lost }
  }
}
