// Finds where the clauses of a term occur in given records: the word positions of each clause, and those at which the
// segments of the record (the parts of its text that passages are cut from) start. It reads word positions only, no
// text; snapshot/passages.ts shows the text around them.
import { wordOf } from '../analysis/lexicon.ts'
import type { Clause, PhraseClause } from '../analysis/term.ts'
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
  /** For each clause, in the given order, the word positions in the segments at which it matches, ascending. */
  readonly clausePositions: readonly Uint32Array[]
}

/**
 * Posting lists of words as written have no word positions, so a prefix is looked up by the stems of its words. Only
 * the stems of the most frequent words are read, which bounds the cost.
 */
const prefixWordsMax = 64

/** Word positions that are returned for a clause in a record, and for all clauses. Further ones are left out. */
const clausePositionsMax = 20_000
const recordPositionsMax = 200_000

/** Records that are read together; bounds the memory. */
const recordsAtOnce = 10

/** Stems whose entries are read together, without a pause. Only a term with many prefixes has more. */
const stemsAtOnce = 256

/** Returns the occurrences in each of the records, in the order of `records`, which may be any. */
export async function findOccurrences(
  clauses: readonly Clause[],
  records: readonly number[],
  source: PostingSource,
  slice: TimeSlice,
): Promise<Occurrences[]> {
  const stemsByPrefix = await readPrefixStems(clauses, source, slice)
  const stems = new Set([segmentStem, ...clauses.flatMap((clause) => stemsOf(clause, stemsByPrefix))])
  const entries = await readStemEntries([...stems], source, slice)
  const found: Occurrences[] = []
  for (let first = 0; first < records.length; first += recordsAtOnce) {
    const readers: RecordReader[] = []
    for (const record of records.slice(first, first + recordsAtOnce)) {
      readers.push(new RecordReader(record, entries))
      await slice.yieldIfUsed()
    }
    await loadPositions(readers, source, slice)
    for (const reader of readers) found.push(await findInRecord(reader, clauses, stemsByPrefix, slice))
  }
  return found
}

async function readStemEntries(
  stems: readonly string[],
  source: PostingSource,
  slice: TimeSlice,
): Promise<TermEntry[]> {
  const entries: TermEntry[] = []
  for (let first = 0; first < stems.length; first += stemsAtOnce) {
    const keys = stems.slice(first, first + stemsAtOnce).map((stem) => termKinds.stem + stem)
    entries.push(...(await source.readEntries(keys)))
    await slice.yieldIfUsed()
  }
  return entries
}

/** By the prefix of a clause: the stems of the words that start with it. */
type StemsByPrefix = ReadonlyMap<string, readonly string[]>

