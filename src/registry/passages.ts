// Finds the passages of records: pieces of about 200 characters around the words of the search term. The steps:
// 1. find the pages of the record that can have the words, those with the most of them first; the index `page_words`
//    tells which;
// 2. find the matches in these pages (literal-matches.ts, page-matches.ts), and choose windows: a few consecutive words
//    with matches (passage-windows.ts);
// 3. cut a passage out of the page around each window (passage-text.ts).
import { wordOf } from '../analysis/lexicon.ts'
import type { Clause, PhraseClause, Term, WordClause } from '../analysis/term.ts'
import { passagesOfRecordMax } from '../domain/query-limits.ts'
import type { WireDocument, WirePassage } from '../domain/wire.ts'
import { type LiteralMatcher, toLiteralMatcher } from './literal-matches.ts'
import { type AnalysedPage, analysePage, type PageMatch } from './page-matches.ts'
import type { Page } from './pages.ts'
import { cutPassage } from './passage-text.ts'
import { chooseBest, compareWindows, splitIntoWindows, type Window } from './passage-windows.ts'
import type { RecordRow, RegistryFile } from './registry-file.ts'
import { readScannedPage, type ScannedPage } from './scanned-page.ts'
import type { TimeSlice } from './time-slice.ts'
import { fromToken, kinds, toToken } from './tokens.ts'

/** At most this many passages for each record of a list, the best first. */
const passagesInListMax = 3

/**
 * Of a record in a list, pages are analysed until so many characters are read, unless its first pages already have the
 * best windows possible. Of a record by itself, ten times as many.
 */
const charactersMax = 32_000

/** Of a prefix, only the pages with the most frequent words that start with it are found, at most this many. */
const prefixWordsMax = 64

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
  const finder = new PassageFinder(file, term, isSingleRecord)
  const passages: string[] = []
  for (const row of rows) {
    passages.push(JSON.stringify(await finder.find(row, slice)))
    if (slice.isUsedUp) await slice.yield()
  }
  return passages
}

/** A window, and the page that it is in. */
interface PlacedWindow extends Window {
  readonly page: ReadPage
}

/** A page that can have so many clauses of the term. */
interface CandidatePage {
  /** Its number in the table `page`. */
  readonly number: number
  readonly clauseCount: number
  /** Whether a phrase may begin or end on it that is on two pages. */
  readonly hasPhraseEnd: boolean
}

/** A page of a record whose matches are known. */
interface ReadPage {
  /** Its number in the table `page`. */
  readonly number: number
  readonly page: Page
  readonly analysed: AnalysedPage
}

/** What is known of the best window of a page before its matches are: it has no more clauses and is not shorter. */
interface PossibleWindow {
  /** The number of the page. */
  readonly number: number
  readonly clauseCount: number
  /** The distance of its last word from its first. */
  readonly length: number
}

/** Stands for a page that is missing, which happens only in a damaged file. */
const emptyPage: Page = { document: null, page: null, recognised: false, text: '' }

class PassageFinder {
  readonly #file: RegistryFile
  readonly #isSingleRecord: boolean
  /** The distinct clauses of the term, in its order, and how often the term has each: pasted titles repeat words. */
  readonly #clauses: readonly Clause[]
  readonly #clauseRepeats: readonly number[]
  /** The most frequent first. */
  readonly #sortedRepeats: readonly number[]
  /** The expressions of the clauses for the index `page_words`, which has stems without their order. */
  readonly #expressions: readonly string[]
  /** The first and the last words of the phrases of the term, which may be on two pages. */
  readonly #phraseEnds: readonly { readonly first: string; readonly last: string }[]
  readonly #hasPhrases: boolean
  /** Whether every clause is a word, and no two are the same word. */
  readonly #areWordsDistinct: boolean
  /** How many clauses one word can match if it has added words, with their repeats. */
  readonly #oneWordCount: number
  /** Whether the index knows all words of the clauses. Of a prefix, it is asked only for the most frequent ones. */
  #isCountExact = true
  readonly #literalMatcher: LiteralMatcher | null
  /** The records that have a word of the term as a joined form or as a synonym, which is not found literally. */
  readonly #addedExpression: string

