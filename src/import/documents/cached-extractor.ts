// Returns the text of a document from the cache, or extracts and stores it. The text without OCR also lists the
// candidates for OCR: the pages that may be scans.
import type { Reason } from '../../domain/document-reason.ts'
import type { DocumentCache, TextKey, TextVariant } from './cache.ts'
import { Shared } from './concurrent.ts'
import { toOutcome, toReportReasons } from './document-reading.ts'
import type { DocumentOutcome } from './reference.ts'
import { type ExtractedText, isRefusal, type Refusal, type TextExtractor } from './text-extractor.ts'
import type { DocumentFile, DocumentFormat } from './worker-messages.ts'

export interface ContentResult {
  readonly outcome: DocumentOutcome
  /** What is wrong with the document, and what to do; empty if nothing is wrong. */
  readonly reasons: readonly Reason[]
  /** Key of the cached text, in which every page may be empty. Undefined if the document was refused. */
  readonly textKey?: TextKey | undefined
  /** Number of pages, if the document was refused; 0 or undefined if it is not known. */
  readonly pageCount?: number | undefined
  /** Undefined if the document was refused. */
  readonly format?: DocumentFormat | undefined
}

export class CachedExtractor {
  readonly #cache: DocumentCache
  readonly #extractor: TextExtractor
  /** The name of a text that includes OCR, such as `ocr-spa`; undefined if this import does not use OCR. */
  readonly #ocrVariant: TextVariant | undefined
  /** By hash of the content: several references may have the same. */
  readonly #inProgress = new Shared<ContentResult>()

  /** `ocrLanguages` is undefined without OCR. */
  constructor(cache: DocumentCache, extractor: TextExtractor, ocrLanguages: readonly string[] | undefined) {
    this.#cache = cache
    this.#extractor = extractor
    this.#ocrVariant = ocrLanguages === undefined ? undefined : `ocr-${ocrLanguages.join('+')}`
  }

  async extract(file: DocumentFile): Promise<ContentResult> {
    return this.findCached(file.sha256) ?? (await this.#inProgress.run(file.sha256, () => this.#extract(file)))
  }

  /** Returns undefined if the cache lacks the text of the document or, with OCR, the text of its scans. */
  findCached(sha256: string): ContentResult | undefined {
    const textLayer = this.#cache.readText({ sha256, variant: 'text' })
    if (textLayer === undefined) return undefined
    if (isRefusal(textLayer)) return toRefusedResult(textLayer)
    const variant = this.#variantFor(textLayer)
    const text = variant === 'text' ? textLayer : this.#cache.readText({ sha256, variant })
    return text === undefined || isRefusal(text) ? undefined : toResult({ sha256, variant }, text)
  }

  /** Returns the variant that this import needs: the text layer alone, unless OCR has pages to read. */
  #variantFor(textLayer: ExtractedText): TextVariant {
    return this.#ocrVariant === undefined || textLayer.candidates.length === 0 ? 'text' : this.#ocrVariant
  }

  async #extract(file: DocumentFile): Promise<ContentResult> {
    const key: TextKey = { sha256: file.sha256, variant: 'text' }
    const textLayer = this.#cache.readText(key) ?? (await this.#extractor.extractTextLayer(file))
    if (isRefusal(textLayer)) {
      if (textLayer.isFinal) this.#cache.writeText(key, textLayer)
      return toRefusedResult(textLayer)
    }
    const result = this.#store(key, textLayer)
    const variant = this.#variantFor(textLayer)
    if (variant === 'text') return result
    return this.#store({ ...key, variant }, await this.#extractor.addOcrText(file, textLayer))
  }

  /**
   * A text with lost pages that another attempt may read is stored as `partial`. This import reads it from the cache by
   * its key (documents.ts); the next one extracts the text again, because `findCached` ignores `partial`.
   */
  #store({ sha256, variant }: TextKey, text: ExtractedText): ContentResult {
    const isFinal = text.lost.every((pages) => pages.isFinal)
    const key: TextKey = { sha256, variant: isFinal ? variant : 'partial' }
    this.#cache.writeText(key, text)
    return toResult(key, text)
  }
}

function toRefusedResult({ refused, pageCount }: Refusal): ContentResult {
  return { outcome: 'unreadable', reasons: refused, pageCount }
}

function toResult(textKey: TextKey, text: ExtractedText): ContentResult {
  return { outcome: toOutcome(text), textKey, format: text.format, reasons: toReportReasons(text) }
}
