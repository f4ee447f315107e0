// Finds where the clauses of a search term occur in given records: the word positions of the matches of each clause,
// and the word positions at which the segments of each record start (the parts of its text that passages are cut from).
// It reads word positions from the index, no text; snapshot/passages.ts reads the text around them.
import { wordOf } from '../analysis/lexicon.ts'
import type { Clause, PhraseClause, PrefixClause } from '../analysis/term.ts'
import { lowerBound } from '../lower-bound.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { type Matches, mergeMatches, noMatches } from './matches.ts'
import { longPrefixWordsMax, type PostingSource, segmentStem, type TermEntry, termKinds } from './posting-list.ts'
import { loadPositions, type RecordReader } from './record-reader.ts'
import type { TimeSlice } from './time-slice.ts'
import { at } from './typed-array.ts'
import { WordPositions } from './word-positions.ts'

/** The occurrences of a search term in one record. */
export interface Occurrences {
  /** The word position at which each segment starts, ascending. Empty if the record has no segments. */
  readonly segmentStarts: Uint32Array
  /** For each clause, in the given order, where it matches. */
  readonly clauseMatches: readonly ClauseMatches[]
}

/** Where a clause matches in the segments of a record. Matches in the title and in the area are left out. */
export interface ClauseMatches {
  /**
   * Of a word or a phrase: all its matches. Of a prefix clause: only the matches of its `orPhrase`, such as the phrase
   * of `uzp` and `1` for the term `UZP-1*`.
   */
  readonly certain: Matches
  /**
   * Of a prefix clause: the words and joined forms with the stem of a word that starts with the prefix, because the
   * index has word positions of stems only. For `modificad*` these are `modificado` and also `modificación`, which has
   * the same stem but does not start with the prefix. So only the text tells which of them match. Otherwise empty.
   */
  readonly possible: Matches
}

/**
 * Only posting lists of stems have word positions, so the words that start with a prefix are looked up by their stems.
 * To bound the cost, only the most frequent words with the prefix are looked up, at most this many.
 */
const prefixWordsMax = 64

/**
 * To find the most frequent words, the words with the prefix are read in alphabetical order: at most this many pages of
 * `longPrefixWordsMax` words, together about 32,000. There is a limit, because every request reads the pages again: the
 * store caches only the first.
 */
const prefixPagesMax = 16

/** The most `certain` matches of a clause in a record, and the most `possible` ones: this bounds time and memory. */
const clauseMatchesMax = 20_000
/** If there are many clauses or records, `clauseMatchesMax` is lowered to an equal share of this number. */
const matchesMax = 5_000_000

/**
 * Records whose word positions are in memory at the same time. More records would take more memory. With fewer at a
 * time, a search would make more round trips.
 */
const recordsAtOnce = 10

/** Stems whose term entries are read in one call. On SQLite, other requests run only between two calls. */
const stemsAtOnce = 256

/**
 * Yields the occurrences in the records, a few records at a time, in the order of `records`, which need not be sorted.
 * The steps are:
 * 1. Find the stems of all clauses. For a prefix, read from the index which words start with it.
 * 2. Read the term entries of the stems.
 * 3. For a few records at a time, load the word positions of the stems, and match the clauses.
 */
export async function* findOccurrences(
  clauses: readonly Clause[],
  records: readonly number[],
  source: PostingSource,
  slice: TimeSlice,
): AsyncGenerator<readonly Occurrences[], void, undefined> {
  const stemsByPrefix = await readPrefixStems(clauses, source, slice)
  // `segmentStem` is no word: its word positions are the starts of the segments.
  const stems = new Set([segmentStem, ...clauses.flatMap((clause) => stemsOf(clause, stemsByPrefix))])
  const entries = await readStemEntries([...stems], source, slice)
  const countMax = Math.min(clauseMatchesMax, Math.ceil(matchesMax / records.length / clauses.length))
  for (let first = 0; first < records.length; first += recordsAtOnce) {
    const batch = records.slice(first, first + recordsAtOnce)
    const readers = await loadPositions(entries, batch, source, slice)
    const occurrences: Occurrences[] = []
    for (const reader of readers) {
      occurrences.push(await findInRecord(reader, clauses, stemsByPrefix, countMax, slice))
    }
    yield occurrences
  }
}

