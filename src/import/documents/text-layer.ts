// Extracts the text layer of a PDF page: joins the text items of pdf.js so that words are neither split nor merged. It
// runs inside a worker process.
import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** Characters that decide whether the text of a page is readable. */
const sampleCharacters = 5_000
/** The cosine of the largest angle between two items of the same direction, about 26 degrees. */
const sameDirectionCosine = 0.9
/** An item that begins less than this share of the letter height after the previous one is printed over it. */
const overprintShare = 0.15
/** Shares of the sample. A font with more such characters does not map its letters, or does not map the space. */
const unmappedShare = 0.3
const controlShare = 0.05
/** Spanish text has a larger share of vowels among its letters. */
const vowelShareMin = 0.35

/**
 * Line breaks of the layout are kept, because the analyser joins words hyphenated at a line end. Returns an empty text
 * if the fonts do not map glyphs to letters (no `ToUnicode`), so that the page becomes an OCR candidate.
 */
export async function readTextLayer(page: PDFPageProxy): Promise<string> {
  const content = await page.getTextContent()
  const parts: string[] = []
  let previous: TextItem | undefined
  for (const item of content.items) {
    if (!('str' in item)) continue
    if (previous !== undefined && /^\S/.test(item.str) && !isContinuation(previous, item)) parts.push('\n')
    parts.push(item.hasEOL ? `${item.str}\n` : item.str)
    // A space or line break already separates the next item.
    if (item.hasEOL || /\s$/.test(item.str)) previous = undefined
    else if (item.str !== '') previous = item
  }
  const text = parts.join('')
  return isUnmapped(text.slice(0, sampleCharacters)) ? '' : text
}

/** The part of an item of pdf.js that is used here. */
interface TextItem {
  readonly str: string
  /** A matrix from text space to page space. 0 and 1 are the direction of the text, 4 and 5 the start of the item. */
  readonly transform: readonly number[]
  /** Along the direction of the text. `height` is the font size. */
  readonly width: number
  readonly height: number
}

/**
 * Whether an item begins where the previous one ended, with a tolerance of one letter height for kerning and wrong font
 * widths. An item that begins at the start of the previous one is printed over it to look bold, and is separate; an
 * accent printed over its letter is not.
 */
function isContinuation(previous: TextItem, next: TextItem): boolean {
  const [directionX = 0, directionY = 0, , , startX = 0, startY = 0] = previous.transform
  const [nextDirectionX = 0, nextDirectionY = 0, , , nextStartX = 0, nextStartY = 0] = next.transform
  const length = Math.hypot(directionX, directionY)
  const nextLength = Math.hypot(nextDirectionX, nextDirectionY)
  const cosine = (directionX * nextDirectionX + directionY * nextDirectionY) / (length * nextLength)
  // The way from the start of the previous item to the start of the next one, along and across its direction.
  const [wayX, wayY] = [nextStartX - startX, nextStartY - startY]
  const along = (wayX * directionX + wayY * directionY) / length
  const across = (wayY * directionX - wayX * directionY) / length
  const letterHeight = Math.max(previous.height, next.height)
  if (cosine < sameDirectionCosine) return false
  if (Math.abs(across) > letterHeight || Math.abs(along - previous.width) > letterHeight) return false
  const isAhead = along > letterHeight * overprintShare
  const isAccentOfLetter = /[\p{Sk}\p{M}]$/u.test(previous.str) || /^[\p{Sk}\p{M}]/u.test(next.str)
  return isAhead || isAccentOfLetter
}

/**
 * Glyphs that a font does not map to letters appear as private-use characters, as dingbats (`❆✁✂✄`), or as glyph
 * numbers: `1250$6\x0385%` for "NORMAS URB", where the space is a control character. A font that maps everything except
 * the space also leaves control characters, but its words have vowels.
 */
function isUnmapped(sample: string): boolean {
  const count = (pattern: RegExp): number => sample.match(pattern)?.length ?? 0
  if (count(/[[\p{Co}\p{Cn}\p{Cc}\p{So}\ufffd]--\n]/gv) > sample.length * unmappedShare) return true
  const hasControls = count(/[\p{Cc}--[\t\n\f\r]]/gv) > sample.length * controlShare
  return hasControls && count(/[aeiouáéíóúü]/giu) < count(/\p{L}/gu) * vowelShareMin
}
