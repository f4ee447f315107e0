// Finds the OCR candidates of a PDF: the pages that may be scans. The text of a page is judged first; a page with
// little or no text is then inspected for what it draws. Page numbers begin with 1.
import type { PageInspection } from './worker-messages.ts'

/** A page with fewer letters is a scan with a stamp if images cover this share of the page. */
const sparsePageLetters = 300
const sparseImageShare = 0.5
/** A page with fewer letters, such as a certification and signatures, is a scan if images cover this share of it. */
const stampedPageLetters = 1_500
const stampedImageShare = 0.9
/** A page with fewer letters outside its margins has stamps only: every electronic signature adds a footer. */
const bodyLettersMin = 100
/** A page with this many letters is never a scan. */
const lowTextLetters = 3_000
/** A longer text is assumed to have enough letters, and they are not counted. */
const lowTextCharacters = 4 * lowTextLetters
/** A page without text is blank if it shows no more than a logo or a few lines. */
const blankImageShare = 0.05
const blankDrawings = 50
/** After this many scans, no further page of the same kind (without text, with little text) is inspected. */
const scansMax = 8
/** Inspecting more pages of one kind would take minutes. */
const inspectionsMax = 2_000

/** Returns the numbers of the pages with so little text that they may be scans. `pages` are their texts. */
export function findLowTextPages(pages: readonly string[]): number[] {
  const lowText: number[] = []
  for (const [index, text] of pages.entries()) {
    if (text.length <= lowTextCharacters && countLetters(text) < lowTextLetters) lowText.push(index + 1)
  }
  return lowText
}

/** Inspects low-text pages until enough is known, and adds the results to `inspections`. */
export async function inspectLowTextPages(
  lowText: readonly number[],
  pages: readonly string[],
  inspections: Map<number, PageInspection>,
  inspect: (pages: readonly number[]) => Promise<ReadonlyMap<number, PageInspection>>,
): Promise<void> {
  let sizeBefore: number
  do {
    sizeBefore = inspections.size
    const chosen = choosePagesToInspect(lowText, pages, inspections)
    for (const [page, inspection] of await inspect(chosen)) inspections.set(page, inspection)
    // Stops when a round adds nothing, because a page that cannot be inspected would be chosen again.
  } while (inspections.size > sizeBefore)
}

/** Returns the next pages to inspect, or none once enough is known. */
export function choosePagesToInspect(
  lowText: readonly number[],
  pages: readonly string[],
  inspections: ReadonlyMap<number, PageInspection>,
): number[] {
  const textless = lowText.filter((page) => pages[page - 1] === '')
  const sparse = lowText.filter((page) => pages[page - 1] !== '')
  return [textless, sparse].flatMap((pagesOfKind) => {
    const inspected = pagesOfKind.filter((page) => inspections.has(page))
    const scans = inspected.filter((page) => isScan(pages[page - 1], inspections.get(page)))
    if (scans.length >= scansMax || inspected.length >= inspectionsMax) return []
    return pagesOfKind.filter((page) => !inspections.has(page)).slice(0, scansMax)
  })
}

/** Whether a page with this text is an image that OCR may read; false if it was not inspected. */
export function isScan(text = '', inspection?: PageInspection): boolean {
  if (inspection === undefined) return false
  const { imageShare, hiddenLetters, bodyLetters, drawings } = inspection
  if (text === '') return imageShare > blankImageShare || drawings > blankDrawings
  const letters = countLetters(text)
  if (letters < sparsePageLetters) return imageShare >= sparseImageShare
  // Hidden letters are the text layer of an earlier OCR.
  if (hiddenLetters >= sparsePageLetters) return false
  if (bodyLetters < bodyLettersMin) return imageShare >= sparseImageShare
  return letters < stampedPageLetters && imageShare >= stampedImageShare
}

function countLetters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
}