/** Reads the term entries of the stems that exist. */
async function readStemEntries(
  stems: readonly string[],
  source: PostingSource,
  slice: TimeSlice,
): Promise<TermEntry[]> {
  const entries: TermEntry[] = []
  for (let first = 0; first < stems.length; first += stemsAtOnce) {
    const keys = stems.slice(first, first + stemsAtOnce).map((stem) => termKinds.stem + stem)
    entries.push(...(await source.readEntries(keys)))
    if (slice.isUsedUp) await slice.yield()
  }
  return entries
}

/** Maps the prefix of a clause to the stems of the words that start with it. */
type StemsByPrefix = ReadonlyMap<string, readonly string[]>

async function readPrefixStems(
  clauses: readonly Clause[],
  source: PostingSource,
  slice: TimeSlice,
): Promise<StemsByPrefix> {
  const stemsByPrefix = new Map<string, readonly string[]>()
  for (const clause of clauses) {
    if (clause.kind !== 'prefix' || stemsByPrefix.has(clause.prefix)) continue
    const mostFrequent = await readMostFrequent(termKinds.form + clause.prefix, source, slice)
    const stems = mostFrequent.flatMap(({ key }) => toPossibleStems(key.slice(termKinds.form.length)))
    stemsByPrefix.set(clause.prefix, [...new Set(stems)])
  }
  return stemsByPrefix
}

/** Returns the most frequent of the entries whose keys start with `keyPrefix`. */
async function readMostFrequent(keyPrefix: string, source: PostingSource, slice: TimeSlice): Promise<TermEntry[]> {
  let mostFrequent: TermEntry[] = []
  for await (const page of readPages(keyPrefix, source)) {
    mostFrequent = [...mostFrequent, ...page].sort((a, b) => b.recordCount - a.recordCount).slice(0, prefixWordsMax)
    if (slice.isUsedUp) await slice.yield()
  }
  return mostFrequent
}

/** Yields up to `prefixPagesMax` pages of the entries whose keys start with `keyPrefix`, each entry once. */
async function* readPages(keyPrefix: string, source: PostingSource): AsyncGenerator<readonly TermEntry[]> {
  let from = keyPrefix
  for (let page = 0; page < prefixPagesMax; page++) {
    const entries = await source.readEntriesOfPrefix(keyPrefix, from)
    const last = entries.at(-1)
    const isLastPage = last === undefined || entries.length < longPrefixWordsMax
    if (isLastPage) {
      yield entries
      return
    }
    // The next page starts with the last entry of this one.
    yield entries.slice(0, -1)
    from = last.key
  }
}

/** The stems that a word with this form may have. The stem of a code has no leading zeros: `ue5` for `UE-05`. */
function toPossibleStems(form: string): string[] {
  return [form, form.replaceAll(/(?<!\d)0+(?=\d)/g, '')].map((each) => wordOf(each).stem)
}

/** All stems whose word positions the clause needs. The examples are from src/analysis/term.ts. */
function stemsOf(clause: Clause, stemsByPrefix: StemsByPrefix): readonly string[] {
  switch (clause.kind) {
    case 'word':
      // `cruz` and `cruce` for the term `cruces`, which is the plural of both.
      return [clause.stem, ...(clause.orStems ?? [])]
    case 'phrase':
      // `ed`, `16202`, and from `orPhrase` `ed`, `16`, `202` for the term `"ED 16.202"`.
      return [
        ...clause.stems,
        ...(clause.joinedCode === undefined ? [] : [clause.joinedCode]),
        ...(clause.orPhrase === undefined ? [] : stemsOf(clause.orPhrase, stemsByPrefix)),
      ]
    case 'prefix': {
      // The stems of `uzp12` and other words, and from `orPhrase` `uzp` and `1` for the term `UZP-1*`.
      const stems = stemsByPrefix.get(clause.prefix) ?? []
      return clause.orPhrase === undefined ? stems : [...stems, ...stemsOf(clause.orPhrase, stemsByPrefix)]
    }
  }
}

/** Which matches of a clause in a record are read, and the time slice for that. */
interface ReadingScope {
  /** Matches whose first word is before this word position are left out. */
  readonly from: number
  readonly countMax: number
  readonly slice: TimeSlice
}

