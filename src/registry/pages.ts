// The pages of a record: the rows of the table `page`. A row is a page of a document, the column `content`, or a part
// of one of these if it is long, so that a passage (a piece of text around a match) needs only a short text.
import type { RecordContent } from '../domain/document.ts'

export interface Page {
  /** Number of the document in its record, from 1; null for the column `content`. */
  readonly document: number | null
  /** Page of the file of the document, from 1; null for text without pages. */
  readonly page: number | null
  /** Whether the text was recognised from an image (OCR). */
  readonly recognised: boolean
  readonly text: string
}

/** A longer page is cut into several rows, which bounds the cost of a passage. */
const pageCharactersMax = 16_000

/**
 * The cut is at the last white space between this length and `pageCharactersMax`. If there is none, it is at
 * `pageCharactersMax`, inside a word.
 */
const pageCharactersMin = pageCharactersMax / 2

/** The pages of a record in reading order: the column `content`, then its documents. Empty ones are left out. */
export function toPages({ text, documents }: RecordContent): Page[] {
  const pages: Page[] = []
  addParts(pages, { document: null, page: null, recognised: false, text })
  for (const [index, { texts }] of documents.entries()) {
    for (const page of texts) addParts(pages, { document: index + 1, ...page })
  }
  return pages
}

/** Adds the text of one page, or of the column `content`, as one or more rows; as none if it is empty. */
function addParts(pages: Page[], { document, page, recognised, text }: Page): void {
  // A lone surrogate cannot be stored as UTF-8. Invisible characters are removed: a run of them could fill a passage.
  let rest = text.toWellFormed().replace(invisibleCharacters, '').trim()
  while (rest !== '') {
    const end = findCut(rest)
    pages.push({ document, page, recognised, text: rest.slice(0, end).trimEnd() })
    rest = rest.slice(end).trimStart()
  }
}

/** The offset at which the first part of a text ends. */
function findCut(text: string): number {
  if (text.length <= pageCharactersMax) return text.length
  for (let end = pageCharactersMax; end >= pageCharactersMin; end--) {
    if (whiteSpace.test(text.charAt(end))) return end
  }
  // If the cut would split a surrogate pair, it is one character earlier.
  return text.slice(0, pageCharactersMax).isWellFormed() ? pageCharactersMax : pageCharactersMax - 1
}

const whiteSpace = /\s/
/** The zero-width space, the word joiner, the byte order mark, and the control characters for the writing direction. */
const invisibleCharacters = /[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+/g
