// Which pages may be scans, judged by their text alone: those without any, and those with no more than stamps and
// signatures have. Whether they are is seen by looking at what they paint.
import type { PageLook } from './worker-messages.ts'

/** Fewer letters and digits than this are a stamp where a picture covers half of the page. */
const sparsePageLetters = 300
const sparsePictureShare = 0.5
/** And fewer than this where it covers the whole: a diligence, with the footer of an electronic signature. */
const stampedPageLetters = 1_500
const stampedPictureShare = 0.9
/** Letters in the margins alone are a stamp, however many: every signature has a footer of its own. */
const marginPageLetters = 100
const suspectLetters = 3_000
/** A page without text is empty where a logo, or the lines around a heading, is all it shows. */
const emptyPictureShare = 0.05
const emptyDrawings = 50
/** Of pages without text, and again of pages with little: enough to tell, and pictures take long to look at. */
const picturesMax = 8
/** More pages than documents have, but for the few that would be looked at for minutes. */
const looksMax = 2_000

/** The numbers of the pages that may be scans (the first is 1), given the text of each page. */
export function toSuspects(pages: readonly string[]): number[] {
  return pages.flatMap((text, index) =>
    text.length <= suspectLetters * 4 && countLetters(text) < suspectLetters ? [index + 1] : [],
  )
}

/** Looks at suspects until enough is known of them; adds to what was seen of some already. */
export async function lookAtSuspects(
  suspects: readonly number[],
  pages: readonly string[],
  looks: Map<number, PageLook>,
  look: (pages: readonly number[]) => Promise<ReadonlyMap<number, PageLook>>,
): Promise<void> {
  // A page that cannot be looked at would be named for ever.
  for (let known = -1; looks.size > known; ) {
    known = looks.size
    for (const [page, seen] of await look(pagesToLookAt(suspects, pages, looks))) looks.set(page, seen)
  }
}

/** The suspects to look at next, given those that were looked at; none once enough is known. */
export function pagesToLookAt(
  suspects: readonly number[],
  pages: readonly string[],
  looks: ReadonlyMap<number, PageLook>,
): number[] {
  const textless = suspects.filter((page) => pages[page - 1] === '')
  const sparse = suspects.filter((page) => pages[page - 1] !== '')
  return [textless, sparse].flatMap((kind) => {
    const seen = kind.filter((page) => looks.has(page))
    const pictures = seen.filter((page) => isPicture(pages[page - 1], looks.get(page)))
    if (pictures.length >= picturesMax || seen.length >= looksMax) return []
    return kind.filter((page) => !looks.has(page)).slice(0, picturesMax)
  })
}

/** Whether a page with this text, looked at, is a picture that OCR may read. */
export function isPicture(text = '', look?: PageLook): boolean {
  if (look === undefined) return false
  const { pictureShare, hiddenLetters, bodyLetters, drawings } = look
  if (text === '') return pictureShare > emptyPictureShare || drawings > emptyDrawings
  const letters = countLetters(text)
  if (letters < sparsePageLetters) return pictureShare >= sparsePictureShare
  // Letters that are there to be found and not to be seen are what OCR has read already.
  if (hiddenLetters >= sparsePageLetters) return false
  if (bodyLetters < marginPageLetters) return pictureShare >= sparsePictureShare
  return letters < stampedPageLetters && pictureShare >= stampedPictureShare
}

function countLetters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
}
