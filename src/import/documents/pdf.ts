// Opens a PDF with pdf.js, and renders a page for OCR. It runs inside a worker process. text-layer.ts reads the text of
// a page, and page-drawing.ts what it draws.
import { fileURLToPath } from 'node:url'
import {
  getDocument,
  InvalidPDFException,
  PasswordException,
  type PDFDocumentProxy,
  type PDFPageProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Reason } from '../../domain/document-reason.ts'

/** 200 dpi; the unit of PDF is 1/72 inch. */
const renderScale = 200 / 72
/** Larger pages are rendered at a lower resolution. A page of A4 has 3.9 million pixels at 200 dpi. */
const renderPixelsMax = 12_000_000

/** Returns the document, or why it cannot be opened. */
export async function openPdf(data: Uint8Array): Promise<PDFDocumentProxy | readonly Reason[]> {
  try {
    return await getDocument({
      data,
      verbosity: 0,
      // Fonts, character maps, colour profiles and image decoders (JBIG2, JPEG 2000) come with the package. Nothing is
      // fetched, and scripts in a document do not run.
      cMapUrl: toPackagePath('cmaps/'),
      standardFontDataUrl: toPackagePath('standard_fonts/'),
      wasmUrl: toPackagePath('wasm/'),
      iccUrl: toPackagePath('iccs/'),
      useSystemFonts: false,
      disableFontFace: true,
      enableXfa: false,
    }).promise
  } catch (error) {
    if (error instanceof PasswordException) return [{ code: 'encrypted' }, { code: 'unprotectedCopy' }]
    if (error instanceof InvalidPDFException) return [{ code: 'invalidPdf' }, { code: 'newCopy' }]
    return [{ code: 'damagedBy', values: { message: error instanceof Error ? error.message : String(error) } }]
  }
}

/** Returns a reason for each kind of content that is not in the pages and is not read. */
export async function describeOmitted(document: PDFDocumentProxy): Promise<Reason[]> {
  const omitted: Reason[] = []
  const attachments = (await document.getAttachments())?.size ?? 0
  if (attachments === 1) omitted.push({ code: 'attachment' })
  if (attachments > 1) omitted.push({ code: 'attachments', values: { count: attachments } })
  // A dynamic form (XFA) has its text outside the pages, which only ask to open it with Acrobat. If it also has fields
  // of an ordinary form, annotations.ts reads those.
  const { info } = await document.getMetadata()
  const { IsXFAPresent: hasXfa, IsAcroFormPresent: hasFields } = info as Readonly<Record<string, unknown>>
  if (hasXfa === true && hasFields !== true) omitted.push({ code: 'dynamicForm' })
  return omitted
}

export interface GreyImage {
  readonly width: number
  readonly height: number
  /** One byte per pixel; 255 is white. */
  readonly pixels: Uint8Array
}

/**
 * Renders at 200 dpi, enough for 8-point type, or at a lower resolution to bound memory (`renderPixelsMax`). The page
 * is rotated clockwise.
 */
export async function renderPage(
  document: PDFDocumentProxy,
  page: PDFPageProxy,
  quarterTurns: number,
): Promise<GreyImage> {
  const unscaled = page.getViewport({ scale: 1 })
  const fullPixels = unscaled.width * unscaled.height * renderScale ** 2
  // 1 for a page that fits. Halving the scale divides the pixels by four.
  const reduction = Math.min(1, Math.sqrt(renderPixelsMax / fullPixels))
  const rotation = (page.rotate + 90 * quarterTurns) % 360
  const viewport = page.getViewport({ scale: renderScale * reduction, rotation })
  const width = Math.max(1, Math.ceil(viewport.width))
  const height = Math.max(1, Math.ceil(viewport.height))
  // The type of the factory is for browsers; in Node.js it creates canvases of @napi-rs/canvas.
  const factory = document.canvasFactory as {
    create(width: number, height: number): { canvas: HTMLCanvasElement; context: CanvasRenderingContext2D }
    destroy(target: object): void
  }
  const target = factory.create(width, height)
  try {
    await page.render({ canvas: target.canvas, canvasContext: target.context, viewport }).promise
    const rgba = target.context.getImageData(0, 0, width, height).data
    return { width, height, pixels: toGrey(rgba) }
  } finally {
    factory.destroy(target)
  }
}

/**
 * Grey is the luma of ITU-R BT.601: 0.299 red, 0.587 green and 0.114 blue. The weights are integers with the sum 256,
 * so that a shift by 8 bits divides by it. Opacity, the fourth byte of a pixel, is ignored.
 */
function toGrey(rgba: Uint8ClampedArray): Uint8Array {
  const pixels = new Uint8Array(rgba.length / 4)
  for (let from = 0, to = 0; to < pixels.length; from += 4, to += 1) {
    pixels[to] = ((rgba[from] ?? 0) * 77 + (rgba[from + 1] ?? 0) * 150 + (rgba[from + 2] ?? 0) * 29) >> 8
  }
  return pixels
}

/** Returns the path of a folder of the package pdfjs-dist. */
function toPackagePath(folder: string): string {
  return fileURLToPath(new URL(folder, import.meta.resolve('pdfjs-dist/package.json')))
}
