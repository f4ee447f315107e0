// Extracts the text layer of a PDF page: joins the text items of pdf.js, which are pieces of a line, so that words are
// neither split nor merged (text-item.ts). A page with unreadable text has none (readable-text.ts). It runs inside a
// worker process.
import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { hasManyControls, isReadable, isUnmapped, toSample } from './readable-text.ts'
import { isContinuation, type TextItem } from './text-item.ts'

/**
 * Line breaks of the layout are kept, because running-text.ts joins words that are broken at a line end. Returns an
 * empty text if it is not readable, so that the page may be read by OCR. Fonts that only draw do not count
 * (`findDrawingFonts`).
 */
export async function readTextLayer(page: PDFPageProxy): Promise<string> {
  const content = await page.getTextContent()
  // The other items mark structure and have no text.
  const items = closeLetterSpacing(content.items.filter((item) => 'str' in item))
  const text = joinItems(items)
  if (isReadable(text)) return replaceLigatures(text)
  const drawingFonts = findDrawingFonts(items)
  const textWithoutDrawings = joinItems(items.filter(({ fontName }) => !drawingFonts.has(fontName)))
  // Some font of the page is unmapped, so others may be too. Their glyph numbers may appear as punctuation alone
  // (`! " # $`), which `isUnmapped` takes for text, so the rest must have a word.
  const hasWord = /\p{L}{4}/u.test(textWithoutDrawings)
  return hasWord && isReadable(textWithoutDrawings) ? replaceLigatures(textWithoutDrawings) : ''
}

/** A word whose letters are spaced out, as in headings, perhaps with punctuation: `P L A N`. */
const spacedWord = /^\p{L}(?: \p{L}){2,}(?: ?\p{P})?$/u
/** Two letters and a space. They are a word only next to another word with spaced letters, as in `P L A N` `D E`. */
const spacedPair = /^\p{L} \p{L}$/u

/**
 * Removes the spaces inside the words of letter-spaced headings. pdf.js gives each of these words as one item, and a
 * space between two words as another one, so the next word is two items further. Letters in alphabetical order, such
 * as `A B C`, are no word.
 */
function closeLetterSpacing(items: readonly TextItem[]): TextItem[] {
  /** `item` is undefined before the first item and after the last one. */
  const isSpaced = (item: TextItem | undefined): boolean => {
    const text = item?.str ?? ''
    return spacedWord.test(text) && !'abcdefghijklmnopqrstuvwxyz'.includes(text.replace(/\P{L}/gu, '').toLowerCase())
  }
  return items.map((item, index) => {
    const isPair = spacedPair.test(item.str) && (isSpaced(items[index - 2]) || isSpaced(items[index + 2]))
    return isPair || isSpaced(item) ? { ...item, str: item.str.replaceAll(' ', '') } : item
  })
}

function joinItems(items: readonly TextItem[]): string {
  const parts: string[] = []
  /** The last item with text; undefined if it ended with a space or line break, which separates the next item. */
  let previous: TextItem | undefined
  for (const item of items) {
    // pdf.js begins an item with a space only if the space has no width: it is the glyph of a soft hyphen inside a
    // line. The items `urbani` and ` zable` are one word.
    const isInWord = previous !== undefined && /\p{L}$/u.test(previous.str)
    const text = isInWord ? item.str.replace(/^ (?=\p{L})/u, '') : item.str
    const isSeparateWord = previous !== undefined && /^\S/.test(text) && !isContinuation(previous, item)
    // The next item is at another place, so a word may be broken here as at the end of a line (running-text.ts).
    if (isSeparateWord) parts.push('\n')
    parts.push(item.hasEOL ? `${text}\n` : text)
    if (item.hasEOL || /\s$/.test(text)) previous = undefined
    else if (text !== '') previous = item
  }
  return parts.join('')
}

/**
 * A font that draws at least `drawingGlyphsMin` glyphs on a page, but at most `drawingGlyphKindsMax` different ones,
 * draws no words.
 */
const drawingGlyphsMin = 80
const drawingGlyphKindsMax = 12

/**
 * Returns the unmapped fonts that draw the lines of tables or musical notes: they repeat few glyphs. If they are left
 * out, the page still has all its words, so it needs no OCR.
 */
function findDrawingFonts(items: readonly TextItem[]): Set<string> {
  const drawingFonts = new Set<string>()
  for (const [fontName, itemsOfFont] of Map.groupBy(items, (item) => item.fontName)) {
    const glyphs = itemsOfFont.map(({ str }) => str.replaceAll(' ', '')).join('')
    const hasFewKinds = glyphs.length >= drawingGlyphsMin && new Set(glyphs).size <= drawingGlyphKindsMax
    if (hasFewKinds && isUnmapped(glyphs)) drawingFonts.add(fontName)
  }
  return drawingFonts
}

/**
 * Replaces the glyph numbers of ligatures, which are control characters inside words, by letters. If the text has many
 * control characters, they are the spaces of a font that does not map the space, and stay.
 */
function replaceLigatures(text: string): string {
  if (hasManyControls(toSample(text))) return text
  return text.replace(controlInWord, (control) => ligatures.get(control) ?? control)
}

/**
 * Fonts of TeX that do not name the glyphs of ligatures leave the glyph numbers of the encodings OT1 and T1 in the
 * text: `edi\x1ccación`.
 */
const ligatures: ReadonlyMap<string, string> = new Map([
  ['\x0b', 'ff'],
  ['\x0c', 'fi'],
  ['\x0d', 'fl'],
  ['\x0e', 'ffi'],
  ['\x0f', 'ffl'],
  ['\x1b', 'ff'],
  ['\x1c', 'fi'],
  ['\x1d', 'fl'],
  ['\x1e', 'ffi'],
  ['\x1f', 'ffl'],
])
/** A control character after a letter or before a lower-case letter. */
const controlInWord = /(?<=\p{L})\p{Cc}|\p{Cc}(?=\p{Ll})/gu
