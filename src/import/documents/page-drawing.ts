// Follows what a PDF page draws (ISO 32000-1, 8 and 9): how much images cover, where its letters are, and the text that
// annotations draw. It runs inside a worker process.
import { AnnotationMode, OPS, type PDFPageProxy, Util } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { PageInspection } from './scanned-page.ts'

/** The text mode that neither fills nor strokes (ISO 32000-1, 9.3.6); OCR programs write their text layer in it. */
const invisibleText = 3
/** Height of the upper and of the lower margin, as a share of the page height (`countBodyLetters`). */
const marginShare = 0.15
/** A wider gap between two letters is a space. In thousandths of the font size (ISO 32000-1, 9.4.3). */
const spaceWidth = 200

/** The part of the graphics state (ISO 32000-1, 8.4) that the inspection needs. */
interface GraphicsState {
  /** The transformation from the current coordinates to those of the page, as six numbers (ISO 32000-1, 8.3.3). */
  readonly matrix: number[]
  /** How letters are drawn: filled, outlined or invisible (`invisibleText`). */
  readonly textMode: number
}

/**
 * Measures what a page draws, which shows whether it is a scan. Annotations do not count: annotations.ts reads their
 * text, and a drawn signature does not make a blank page a scan.
 */
export async function inspectPage(page: PDFPageProxy): Promise<PageInspection> {
  const view = page.getViewport({ scale: 1 })
  // The area is in drawing coordinates, which do not include the user unit that enlarges the page of a large plan.
  const pageArea = Math.max(1, (view.width * view.height) / page.userUnit ** 2)
  let state: GraphicsState = { matrix: [1, 0, 0, 1, 0, 0], textMode: 0 }
  const savedStates: GraphicsState[] = []
  const transform = (matrix: unknown): void => {
    if (isMatrix(matrix)) state = { ...state, matrix: Util.transform(state.matrix, matrix) }
  }
  let imageArea = 0
  let drawings = 0
  let letters = 0
  let hiddenLetters = 0
  for (const [operation, args] of await readOperations(page, AnnotationMode.DISABLE)) {
    switch (operation) {
      case OPS.save:
        savedStates.push(state)
        break
      // A form is a drawing that pages can share. It saves and restores the state, and may have a matrix.
      case OPS.paintFormXObjectBegin:
        savedStates.push(state)
        transform(args[0])
        break
      case OPS.restore:
      case OPS.paintFormXObjectEnd:
        state = savedStates.pop() ?? state
        break
      case OPS.transform:
        transform(args)
        break
      case OPS.setTextRenderingMode:
        state = { ...state, textMode: Number(args[0]) }
        break
      case OPS.constructPath:
      case OPS.shadingFill:
        drawings += 1
        break
      case OPS.showText: {
        const glyphs = toGlyphs(args).filter((each) => typeof each === 'object').length
        drawings += glyphs
        letters += glyphs
        if (state.textMode === invisibleText) hiddenLetters += glyphs
        break
      }
      default: {
        if (!imageOperations.has(operation)) break
        // An image fills the unit square of its coordinates: its area is the matrix determinant. A group of images, or
        // of copies of one image, is not measured and counts as the whole page.
        const [a = 0, b = 0, c = 0, d = 0] = state.matrix
        const area = imageGroupOperations.has(operation) ? pageArea : Math.abs(a * d - b * c)
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

/** Returns the text that is drawn for each annotation, by its id. */
export async function readAppearances(page: PDFPageProxy): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  /** The annotation that is being drawn; undefined for the page itself. */
  let id: string | undefined
  for (const [operation, args] of await readOperations(page, AnnotationMode.ENABLE)) {
    if (operation === OPS.beginAnnotation) id = String(args[0])
    else if (operation === OPS.endAnnotation) id = undefined
    else if (id !== undefined && operation === OPS.showText) texts.set(id, (texts.get(id) ?? '') + toShownText(args))
    else if (id !== undefined && positionOperations.has(operation)) texts.set(id, `${texts.get(id) ?? ''}\n`)
  }
  return texts
}

/** The operations of a page, each with its arguments. */
async function readOperations(
  page: PDFPageProxy,
  annotationMode: number,
): Promise<readonly (readonly [operation: number, args: readonly unknown[]])[]> {
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode })
  return fnArray.map((operation, index) => {
    const args: unknown = argsArray[index]
    return [operation, Array.isArray(args) ? args : []]
  })
}

/** `args` are those of `showText`: a list of glyphs (objects) and numbers. */
function toGlyphs([glyphs]: readonly unknown[]): readonly unknown[] {
  return Array.isArray(glyphs) ? glyphs : []
}

/** A negative number is a gap before the next glyph. */
function toShownText(args: readonly unknown[]): string {
  const texts = toGlyphs(args).map((glyph) => {
    if (typeof glyph === 'number') return glyph < -spaceWidth ? ' ' : ''
    return typeof glyph === 'object' && glyph !== null && 'unicode' in glyph ? String(glyph.unicode) : ''
  })
  return texts.join('')
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
    if (place > marginShare && place < 1 - marginShare) letters += item.str.replace(/\s/g, '').length
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
/** Operations after which text begins at another place. */
const positionOperations: ReadonlySet<number> = new Set([
  OPS.beginText,
  OPS.moveText,
  OPS.setLeadingMoveText,
  OPS.setTextMatrix,
  OPS.nextLine,
])

function isMatrix(value: unknown): value is number[] {
  return Array.isArray(value) && value.length === 6 && value.every((number) => typeof number === 'number')
}