  constructor(file: RegistryFile, term: Term, isSingleRecord: boolean) {
    this.#file = file
    this.#isSingleRecord = isSingleRecord
    const distinct = Map.groupBy(term.clauses, (clause) => JSON.stringify(clause))
    this.#clauses = Array.from(distinct.values(), ([clause]) => clause as Clause)
    this.#clauseRepeats = Array.from(distinct.values(), ({ length }) => length)
    this.#sortedRepeats = this.#clauseRepeats.toSorted((a, b) => b - a)
    this.#literalMatcher = toLiteralMatcher(this.#clauses, (stem) => this.#findInflections(stem))
    this.#expressions = this.#clauses.map((clause) => this.#toExpression(clause))
    this.#phraseEnds = this.#clauses.flatMap((clause) => {
      if (clause.kind !== 'phrase' || clause.stems.length === 1) return []
      return { first: toWordExpression(clause.stems[0] ?? ''), last: toWordExpression(clause.stems.at(-1) ?? '') }
    })
    this.#hasPhrases = this.#clauses.some(
      (clause) => clause.kind === 'phrase' || (clause.kind === 'prefix' && clause.orPhrase !== undefined),
    )
    const stems = this.#clauses.flatMap((clause) => (clause.kind === 'word' ? toStems(clause) : []))
    this.#areWordsDistinct = this.#clauses.every(({ kind }) => kind === 'word') && new Set(stems).size === stems.length
    this.#oneWordCount = this.#clauseRepeats.reduce(
      (sum, repeats, index) => (isOfSeveralWords(this.#clauses[index]) ? sum : sum + repeats),
      0,
    )
    const prefixStems = this.#clauses.flatMap((clause) =>
      clause.kind === 'prefix' ? this.#findStems(clause.prefix) : [],
    )
    this.#addedExpression = [...stems, ...prefixStems].map((stem) => `"${toToken(kinds.addedWord, stem)}"`).join(' OR ')
  }

  async find(row: RecordRow, slice: TimeSlice): Promise<WirePassage[]> {
    const windows = await this.#findWindows(row, slice)
    const isFromDocument = windows.some(({ page }) => page.page.document !== null)
    const documents = isFromDocument ? this.#file.readDocuments(row.position) : []
    const passages: { readonly passage: WirePassage; readonly window: PlacedWindow }[] = []
    for (const window of windows) {
      const passage = toPassage(window, documents)
      // Two windows on a short page may give the same passage: the whole page.
      if (!passages.some((each) => isSamePassage(each.passage, passage))) passages.push({ passage, window })
      if (slice.isUsedUp) await slice.yield()
    }
    if (this.#isSingleRecord) passages.sort((a, b) => compareReadingOrder(a.window, b.window))
    return passages.map(({ passage }) => passage)
  }

  /** The windows that are shown, the best first. */
  async #findWindows(row: RecordRow, slice: TimeSlice): Promise<PlacedWindow[]> {
    const hasAddedWords = this.#hasAddedWords(row.position)
    const candidates = this.#findCandidates(row.firstPage, row.pageEnd)
    return this.#isSingleRecord
      ? this.#findSpread(row, candidates, hasAddedWords, slice)
      : this.#findBest(row, candidates, hasAddedWords, slice)
  }

  /** Windows of as many pages as possible, those with the most clauses first. */
  async #findSpread(
    row: RecordRow,
    candidates: readonly CandidatePage[],
    hasAddedWords: boolean,
    slice: TimeSlice,
  ): Promise<PlacedWindow[]> {
    const windows: PlacedWindow[] = []
    const pagesFound = new Set<number>()
    let charactersLeft = charactersMax * 10
    for (const { number, hasPhraseEnd } of candidates) {
      // With a single clause, all windows are equally good: every page is named before a page has a second passage.
      if (this.#clauses.length === 1 && pagesFound.size >= passagesOfRecordMax) break
      if (windows.length > 0 && charactersLeft <= 0) break
      const page = this.#readPage(number, row, !hasAddedWords && !hasPhraseEnd)
      charactersLeft -= page.page.text.length
      for (const window of splitIntoWindows(matchesOn(page), this.#clauseRepeats)) {
        windows.push({ ...window, page })
        pagesFound.add(number)
      }
      if (slice.isUsedUp) await slice.yield()
    }
    return spread(windows).slice(0, passagesOfRecordMax)
  }

  /**
   * The best windows. A page is analysed only if words are hidden in it, and only when no better windows are known than
   * those that it can have.
   */
  async #findBest(
    row: RecordRow,
    candidates: readonly CandidatePage[],
    hasAddedWords: boolean,
    slice: TimeSlice,
  ): Promise<PlacedWindow[]> {
    const best: PlacedWindow[] = []
    const add = (page: ReadPage): void => {
      const found = chooseBest(matchesOn(page), this.#clauseRepeats, passagesInListMax)
      best.push(...found.map((window) => ({ ...window, page })))
      // With a single clause, all windows are equally good, and the first ones are chosen.
      best.sort(this.#clauses.length === 1 ? compareReadingOrder : compareInRecord).splice(passagesInListMax)
    }
    const canImprove = (possible: PossibleWindow): boolean => {
      const last = best[passagesInListMax - 1]
      return last === undefined || (this.#clauses.length > 1 && compareToPossible(last, possible) > 0)
    }
    const estimated: PossibleWindow[] = []
    const mayHaveMore = !this.#isCountExact || candidates.some(({ hasPhraseEnd }) => hasPhraseEnd)
    let charactersLeft = charactersMax
    for (const candidate of candidates) {
      const { number, clauseCount, hasPhraseEnd } = candidate
      // Later candidates have no more clauses, and come later in the record if they have as many.
      const clauseCountMax = mayHaveMore ? Number.POSITIVE_INFINITY : clauseCount
      const length = this.#findShortest(clauseCount, hasAddedWords)
      if (!canImprove({ number, clauseCount: clauseCountMax, length })) break
      if (best.length + estimated.length > 0 && charactersLeft <= 0) break
      const scanned = readScannedPage(this.#file, number)
      charactersLeft -= scanned?.page.text.length ?? 0
      const isLiteral = !hasAddedWords && !hasPhraseEnd
      const estimate = isLiteral && candidates.length > 1 ? this.#estimate(candidate, scanned) : undefined
      if (estimate === undefined) add(this.#readPage(number, row, isLiteral))
      else estimated.push(estimate)
      if (slice.isUsedUp) await slice.yield()
    }
    for (const possible of estimated.sort(comparePossible)) {
      if (!canImprove(possible)) break
      add(this.#readPage(possible.number, row, false))
      if (slice.isUsedUp) await slice.yield()
    }
    return best
  }

  /** The best window that a page with hidden words can have; undefined if that is not known. */
  #estimate({ number, clauseCount }: CandidatePage, scanned: ScannedPage | undefined): PossibleWindow | undefined {
    if (this.#clauses.length === 1 || scanned === undefined || scanned.hidden === null) return undefined
    const matches = this.#literalMatcher?.estimate(scanned)
    if (matches === undefined) return undefined
    const found = new Set(matches.map(({ clause }) => clause))
    const foundCount = [...found].reduce((sum, clause) => sum + (this.#clauseRepeats[clause] ?? 1), 0)
    const [window] = chooseBest(matches, this.#clauseRepeats, 1)
    // The index knows a clause that is not written.
    if (window === undefined || foundCount < clauseCount) return undefined
    return { number, clauseCount: window.clauseCount, length: window.last - window.first }
  }

  /** The shortest window with so many clauses, as the distance of its last word from its first. */
  #findShortest(clauseCount: number, hasAddedWords: boolean): number {
    if (hasAddedWords) return clauseCount > this.#oneWordCount ? 1 : 0
    if (!this.#areWordsDistinct) return 0
    let count = 0
    let words = 0
    for (const repeats of this.#sortedRepeats) {
      if (count >= clauseCount) break
      count += repeats
      words++
    }
    return Math.max(0, words - 1)
  }

  #hasAddedWords(position: number): boolean {
    if (this.#addedExpression === '') return false
    const sql = 'SELECT rowid FROM search WHERE search MATCH ? AND rowid = ?'
    return this.#file.get(sql, this.#addedExpression, BigInt(position)) !== undefined
  }

  /**
   * The pages that can have matches, those with the most clauses first, then in reading order. Pages are numbered from
   * `first` to `end` (excluded).
   */
  #findCandidates(first: number, end: number): CandidatePage[] {
    if (end - first <= 1) return first < end ? [{ number: first, clauseCount: 1, hasPhraseEnd: false }] : []
    const counts = new Map<number, number>()
    for (const [index, expression] of this.#expressions.entries()) {
      for (const number of this.#findPages(expression, first, end)) {
        counts.set(number, (counts.get(number) ?? 0) + (this.#clauseRepeats[index] ?? 1))
      }
    }
    const phraseEnds = this.#findPhraseEnds(first, end)
    for (const number of phraseEnds) if (!counts.has(number)) counts.set(number, 1)
    return Array.from(counts, ([number, clauseCount]) => ({
      number,
      clauseCount,
      hasPhraseEnd: phraseEnds.has(number),
    })).sort((a, b) => b.clauseCount - a.clauseCount || a.number - b.number)
  }

  /** The pages on which a phrase may begin that goes on on the next page, and those next pages. */
  #findPhraseEnds(first: number, end: number): Set<number> {
    const found = new Set<number>()
    for (const phrase of this.#phraseEnds) {
      const lasts = new Set(this.#findPages(phrase.last, first, end))
      for (const number of this.#findPages(phrase.first, first, end)) {
        if (lasts.has(number + 1)) found.add(number).add(number + 1)
      }
    }
    return found
  }

  /** The numbers of the pages with the words of a clause, of those from `first` to `end` (excluded). */
  #findPages(expression: string, first: number, end: number): number[] {
    const [numbers] = this.#file.get<[string]>(
      `SELECT json_group_array(rowid) FROM page_words WHERE page_words MATCH ? AND rowid BETWEEN ? AND ?`,
      expression,
      BigInt(first),
      BigInt(end - 1),
    ) ?? ['[]']
    return JSON.parse(numbers) as number[]
  }

  #readPage(number: number, { firstPage, pageEnd }: RecordRow, isLiteral: boolean): ReadPage {
    const read = (each: number): ScannedPage | undefined =>
      each < firstPage || each >= pageEnd ? undefined : readScannedPage(this.#file, each)
    const scanned = read(number)
    const page = scanned?.page ?? emptyPage
    const found = isLiteral && scanned !== undefined ? this.#literalMatcher?.find(scanned) : undefined
    if (found !== undefined) return { number, page, analysed: found }
    const around = this.#hasPhrases
      ? { previous: read(number - 1)?.page.text, next: read(number + 1)?.page.text }
      : { previous: undefined, next: undefined }
    return { number, page, analysed: analysePage(this.#clauses, page.text, around) }
  }

  #toExpression(clause: Clause): string {
    if (clause.kind === 'word') return anyOf(toStems(clause))
    if (clause.kind === 'phrase') return toPhraseExpression(clause)
    const words = anyOf(this.#findStems(clause.prefix))
    return clause.orPhrase === undefined ? words : `${words} OR ${toPhraseExpression(clause.orPhrase)}`
  }

  #findInflections(stem: string): string[] {
    return this.#file.all<[string]>('SELECT form FROM inflection WHERE stem = ?', stem).map(([form]) => form)
  }

  /** The stems of the most frequent words that start with the prefix. */
  #findStems(prefix: string): string[] {
    const first = toToken('', prefix)
    const words = this.#file.all<[string]>(
      `SELECT word FROM word WHERE word BETWEEN ? AND ? ORDER BY records DESC LIMIT ${prefixWordsMax}`,
      first,
      `${first}\u{10ffff}`,
    )
    if (words.length === prefixWordsMax) this.#isCountExact = false
    const forms = words.map(([word]) => fromToken(word))
    // The stem of a code has no leading zeros: `ue5` for `UE-05`.
    const stems = [...forms, ...forms.map((form) => form.replaceAll(/(?<!\d)0+(?=\d)/g, ''))].map(
      (form) => wordOf(form).stem,
    )
    return [...new Set(stems)]
  }
}

function anyOf(stems: readonly string[]): string {
  return stems.length === 0 ? '""' : `(${stems.map(toWordExpression).join(' OR ')})`
}

function toWordExpression(stem: string): string {
  return `"${toToken(kinds.word, stem)}"`
}

/** The pages with all words of the phrase, with its joined code, or with its alternative. */
function toPhraseExpression({ stems, joinedCode, orPhrase }: PhraseClause): string {
  const expressions = [`(${stems.map(toWordExpression).join(' AND ')})`]
  if (joinedCode !== undefined) expressions.push(toWordExpression(joinedCode))
  if (orPhrase !== undefined) expressions.push(toPhraseExpression(orPhrase))
  return `(${expressions.join(' OR ')})`
}

/** Whether the clause searches for what only several words say together, such as `fase 2` and `calle mayor`. */
function isOfSeveralWords(clause: Clause | undefined): boolean {
  return clause?.kind === 'word' && toStems(clause).every((stem) => stem.includes(' '))
}

function toStems({ stem, orStems = [] }: WordClause): string[] {
  return [stem, ...orStems]
}

/** The better window is the one that `compareWindows` prefers, then the one on the earlier page. */
function compareInRecord(a: PlacedWindow, b: PlacedWindow): number {
  const isEqual = a.clauseCount === b.clauseCount && a.last - a.first === b.last - b.first
  return isEqual ? compareReadingOrder(a, b) : compareWindows(a, b)
}

function compareToPossible(
  { clauseCount, first, last, page: { number } }: PlacedWindow,
  possible: PossibleWindow,
): number {
  return comparePossible({ number, clauseCount, length: last - first }, possible)
}

/** The better one has more clauses, then is shorter, then is on the earlier page. */
function comparePossible(a: PossibleWindow, b: PossibleWindow): number {
  return b.clauseCount - a.clauseCount || a.length - b.length || a.number - b.number
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
