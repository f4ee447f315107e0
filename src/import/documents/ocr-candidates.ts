// Finds the OCR candidates of a PDF: the pages that may be scans. First, the pages with little or no text are found
// (low-text pages); then a worker inspects what they draw, which is slow. Page numbers begin with 1.
import { countLetters, type InspectionResult, isScan, stampLetters } from './scanned-page.ts'

/** A page with this many letters is never a scan. */
const lowTextLetters = 3_000
/**
 * A longer text is taken to have at least `lowTextLetters` letters, without counting them: of the characters of a text,
 * far more than a quarter are letters.
 */
const lowTextCharacters = 4 * lowTextLetters

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

// The limits of the inspection, for each of the three kinds of pages.
/** At most so many pages are inspected: more would take minutes. */
const inspectionsMax = 2_000
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
/** Pages that are inspected before the limits are tested again. */
const pagesPerRound = 8

/**
 * Inspects low-text pages up to the limits above, and adds the results to `inspections`, by page number. `texts` are
 * the texts of all pages.
 */
export async function inspectLowTextPages(
  lowTextGroups: LowTextGroups,
  texts: readonly string[],
  inspections: Map<number, InspectionResult>,
  inspect: (pages: readonly number[]) => Promise<ReadonlyMap<number, InspectionResult>>,
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
  inspections: ReadonlyMap<number, InspectionResult>,
): number[] {
  const hasEnoughScans = (pages: readonly number[]): boolean => findScans(pages, texts, inspections).length >= scansMax
  const hasEnoughFailures = (pages: readonly number[]): boolean =>
    pages.filter((page) => inspections.get(page) === 'failed').length >= failuresMax
  const kinds = [
    { pages: withoutText, hasEnough: hasEnoughScans },
    { pages: withStamp, hasEnough: hasEnoughScans },
    { pages: withText, hasEnough: hasEnoughFailures },
  ]
  return kinds.flatMap(({ pages, hasEnough }) => {
    const inspected = pages.filter((page) => inspections.has(page))
    if (inspected.length >= inspectionsMax || hasEnough(inspected)) return []
    return pages.filter((page) => !inspections.has(page)).slice(0, pagesPerRound)
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
  inspections: ReadonlyMap<number, InspectionResult>,
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
  inspections: ReadonlyMap<number, InspectionResult>,
): number[] {
  return pages.filter((page) => isScan(texts[page - 1], inspections.get(page)))
}
