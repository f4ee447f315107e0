// Finds the passages of records: pieces of about 200 characters around the words of the search term. The steps:
// 1. find the pages that can have the words near each other, those with the most of them first (candidate-pages.ts);
// 2. find the words in these pages as they are written (literal-matches.ts) or, where that is not enough, by analysing
//    the page (page-matches.ts), and choose windows: a few consecutive words with matches (passage-windows.ts);
// 3. cut a passage out of the page around each window (passage-text.ts).
import type { Clause, Term } from '../analysis/term.ts'
import { passagesOfRecordMax } from '../domain/query-limits.ts'
import type { WireDocument, WirePassage } from '../domain/wire.ts'
import { type CandidatePage, CandidatePages } from './candidate-pages.ts'
import { type LiteralMatcher, toLiteralMatcher } from './literal-matches.ts'
import { type AnalysedPage, analysePage, type PageMatch, type PagesAround } from './page-matches.ts'
import type { Page } from './pages.ts'
import { cutPassage } from './passage-text.ts'
import { chooseBest, compareWindows, splitIntoWindows, type Window } from './passage-windows.ts'
import type { RecordRow, RegistryFile } from './registry-file.ts'
import { readScannedPage, type ScannedPage } from './scanned-page.ts'
import { countWordsUpTo, findWordFrom, toCharacterRange } from './text-ranges.ts'
import type { TimeSlice } from './time-slice.ts'
import { blockWords } from './tokens.ts'

/** At most this many passages for each record of a list, the best first. */
const passagesInListMax = 3

/**
 * Of a record in a list, this many pages with the words near each other are read. More are read, up to the second
 * number, as long as too few of them have the words as near as the index says.
 */
const pagesInListWanted = 8
const pagesInListMax = 16

/** Of a record by itself, pages are read until they have so many characters. */
const charactersMax = 320_000

export interface PassageOptions {
  /** Whether one record is requested by its code. It gets more passages, in reading order instead of best first. */
  readonly isSingleRecord: boolean
  readonly slice: TimeSlice
}

/** Returns the property `passages` of each record as JSON, in the order of `rows`. */
export async function findPassages(
  file: RegistryFile,
  term: Term,
  rows: readonly RecordRow[],
  { isSingleRecord, slice }: PassageOptions,
): Promise<string[]> {
  const finder = new PassageFinder(file, term)
  const passages: string[] = []
  for (const row of rows) {
    const windows = await (isSingleRecord ? finder.findSpread(row, slice) : finder.findBest(row, slice))
    if (isSingleRecord) windows.sort(compareReadingOrder)
    passages.push(JSON.stringify(await finder.cut(windows, row, slice)))
    if (slice.isUsedUp) await slice.yield()
  }
  return passages
}

/** A page of a record, and the matches that are known. */
interface ReadPage {
  /** Its number in the table `page`. */
  readonly number: number
  readonly page: Page
  readonly analysed: AnalysedPage
  /** Whether these are all matches: others may be hidden in codes, abbreviations, synonyms or broken words. */
  readonly isComplete: boolean
}

/** A window, and the page that it is in. */
interface PlacedWindow extends Window {
  readonly page: ReadPage
}

class PassageFinder {
  readonly #file: RegistryFile
  /** The distinct clauses of the term, in its order, and how often the term has each: pasted titles repeat words. */
  readonly #clauses: readonly Clause[]
  readonly #clauseRepeats: readonly number[]
  readonly #hasPhrases: boolean
  /** Whether every clause is a word, and no two are the same word. */
  readonly #areWordsDistinct: boolean
  readonly #pages: CandidatePages
  readonly #literalMatcher: LiteralMatcher | null

