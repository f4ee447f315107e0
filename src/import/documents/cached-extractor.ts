// From the bytes of a document to its reading: taken from the cache where an earlier import left it, read and kept
// where it did not, and judged as text, scan or unreadable.
import { type DocumentCache, isFinal, type ReadingKey } from './cache.ts'
import type { DocumentOutcome } from './reference.ts'
import type { DocumentReader, Reading } from './text-extractor.ts'
import type { DocumentFormat, ReadFile } from './worker-messages.ts'

/** What a content came to; `reading` where it has text. */
export interface Content {
  readonly outcome: DocumentOutcome
  readonly reason?: string | undefined
  readonly reading?: ReadingKey | undefined
  readonly format?: DocumentFormat | undefined
}

export class Contents {
  readonly #cache: DocumentCache
  readonly #reader: DocumentReader
  readonly #ocr: boolean
  readonly #underWay = new Map<string, Promise<Content>>()

  constructor(cache: DocumentCache, reader: DocumentReader, ocr: boolean) {
    this.#cache = cache
    this.#reader = reader
    this.#ocr = ocr
  }

  /** Two references may lead to the same content at the same time: it is read once. */
  read(file: ReadFile): Promise<Content> {
    const { sha256 } = file
    let content = this.#underWay.get(sha256)
    if (content === undefined) {
      content = this.#readNew(file).finally(() => this.#underWay.delete(sha256))
      this.#underWay.set(sha256, content)
    }
    return content
  }

  async #readNew(file: ReadFile): Promise<Content> {
    const { sha256 } = file
    const known = await this.known(sha256)
    if (known !== undefined) return known
    let reading = await this.#cache.readReading({ sha256, variant: 'text' })
    if (reading === undefined) {
      const text = await this.#reader.readText(file)
      if ('refused' in text) {
        if (text.isFinal) await this.#cache.writeReading({ sha256, variant: 'text' }, { refused: text.refused })
        return { outcome: 'unreadable', reason: text.refused }
      }
      reading = text
      if (!this.#ocr || reading.candidates.length === 0) return this.#keep(sha256, 'text', reading)
      if (isFinal(reading.lost)) await this.#cache.writeReading({ sha256, variant: 'text' }, reading)
    }
    if ('refused' in reading) return { outcome: 'unreadable', reason: reading.refused }
    return this.#keep(sha256, 'ocr', await this.#reader.readScans(file, reading))
  }

  async #keep(sha256: string, variant: 'text' | 'ocr', reading: Reading): Promise<Content> {
    const key: ReadingKey = { sha256, variant: isFinal(reading.lost) ? variant : 'partial' }
    await this.#cache.writeReading(key, reading)
    return toContent(key, reading)
  }

  async known(sha256: string): Promise<Content | undefined> {
    const text = await this.#cache.readReading({ sha256, variant: 'text' })
    if (text === undefined) return undefined
    if ('refused' in text) return { outcome: 'unreadable', reason: text.refused }
    if (!this.#ocr || text.candidates.length === 0) return toContent({ sha256, variant: 'text' }, text)
    const whole = await this.#cache.readReading({ sha256, variant: 'ocr' })
    return whole === undefined || 'refused' in whole ? undefined : toContent({ sha256, variant: 'ocr' }, whole)
  }
}

function toContent(reading: ReadingKey, { format, pages, candidates, scans, hasWholePage, lost }: Reading): Content {
  const hasText = pages.some((text) => text !== '')
  if (!hasText && scans === 0) {
    const mend = candidates.length === 0 ? '' : '; read them with --ocr'
    const reason = lost[0] === undefined ? `no text on any page: they are blank or pictures${mend}` : toLossText(lost)
    return { outcome: 'unreadable', reason }
  }
  const faults: string[] = []
  if (scans > 0) faults.push(`${toScanText(scans, candidates.length, pages.length)}; read them with --ocr`)
  if (lost.length > 0) faults.push(toLossText(lost))
  const outcome = scans > 0 && !hasWholePage ? 'scan' : 'text'
  return { outcome, reading, format, reason: faults.length === 0 ? undefined : faults.join('; ') }
}

function toScanText(scans: number, candidates: number, pages: number): string {
  if (scans === candidates) return `${scans} of ${pages} pages are pictures`
  return `at least ${scans} of ${pages} pages are pictures and ${candidates - scans} more may be`
}

function toLossText(lost: Reading['lost']): string {
  const [first] = lost
  return `page ${first?.page}: ${first?.reason}${lost.length > 1 ? ` (and ${lost.length - 1} more pages)` : ''}`
}