async function readPrefixStems(
  clauses: readonly Clause[],
  source: PostingSource,
  slice: TimeSlice,
): Promise<StemsByPrefix> {
  const stems = new Map<string, readonly string[]>()
  for (const clause of clauses) {
    if (clause.kind !== 'prefix' || stems.has(clause.prefix)) continue
    const forms = await source.readEntriesOfPrefix(termKinds.form + clause.prefix)
    const mostFrequent = forms.toSorted((a, b) => b.recordCount - a.recordCount).slice(0, prefixWordsMax)
    const distinct = new Set(mostFrequent.map(({ key }) => wordOf(key.slice(termKinds.form.length)).stem))
    stems.set(clause.prefix, [...distinct])
    await slice.yieldIfUsed()
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
    const unloaded: RecordReader[] = []
    for (const reader of waiting) {
      if (!reader.load()) unloaded.push(reader)
      await slice.yieldIfUsed()
    }
    waiting = unloaded
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

async function findInRecord(
  reader: RecordReader,
  clauses: readonly Clause[],
  stemsByPrefix: StemsByPrefix,
  slice: TimeSlice,
): Promise<Occurrences> {
  reader.read(segmentStem, buffer, { withAdded: false })
  const segmentStarts = buffer.values.slice()
  const [textStart] = segmentStarts
  if (textStart === undefined) return { segmentStarts, clausePositions: clauses.map(() => noPositions) }
  const positionsMax = Math.min(clausePositionsMax, Math.floor(recordPositionsMax / clauses.length))
  const found: Uint32Array[] = []
  for (const clause of clauses) {
    const positions = await readClausePositions(reader, clause, stemsByPrefix, textStart, slice)
    // The words of the title and of the area have lower positions than those of the segments.
    const first = lowerBound(0, positions.length, (index) => at(positions, index) < textStart)
    found.push(positions.subarray(first, first + positionsMax))
    await slice.yieldIfUsed()
  }
  return { segmentStarts, clausePositions: found }
}

/** The positions in the whole record at which the clause matches. The first segment starts at `textStart`. */
async function readClausePositions(
  reader: RecordReader,
  clause: Clause,
  stemsByPrefix: StemsByPrefix,
  textStart: number,
  slice: TimeSlice,
): Promise<Uint32Array> {
  switch (clause.kind) {
    case 'word':
      return unite(await readStemPositions(reader, [clause.stem, ...(clause.orStems ?? [])], slice))
    case 'phrase':
      return readPhrasePositions(reader, clause, slice)
    case 'prefix': {
      const stems = stemsByPrefix.get(clause.prefix) ?? []
      const written = await readStemPositions(reader, stems, slice, { withAdded: false })
      // A prefix matches joined forms too, but no synonyms, and added positions do not tell the two apart. So they are
      // used only if no word of the segments as written matches.
      const isInSegments = written.some((positions) => (positions.at(-1) ?? 0) >= textStart)
      const lists = isInSegments ? written : await readStemPositions(reader, stems, slice)
      if (clause.orPhrase !== undefined) lists.push(await readPhrasePositions(reader, clause.orPhrase, slice))
      return unite(lists)
    }
  }
}

/** The positions of each stem. */
async function readStemPositions(
  reader: RecordReader,
  stems: readonly string[],
  slice: TimeSlice,
  options = { withAdded: true },
): Promise<Uint32Array[]> {
  const lists: Uint32Array[] = []
  for (const stem of stems) {
    reader.read(stem, buffer, options)
    lists.push(buffer.values.slice())
    await slice.yieldIfUsed()
  }
  return lists
}

/** The positions at which the phrase or its alternative starts, and those of its joined form. */
async function readPhrasePositions(
  reader: RecordReader,
  { stems, joinedCode, orPhrase }: PhraseClause,
  slice: TimeSlice,
): Promise<Uint32Array> {
  const starts = new WordPositions()
  for (const [index, stem] of stems.entries()) {
    reader.read(stem, index === 0 ? starts : buffer, { withAdded: false })
    if (index > 0) starts.keepFollowedBy(buffer, index)
    if (starts.count === 0) break
    await slice.yieldIfUsed()
  }
  const lists: Uint32Array[] = [starts.values]
  if (joinedCode !== undefined) lists.push(...(await readStemPositions(reader, [joinedCode], slice)))
  if (orPhrase !== undefined) lists.push(await readPhrasePositions(reader, orPhrase, slice))
  return unite(lists)
}

/** The positions of all lists, ascending, each once. */
function unite(lists: readonly Uint32Array[]): Uint32Array {
  const [only] = lists
  if (only !== undefined && lists.length === 1) return only
  const all = new Uint32Array(lists.reduce((sum, list) => sum + list.length, 0))
  let filled = 0
  for (const list of lists) {
    all.set(list, filled)
    filled += list.length
  }
  all.sort()
  return all.filter((position, index) => index === 0 || position !== at(all, index - 1))
}

const noPositions = new Uint32Array(0)

/** A buffer that all requests share. That is safe because it is filled and copied without waiting in between. */
const buffer = new WordPositions()
