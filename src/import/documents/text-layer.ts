// The text layer of a page of PDF: the pieces that pdf.js finds, put together so that words stay whole and apart.
import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

/**
 * The text layer: lines end where the layout ends them, because the analyser joins words hyphenated there. Empty where
 * the fonts do not say which letters their shapes are, so that the page is taken for the picture it is.
 */
export async function readTextLayer(page: PDFPageProxy): Promise<string> {
  const content = await page.getTextContent()
  const parts: string[] = []
  let before: TextPiece | undefined
  for (const item of content.items) {
    if (!('str' in item)) continue
    if (before !== undefined && /^\S/.test(item.str) && !continues(before, item)) parts.push('\n')
    parts.push(item.hasEOL ? `${item.str}\n` : item.str)
    // After a blank or a line end words are apart already.
    if (item.hasEOL || /\s$/.test(item.str)) before = undefined
    else if (item.str !== '') before = item
  }
  const text = parts.join('')
  return isUnnamed(text.slice(0, 5_000)) ? '' : text
}

interface TextPiece {
  readonly str: string
  /** From text space to the page: the direction in which the text runs, and where the piece begins. */
  readonly transform: readonly number[]
  /** Along the direction of the text; the height is that of the font. */
  readonly width: number
  readonly height: number
}

/**
 * Whether a piece goes on where the one before ended, give or take the height of a letter: kerning and fonts that
 * misstate their widths move a little way back inside a word. A piece that goes back to the beginning of the one before
 * is printed over it, to make it bold; an accent is printed over its letter, and belongs to it.
 */
function continues(before: TextPiece, next: TextPiece): boolean {
  const [a = 0, b = 0, , , beforeX = 0, beforeY = 0] = before.transform
  const [nextA = 0, nextB = 0, , , nextX = 0, nextY = 0] = next.transform
  const scale = Math.hypot(a, b)
  const turn = (a * nextA + b * nextB) / (scale * Math.hypot(nextA, nextB))
  const along = ((nextX - beforeX) * a + (nextY - beforeY) * b) / scale
  const across = ((nextY - beforeY) * a - (nextX - beforeX) * b) / scale
  const near = Math.max(before.height, next.height)
  if (turn < 0.9 || Math.abs(across) > near || Math.abs(along - before.width) > near) return false
  return along > near * 0.15 || /[\p{Sk}\p{M}]$/u.test(before.str) || /^[\p{Sk}\p{M}]/u.test(next.str)
}

/**
 * Letters that no font names come as characters of private use, as pictograms (`❆✁✂✄`), or as the numbers of their
 * shapes: `1250$6\x0385%` for "NORMAS URB", where the number of the blank is a control character. A font that names all
 * but its blank leaves control characters as well, but between words, and words have vowels.
 */
function isUnnamed(sample: string): boolean {
  const count = (pattern: RegExp): number => sample.match(pattern)?.length ?? 0
  if (count(/[[\p{Co}\p{Cn}\p{Cc}\p{So}\ufffd]--\n]/gv) > sample.length * 0.3) return true
  const hasNumbers = count(/[\p{Cc}--[\t\n\f\r]]/gv) > sample.length * 0.05
  return hasNumbers && count(/[aeiouáéíóúü]/giu) < count(/\p{L}/gu) * 0.35
}
