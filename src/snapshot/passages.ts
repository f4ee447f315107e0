// Finds the passages of records: pieces of about 200 characters around the words of the search term. The steps:
// 1. take the word positions of the term from the index, and choose windows: a few consecutive words of one segment
//    each (passage-windows.ts);
// 2. read only the segments (parts of the text) of those windows;
// 3. cut a passage out of each (passage-text.ts).
import { spanWordsMax } from '../analysis/added-words.ts'
import type { Clause, Term } from '../analysis/term.ts'
import type { Deadline } from '../domain/deadline.ts'
import { passagesOfRecordMax } from '../domain/query.ts'
import type { WireDocument, WirePassage } from '../domain/wire.ts'
import { findOccurrences, type Occurrences } from '../index/occurrences.ts'
import { TimeSlice } from '../index/time-slice.ts'
import { at } from '../index/typed-array.ts'
import { lowerBound } from '../lower-bound.ts'
import { cutPassage } from './passage-text.ts'
import { chooseWindows, type Window, type WindowOptions } from './passage-windows.ts'
import type { Segment } from './segments.ts'
import type { RecordRow, SnapshotStorage } from './storage.ts'
import type { WordRange } from './text-ranges.ts'

/** At most this many passages for each record of a list, the best first. */
const passagesInListMax = 3

/**
 * Windows that are chosen for each passage if the term has a prefix. Windows are chosen by stem, and a word that starts
 * with the prefix may share its stem with words that do not, so some of the windows may give no passage.
 */
const windowsPerPassage = 10

/** The segments of this many windows are read, and are in memory, at the same time. */
const windowsAtOnce = 32

export interface PassageOptions {
  /** Whether one record is requested by its code. It gets more passages, in reading order instead of best first. */
  readonly isSingleRecord: boolean
  readonly deadline: Deadline | undefined
}

/**
 * Returns the property `passages` of each record as JSON, in the order of `rows`. `positions` are the positions of the
 * same records.
 */
export async function findPassages(
  storage: SnapshotStorage,
  term: Term,
  positions: readonly number[],
  rows: readonly RecordRow[],
  { isSingleRecord, deadline }: PassageOptions,
): Promise<string[]> {
  const slice = new TimeSlice(deadline)
  const passagesMax = isSingleRecord ? passagesOfRecordMax : passagesInListMax
  const hasPrefix = term.clauses.some(({ kind }) => kind === 'prefix')
  const distinct = countEqualClauses(term)
  const clauses = distinct.map(({ clause }) => clause)
  const options: WindowOptions = {
    order: isSingleRecord ? 'spread' : 'best',
    windowsMax: hasPrefix ? passagesMax * windowsPerPassage : passagesMax,
    clauseRepeats: distinct.map(({ count }) => count),
  }
  const windows = await placeWindows(storage, clauses, positions, rows, options, slice)
  const passages = await cutPassages(storage, clauses, windows, rows, passagesMax, slice)
  // Until here they are in the order of the windows, of which `cutPassages` prefers the first.
  if (isSingleRecord) for (const ofRecord of passages) ofRecord.sort(compareReadingOrder)
  return passages.map((ofRecord) => JSON.stringify(ofRecord.map(({ passage }) => passage)))
}

/**
 * The distinct clauses of the term, in its order, and how often the term has each: a pasted title may have `plan`
 * twice. Each distinct clause is looked for once. A repeated clause counts more in the choice of windows.
 */
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

/** A window, and where its record and its segment are found. */
interface PlacedWindow extends Window {
  /** Index of the record in `rows`. */
  readonly recordIndex: number
  /** Number of the segment in the snapshot; `segment` is its index in the record. */
  readonly segmentNumber: number
  /** Where the clauses match in the record. */
  readonly occurrences: Occurrences
}

/** Chooses the windows of each record, in the order of `rows`. */
async function placeWindows(
  storage: SnapshotStorage,
  clauses: readonly Clause[],
  positions: readonly number[],
  rows: readonly RecordRow[],
  options: WindowOptions,
  slice: TimeSlice,
): Promise<PlacedWindow[]> {
  const placed: PlacedWindow[] = []
  let recordIndex = 0
  for await (const batch of findOccurrences(clauses, positions, storage, slice)) {
    for (const occurrences of batch) {
      const firstSegment = rows[recordIndex]?.firstSegment ?? 0
      for (const window of await chooseWindows(occurrences, options, slice)) {
        placed.push({ ...window, recordIndex, segmentNumber: firstSegment + window.segment, occurrences })
      }
      recordIndex++
    }
  }
  return placed
}