  constructor(file: RegistryFile, term: Term) {
    this.#file = file
    const distinct = Map.groupBy(term.clauses, (clause) => JSON.stringify(clause))
    this.#clauses = Array.from(distinct.values(), ([clause]) => clause as Clause)
    this.#clauseRepeats = Array.from(distinct.values(), ({ length }) => length)
    this.#hasPhrases = this.#clauses.some(
      (clause) => clause.kind === 'phrase' || (clause.kind === 'prefix' && clause.orPhrase !== undefined),
    )
    const stems = this.#clauses.flatMap((clause) =>
      clause.kind === 'word' ? [clause.stem, ...(clause.orStems ?? [])] : [],
    )
    this.#areWordsDistinct = this.#clauses.every(({ kind }) => kind === 'word') && new Set(stems).size === stems.length
    this.#pages = new CandidatePages(file, this.#clauses, this.#clauseRepeats)
    this.#literalMatcher = toLiteralMatcher(this.#clauses, (stem) =>
      file.all<[string]>('SELECT form FROM inflection WHERE stem = ?', stem).map(([form]) => form),
    )
  }

  /** The best windows of a record, the best first. */
  async findBest(row: RecordRow, slice: TimeSlice): Promise<PlacedWindow[]> {
    const range = { first: row.firstPage, end: row.pageEnd }
    const added = this.#pages.findAdded(range)
    const best: PlacedWindow[] = []
    const read = new Set<number>()
    for (const candidate of this.#pages.findBest(range)) {
      const { number } = candidate
      if (read.has(number)) continue
      const isEnough = (best[passagesInListMax - 1]?.clauseCount ?? 0) >= candidate.clauseCount
      if (best.length > 0 && read.size >= (isEnough ? pagesInListWanted : pagesInListMax)) break
      const isLiteral = added?.has(number) === false
      // Later candidates have no more clauses, and come later in the record if they have as many.
      if (!this.#canImprove(best, candidate, isLiteral)) break
      read.add(number)
      const page = this.#readPage(candidate, row, isLiteral)
      const found = chooseBest(matchesOn(page), this.#clauseRepeats, passagesInListMax)
      best.push(...found.map((window) => ({ ...window, page })))
      // With a single clause, all windows are equally good, and the first ones are chosen.
      best.sort(this.#clauses.length === 1 ? compareReadingOrder : compareInRecord).splice(passagesInListMax)
      if (slice.isUsedUp) await slice.yield()
    }
    return best
  }

  /** Whether a page may have a better window than the last of the best ones. */
  #canImprove(best: readonly PlacedWindow[], { number, clauseCount }: CandidatePage, isLiteral: boolean): boolean {
    const last = best[passagesInListMax - 1]
    if (last === undefined) return true
    if (this.#clauses.length === 1) return false
    const shortest = isLiteral && this.#areWordsDistinct ? this.#countWords(clauseCount) - 1 : 0
    const difference = last.clauseCount - clauseCount || shortest - (last.last - last.first)
    return difference < 0 || (difference === 0 && number < last.page.number)
  }

  /** The fewest words with so many clauses, if no word has two. */
  #countWords(clauseCount: number): number {
    let [count, words] = [0, 0]
    for (const repeats of this.#clauseRepeats.toSorted((a, b) => b - a)) {
      if (count >= clauseCount) break
      count += repeats
      words++
    }
    return words
  }

  /** Windows of as many pages as possible, those with the most clauses first. */
  async findSpread(row: RecordRow, slice: TimeSlice): Promise<PlacedWindow[]> {
    const range = { first: row.firstPage, end: row.pageEnd }
    const added = this.#pages.findAdded(range)
    const windows: PlacedWindow[] = []
    const pagesFound = new Set<number>()
    let charactersLeft = charactersMax
    for (const candidate of this.#pages.findAll(range)) {
      // With a single clause, all windows are equally good: every page is named before a page has a second passage.
      if (this.#clauses.length === 1 && pagesFound.size >= passagesOfRecordMax) break
      if (windows.length > 0 && charactersLeft <= 0) break
      let page = this.#readPage(candidate, row, added?.has(candidate.number) === false)
      if (!page.isComplete) page = this.#analyse(page.number, page.page, row)
      charactersLeft -= page.page.text.length
      for (const window of splitIntoWindows(matchesOn(page), this.#clauseRepeats)) {
        windows.push({ ...window, page })
        pagesFound.add(page.number)
      }
      if (slice.isUsedUp) await slice.yield()
    }
    return spread(windows).slice(0, passagesOfRecordMax)
  }

  /**
   * Finds the matches in a page: those that are written, if they are as near each other as the index says. `isLiteral`
   * tells whether the index knows that the page has no added words of the term.
   */
  #readPage({ number, clauseCount }: CandidatePage, row: RecordRow, isLiteral: boolean): ReadPage {
    const scanned = readScannedPage(this.#file, number)
    const page = scanned?.page ?? emptyPage
    const analysed = scanned === undefined ? undefined : this.#literalMatcher?.find(scanned)
    if (analysed === undefined || scanned === undefined) return this.#analyse(number, page, row)
    const isComplete = isLiteral && !scanned.mayHideWords
    if (!isComplete) {
      const [best] = chooseBest(analysed.matches, this.#clauseRepeats, 1, blockWords)
      if (best === undefined || best.clauseCount < clauseCount) return this.#analyse(number, page, row)
    }
    return { number, page, analysed, isComplete }
  }

  #analyse(number: number, page: Page, row: RecordRow): ReadPage {
    const analysed = analysePage(this.#clauses, page.text, this.#readAround(number, row))
    return { number, page, analysed, isComplete: true }
  }

  #readAround(number: number, { firstPage, pageEnd }: RecordRow): PagesAround {
    if (!this.#hasPhrases) return { previous: undefined, next: undefined }
    const read = (each: number): ScannedPage | undefined =>
      each < firstPage || each >= pageEnd ? undefined : readScannedPage(this.#file, each)
    return { previous: read(number - 1)?.page.text, next: read(number + 1)?.page.text }
  }

  /** Cuts the passages of the windows. */
  async cut(windows: readonly PlacedWindow[], row: RecordRow, slice: TimeSlice): Promise<WirePassage[]> {
    const isFromDocument = windows.some(({ page }) => page.page.document !== null)
    const documents = isFromDocument ? this.#file.readDocuments(row.position) : []
    const passages: WirePassage[] = []
    for (const window of windows) {
      const passage = toPassage(window.page.isComplete ? window : this.#analyseAround(window, row), documents)
      // Two windows on a short page may give the same passage: the whole page.
      if (!passages.some((each) => isSamePassage(each, passage))) passages.push(passage)
      if (slice.isUsedUp) await slice.yield()
    }
    return passages
  }

  /** The window with all matches around it, as far as a passage may reach. */
  #analyseAround({ page: { number, page, analysed }, ...window }: PlacedWindow, row: RecordRow): PlacedWindow {
    const { text } = page
    const range = toCharacterRange(analysed, window)
    const start = findSpace(text, range.start - charactersAround, -1)
    const end = findSpace(text, range.end + charactersAround, 1)
    const { previous, next } = this.#readAround(number, row)
    const around = analysePage(this.#clauses, text.slice(start, end), {
      previous: start === 0 ? previous : undefined,
      next: end === text.length ? next : undefined,
    })
    const [starts, ends] = [around.starts, around.ends].map((offsets) => Array.from(offsets, (each) => each + start))
    const placed = { text, starts: starts ?? [], ends: ends ?? [], matches: around.matches }
    return {
      first: findWordFrom(placed.starts, range.start),
      last: countWordsUpTo(placed.ends, range.end) - 1,
      clauseCount: window.clauseCount,
      page: { number, page, analysed: placed, isComplete: true },
    }
  }
}

/** A passage reaches less far from its window, in characters. */
const charactersAround = 320

/** The offset of the next white space in the direction, or the end of the text there. */
function findSpace(text: string, from: number, direction: 1 | -1): number {
  let offset = from
  while (offset > 0 && offset < text.length && !/\s/.test(text.charAt(offset))) offset += direction
  return Math.min(Math.max(offset, 0), text.length)
}

/** Stands for a page that is missing, which happens only in a damaged file. */
const emptyPage: Page = { document: null, page: null, recognised: false, text: '' }

/** The better window is the one that `compareWindows` prefers, then the one on the earlier page. */
function compareInRecord(a: PlacedWindow, b: PlacedWindow): number {
  const isEqual = a.clauseCount === b.clauseCount && a.last - a.first === b.last - b.first
  return isEqual ? compareReadingOrder(a, b) : compareWindows(a, b)
}

/** The passage of a phrase that began on the page before is on that page. */
function matchesOn({ analysed }: ReadPage): PageMatch[] {
  return analysed.matches.filter((match) => match.first >= 0)
}

function compareReadingOrder(a: PlacedWindow, b: PlacedWindow): number {
  return a.page.number - b.page.number || a.first - b.first
}

/**
 * The windows with the most clauses first. Among those with equally many: the first window of each page, then the
 * second one of each, and so on, so that no page is missing because others have many matches.
 */
function spread(windows: readonly PlacedWindow[]): PlacedWindow[] {
  const byClauses = Map.groupBy(windows.toSorted(compareReadingOrder), ({ clauseCount }) => clauseCount)
  return [...byClauses]
    .sort(([a], [b]) => b - a)
    .flatMap(([, group]) => {
      const rounds: PlacedWindow[][] = []
      for (const ofPage of Map.groupBy(group, ({ page }) => page).values()) {
        for (const [round, window] of ofPage.entries()) {
          rounds[round] ??= []
          rounds[round].push(window)
        }
      }
      return rounds.flat()
    })
}

/** `documents` are the documents of the record. */
function toPassage(window: PlacedWindow, documents: readonly WireDocument[]): WirePassage {
  const { document, page, recognised } = window.page.page
  const { text, marks } = cutPassage(window.page.analysed, window)
  // Documents are numbered from 1; null is the column `content`.
  const href = document === null ? null : toPageHref(documents[document - 1]?.href ?? null, page)
  return { document, page, text, marks, href, recognised }
}

function isSamePassage(a: WirePassage, b: WirePassage): boolean {
  return a.document === b.document && a.page === b.page && a.text === b.text
}

/**
 * The address of a page of a document. Browsers open a PDF at `#page=N` (RFC 8118). `href` is the address of the
 * document; null if it has none. An address that already has a fragment stays as it is.
 */
function toPageHref(href: string | null, page: number | null): string | null {
  if (href === null || page === null || href.includes('#')) return href
  return `${href}#page=${page}`
}
