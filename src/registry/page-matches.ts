// Finds where the clauses of a search term match in the text of a page. A match is the first and the last word of a
// piece of the text; words are counted from the start of the page.
import { LRUCache } from 'lru-cache'
import { type AnalysedText, analyseText, analyseTextWithOffsets } from '../analysis/analyser.ts'
import type { Clause, PhraseClause } from '../analysis/term.ts'
import type { WordOffsets, WordRange } from './text-ranges.ts'

/** The matches of all clauses in a page, ascending by their first word. */
export interface PageMatch extends WordRange {
  /** The index of its clause. */
  readonly clause: number
}

/** A page with the offsets of its words, and the matches in it. */
export interface AnalysedPage extends WordOffsets {
  readonly text: string
  readonly matches: readonly PageMatch[]
}

/** The texts of the pages before and after a page, on which a phrase may begin or end. */
export interface PagesAround {
  readonly previous: string | undefined
  readonly next: string | undefined
}

/**
 * Analyses a page and finds all matches. A phrase that begins on the page before has a negative first word, and the
 * last word of one that goes on on the next page is after the last word of this page.
 */
export function analysePage(clauses: readonly Clause[], text: string, around: PagesAround): AnalysedPage {
  const analysed = analyse(text)
  const { starts, ends } = analysed.offsets
  const matches = clauses
    .flatMap((clause, index) =>
      Array.from(findClause(clause, analysed, around), ([first, last]) => ({ first, last, clause: index })),
    )
    // The words of a token have the offsets of the token, so it is not known where a word is in a very long one.
    .filter(({ first, last }) => first < last || (ends[last] ?? 0) - (starts[first] ?? 0) <= tokenCharactersMax)
  return { text, ...analysed.offsets, matches: matches.sort(compareMatches) }
}

/** A longer token has no passage: it is no text that people read. */
const tokenCharactersMax = 200

type AnalysisWithOffsets = ReturnType<typeof analyseTextWithOffsets>

/** The newest records are on the first pages of many results. In characters of their texts. */
const analyses = new LRUCache<string, AnalysisWithOffsets>({
  maxSize: 2_000_000,
  sizeCalculation: (_, text) => text.length + 1,
})

function analyse(text: string): AnalysisWithOffsets {
  const known = analyses.get(text)
  if (known !== undefined) return known
  const analysed = analyseTextWithOffsets(text)
  analyses.set(text, analysed)
  return analysed
}

/** In the order of the text. */
export function compareMatches(a: PageMatch, b: PageMatch): number {
  return a.first - b.first || a.clause - b.clause
}

/** The last word of each match by its first word: of two matches with the same first word, the longer one stays. */
class FoundMatches extends Map<number, number> {
  put(first: number, last: number): void {
    this.set(first, Math.max(last, this.get(first) ?? 0))
  }
}

function findClause(clause: Clause, page: AnalysedText, around: PagesAround): FoundMatches {
  const found = new FoundMatches()
  if (clause.kind === 'word') addWord([clause.stem, ...(clause.orStems ?? [])], page, found)
  if (clause.kind === 'prefix') addPrefix(clause.prefix, page, found)
  const phrase = clause.kind === 'phrase' ? clause : clause.kind === 'prefix' ? clause.orPhrase : undefined
  for (let each = phrase; each !== undefined; each = each.orPhrase) {
    addPhrase(each, page, around, found)
    if (each.joinedCode !== undefined) addWord([each.joinedCode], page, found)
  }
  return found
}

/** Adds where any of the stems is written, or indexed as a joined form or as a synonym of what is written. */
function addWord(stems: readonly string[], page: AnalysedText, found: FoundMatches): void {
  for (const [index, { stem }] of page.words.entries()) if (stems.includes(stem)) found.put(index, index)
  for (const [index, { stem }] of page.joinedForms.entries()) {
    if (stems.includes(stem)) found.put(...spanOf(page.joinedFormSpans, index))
  }
  for (const [index, { stem }] of page.synonyms.entries()) {
    if (stems.includes(stem)) found.put(...spanOf(page.synonymSpans, index))
  }
}

/** A prefix matches joined forms, but no synonyms. */
function addPrefix(prefix: string, page: AnalysedText, found: FoundMatches): void {
  for (const [index, { form }] of page.words.entries()) if (form.startsWith(prefix)) found.put(index, index)
  for (const [index, { form }] of page.joinedForms.entries()) {
    if (form.startsWith(prefix)) found.put(...spanOf(page.joinedFormSpans, index))
  }
}

function spanOf({ firsts, lasts }: AnalysedText['joinedFormSpans'], index: number): [first: number, last: number] {
  return [firsts[index] ?? 0, lasts[index] ?? 0]
}

/** Adds where the stems are written one after the other. At least one of them is on this page. */
function addPhrase({ stems }: PhraseClause, { words }: AnalysedText, around: PagesAround, found: FoundMatches): void {
  const last = stems.length - 1
  const before = last === 0 ? [] : toStems(around.previous?.slice(-charactersAround)).slice(-last)
  const after = last === 0 ? [] : toStems(around.next?.slice(0, charactersAround)).slice(0, last)
  const all = [...before, ...words.map(({ stem }) => stem), ...after]
  for (let first = 0; first + last < all.length; first++) {
    const isOnPage = first + last >= before.length && first < before.length + words.length
    if (isOnPage && stems.every((stem, offset) => all[first + offset] === stem)) {
      found.put(first - before.length, first + last - before.length)
    }
  }
}

function toStems(text: string | undefined): string[] {
  return text === undefined ? [] : analyseText(text).words.map(({ stem }) => stem)
}

/** A phrase of 40 words fits into this much of the page before or after. */
const charactersAround = 1000
