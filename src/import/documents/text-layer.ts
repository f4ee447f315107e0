// Extracts the text layer of a PDF page: joins the text items of pdf.js so that words are neither split nor merged.
import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

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
  return isUnmapped(text.slice(0, 5_000)) ? '' : text
}

interface TextItem {
  readonly str: string
  /** From text space to page space: direction of the text, and start of the item. */
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
  const [a = 0, b = 0, , , previousX = 0, previousY = 0] = previous.transform
  const [nextA = 0, nextB = 0, , , nextX = 0, nextY = 0] = next.transform
  const scale = Math.hypot(a, b)
  const cosine = (a * nextA + b * nextB) / (scale * Math.hypot(nextA, nextB))
  const along = ((nextX - previousX) * a + (nextY - previousY) * b) / scale
  const across = ((nextY - previousY) * a - (nextX - previousX) * b) / scale
  const tolerance = Math.max(previous.height, next.height)
  if (cosine < 0.9 || Math.abs(across) > tolerance || Math.abs(along - previous.width) > tolerance) return false
  return along > tolerance * 0.15 || /[\p{Sk}\p{M}]$/u.test(previous.str) || /^[\p{Sk}\p{M}]/u.test(next.str)
}

/**
 * Glyphs that a font does not map to letters appear as private-use characters, as dingbats (`❆✁✂✄`), or as glyph
 * numbers: `1250$6\x0385%` for "NORMAS URB", where the space is a control character. A font that maps everything except
 * the space also leaves control characters, but its words have vowels.
 */
function isUnmapped(sample: string): boolean {
  const count = (pattern: RegExp): number => sample.match(pattern)?.length ?? 0
  if (count(/[[\p{Co}\p{Cn}\p{Cc}\p{So}\ufffd]--\n]/gv) > sample.length * 0.3) return true
  const hasControls = count(/[\p{Cc}--[\t\n\f\r]]/gv) > sample.length * 0.05
  return hasControls && count(/[aeiouáéíóúü]/giu) < count(/\p{L}/gu) * 0.35
}
