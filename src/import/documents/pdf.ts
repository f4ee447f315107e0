// PDF through pdf.js, inside a worker process: opens a document, inspects what a page draws, and renders a page.
import { fileURLToPath } from 'node:url'
import {
  getDocument,
  InvalidPDFException,
  OPS,
  PasswordException,
  type PDFDocumentProxy,
  type PDFPageProxy,
  Util,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { PageInspection } from './worker-messages.ts'

/** Returns the document, or the reason why it cannot be opened. */
export async function openPdf(data: Uint8Array): Promise<PDFDocumentProxy | string> {
  try {
    return await getDocument({
      data,
      verbosity: 0,
      // Fonts, character maps and image decoders (JBIG2, JPEG 2000) come with the package. Nothing is fetched, and code
      // in a document is not evaluated.
      cMapUrl: toPackagePath('cmaps/'),
      standardFontDataUrl: toPackagePath('standard_fonts/'),
      wasmUrl: toPackagePath('wasm/'),
      iccUrl: toPackagePath('iccs/'),
      useSystemFonts: false,
      disableFontFace: true,
      enableXfa: false,
    }).promise
  } catch (error) {
    if (error instanceof PasswordException) return 'encrypted with a password; replace it with an unprotected copy'
    if (error instanceof InvalidPDFException) return 'damaged or incomplete: not a valid PDF; get a new copy'
    return `damaged: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Follows the drawing operations of a page and their transformation matrices. */
export async function inspectPage(page: PDFPageProxy): Promise<PageInspection> {
  const { fnArray, argsArray } = await page.getOperatorList()
  const view = page.getViewport({ scale: 1 })
  // Drawing coordinates do not include the user unit, which enlarges the page of a large plan.
  const pageArea = Math.max(1, (view.width * view.height) / page.userUnit ** 2)
  let matrix: number[] = [1, 0, 0, 1, 0, 0]
  let textMode = 0
  const saved: { readonly matrix: number[]; readonly textMode: number }[] = []
  let imageArea = 0
  let drawings = 0
  let letters = 0
  let hiddenLetters = 0
  for (const [index, operation] of fnArray.entries()) {
    const args: unknown = argsArray[index]
    if (operation === OPS.save) saved.push({ matrix, textMode })
    else if (operation === OPS.restore || operation === OPS.paintFormXObjectEnd) {
      ;({ matrix, textMode } = saved.pop() ?? { matrix, textMode })
    } else if (operation === OPS.transform && isMatrix(args)) matrix = Util.transform(matrix, [...args])
    else if (operation === OPS.paintFormXObjectBegin) {
      saved.push({ matrix, textMode })
      const form: unknown = Array.isArray(args) ? args[0] : undefined
      if (isMatrix(form)) matrix = Util.transform(matrix, [...form])
    } else if (imageOperations.has(operation)) {
      // An image fills the unit square of its coordinates (ISO 32000-1, 8.9.5).
      const [a = 0, b = 0, c = 0, d = 0] = matrix
      const area = imageGroupOperations.has(operation) ? pageArea : Math.abs(a * d - b * c)
      imageArea += area
      if (area > pageArea / 2) hiddenLetters = letters
    } else if (operation === OPS.constructPath || operation === OPS.shadingFill) drawings += 1
    else if (operation === OPS.setTextRenderingMode && Array.isArray(args)) textMode = Number(args[0])
    else if (operation === OPS.showText && Array.isArray(args) && Array.isArray(args[0])) {
      const shown = args[0].filter((glyph) => typeof glyph === 'object').length
      drawings += shown
      letters += shown
      if (textMode === invisibleText) hiddenLetters += shown
    }
  }
  const isCovered = imageArea > pageArea / 2
  const bodyLetters = isCovered && letters > 0 ? await countBodyLetters(page) : letters
  return { imageShare: Math.min(1, imageArea / pageArea), hiddenLetters, bodyLetters, drawings }
}

/** Counts the letters of text items that begin outside the margins, where footers and signatures are. */
async function countBodyLetters(page: PDFPageProxy): Promise<number> {
  const [left = 0, bottom = 0, right = 0, top = 0] = page.view
  let letters = 0
  for (const item of (await page.getTextContent()).items) {
    if (!('str' in item)) continue
    const [a = 0, b = 0, , , x = 0, y = 0] = item.transform as readonly number[]
    const isSideways = Math.abs(b) > Math.abs(a)
    const position = isSideways ? (x - left) / (right - left) : (y - bottom) / (top - bottom)
    if (position > marginShare && position < 1 - marginShare) letters += item.str.replace(/\s/g, '').length
  }
  return letters
}

const marginShare = 0.15

export interface GreyImage {
  readonly width: number
  readonly height: number
  /** One byte per pixel; 255 is white. */
  readonly pixels: Uint8Array
}

/** Renders at 200 dpi, enough for 8-point type. Large plans are rendered at a lower resolution to bound memory. */
export async function renderPage(document: PDFDocumentProxy, page: PDFPageProxy): Promise<GreyImage> {
  const unscaled = page.getViewport({ scale: 1 })
  const pixelsAtFull = unscaled.width * unscaled.height * renderScale ** 2
  const viewport = page.getViewport({ scale: renderScale * Math.min(1, Math.sqrt(renderPixelsMax / pixelsAtFull)) })
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
    const colours = target.context.getImageData(0, 0, width, height).data
    const pixels = new Uint8Array(width * height)
    for (let from = 0, to = 0; to < pixels.length; from += 4, to += 1) {
      // The luma of ITU-R BT.601, in integers.
      pixels[to] = ((colours[from] ?? 0) * 77 + (colours[from + 1] ?? 0) * 150 + (colours[from + 2] ?? 0) * 29) >> 8
    }
    return { width, height, pixels }
  } finally {
    factory.destroy(target)
  }
}

/** Neither filled nor stroked (ISO 32000-1, 9.3.6); OCR programs write their text layer in this mode. */
const invisibleText = 3

const renderScale = 200 / 72
const renderPixelsMax = 12_000_000

const imageGroupOperations: ReadonlySet<number> = new Set([
  OPS.paintImageMaskXObjectGroup,
  OPS.paintImageMaskXObjectRepeat,
  OPS.paintImageXObjectRepeat,
  OPS.paintInlineImageXObjectGroup,
])
const imageOperations: ReadonlySet<number> = new Set([
  ...imageGroupOperations,
  OPS.paintImageXObject,
  OPS.paintInlineImageXObject,
  OPS.paintImageMaskXObject,
])

function isMatrix(value: unknown): value is number[] {
  return Array.isArray(value) && value.length === 6 && value.every((number) => typeof number === 'number')
}

function toPackagePath(folder: string): string {
  return fileURLToPath(new URL(folder, import.meta.resolve('pdfjs-dist/package.json')))
}
