// Finds the OCR candidates of a PDF: the pages that may be scans. First, the pages with little or no text are found
// (low-text pages); then a worker inspects what they draw, which is slow. Page numbers begin with 1.
import type { PageInspection } from './worker-messages.ts'

/** A page with fewer letters is taken to have only a stamp. It may be a scan if images cover at least half of it. */
const stampLetters = 300
const stampImageShare = 0.5
/** A page with fewer letters may be a scan with a certification and signatures if images cover nearly all of it. */
const certificationLetters = 1_500
/** From this share on, images cover nearly the whole page. */
const wholePageImageShare = 0.9
/**
 * A page with fewer letters outside its margins is also taken to have only stamps, even if it has more than
 * `stampLetters` in all: every electronic signature adds a footer, and several footers together are that long.
 */
const bodyLettersMin = 100
/** A page with this many letters is never a scan. */
const lowTextLetters = 3_000
/**
 * A longer text is taken to have at least `lowTextLetters` letters, without counting them: of the characters of a text,
 * far more than a quarter are letters.
 */
const lowTextCharacters = 4 * lowTextLetters
/** A page without text is blank if it shows no more than a logo or a few lines. */
const blankImageShare = 0.05
const blankDrawings = 50
/**
 * After this many scans among the pages without text, or among those with a stamp, no further page of that kind is
 * inspected: the others are probably scans too. This does not hold for pages with more text, many of which are
 * ordinary, so their inspection goes on, however many scans are found.
 */
const scansMax = 8
/**
 * After this many pages with more text have made a worker fail, no further page of that kind is inspected: each failure
 * may cost half a minute.
 */
const failuresMax = 8
/** At most so many pages of one kind are inspected: more would take minutes. */
const inspectionsMax = 2_000
/** Pages of one kind that are inspected before the limits are tested again. */
const pagesPerRound = 8

/**
 * The inspection assumed for a page that makes a worker fail: such a page is certainly not blank. It is compared by
 * identity, so it also tells which pages have made a worker fail.
 */
export const assumedScan: PageInspection = { imageShare: 1, hiddenLetters: 0, bodyLetters: 0, drawings: 0 }

/** Returns the numbers of the pages with so little text that they may be scans. `texts` are the texts of all pages. */
export function findLowTextPages(texts: readonly string[]): number[] {
  const lowTextPages: number[] = []
  for (const [index, text] of texts.entries()) {
    if (text.length <= lowTextCharacters && countLetters(text) < lowTextLetters) lowTextPages.push(index + 1)
  }
  return lowTextPages
}

/**
 * The numbers of the low-text pages of a document, in three kinds by how much text they have. Inspection ends for each
 * kind on its own, because a scan says something about the other pages of its kind only.
 */
export interface LowTextGroups {
  readonly withoutText: readonly number[]
  /** These have some text, but fewer than `stampLetters` letters. */
  readonly withStamp: readonly number[]
  /** These have at least `stampLetters` letters, but fewer than `lowTextLetters`. */
  readonly withText: readonly number[]
}

/** Groups low-text pages. `texts` are the texts of all pages. */
export function groupByText(lowTextPages: readonly number[], texts: readonly string[]): LowTextGroups {
  const withoutText: number[] = []
  const withStamp: number[] = []
  const withText: number[] = []
  for (const page of lowTextPages) {
    const text = texts[page - 1] ?? ''
    if (text === '') withoutText.push(page)
    else if (countLetters(text) < stampLetters) withStamp.push(page)
    else withText.push(page)
  }
  return { withoutText, withStamp, withText }
}

/**
 * Inspects low-text pages up to the limits above, and adds the results to `inspections`, by page number. `texts` are
 * the texts of all pages.
 */
export async function inspectLowTextPages(
  lowTextGroups: LowTextGroups,
  texts: readonly string[],
  inspections: Map<number, PageInspection>,
  inspect: (pages: readonly number[]) => Promise<ReadonlyMap<number, PageInspection>>,
): Promise<void> {
  let countBefore: number
  do {
    countBefore = inspections.size
    const chosen = choosePagesToInspect(lowTextGroups, texts, inspections)
    for (const [page, inspection] of await inspect(chosen)) inspections.set(page, inspection)
    // Stops when a round adds nothing, because a page that cannot be inspected would be chosen again.
  } while (inspections.size > countBefore)
}

