// Decides which pages of a PDF are scans, images that OCR may read, from their letters and from what they draw
// (page-drawing.ts). Inspecting a page is slow, so only pages with few letters are inspected, and not all of them.

/** What a page draws. */
export interface PageInspection {
  /** Share of the page that images cover, from 0 to 1. */
  readonly imageShare: number
  /**
   * Letters that are invisible, or that an image of more than half of the page probably covers, because it is drawn
   * later than they are.
   */
  readonly hiddenLetters: number
  /**
   * Letters outside the margins, in which a scan may have a stamp or a page number. If images cover less than half of
   * the page, it is no scan wherever its letters are, so they are not located, and all of them count.
   */
  readonly bodyLetters: number
  /** Number of lines, areas and letters drawn. */
  readonly drawings: number
}

/** A page with fewer letters is taken to have only a stamp. */
const stampLetters = 300
/** A page with this many letters is never a scan. */
const lowTextLetters = 3_000
/**
 * A page with fewer letters outside its margins is also taken to have only stamps, even if it has more than
 * `stampLetters` in all: every electronic signature adds a footer, and several footers together are that long.
 */
const bodyLettersMin = 100
/** A page with fewer letters may be a scan with a certification and signatures. */
const certificationLetters = 1_500
/** A page without letters is blank if images cover less, and it draws no more than a logo or a few lines. */
const blankImageShare = 0.05
const blankDrawings = 50
const halfPageImageShare = 0.5
/** From this share on, images cover nearly the whole page. */
const wholePageImageShare = 0.9

/**
 * The first row that applies decides:
 *
 * | page | is a scan if |
 * |---|---|
 * | without letters | it shows more than a logo or a few lines |
 * | with a stamp (fewer than `stampLetters`) | images cover half of it or more, and it has no text of earlier OCR |
 * | with at least `stampLetters` hidden letters | never: they are more than a header, so they are of earlier OCR |
 * | with fewer than `bodyLettersMin` letters outside the margins | images cover half of it or more |
 * | with fewer than `certificationLetters` | images cover nearly all of it |
 * | any other | never |
 */
export function isScan(letters: number, { imageShare, hiddenLetters, bodyLetters, drawings }: PageInspection): boolean {
  if (letters === 0) return imageShare > blankImageShare || drawings > blankDrawings
  if (letters < stampLetters) {
    // If the image leaves a part of the page free, the letters may also be a header above it: the inspection does not
    // look at where they are drawn.
    const hasEarlierOcr = hiddenLetters > letters / 2 && imageShare >= wholePageImageShare
    return imageShare >= halfPageImageShare && !hasEarlierOcr
  }
  if (hiddenLetters >= stampLetters) return false
  if (bodyLetters < bodyLettersMin) return imageShare >= halfPageImageShare
  return letters < certificationLetters && imageShare >= wholePageImageShare
}

/** Digits count as letters. */
export function countLetters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
}

/** The kinds of pages by their letters, without those that are never scans. */
type Kind = 'blank' | 'stamp' | 'text'

function kindOf(letters: number): Kind | undefined {
  if (letters === 0) return 'blank'
  if (letters < stampLetters) return 'stamp'
  return letters < lowTextLetters ? 'text' : undefined
}

/** A page that makes a worker fail is certainly not blank, and counts as a scan. */
export type Finding = 'scan' | 'no scan' | 'failed'

/** How many pages of each kind were inspected, and with which findings. `scans` includes those that failed. */
export type Tallies = Readonly<Record<Kind, { inspected: number; scans: number; failed: number }>>

/** For each of the three kinds of pages: at most so many are inspected, because more would take minutes. */
const inspectionsMax = 2_000
/** After this many scans among the pages without letters, or with a stamp, the others are probably scans too. */
const scansMax = 8
/** After this many pages with more letters have made a worker fail, each of which may cost half a minute, it ends. */
const failuresMax = 8

/**
 * What was found in the pages of one document that were inspected. A scan says something about the other pages of its
 * kind only, so inspection ends for each kind on its own.
 */
export class Findings {
  readonly tallies: Tallies
  /** By number, whether each page that was inspected is a scan. */
  readonly #isScanByPage = new Map<number, boolean>()

  /** A worker that continues a document gets the tallies of the pages before. */
  constructor(tallies?: Tallies) {
    const none = { inspected: 0, scans: 0, failed: 0 }
    this.tallies = tallies ?? { blank: { ...none }, stamp: { ...none }, text: { ...none } }
  }

  add(page: number, letters: number, finding: Finding): void {
    const kind = kindOf(letters)
    if (kind === undefined) return
    const tally = this.tallies[kind]
    tally.inspected += 1
    if (finding !== 'no scan') tally.scans += 1
    if (finding === 'failed') tally.failed += 1
    this.#isScanByPage.set(page, finding !== 'no scan')
  }

  /** Whether a page with so many letters should be inspected. */
  isWanted(letters: number): boolean {
    const kind = kindOf(letters)
    if (kind === undefined) return false
    const { inspected, scans, failed } = this.tallies[kind]
    // Many pages with more letters are ordinary, so their inspection goes on, however many scans are found.
    return inspected < inspectionsMax && (kind === 'text' ? failed < failuresMax : scans < scansMax)
  }

  /**
   * Returns the numbers of the pages that are scans, and of those that may be, because they were not inspected. Of the
   * latter, those with more letters than a stamp are left out unless most of the inspected ones are scans. `scans` is
   * how many of the pages are known to be scans. `lostPages` are left out.
   */
  findCandidates(
    texts: readonly string[],
    lostPages: ReadonlySet<number>,
  ): { readonly candidates: readonly number[]; readonly scans: number } {
    const { inspected, scans: scansWithText } = this.tallies.text
    const areMostlyScans = scansWithText > inspected / 2
    const candidates: number[] = []
    for (const [index, text] of texts.entries()) {
      const page = index + 1
      const kind = kindOf(countLetters(text))
      if (kind === undefined || lostPages.has(page)) continue
      if (this.#isScanByPage.get(page) ?? (kind !== 'text' || areMostlyScans)) candidates.push(page)
    }
    return { candidates, scans: candidates.filter((page) => this.#isScanByPage.has(page)).length }
  }
}