/** The occurrences in the record of the reader, whose word positions are loaded. */
async function findInRecord(
  reader: RecordReader,
  clauses: readonly Clause[],
  stemsByPrefix: StemsByPrefix,
  countMax: number,
  slice: TimeSlice,
): Promise<Occurrences> {
  reader.readPositions(segmentStem, sharedPositions)
  const segmentStarts = sharedPositions.values.slice()
  // The words of the title and the area come before those of the segments. Without segments, no match counts.
  const from = segmentStarts[0] ?? Number.POSITIVE_INFINITY
  const clauseMatches: ClauseMatches[] = []
  for (const clause of clauses) {
    const reading = readClauseMatches(reader, clause, stemsByPrefix, { from, countMax, slice })
    clauseMatches.push(reading instanceof Promise ? await reading : reading)
    if (slice.isUsedUp) await slice.yield()
  }
  return { segmentStarts, clauseMatches }
}

/** Returns a promise only for a phrase or a prefix, which may have so many stems that it waits for a time slice. */
function readClauseMatches(
  reader: RecordReader,
  clause: Clause,
  stemsByPrefix: StemsByPrefix,
  scope: ReadingScope,
): MaybePromise<ClauseMatches> {
  switch (clause.kind) {
    case 'word':
      return { certain: readWordMatches(reader, [clause.stem, ...(clause.orStems ?? [])], scope), possible: noMatches }
    case 'phrase':
      return readPhraseMatches(reader, clause, scope).then((certain) => ({ certain, possible: noMatches }))
    case 'prefix':
      return readPrefixMatches(reader, clause, stemsByPrefix.get(clause.prefix) ?? [], scope)
  }
}

/** Where any of the stems of a word occurs, also as a synonym. A word has few stems. */
function readWordMatches(reader: RecordReader, stems: readonly string[], { from, countMax }: ReadingScope): Matches {
  return stems
    .map((stem) => reader.readMatches(stem, { withSynonyms: true, from, countMax }))
    .reduce((matches, ofStem) => mergeMatches(matches, ofStem, countMax))
}

/** `stems` are the stems of the words that start with the prefix. */
async function readPrefixMatches(
  reader: RecordReader,
  { orPhrase }: PrefixClause,
  stems: readonly string[],
  scope: ReadingScope,
): Promise<ClauseMatches> {
  const { from, countMax, slice } = scope
  let possible = noMatches
  for (const stem of stems) {
    // A prefix matches joined forms, but no synonyms.
    const ofStem = reader.readMatches(stem, { withSynonyms: false, from, countMax })
    possible = mergeMatches(possible, ofStem, countMax)
    if (slice.isUsedUp) await slice.yield()
  }
  return { certain: orPhrase === undefined ? noMatches : await readPhraseMatches(reader, orPhrase, scope), possible }
}

/** Where the phrase, its joined form or its alternative (`orPhrase`) occurs. */
async function readPhraseMatches(
  reader: RecordReader,
  { stems, joinedCode, orPhrase }: PhraseClause,
  scope: ReadingScope,
): Promise<Matches> {
  const { from, countMax } = scope
  const starts = await readPhraseStarts(reader, stems, scope.slice)
  const firstIndex = lowerBound(0, starts.length, (index) => at(starts, index) < from)
  const firsts = starts.slice(firstIndex, firstIndex + countMax)
  let matches: Matches = { firsts, lasts: firsts.map((first) => first + stems.length - 1) }
  if (joinedCode !== undefined) {
    // Also as a synonym, as in the search for records: `PG-OU` is `pgou` as one word, which is a synonym in a text with
    // `Plan General de Ordenación Urbana`.
    matches = mergeMatches(matches, readWordMatches(reader, [joinedCode], scope), countMax)
  }
  if (orPhrase === undefined) return matches
  return mergeMatches(matches, await readPhraseMatches(reader, orPhrase, scope), countMax)
}

/** The word positions at which the stems follow each other, in order. */
async function readPhraseStarts(
  reader: RecordReader,
  stems: readonly string[],
  slice: TimeSlice,
): Promise<Uint32Array> {
  // At first, all positions of the first stem. Then, for each further stem, with the index i, a start stays only if the
  // stem is at `start + i`.
  const starts = new WordPositions()
  for (const [index, stem] of stems.entries()) {
    if (index === 0) {
      reader.readPositions(stem, starts)
    } else {
      reader.readPositions(stem, sharedPositions)
      starts.keepFollowedBy(sharedPositions, index)
    }
    if (starts.count === 0) break
    if (slice.isUsedUp) await slice.yield()
  }
  return starts.values
}

/** A buffer that all requests share. That is safe, because no request waits between filling and reading it. */
const sharedPositions = new WordPositions()