/** Returns the numbers of the next pages to inspect; none once every kind has reached a limit or has no page left. */
export function choosePagesToInspect(
  { withoutText, withStamp, withText }: LowTextGroups,
  texts: readonly string[],
  inspections: ReadonlyMap<number, PageInspection>,
): number[] {
  return [withoutText, withStamp, withText].flatMap((pagesOfKind) => {
    const inspected = pagesOfKind.filter((page) => inspections.has(page))
    if (inspected.length >= inspectionsMax) return []
    const isAtLimit =
      pagesOfKind === withText
        ? inspected.filter((page) => inspections.get(page) === assumedScan).length >= failuresMax
        : findScans(inspected, texts, inspections).length >= scansMax
    if (isAtLimit) return []
    return pagesOfKind.filter((page) => !inspections.has(page)).slice(0, pagesPerRound)
  })
}

/**
 * Returns the numbers of the pages that are scans, and of the pages that may be scans, because they were not inspected.
 * A page that was not inspected and has more text than a stamp is a candidate only if most of the inspected pages of
 * that kind are scans.
 */
export function findCandidates(
  { withoutText, withStamp, withText }: LowTextGroups,
  texts: readonly string[],
  inspections: ReadonlyMap<number, PageInspection>,
): number[] {
  const isInspected = (page: number): boolean => inspections.has(page)
  const scansWithText = findScans(withText, texts, inspections)
  const areMostlyScans = scansWithText.length > withText.filter(isInspected).length / 2
  const candidatesIfNotInspected = [...withoutText, ...withStamp, ...(areMostlyScans ? withText : [])]
  const candidates = [
    ...candidatesIfNotInspected.filter((page) => !isInspected(page)),
    ...findScans([...withoutText, ...withStamp], texts, inspections),
    ...scansWithText,
  ]
  return candidates.sort((a, b) => a - b)
}

/** Returns the pages that were inspected and are scans. */
function findScans(
  pages: readonly number[],
  texts: readonly string[],
  inspections: ReadonlyMap<number, PageInspection>,
): number[] {
  return pages.filter((page) => isScan(texts[page - 1], inspections.get(page)))
}

/**
 * Whether a page with this text is an image that OCR may read; false if it was not inspected. The first row that
 * applies decides:
 *
 * | page | is a scan if |
 * |---|---|
 * | without text | it shows more than a logo or a few lines |
 * | with fewer than `stampLetters` letters | images cover half of it or more, and it has no text layer of earlier OCR |
 * | with at least `stampLetters` hidden letters | never: they are more than a header, so they are such a text layer |
 * | with fewer than `bodyLettersMin` letters outside the margins | images cover half of it or more |
 * | any other | it has fewer than `certificationLetters` letters, and images cover nearly all of it |
 */
export function isScan(text = '', inspection?: PageInspection): boolean {
  if (inspection === undefined) return false
  const { imageShare, hiddenLetters, bodyLetters, drawings } = inspection
  if (text === '') return imageShare > blankImageShare || drawings > blankDrawings
  const letters = countLetters(text)
  if (letters < stampLetters) {
    // A text layer of earlier OCR has the text of the scan in hidden letters. Letters count as hidden if they are
    // invisible or drawn before a large image, which probably covers them. Few of them are a text layer only if images
    // cover nearly the whole page: a header that is drawn before an image counts as hidden, even if it is visible above
    // the image, because the inspection does not look at where letters are drawn.
    const hasTextLayer = hiddenLetters > letters / 2 && imageShare >= wholePageImageShare
    return imageShare >= stampImageShare && !hasTextLayer
  }
  if (hiddenLetters >= stampLetters) return false
  if (bodyLetters < bodyLettersMin) return imageShare >= stampImageShare
  return letters < certificationLetters && imageShare >= wholePageImageShare
}

/** Digits count as letters. */
function countLetters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
}
