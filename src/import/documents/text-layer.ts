// Extracts the text layer of a PDF page: joins the text items of pdf.js, which are pieces of a line, so that words are
// neither split nor merged. A page with unreadable text has none (readable-text.ts). It runs inside a
// worker process.
import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { isReadable } from './readable-text.ts'

/** The part of an item of pdf.js that is used here. */
interface TextItem {
  readonly str: string
  /** Matrix from text space to page space. Elements 0 and 1 are the text direction, 4 and 5 the start of the item. */
  readonly transform: readonly number[]
  /** Along the direction of the text. */
  readonly width: number
  /** The font size, which is taken as the letter height. */
  readonly height: number
  /** Whether a line ends after it. */
  readonly hasEOL: boolean
}

/** The cosine of the largest angle between two items of the same direction, about 26 degrees. */
const sameDirectionCosine = 0.9
/** Two items of the same height are on different lines if they are further apart than this share of the height. */
const lineDistanceShare = 0.4
/** Two items are printed over each other if their starts are at most this share of the letter height apart. */
const overprintShare = 0.15

/**
 * Line breaks of the layout are kept, because running-text.ts joins words that are broken at a line end. Returns an
 * empty text if it is not readable, so that the page may be read by OCR.
 */
export async function readTextLayer(page: PDFPageProxy): Promise<string> {
  const content = await page.getTextContent()
  // The other items mark structure and have no text.
  const items = closeLetterSpacing(content.items.filter((item) => 'str' in item))
  const text = joinItems(items)
  return isReadable(text) ? text : ''
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
    const text = item.str
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
 * Whether an item begins where the previous one ended, with a tolerance of one letter height for kerning and wrong font
 * widths. An item that begins at the start of the previous one repeats it to look bold, and is no continuation.
 */
function isContinuation(previous: TextItem, next: TextItem): boolean {
  const [directionX = 0, directionY = 0, , , startX = 0, startY = 0] = previous.transform
  const [nextDirectionX = 0, nextDirectionY = 0, , , nextStartX = 0, nextStartY = 0] = next.transform
  const length = Math.hypot(directionX, directionY)
  const nextLength = Math.hypot(nextDirectionX, nextDirectionY)
  const cosine = (directionX * nextDirectionX + directionY * nextDirectionY) / (length * nextLength)
  if (cosine < sameDirectionCosine) return false
  // The distance from the start of one to the start of the other, as the first is turned.
  const [distanceX, distanceY] = [nextStartX - startX, nextStartY - startY]
  const along = (distanceX * directionX + distanceY * directionY) / length
  const across = (distanceY * directionX - distanceX * directionY) / length
  const letterHeight = Math.max(previous.height, next.height)
  // A raised or lowered letter may have another height than its word.
  const acrossMax = previous.height === next.height ? letterHeight * lineDistanceShare : letterHeight
  if (Math.abs(across) > acrossMax || Math.abs(along - previous.width) > letterHeight) return false
  return along > letterHeight * overprintShare
}
