// Returns the text of a document from the cache, or extracts and stores it, and decides whether the document counts as
// text, scan or unreadable. The text without OCR also lists the candidates for OCR: the pages that may be scans.
import type { Reason } from '../../domain/document-reason.ts'
import { type DocumentCache, isRefusal, type RefusedText, type TextKey, type TextVariant } from './cache.ts'
import { describeLost } from './document-reading.ts'
import type { DocumentOutcome } from './reference.ts'
import type { ExtractedText, TextExtractor } from './text-extractor.ts'
import type { DocumentFile, DocumentFormat } from './worker-messages.ts'

/** The name under which the cache stores a text that includes OCR: `ocr-spa` for OCR in Spanish. */
type OcrVariant = Extract<TextVariant, `ocr-${string}`>

export interface ContentResult {
  readonly outcome: DocumentOutcome
  /** What is wrong with the document, and what to do; empty if nothing is wrong. */
  readonly reasons: readonly Reason[]
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
  findCached(sha256: string): ContentResult | undefined {
    const textLayer = this.#cache.readText({ sha256, variant: 'text' })
    if (textLayer === undefined || isRefusal(textLayer)) return textLayer && toRefusedResult(textLayer)
    const variant = this.#variantFor(textLayer)
    const text = variant === 'text' ? textLayer : this.#cache.readText({ sha256, variant })
    return text === undefined || isRefusal(text) ? undefined : toResult({ sha256, variant }, text)
  }

  /** Returns the variant that this import needs: the text layer alone, unless OCR has pages to read. */
  #variantFor(textLayer: ExtractedText): 'text' | OcrVariant {
    return this.#ocrVariant === undefined || textLayer.candidates.length === 0 ? 'text' : this.#ocrVariant
  }

  async #extractOnce(file: DocumentFile): Promise<ContentResult> {
    const complete = this.findCached(file.sha256)
    if (complete !== undefined) return complete
    const { sha256 } = file
    const textLayer =
      this.#cache.readText({ sha256, variant: 'text' }) ?? (await this.#extractor.extractTextLayer(file))
    if (isRefusal(textLayer)) {
      const { refused, pageCount } = textLayer
      const isFinal = 'isFinal' in textLayer && textLayer.isFinal === true
      if (isFinal) this.#cache.writeText({ sha256, variant: 'text' }, { refused, pageCount })
      return toRefusedResult(textLayer)
    }
    const layerResult = this.#store(sha256, 'text', textLayer)
    const variant = this.#variantFor(textLayer)
    if (variant === 'text') return layerResult
    return this.#store(sha256, variant, await this.#extractor.addOcrText(file, textLayer))
  }

  /**
   * A text with lost pages that another attempt may read is stored as `partial`. This import reads it from the cache by
   * its key (documents.ts); the next one extracts the text again, because `findCached` ignores `partial`.
   */
  #store(sha256: string, variant: 'text' | OcrVariant, text: ExtractedText): ContentResult {
    const areAllFinal = text.lost.every(({ isFinal }) => isFinal)
    const key: TextKey = { sha256, variant: areAllFinal ? variant : 'partial' }
    this.#cache.writeText(key, text)
    return toResult(key, text)
  }
}

function toRefusedResult({ refused, pageCount }: RefusedText): ContentResult {
  return { outcome: 'unreadable', reasons: refused, pageCount }
}

function toResult(textKey: TextKey, text: ExtractedText): ContentResult {
  const outcome = toOutcome(text)
  const reasons = outcome === 'unreadable' ? describeNoText(text) : describeIncompleteText(text)
  return { outcome, textKey, format: text.format, reasons }
}

/**
 * Known scans are the candidates that were inspected (`scans` is their number).
 *
 * | document | outcome |
 * |---|---|
 * | without text and without known scans | `unreadable` |
 * | with known scans, and every page with text is a candidate for OCR | `scan` |
 * | any other | `text` |
 */
function toOutcome({ pages, annotations, candidates, scans }: ExtractedText): DocumentOutcome {
  if (scans === 0) {
    const hasText = pages.some((page) => page !== '') || annotations.length > 0
    return hasText ? 'text' : 'unreadable'
  }
  const candidateSet = new Set(candidates)
  const hasCompletePage = pages.some((page, index) => page !== '' && !candidateSet.has(index + 1))
  return hasCompletePage ? 'text' : 'scan'
}

/** After OCR there are no candidates, so `--ocr` is not recommended to someone who has used it. */
function describeNoText({ candidates, lost }: ExtractedText): readonly Reason[] {
  if (lost.length > 0) return describeLost(lost)
  return candidates.length === 0 ? [{ code: 'blankOrImages' }] : [{ code: 'blankOrImages' }, { code: 'useOcr' }]
}

/** Describes what is missing of a document with text or scans. Empty if nothing is. */
function describeIncompleteText({ pageCount, candidates, scans, lost, omitted }: ExtractedText): readonly Reason[] {
  const ocrAdvice: readonly Reason[] =
    candidates.length === 0 ? [] : [describeScans(scans, candidates.length, pageCount), { code: 'useOcr' }]
  return [...ocrAdvice, ...describeLost(lost), ...omitted]
}

/** For example `3 of 12 pages are scans`. */
function describeScans(scans: number, candidateCount: number, total: number): Reason {
  if (scans === 0) return { code: 'possibleScans', values: { count: candidateCount, total } }
  if (scans === candidateCount) return { code: 'knownScans', values: { count: scans, total } }
  return { code: 'someScans', values: { count: scans, total, more: candidateCount - scans } }
}
