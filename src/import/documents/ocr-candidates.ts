// Finds the OCR candidates of a PDF: the pages that may be scans. First, the pages with little or no text are found
// (low-text pages); then a worker inspects what they draw, which is slow. Page numbers begin with 1.
import type { PageInspection } from './worker-messages.ts'

/** A page with fewer letters has only a stamp. It is a scan if images cover at least `stampImageShare` of it. */
const stampLetters = 300
const stampImageShare = 0.5
/** A page with fewer letters may be a scan with a certification and signatures. Images cover nearly all of it. */
const certificationLetters = 1_500
const certificationImageShare = 0.9
/** A page with fewer letters outside its margins also has only stamps: every electronic signature adds a footer. */
const bodyLettersMin = 100
/** A page with this many letters is never a scan. */
const lowTextLetters = 3_000
/** A longer text is assumed to have enough letters, which are then not counted. */
const lowTextCharacters = 4 * lowTextLetters
/** A page without text is blank if it shows no more than a logo or a few lines. */
const blankImageShare = 0.05
const blankDrawings = 50
/**
 * After this many scans, no further page of the same kind (without text, with little text) is inspected: the rest of
 * the document is probably scanned too, and pages that are not inspected stay candidates.
 */
const scansMax = 8
/** Inspecting more pages of one kind would take minutes. */
const inspectionsMax = 2_000

/** Returns the numbers of the pages with so little text that they may be scans. `texts` are the texts of all pages. */
export function findLowTextPages(texts: readonly string[]): number[] {
  const lowTextPages: number[] = []
  for (const [index, text] of texts.entries()) {
    if (text.length <= lowTextCharacters && countLetters(text) < lowTextLetters) lowTextPages.push(index + 1)
  }
  return lowTextPages
}

/**
 * Inspects low-text pages until enough is known, and adds the results to `inspections`, by page number. `texts` are the
 * texts of all pages.
 */
export async function inspectLowTextPages(
  lowTextPages: readonly number[],
  texts: readonly string[],
  inspections: Map<number, PageInspection>,
  inspect: (pages: readonly number[]) => Promise<ReadonlyMap<number, PageInspection>>,
): Promise<void> {
  let countBefore: number
  do {
    countBefore = inspections.size
    const chosen = choosePagesToInspect(lowTextPages, texts, inspections)
    for (const [page, inspection] of await inspect(chosen)) inspections.set(page, inspection)
    // Stops when a round adds nothing, because a page that cannot be inspected would be chosen again.
  } while (inspections.size > countBefore)
}

/** Returns the numbers of the next pages to inspect, or none once enough is known. */
export function choosePagesToInspect(
  lowTextPages: readonly number[],
  texts: readonly string[],
  inspections: ReadonlyMap<number, PageInspection>,
): number[] {
  const withoutText = lowTextPages.filter((page) => texts[page - 1] === '')
  const withText = lowTextPages.filter((page) => texts[page - 1] !== '')
  return [withoutText, withText].flatMap((pagesOfKind) => {
    const inspected = pagesOfKind.filter((page) => inspections.has(page))
    const scans = inspected.filter((page) => isScan(texts[page - 1], inspections.get(page)))
    if (scans.length >= scansMax || inspected.length >= inspectionsMax) return []
    // At most `scansMax` pages are inspected before both limits are tested again.
    return pagesOfKind.filter((page) => !inspections.has(page)).slice(0, scansMax)
  })
}

/** Whether a page with this text is an image that OCR may read; false if it was not inspected. */
export function isScan(text = '', inspection?: PageInspection): boolean {
  if (inspection === undefined) return false
  const { imageShare, hiddenLetters, bodyLetters, drawings } = inspection
  if (text === '') return imageShare > blankImageShare || drawings > blankDrawings
  const letters = countLetters(text)
  if (letters < stampLetters) return imageShare >= stampImageShare
  // Hidden letters are the text layer of an earlier OCR, so the text of the scan is known.
  if (hiddenLetters >= stampLetters) return false
  if (bodyLetters < bodyLettersMin) return imageShare >= stampImageShare
  return letters < certificationLetters && imageShare >= certificationImageShare
}

/** Digits count as letters. */
function countLetters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
}
