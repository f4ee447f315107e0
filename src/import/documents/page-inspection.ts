// Measures what a PDF page draws, which shows whether it is a scan (scanned-page.ts). It runs inside a worker process.
import { AnnotationMode, OPS, type PDFPageProxy, Util } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { PageInspection } from './scanned-page.ts'

/** The text mode that neither fills nor strokes (ISO 32000-1, 9.3.6); OCR programs write their text layer in it. */
const invisibleText = 3
/** Height of the upper and of the lower margin, as a share of the page height (`countBodyLetters`). */
const marginShare = 0.15

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