/** A passage, and the window that it was cut around. */
interface PlacedPassage {
  readonly passage: WirePassage
  readonly window: PlacedWindow
}

function compareReadingOrder({ window: a }: PlacedPassage, { window: b }: PlacedPassage): number {
  return a.segment - b.segment || a.first - b.first
}

/** Returns the passages of each record, in the order of `rows`: at most `passagesMax`, in the order of `windows`. */
async function cutPassages(
  storage: SnapshotStorage,
  clauses: readonly Clause[],
  windows: readonly PlacedWindow[],
  rows: readonly RecordRow[],
  passagesMax: number,
  slice: TimeSlice,
): Promise<PlacedPassage[][]> {
  const passages: PlacedPassage[][] = rows.map(() => [])
  const isFull = ({ recordIndex }: PlacedWindow): boolean => (passages[recordIndex]?.length ?? 0) >= passagesMax
  const documents = rows.map((row) => JSON.parse(row.documents) as WireDocument[])
  for (let start = 0; start < windows.length; start += windowsAtOnce) {
    const batch = windows.slice(start, start + windowsAtOnce).filter((window) => !isFull(window))
    const segments = await readSegments(storage, batch, slice)
    for (const window of batch) {
      const ofRecord = passages[window.recordIndex]
      const segment = segments.get(window.segmentNumber)
      if (ofRecord === undefined || segment === undefined || isFull(window)) continue
      const passage = toPassage(segment, clauses, window, documents[window.recordIndex] ?? [])
      const isNew = passage !== undefined && !ofRecord.some((each) => isSamePassage(each.passage, passage))
      if (isNew) ofRecord.push({ passage, window })
      if (slice.isUsedUp) await slice.yield()
    }
  }
  return passages
}

/** Reads the segments of the windows. Returns them by number. */
async function readSegments(
  storage: SnapshotStorage,
  windows: readonly PlacedWindow[],
  slice: TimeSlice,
): Promise<Map<number, Segment>> {
  const numbers = [...new Set(windows.map(({ segmentNumber }) => segmentNumber))].sort((a, b) => a - b)
  const segments = await storage.readSegments(numbers)
  if (slice.isUsedUp) await slice.yield()
  return new Map(segments.map((segment, index) => [numbers[index] ?? 0, segment]))
}

/** `documents` are the documents of the record. Returns undefined if no word in the window matches. */
function toPassage(
  segment: Segment,
  clauses: readonly Clause[],
  window: PlacedWindow,
  documents: readonly WireDocument[],
): WirePassage | undefined {
  const { document, page, recognised } = segment
  const prefixes = clauses.flatMap((clause) => (clause.kind === 'prefix' ? [clause.prefix] : []))
  const passage = cutPassage(segment, {
    window,
    findMatches: (range) => findMatches(window.occurrences, window.segment, range),
    prefixes,
  })
  if (passage === undefined) return undefined
  // Documents are numbered from 1; null is the column `content`.
  const href = document === null ? null : toPageHref(documents[document - 1]?.href ?? null, page)
  return { document, page, text: passage.text, marks: passage.marks, href, recognised }
}

/**
 * The matches of words and phrases that have words in the range, counted from the start of the segment. For a prefix,
 * the index tells only where it may match (`ClauseMatches.possible`), so passage-text.ts finds its matches in the text.
 *
 * Matches count words from the start of the record, and are sorted by their first word. In a segment that starts at the
 * word 1000, the range 5 to 20 is the words 1005 to 1020 of the record. A match that reaches into the range may start
 * before it. So the lookup starts `spanWordsMax` words before the word 1005, because no added word is longer. A phrase
 * may be longer; if it starts even earlier, it is left out.
 */
function findMatches(
  { clauseMatches, segmentStarts }: Occurrences,
  segment: number,
  { first, last }: WordRange,
): WordRange[] {
  const segmentStart = at(segmentStarts, segment)
  const segmentEnd = segmentStarts[segment + 1] ?? Number.POSITIVE_INFINITY
  const rangeFirst = segmentStart + first
  const rangeLast = Math.min(segmentStart + last, segmentEnd - 1)
  const found: WordRange[] = []
  for (const { certain } of clauseMatches) {
    const { firsts, lasts } = certain
    let match = lowerBound(0, firsts.length, (index) => at(firsts, index) < rangeFirst - spanWordsMax)
    for (; match < firsts.length && at(firsts, match) <= rangeLast; match++) {
      if (at(lasts, match) < rangeFirst) continue
      found.push({ first: at(firsts, match) - segmentStart, last: at(lasts, match) - segmentStart })
    }
  }
  return found
}

/** Two windows on a short page may give the same passage: the whole page. */
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
