// Returns the text of a document from the cache, or extracts and stores it, and decides whether the document counts as
// text, scan or unreadable. The text without OCR also lists the candidates for OCR: the pages that may be scans.
import {
  areAllFinal,
  type DocumentCache,
  isRefusal,
  type RefusedText,
  type TextKey,
  type TextVariant,
} from './cache.ts'
import { describeLost } from './document-reading.ts'
import type { DocumentOutcome } from './reference.ts'
import type { ExtractedText, TextExtractor } from './text-extractor.ts'
import type { DocumentFile, DocumentFormat } from './worker-messages.ts'

/** The name under which the cache stores a text that includes OCR: `ocr-spa` for OCR in Spanish. */
type OcrVariant = Extract<TextVariant, `ocr-${string}`>

export interface ContentResult {
  readonly outcome: DocumentOutcome
  /** What is wrong with the document; undefined if nothing is. */
  readonly reason?: string | undefined
  /**
   * Key of the cached text, in which every page may be empty. Undefined if the document was refused, which means that
   * it cannot be read at all: `RefusedText` has the reason.
   */
  readonly textKey?: TextKey | undefined
  /** Number of pages, if the document was refused; 0 or undefined if it is not known. */
  readonly pageCount?: number | undefined
  /** Undefined if the document was refused. */
  readonly format?: DocumentFormat | undefined
}

export class CachedExtractor {
  readonly #cache: DocumentCache
  readonly #extractor: TextExtractor
  /** Undefined if this import does not use OCR. */
  readonly #ocrVariant: OcrVariant | undefined
  /** Extractions in progress, by hash of the content. */
  readonly #inProgress = new Map<string, Promise<ContentResult>>()

  /** `ocrLanguages` is undefined without OCR. */
  constructor(cache: DocumentCache, extractor: TextExtractor, ocrLanguages: readonly string[] | undefined) {
    this.#cache = cache
    this.#extractor = extractor
    this.#ocrVariant = ocrLanguages === undefined ? undefined : `ocr-${ocrLanguages.join('+')}`
  }

  /** Several references may have the same content; it is extracted once. */
  extract(file: DocumentFile): Promise<ContentResult> {
    const { sha256 } = file
    let result = this.#inProgress.get(sha256)
    if (result === undefined) {
      result = this.#extractOnce(file).finally(() => this.#inProgress.delete(sha256))
      this.#inProgress.set(sha256, result)
    }
    return result
  }

  /** Returns undefined if the cache lacks the text of the document or, with OCR, the text of its scans. */
  async findCached(sha256: string): Promise<ContentResult | undefined> {
    const text = await this.#cache.readText({ sha256, variant: 'text' })
    if (text === undefined) return undefined
    if (isRefusal(text)) return toRefusedResult(text)
    const variant = this.#ocrVariant
    if (variant === undefined || text.candidates.length === 0) return toResult({ sha256, variant: 'text' }, text)
    const withOcr = await this.#cache.readText({ sha256, variant })
    // Refusals are stored with the variant `text` only; this check is there for the compiler.
    const isCached = withOcr !== undefined && !isRefusal(withOcr)
    return isCached ? toResult({ sha256, variant }, withOcr) : undefined
  }

  async #extractOnce(file: DocumentFile): Promise<ContentResult> {
    const { sha256 } = file
    const cached = await this.findCached(sha256)
    if (cached !== undefined) return cached
    // With OCR, the cache may have the text layer but not the text of the scans.
    const cachedLayer = await this.#cache.readText({ sha256, variant: 'text' })
    const textLayer = cachedLayer ?? (await this.#extractTextLayer(file))
    if (isRefusal(textLayer)) return toRefusedResult(textLayer)
    const variant = this.#ocrVariant
    if (variant === undefined || textLayer.candidates.length === 0) return this.#store(sha256, 'text', textLayer)
    // The text layer is also stored alone, for a later import without OCR, unless it lacks pages that another attempt
    // may read. A lost page is final if another attempt would fail in the same way.
    const needsStoring = cachedLayer === undefined && areAllFinal(textLayer.lost)
    if (needsStoring) await this.#cache.writeText({ sha256, variant: 'text' }, textLayer)
    return this.#store(sha256, variant, await this.#extractor.addOcrText(file, textLayer))
  }

  /** Stores a refusal if it is final, which means that another attempt would fail in the same way. */
  async #extractTextLayer(file: DocumentFile): Promise<ExtractedText | RefusedText> {
    const extracted = await this.#extractor.extractTextLayer(file)
    if (!isRefusal(extracted)) return extracted
    const { isFinal, ...refusal } = extracted
    if (isFinal) await this.#cache.writeText({ sha256: file.sha256, variant: 'text' }, refusal)
    return refusal
  }

  /**
   * A text with lost pages that another attempt may read is stored as `partial`. This import reads it from the cache by
   * its key (documents.ts); the next one extracts the text again, because `findCached` ignores `partial`.
   */
  async #store(sha256: string, variant: 'text' | OcrVariant, text: ExtractedText): Promise<ContentResult> {
    const key: TextKey = { sha256, variant: areAllFinal(text.lost) ? variant : 'partial' }
    await this.#cache.writeText(key, text)
    return toResult(key, text)
  }
}

function toRefusedResult({ refused, pageCount }: RefusedText): ContentResult {
  return { outcome: 'unreadable', reason: refused, pageCount }
}

/**
 * Decides the outcome. `candidates` are the pages that may be scans; `scans` is how many of them are known to be. A
 * document without text and without known scans is `unreadable`. One with known scans and no page of complete text is a
 * `scan`, and any other is `text`. A document with text may also have a reason: some pages are scans or lost, or it has
 * attached files. After OCR there are no candidates, so `--ocr` is not recommended to someone who has used it.
 */
function toResult(textKey: TextKey, text: ExtractedText): ContentResult {
  const { format, pages, pageCount, annotations, candidates, scans, lost, omitted } = text
  const hasText = pages.some((page) => page !== '') || annotations.length > 0
  if (!hasText && scans === 0) {
    const advice = candidates.length === 0 ? '' : '; use --ocr to read them'
    const noTextReason = `no page has text: they are blank or images${advice}`
    const reason = lost.length === 0 ? noTextReason : describeLost(lost).join('; ')
    return { outcome: 'unreadable', textKey, format, reason }
  }
  const reasons: string[] = []
  if (candidates.length > 0) {
    reasons.push(`${describeScans(scans, candidates.length, pageCount)}; use --ocr to read them`)
  }
  reasons.push(...describeLost(lost), ...omitted)
  const candidateSet = new Set(candidates)
  const hasCompletePage = pages.some((page, index) => page !== '' && !candidateSet.has(index + 1))
  const outcome = scans > 0 && !hasCompletePage ? 'scan' : 'text'
  return { outcome, textKey, format, reason: reasons.length === 0 ? undefined : reasons.join('; ') }
}

/** For example `3 of 12 pages are scans`. */
function describeScans(scans: number, candidateCount: number, pageCount: number): string {
  if (scans === 0) return `${candidateCount} of ${pageCount} pages may be scans`
  if (scans === candidateCount) return `${scans} of ${pageCount} pages are scans`
  return `at least ${scans} of ${pageCount} pages are scans and ${candidateCount - scans} more may be`
}
