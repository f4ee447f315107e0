// Extracts the text layer of a PDF page: joins the text items of pdf.js, which are pieces of a line, so that words are
// neither split nor merged. It runs inside a worker process.
import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** How many characters, from the start of a page, decide whether its text is readable. */
const sampleCharacters = 5_000
/** The cosine of the largest angle between two items of the same direction, about 26 degrees. */
const sameDirectionCosine = 0.9
/** Two items are printed over each other if their starts are at most this share of the letter height apart. */
const overprintShare = 0.15
/**
 * A raised mark before a word (`isMarkBefore`) is smaller than `markHeightShare` of the word's letter height, and
 * raised by more than `markRaiseShare` of it. The A in the logo of LaTeX is raised by 0.23 and is no mark.
 */
const markHeightShare = 0.8
const markRaiseShare = 0.3
/** Two items of the same height are on different lines if they are further apart than this share of the height. */
const lineDistanceShare = 0.4
/** With a larger share of characters that are no text, a font does not map its glyphs to letters (`isUnmapped`). */
const unmappedShare = 0.3
/** With a larger share of control characters, a font does not map the space, and perhaps no letter either. */
const controlShare = 0.05
/** Spanish text has a larger share of vowels among its letters. */
const vowelShareMin = 0.35
/** Text with unmapped glyphs is kept only if its words have at least this many letters together (`hasWords`). */
const wordLettersMin = 200
/**
 * A font that draws at least `drawingGlyphsMin` glyphs on a page, but at most `drawingGlyphKindsMax` different ones,
 * draws no words (`findDrawingFonts`).
 */
const drawingGlyphsMin = 80
const drawingGlyphKindsMax = 12

/**
 * Line breaks of the layout are kept, because running-text.ts joins words that are broken at a line end. Returns an
 * empty text if the fonts do not map glyphs to letters (no `ToUnicode`) and the page has too few readable words
 * (`hasWords`), so that the page may be read by OCR. Fonts that only draw do not count (`findDrawingFonts`).
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
    // line.
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

function isReadable(text: string): boolean {
  const sample = text.slice(0, sampleCharacters)
  return !isUnmapped(sample) || hasWords(sample)
}

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
  if (hasManyControls(text.slice(0, sampleCharacters))) return text
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

/** The part of an item of pdf.js that is used here. */
interface TextItem {
  readonly str: string
  /** Matrix from text space to page space. Elements 0 and 1 are the text direction, 4 and 5 the start of the item. */
  readonly transform: readonly number[]
  /** Along the direction of the text. */
  readonly width: number
  /** The font size, which is taken as the letter height. */
  readonly height: number
  readonly fontName: string
  /** Whether a line ends after it. */
  readonly hasEOL: boolean
}

/**
 * Whether an item begins where the previous one ended, with a tolerance of one letter height for kerning and wrong font
 * widths. An item that begins at the start of the previous one repeats it to look bold, and is no continuation, unless
 * one of them is an accent of the other.
 */
function isContinuation(previous: TextItem, next: TextItem): boolean {
  const [directionX = 0, directionY = 0, , , startX = 0, startY = 0] = previous.transform
  const [nextDirectionX = 0, nextDirectionY = 0, , , nextStartX = 0, nextStartY = 0] = next.transform
  const length = Math.hypot(directionX, directionY)
  const nextLength = Math.hypot(nextDirectionX, nextDirectionY)
  const cosine = (directionX * nextDirectionX + directionY * nextDirectionY) / (length * nextLength)
  // The distance from the start of the previous item to the start of the next one, along the text and across it.
  // `across` is positive if the next item is higher.
  const distanceX = nextStartX - startX
  const distanceY = nextStartY - startY
  const along = (distanceX * directionX + distanceY * directionY) / length
  const across = (distanceY * directionX - distanceX * directionY) / length
  const letterHeight = Math.max(previous.height, next.height)
  if (cosine < sameDirectionCosine) return false
  // A raised or lowered letter may have another height than its word.
  const acrossMax = previous.height === next.height ? letterHeight * lineDistanceShare : letterHeight
  if (Math.abs(across) > acrossMax || Math.abs(along - previous.width) > letterHeight) return false
  if (isMarkBefore(previous, next, across)) return false
  const isAhead = along > letterHeight * overprintShare
  // A spacing accent (`´`, and `ˆ` and `ˇ`, which Unicode counts as letters) or a combining mark.
  const isAccentOfLetter = /[\p{Sk}\p{M}ˆˇ]$/u.test(previous.str) || /^[\p{Sk}\p{M}ˆˇ]/u.test(next.str)
  return isAhead || isAccentOfLetter
}

/**
 * Whether the previous item is a raised letter that marks the next word, as in a list of authors. `across` is how much
 * higher the next item is. A raised letter after a word often belongs to it: `Sr` and `a`, `Excm` and `o`.
 */
function isMarkBefore(previous: TextItem, next: TextItem, across: number): boolean {
  const isSmaller = previous.height < next.height * markHeightShare
  const isRaised = -across > next.height * markRaiseShare
  const hasLettersOnBothSides = /\p{L}$/u.test(previous.str) && /^\p{L}/u.test(next.str)
  return isSmaller && isRaised && hasLettersOnBothSides
}

/**
 * Whether the fonts do not map glyphs to letters. Such glyphs appear as private-use characters, as dingbats (`❆✁✂✄`),
 * or as glyph numbers: `1250$6\x0385%` for "NORMAS URB", where the space is a control character. A font that maps
 * everything except the space also leaves control characters, but its words have vowels.
 */
function isUnmapped(sample: string): boolean {
  if (count(sample, unmapped) > sample.length * unmappedShare) return true
  if (!hasManyControls(sample)) return false
  return count(sample, /[aeiouáéíóúü]/giu) < count(sample, /\p{L}/gu) * vowelShareMin
}

/** Private-use, unassigned and control characters, symbols such as dingbats, and the replacement character. */
const unmapped = /[[\p{Co}\p{Cn}\p{Cc}\p{So}\ufffd]--\n]/gv

/**
 * Whether the sample has Spanish words with at least as many letters as it has unmapped glyphs. If the font of the body
 * is unmapped, the words of header and footer have fewer. A word has four letters or more here: fewer may be unmapped
 * glyphs. Symbols do not count as unmapped glyphs here, so that the title and headings of a table of symbols are kept.
 */
function hasWords(sample: string): boolean {
  const letters = sample.match(/\p{L}{4,}/gu)?.join('') ?? ''
  const isSpanish = count(letters, /[aeiouáéíóúü]/giu) >= letters.length * vowelShareMin
  const unmappedCount = count(sample, unmapped) - count(sample, /\p{So}/gu)
  return letters.length >= Math.max(wordLettersMin, unmappedCount) && isSpanish
}

/** The control characters of layout do not count. */
function hasManyControls(sample: string): boolean {
  return count(sample, /[\p{Cc}--[\t\n\f\r]]/gv) > sample.length * controlShare
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
