// Finds the passages of records: pieces of about 200 characters around the words of the search term. It takes the word
// positions of the term from the index, chooses windows (a few consecutive words, passage-windows.ts), reads only the
// segments (pages) of those windows, and cuts a passage out of each (passage-text.ts).
import type { Clause, PhraseClause, Term } from '../analysis/term.ts'
import type { Deadline } from '../domain/deadline.ts'
import type { WireDocument, WirePassage } from '../domain/wire.ts'
import { findOccurrences } from '../index/occurrences.ts'
import { TimeSlice } from '../index/time-slice.ts'
import { cutPassage } from './passage-text.ts'
import { chooseWindows, type Window } from './passage-windows.ts'
import type { Segment } from './segments.ts'
import type { RecordRow, SnapshotStorage } from './storage.ts'

/** At most this many passages for each record of a list, the best first. */
const passagesInList = 3

/** At most this many passages for a single record, in reading order. */
const passagesOfRecord = 100

/**
 * Windows that are chosen for each passage if the term has a prefix. Windows are chosen by stem, and a word with the
 * prefix shares its stem with words that lack it, so some of the windows give no passage.
 */
const windowsPerPassage = 10

/** Windows whose segments are read and are in memory at the same time. */
const windowsAtOnce = 32

export interface PassageOptions {
  /** Whether one record is requested by its code. It gets more passages, in reading order instead of best first. */
  readonly isSingleRecord: boolean
  readonly deadline: Deadline | undefined
}

/** The property `passages` of each record as JSON, in the order of `rows`. `positions` are those of these records. */
export async function findPassages(
  storage: SnapshotStorage,
  term: Term,
  positions: readonly number[],
  rows: readonly RecordRow[],
  { isSingleRecord, deadline }: PassageOptions,
): Promise<string[]> {
  const slice = new TimeSlice(deadline)
  const distinct = countEqualClauses(term)
  const clauses = distinct.map(({ clause }) => clause)
  const occurrences = await findOccurrences(clauses, positions, storage, slice)
  const max = isSingleRecord ? passagesOfRecord : passagesInList
  const hasPrefix = term.clauses.some(({ kind }) => kind === 'prefix')
  const options = {
    order: isSingleRecord ? 'reading' : 'best',
    max: hasPrefix ? max * windowsPerPassage : max,
    clauseWords: clauses.map((clause) => (clause.kind === 'phrase' ? countWords(clause) : 1)),
    clauseCounts: distinct.map(({ count }) => count),
  } as const
  const passages: WirePassage[][] = rows.map(() => [])
  const wanted: WantedWindow[] = []
  for (const [recordIndex, ofRecord] of occurrences.entries()) {
    const firstSegment = rows[recordIndex]?.firstSegment ?? 0
    for (const window of await chooseWindows(ofRecord, options, slice)) {
      wanted.push({ ...window, recordIndex, segmentNumber: firstSegment + window.segment })
    }
  }
  const documents = rows.map((row) => JSON.parse(row.documents) as WireDocument[])
  for (let start = 0; start < wanted.length; start += windowsAtOnce) {
    const batch = wanted.slice(start, start + windowsAtOnce)
    const segments = await readSegments(storage, batch, slice)
    for (const window of batch) {
      const found = passages[window.recordIndex]
      const segment = segments.get(window.segmentNumber)
      if (found === undefined || segment === undefined || found.length >= max) continue
      const passage = toPassage(segment, term, window, documents[window.recordIndex] ?? [])
      if (passage !== undefined && !found.some((each) => isSamePassage(each, passage))) found.push(passage)
      await slice.yieldIfUsed()
    }
  }
  return passages.map((each) => JSON.stringify(each))
}

/** The number of words of a phrase or of its longest alternative. */
function countWords({ stems, orPhrase }: PhraseClause): number {
  return Math.max(stems.length, orPhrase === undefined ? 0 : countWords(orPhrase))
}

/** The distinct clauses of the term, in its order, and how often it has each: a pasted title may have `plan` twice. */
function countEqualClauses({ clauses }: Term): { readonly clause: Clause; count: number }[] {
  const distinct = new Map<string, { readonly clause: Clause; count: number }>()
  for (const clause of clauses) {
    const key = JSON.stringify(clause)
    const known = distinct.get(key)
    if (known === undefined) distinct.set(key, { clause, count: 1 })
    else known.count += 1
  }
  return [...distinct.values()]
}

interface WantedWindow extends Window {
  /** Index of the record in `rows`. */
  readonly recordIndex: number
  /** Number of the segment in the snapshot; `segment` is its index in the record. */
  readonly segmentNumber: number
}

/** Reads the segments of the windows. Returns them by number. */
async function readSegments(
  storage: SnapshotStorage,
  windows: readonly WantedWindow[],
  slice: TimeSlice,
): Promise<Map<number, Segment>> {
  const numbers = [...new Set(windows.map(({ segmentNumber }) => segmentNumber))].sort((a, b) => a - b)
  const segments = await storage.readSegments(numbers)
  await slice.yieldIfUsed()
  return new Map(segments.map((segment, index) => [numbers[index] ?? 0, segment]))
}

/** `documents` are those of the record. Returns undefined if no word in the window matches. */
function toPassage(
  segment: Segment,
  term: Term,
  window: Window,
  documents: readonly WireDocument[],
): WirePassage | undefined {
  const { document, page, recognised } = segment
  const passage = cutPassage(segment, term, window)
  if (passage === undefined) return undefined
  // Documents are numbered from 1; null is the column `content`.
  const href = document === null ? null : toHref(documents[document - 1]?.href ?? null, page)
  return { document, page, text: passage.text, marks: passage.marks, href, recognised }
}

/** Two windows on a short page may be shown by the same text: the whole page. */
function isSamePassage(a: WirePassage, b: WirePassage): boolean {
  return a.document === b.document && a.page === b.page && a.text === b.text
}

/** The address of a page of a document. Browsers open a PDF at `#page=N` (RFC 8118). Null if it has no address. */
function toHref(href: string | null, page: number | null): string | null {
  if (href === null || page === null || href.includes('#')) return href
  return `${href}#page=${page}`
}
