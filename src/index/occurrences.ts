// Finds where the clauses of a term occur in given records: the word positions of each clause, and those at which the
// segments of the record (the parts of its text that passages are cut from) start. It reads word positions only, no
// text; snapshot/passages.ts shows the text around them.
import { wordOf } from '../analysis/lexicon.ts'
import type { Clause, PhraseClause, Term } from '../analysis/term.ts'
import { lowerBound } from '../lower-bound.ts'
import { pending } from './posting-iterator.ts'
import { type ChunkRequest, type PostingSource, segmentStem, type TermEntry, termKinds } from './posting-list.ts'
import { PostingListIterator } from './posting-list-iterator.ts'
import { SearchContext } from './search-context.ts'
import type { TimeSlice } from './time-slice.ts'
import { at } from './typed-array.ts'
import { WordPositions } from './word-positions.ts'

/** The occurrences of a term in one record. */
export interface Occurrences {
  /** The word position at which each segment starts, ascending. Empty if the record has no segments. */
  readonly segmentStarts: Uint32Array
  /** For each clause, in the order of the term, the word positions in the segments at which it matches, ascending. */
  readonly clauses: readonly Uint32Array[]
}

/**
 * Posting lists of words as written have no word positions, so a prefix is looked up by the stems of its words. Only
 * the stems of the most frequent words are read, which bounds the cost.
 */
const prefixWordsMax = 64

/** Word positions that are returned for a clause in a record. Further ones are left out. */
const positionsMax = 20_000

/** Records that are read together; bounds the memory. */
const recordsAtOnce = 10

/** Returns the occurrences in each of the records, in the order of `records`, which may be any. */
export async function findOccurrences(
  term: Term,
  records: readonly number[],
  source: PostingSource,
  slice: TimeSlice,
): Promise<Occurrences[]> {
  const stemsByPrefix = await readStemsOfPrefixes(term, source)
  const stems = new Set([segmentStem, ...term.clauses.flatMap((clause) => stemsOf(clause, stemsByPrefix))])
  const entries = await source.readEntries([...stems].map((stem) => termKinds.stem + stem))
  const found: Occurrences[] = []
  for (let first = 0; first < records.length; first += recordsAtOnce) {
    const readers = records.slice(first, first + recordsAtOnce).map((record) => new RecordReader(record, entries))
    await loadPositions(readers, source, slice)
    for (const reader of readers) {
      found.push(toOccurrences(reader, term, stemsByPrefix))
      await slice.yieldIfUsed()
    }
  }
  return found
}

/** By the prefix of a clause: the stems of the words that start with it. */
type StemsByPrefix = ReadonlyMap<string, readonly string[]>

async function readStemsOfPrefixes({ clauses }: Term, source: PostingSource): Promise<StemsByPrefix> {
  const stems = new Map<string, readonly string[]>()
  for (const clause of clauses) {
    if (clause.kind !== 'prefix' || stems.has(clause.prefix)) continue
    const forms = await source.readEntriesOfPrefix(termKinds.form + clause.prefix)
    const mostFrequent = forms.toSorted((a, b) => b.records - a.records).slice(0, prefixWordsMax)
    const distinct = new Set(mostFrequent.map(({ key }) => wordOf(key.slice(termKinds.form.length)).stem))
    stems.set(clause.prefix, [...distinct])
  }
  return stems
}

/** All stems whose word positions the clause needs. */
function stemsOf(clause: Clause, stemsByPrefix: StemsByPrefix): readonly string[] {
  switch (clause.kind) {
    case 'word':
      return [clause.stem, ...(clause.orStems ?? [])]
    case 'phrase':
      return [
        ...clause.stems,
        ...(clause.joinedCode === undefined ? [] : [clause.joinedCode]),
        ...(clause.orPhrase === undefined ? [] : stemsOf(clause.orPhrase, stemsByPrefix)),
      ]
    case 'prefix': {
      const stems = stemsByPrefix.get(clause.prefix) ?? []
      return clause.orPhrase === undefined ? stems : [...stems, ...stemsOf(clause.orPhrase, stemsByPrefix)]
    }
  }
}

/** Loads the word positions that the readers need. Those of all readers are fetched together. */
async function loadPositions(readers: readonly RecordReader[], source: PostingSource, slice: TimeSlice): Promise<void> {
  for (let waiting = readers; waiting.length > 0; ) {
    waiting = waiting.filter((reader) => !reader.load())
    await readChunks(
      waiting.flatMap((reader) => reader.takeRequests()),
      source,
      slice,
    )
  }
}

/** A synchronous source reads the chunks one by one, with pauses. Any other reads them all at the same time. */
async function readChunks(requests: readonly ChunkRequest[], source: PostingSource, slice: TimeSlice): Promise<void> {
  for (const [index, request] of requests.entries()) {
    const reading = source.readChunks([request])
    if (reading instanceof Promise) {
      await Promise.all([reading, source.readChunks(requests.slice(index + 1))])
      return
    }
    await slice.yieldIfUsed()
  }
}

