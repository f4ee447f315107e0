// Decides whether one page of a PDF is a scan, an image that OCR may read, from its text and what it draws.
import type { PageInspection } from './worker-messages.ts'

/** `failed` if the page makes a worker fail. */
export type InspectionResult = PageInspection | 'failed'

/** A page with fewer letters is taken to have only a stamp. */
export const stampLetters = 300
/**
 * A page with fewer letters outside its margins is also taken to have only stamps, even if it has more than
 * `stampLetters` in all: every electronic signature adds a footer, and several footers together are that long.
 */
const bodyLettersMin = 100
/** A page with fewer letters may be a scan with a certification and signatures. */
const certificationLetters = 1_500
/** A page without text is blank if images cover less, and it draws no more than a logo or a few lines. */
const blankImageShare = 0.05
const blankDrawings = 50
const halfPageImageShare = 0.5
/** From this share on, images cover nearly the whole page. */
const wholePageImageShare = 0.9

/**
 * Returns false if the page was not inspected, and true if it makes a worker fail: such a page is certainly not blank.
 * For any other page, the first row that applies decides:
 *
 * | page | is a scan if |
 * |---|---|
 * | without text | it shows more than a logo or a few lines |
 * | with a stamp (fewer than `stampLetters`) | images cover half of it or more, and it has no text of earlier OCR |
 * | with at least `stampLetters` hidden letters | never: they are more than a header, so they are of earlier OCR |
 * | with fewer than `bodyLettersMin` letters outside the margins | images cover half of it or more |
 * | with fewer than `certificationLetters` | images cover nearly all of it |
 * | any other | never |
 */
export function isScan(text = '', inspection?: InspectionResult): boolean {
  if (inspection === undefined) return false
  if (inspection === 'failed') return true
  const { imageShare, hiddenLetters, bodyLetters, drawings } = inspection
  if (text === '') return imageShare > blankImageShare || drawings > blankDrawings
  const letters = countLetters(text)
  if (letters < stampLetters) return imageShare >= halfPageImageShare && !hasEarlierOcr(letters, inspection)
  if (hiddenLetters >= stampLetters) return false
  if (bodyLetters < bodyLettersMin) return imageShare >= halfPageImageShare
  return letters < certificationLetters && imageShare >= wholePageImageShare
}

/**
 * Whether the few letters of a page are the text of earlier OCR, which is hidden: invisible, or drawn before a large
 * image, which probably covers it. If the image leaves a part of the page free, the letters may also be a header above
 * the image: it counts as hidden if it is drawn first, because the inspection does not look at where letters are drawn.
 */
function hasEarlierOcr(letters: number, { imageShare, hiddenLetters }: PageInspection): boolean {
  return hiddenLetters > letters / 2 && imageShare >= wholePageImageShare
}

/** Digits count as letters. */
export function countLetters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
}
