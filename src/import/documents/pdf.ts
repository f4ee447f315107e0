// Opens a PDF with pdf.js, inspects what a page draws, which shows whether it is a scan, and renders a page for OCR. It
// runs inside a worker process. text-layer.ts reads the text of a page.
import { fileURLToPath } from 'node:url'
import {
  AnnotationMode,
  getDocument,
  InvalidPDFException,
  OPS,
  PasswordException,
  type PDFDocumentProxy,
  type PDFPageProxy,
  Util,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Reason } from '../../domain/document-reason.ts'
import type { PageInspection } from './worker-messages.ts'

/** The text mode that neither fills nor strokes (ISO 32000-1, 9.3.6); OCR programs write their text layer in it. */
const invisibleText = 3
/** Height of the upper and of the lower margin, as a share of the page height (`countBodyLetters`). */
const marginShare = 0.15
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

/** The part of the graphics state (ISO 32000-1, 8.4) that the inspection needs. */
interface GraphicsState {
  /** The transformation from the current coordinates to those of the page, as six numbers (ISO 32000-1, 8.3.3). */
  readonly matrix: number[]
  /** How letters are drawn: filled, outlined or invisible (`invisibleText`). */
  readonly textMode: number
}

/**
 * Measures what a page draws: follows its drawing operations, and the transformation matrices that place them.
 * Annotations do not count: annotations.ts reads their text, and a drawn signature does not make a blank page a scan.
 */
export async function inspectPage(page: PDFPageProxy): Promise<PageInspection> {
  const { fnArray: operations, argsArray } = await page.getOperatorList({ annotationMode: AnnotationMode.DISABLE })
  const view = page.getViewport({ scale: 1 })
  // The area is in drawing coordinates, which do not include the user unit that enlarges the page of a large plan.
  const pageArea = Math.max(1, (view.width * view.height) / page.userUnit ** 2)
  let state: GraphicsState = { matrix: [1, 0, 0, 1, 0, 0], textMode: 0 }
  const savedStates: GraphicsState[] = []
  let imageArea = 0
  let drawings = 0
  let letters = 0
  let hiddenLetters = 0
  for (const [index, operation] of operations.entries()) {
    const args: unknown = argsArray[index]
    switch (operation) {
      case OPS.save:
        savedStates.push(state)
        break
      // A form is a drawing that pages can share. It saves and restores the state, and may have a matrix.
      case OPS.paintFormXObjectBegin: {
        savedStates.push(state)
        const formMatrix: unknown = Array.isArray(args) ? args[0] : undefined
        if (isMatrix(formMatrix)) state = transform(state, formMatrix)
        break
      }
      case OPS.restore:
      case OPS.paintFormXObjectEnd:
        state = savedStates.pop() ?? state
        break
      case OPS.transform:
        if (isMatrix(args)) state = transform(state, args)
        break
      case OPS.setTextRenderingMode:
        if (Array.isArray(args)) state = { ...state, textMode: Number(args[0]) }
        break
      case OPS.constructPath:
      case OPS.shadingFill:
        drawings += 1
        break
      case OPS.showText: {
        const glyphs = countGlyphs(args)
        drawings += glyphs
        letters += glyphs
        if (state.textMode === invisibleText) hiddenLetters += glyphs
        break
      }
      default: {
        if (!imageOperations.has(operation)) break
        // A group of images, or of copies of one image, is not measured and counts as the whole page.
        const area = imageGroupOperations.has(operation) ? pageArea : toImageArea(state)
        imageArea += area
        // A large image probably covers all letters drawn before it. Where each of them is drawn is not looked at.
        if (area > pageArea / 2) hiddenLetters = letters
      }
    }
  }
  // `isScan` (scanned-page.ts) asks where the letters are only if images cover at least half of the page.
  const isMostlyImages = imageArea >= pageArea / 2
  const bodyLetters = isMostlyImages && letters > 0 ? await countBodyLetters(page) : letters
  return { imageShare: Math.min(1, imageArea / pageArea), hiddenLetters, bodyLetters, drawings }
}

/** `args` are those of `showText`. The first is a list of glyphs (objects) and numbers, which move the next glyph. */
function countGlyphs(args: unknown): number {
  if (!Array.isArray(args) || !Array.isArray(args[0])) return 0
  return args[0].filter((each) => typeof each === 'object').length
}

function transform(state: GraphicsState, matrix: readonly number[]): GraphicsState {
  return { ...state, matrix: Util.transform(state.matrix, [...matrix]) }
}

/** An image fills the unit square of its coordinates (ISO 32000-1, 8.9.5): its area is the matrix determinant. */
function toImageArea({ matrix: [a = 0, b = 0, c = 0, d = 0] }: GraphicsState): number {
  return Math.abs(a * d - b * c)
}

/** Counts the letters of text items that begin outside the margins: footers and signatures are in the margins. */
async function countBodyLetters(page: PDFPageProxy): Promise<number> {
  const [left = 0, bottom = 0, right = 0, top = 0] = page.view
  let letters = 0
  for (const item of (await page.getTextContent()).items) {
    if (!('str' in item)) continue
    // The matrix begins with the direction of the text and ends with its starting point.
    const [directionX = 0, directionY = 0, , , x = 0, y = 0] = item.transform as readonly number[]
    // Text that runs upwards or downwards has its header and footer at the left and right edges of the page.
    const isSideways = Math.abs(directionY) > Math.abs(directionX)
    // From 0 at one edge of the page to 1 at the opposite one.
    const place = isSideways ? (x - left) / (right - left) : (y - bottom) / (top - bottom)
    const isOutsideMargins = place > marginShare && place < 1 - marginShare
    if (isOutsideMargins) letters += item.str.replace(/\s/g, '').length
  }
  return letters
}

export interface GreyImage {
  readonly width: number
  readonly height: number
  /** One byte per pixel; 255 is white. */
  readonly pixels: Uint8Array
}

/** Renders at 200 dpi, enough for 8-point type, or at a lower resolution to bound memory (`renderPixelsMax`). */
export async function renderPage(document: PDFDocumentProxy, page: PDFPageProxy): Promise<GreyImage> {
  const unscaled = page.getViewport({ scale: 1 })
  const fullPixels = unscaled.width * unscaled.height * renderScale ** 2
  // 1 for a page that fits. Halving the scale divides the pixels by four.
  const reduction = Math.min(1, Math.sqrt(renderPixelsMax / fullPixels))
  const viewport = page.getViewport({ scale: renderScale * reduction })
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

/** Operations that draw several images, or one image several times. */
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

/** Returns the path of a folder of the package pdfjs-dist. */
function toPackagePath(folder: string): string {
  return fileURLToPath(new URL(folder, import.meta.resolve('pdfjs-dist/package.json')))
}
