// Reads one document through the pool: the text layer of every page, then, where pages lack one, whether they are
// scans, and with OCR what stands on them. A page that costs a child its life is left out and the rest goes on.
import type { DocumentLimits } from './limits.ts'
import { isPicture, lookAtSuspects, toSuspects } from './ocr-candidates.ts'
import { type LostPage, overwhelming, TextPass } from './text-layer-collector.ts'
import type { DocumentFormat, PageLook, ReadFile } from './worker-messages.ts'
import type { ReadingPool } from './worker-pool.ts'

/** What a document holds, as far as its text layer goes or, after OCR, altogether. */
export interface Reading {
  readonly format: DocumentFormat
  /** The text of each page, empty where there is none. */
  readonly pages: readonly string[]
  /** Pages (the first is 1) that OCR may add to: they have little or no text. None after OCR. */
  readonly candidates: readonly number[]
  /** How many of the candidates were looked at and found to be scans; the others were not looked at. None after OCR. */
  readonly scans: number
  /** Whether at least one page was read whole, be it text or recognised. */
  readonly hasWholePage: boolean
  /** Pages that could not be read. */
  readonly lost: readonly LostPage[]
}

/** Why the document cannot be read. */
export interface Refusal {
  readonly refused: string
  readonly isFinal: boolean
}

const ocrPagesAtOnce = 4

export class DocumentReader {
  readonly #pool: ReadingPool
  readonly #limits: DocumentLimits
  readonly #onPage: () => void

  constructor(pool: ReadingPool, limits: DocumentLimits, onPage: () => void) {
    this.#pool = pool
    this.#limits = limits
    this.#onPage = onPage
  }

  async readText(file: ReadFile): Promise<Reading | Refusal> {
    const { documentPagesMax: pagesMax, lostPagesMax, pageTimeoutMs } = this.#limits
    const pass = new TextPass(this.#limits, this.#onPage)
    for (let lives = lostPagesMax; ; lives -= 1) {
      const request = { ...file, task: 'text', fromPage: pass.nextPage, pagesMax } as const
      const end = await this.#pool.run(request, pageTimeoutMs, (message) => pass.hear(message))
      if (end.kind === 'refused') return { refused: end.reason, isFinal: end.isFinal }
      if (end.kind === 'done') break
      const reason = lossReason(end.cause)
      if (pass.isOpened && pass.hasAllPages) {
        pass.endLooking()
        break
      }
      if (pass.isOpened) pass.losePage(reason)
      if (!pass.isOpened || pass.hasLostAll || lives === 0) return { refused: reason, isFinal: false }
    }
    return this.#judge(file, pass)
  }

  /** The same reading with the text of its scanned pages, which are shared out between the children. */
  async readScans(file: ReadFile, reading: Reading): Promise<Reading> {
    const pages = [...reading.pages]
    const lost = [...reading.lost]
    const groups = await this.#ocrGroups(file, reading)
    await Promise.all(
      groups.map(async (group) => {
        for (let rest = group; rest.length > 0; ) {
          const done = new Set<number>()
          const request = { ...file, task: 'ocr', pages: rest } as const
          const end = await this.#pool.run(request, this.#limits.ocrPageTimeoutMs, (message) => {
            if (message.kind === 'broken') {
              done.add(message.page)
              lost.push({ page: message.page, reason: message.reason, isFinal: true })
            } else if (message.kind === 'page') {
              const layer = pages[message.page - 1]
              pages[message.page - 1] = layer ? `${layer}\n${message.text}` : message.text
              done.add(message.page)
              this.#onPage()
            }
            return true
          })
          rest = rest.filter((page) => !done.has(page))
          const [failed] = rest
          if (failed === undefined) return
          const reason = end.kind === 'lost' ? lossReason(end.cause) : 'its scan cannot be read'
          lost.push({ page: failed, reason, isFinal: false })
          rest = rest.slice(1)
        }
      }),
    )
    lost.sort((a, b) => a.page - b.page)
    const hasWholePage = reading.hasWholePage || pages.some((text) => text !== '')
    return { ...reading, pages, candidates: [], scans: 0, hasWholePage, lost }
  }

  /** Pages without text are read; pages with little text only where a picture covers them. */
  async #ocrGroups(file: ReadFile, reading: Reading): Promise<number[][]> {
    const textless = reading.candidates.filter((page) => reading.pages[page - 1] === '')
    const sparse = reading.candidates.filter((page) => reading.pages[page - 1] !== '')
    const looks = await this.#look(file, sparse)
    const scans = [...textless, ...sparse.filter((page) => isPicture(reading.pages[page - 1], looks.get(page)))].sort(
      (a, b) => a - b,
    )
    return Array.from({ length: Math.ceil(scans.length / ocrPagesAtOnce) }, (_, index) =>
      scans.slice(index * ocrPagesAtOnce, (index + 1) * ocrPagesAtOnce),
    )
  }

  /** Sorts out which pages may be scans; some of them were looked at, the rest have the benefit of the doubt. */
  async #judge(file: ReadFile, { format, pages, looks, lost }: TextPass): Promise<Reading> {
    if (format !== 'pdf') return { format, pages, candidates: [], scans: 0, hasWholePage: true, lost }
    const lostPages = new Set(lost.map((each) => each.page))
    const suspects = toSuspects(pages).filter((page) => !lostPages.has(page))
    await lookAtSuspects(suspects, pages, looks, (next) => this.#look(file, next))
    const candidates = suspects.filter((page) => !looks.has(page) || isPicture(pages[page - 1], looks.get(page)))
    const candidate = new Set(candidates)
    return {
      format,
      pages,
      candidates,
      scans: candidates.filter((page) => looks.has(page)).length,
      hasWholePage: pages.some((text, index) => text !== '' && !candidate.has(index + 1)),
      lost,
    }
  }

  async #look(file: ReadFile, pages: readonly number[]): Promise<Map<number, PageLook>> {
    const looks = new Map<number, PageLook>()
    for (let rest = [...pages]; rest.length > 0; rest = rest.slice(1)) {
      const request = { ...file, task: 'look', pages: rest } as const
      const end = await this.#pool.run(request, this.#limits.pageTimeoutMs, (message) => {
        if (message.kind === 'look') looks.set(message.page, message.look)
        return true
      })
      // Beyond the first page that has had no answer the look begins again without it.
      rest = rest.filter((page) => !looks.has(page))
      if (end.kind === 'lost' && rest[0] !== undefined) looks.set(rest[0], overwhelming)
    }
    return looks
  }
}

function lossReason(cause: 'time' | 'memory' | 'crash'): string {
  switch (cause) {
    case 'time':
      return 'it took too long to read'
    case 'memory':
      return 'it needs too much memory to read'
    case 'crash':
      return 'the reader failed on it'
  }
}