/** Reads the word positions of all stems in one record. */
class RecordReader {
  readonly #record: number
  readonly #context = new SearchContext()
  /** By stem. `load` removes those that do not contain the record. */
  readonly #iterators = new Map<string, PostingListIterator>()

  constructor(record: number, entries: readonly TermEntry[]) {
    this.#record = record
    for (const entry of entries) {
      const stem = entry.key.slice(termKinds.stem.length)
      this.#iterators.set(stem, new PostingListIterator(entry, this.#context))
    }
  }

  /** Moves all iterators to the record and loads its word positions. Returns false if chunks must be fetched first. */
  load(): boolean {
    let isLoaded = true
    for (const [stem, iterator] of this.#iterators) {
      const found = iterator.seek(this.#record)
      if (found === pending) isLoaded = false
      else if (found !== this.#record) this.#iterators.delete(stem)
      else if (!iterator.loadPositions()) isLoaded = false
    }
    return isLoaded
  }

  /** The chunks to fetch before `load` is called again. */
  takeRequests(): ChunkRequest[] {
    return this.#context.chunkRequests.splice(0)
  }

  /** Reads the positions of the stem into `into`. `withAdded` includes those where it is a joined form or a synonym. */
  read(stem: string, into: WordPositions, { withAdded }: { withAdded: boolean }): void {
    into.count = 0
    this.#iterators.get(stem)?.readPositions(into, { withAdded })
  }
}

function toOccurrences(reader: RecordReader, { clauses }: Term, stemsByPrefix: StemsByPrefix): Occurrences {
  reader.read(segmentStem, buffer, { withAdded: false })
  const segmentStarts = buffer.values.slice()
  const [textStart] = segmentStarts
  if (textStart === undefined) return { segmentStarts, clauses: clauses.map(() => noPositions) }
  return {
    segmentStarts,
    clauses: clauses.map((clause) => {
      const positions = toPositions(reader, clause, stemsByPrefix, textStart)
      // The words of the title and of the area have lower positions than those of the segments.
      const first = lowerBound(0, positions.length, (index) => at(positions, index) < textStart)
      return positions.subarray(first, first + positionsMax)
    }),
  }
}

/** The positions in the whole record at which the clause matches. The first segment starts at `textStart`. */
function toPositions(
  reader: RecordReader,
  clause: Clause,
  stemsByPrefix: StemsByPrefix,
  textStart: number,
): Uint32Array {
  switch (clause.kind) {
    case 'word':
      if (clause.orStems === undefined) return toPositionsOfStem(reader, clause.stem)
      return unite([clause.stem, ...clause.orStems].map((stem) => toPositionsOfStem(reader, stem)))
    case 'phrase':
      return toPositionsOfPhrase(reader, clause)
    case 'prefix': {
      const stems = stemsByPrefix.get(clause.prefix) ?? []
      const written = stems.map((stem) => toPositionsOfStem(reader, stem, { withAdded: false }))
      // A prefix matches joined forms too, but no synonyms, and added positions do not tell the two apart. So they are
      // used only if no word of the segments as written matches.
      const isInSegments = written.some((positions) => (positions.at(-1) ?? 0) >= textStart)
      const lists = isInSegments ? written : stems.map((stem) => toPositionsOfStem(reader, stem))
      if (clause.orPhrase !== undefined) lists.push(toPositionsOfPhrase(reader, clause.orPhrase))
      return unite(lists)
    }
  }
}

function toPositionsOfStem(reader: RecordReader, stem: string, options = { withAdded: true }): Uint32Array {
  reader.read(stem, buffer, options)
  return buffer.values.slice()
}

/** The positions at which the phrase or its alternative starts, and those of its joined form. */
function toPositionsOfPhrase(reader: RecordReader, { stems, joinedCode, orPhrase }: PhraseClause): Uint32Array {
  const [first, ...rest] = stems
  if (first === undefined) return noPositions
  reader.read(first, starts, { withAdded: false })
  for (const [index, stem] of rest.entries()) {
    reader.read(stem, buffer, { withAdded: false })
    starts.keepFollowedBy(buffer, index + 1)
  }
  const lists: Uint32Array[] = [starts.values.slice()]
  if (joinedCode !== undefined) lists.push(toPositionsOfStem(reader, joinedCode))
  if (orPhrase !== undefined) lists.push(toPositionsOfPhrase(reader, orPhrase))
  return unite(lists)
}

/** The positions of all lists, ascending, each once. */
function unite(lists: readonly Uint32Array[]): Uint32Array {
  const [only] = lists
  if (only !== undefined && lists.length === 1) return only
  const all = Uint32Array.from(lists.flatMap((list) => [...list])).sort()
  return all.filter((position, index) => index === 0 || position !== at(all, index - 1))
}

const noPositions = new Uint32Array(0)

/** Buffers that all requests share. That is safe because a buffer is filled and copied without waiting in between. */
const buffer = new WordPositions()
const starts = new WordPositions()
