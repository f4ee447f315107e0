// Loads the word positions of some stems in a few records, and reads them record by record. occurrences.ts matches the
// clauses of a search term with them. The steps are:
// 1. find the places of the word positions in the posting lists of the stems;
// 2. read the position chunks at these places (position-chunk.ts).
import { MatchBuffer, type Matches, noMatches } from './matches.ts'
import { PositionChunk, type PositionsPlace, type ReadMatchesOptions } from './position-chunk.ts'
import { pending } from './posting-iterator.ts'
import { type ChunkRequest, type PostingSource, type TermEntry, termKinds } from './posting-list.ts'
import { PostingListIterator } from './posting-list-iterator.ts'
import { SearchContext } from './search-context.ts'
import type { TimeSlice } from './time-slice.ts'
import type { WordPositions } from './word-positions.ts'

/** Maps each stem that occurs in a record to the place of its word positions there. */
type PlacesOfStems = ReadonlyMap<string, PositionsPlace>

/** Loads the word positions of the stems in a few records. Returns a reader for each record, in the given order. */
export async function loadPositions(
  entries: readonly TermEntry[],
  records: readonly number[],
  source: PostingSource,
  slice: TimeSlice,
): Promise<RecordReader[]> {
  const placesByRecord = await findPlaces(entries, records, source, slice)
  const chunkNumbers = [...placesByRecord.values()].flatMap((places) => [...places.values()].map(({ chunk }) => chunk))
  const chunks = new Map<number, PositionChunk>()
  const requests = [...new Set(chunkNumbers)].map(
    (chunkNumber): ChunkRequest => ({
      kind: 'positions',
      first: chunkNumber,
      count: 1,
      deliver: (delivered) => chunks.set(chunkNumber, new PositionChunk(delivered[0] as Uint8Array)),
    }),
  )
  await readChunks(requests, source, slice)
  // A Map returns its values in the order in which the keys were added, which is the order of `records`.
  return [...placesByRecord.values()].map((places) => new RecordReader(places, chunks))
}

/**
 * Finds the places of the word positions in each record. There is an iterator for each stem. In each round, every
 * iterator looks up its records until it needs a posting block that is not in memory; then the needed blocks are read.
 */
async function findPlaces(
  entries: readonly TermEntry[],
  records: readonly number[],
  source: PostingSource,
  slice: TimeSlice,
): Promise<ReadonlyMap<number, PlacesOfStems>> {
  const context = new SearchContext()
  const placesByRecord = new Map(records.map((record) => [record, new Map<string, PositionsPlace>()]))
  // Iterators only move forward.
  const ascending = records.toSorted((a, b) => a - b)
  let unfinished = entries.map((entry) => ({
    stem: entry.key.slice(termKinds.stem.length),
    iterator: new PostingListIterator(entry, context),
    /** The records to look up. */
    recordsLeft: ascending.slice(),
  }))
  while (unfinished.length > 0) {
    for (const { stem, iterator, recordsLeft } of unfinished) {
      for (let record = recordsLeft[0]; record !== undefined; record = recordsLeft[0]) {
        const found = iterator.seek(record)
        if (found === pending) break
        recordsLeft.shift()
        const place = found === record ? iterator.locatePositions() : undefined
        if (place !== undefined) placesByRecord.get(record)?.set(stem, place)
      }
      if (slice.isUsedUp) await slice.yield()
    }
    unfinished = unfinished.filter(({ recordsLeft }) => recordsLeft.length > 0)
    await readChunks(context.chunkRequests.splice(0), source, slice)
  }
  return placesByRecord
}

/**
 * Reads the requested posting blocks or position chunks. A synchronous source (SQLite) reads them one by one, with
 * pauses in which other searches run. If a read returns a promise, the source is asynchronous (PostgreSQL), and all
 * further ones are read at once.
 */
async function readChunks(requests: readonly ChunkRequest[], source: PostingSource, slice: TimeSlice): Promise<void> {
  for (const [index, request] of requests.entries()) {
    const reading = source.readChunks([request])
    if (reading instanceof Promise) {
      await Promise.all([reading, source.readChunks(requests.slice(index + 1))])
      return
    }
    if (slice.isUsedUp) await slice.yield()
  }
}

/** Reads the word positions of the stems in one record. */
export class RecordReader {
  readonly #places: PlacesOfStems
  /** The chunks of the places, by number. */
  readonly #chunks: ReadonlyMap<number, PositionChunk>

  constructor(places: PlacesOfStems, chunks: ReadonlyMap<number, PositionChunk>) {
    this.#places = places
    this.#chunks = chunks
  }

  /** Replaces the contents of `into` by the positions of the stem as a written word. Empties it if there are none. */
  readPositions(stem: string, into: WordPositions): void {
    into.count = 0
    const place = this.#places.get(stem)
    if (place !== undefined) this.#chunks.get(place.chunk)?.readPositions(place.recordInChunk, into)
  }

  /** Where the stem occurs as a written word or a joined form; with `withSynonyms`, also as a synonym. */
  readMatches(stem: string, options: ReadMatchesOptions): Matches {
    const place = this.#places.get(stem)
    if (place === undefined) return noMatches
    sharedMatches.count = 0
    this.#chunks.get(place.chunk)?.readMatches(place.recordInChunk, sharedMatches, options)
    return sharedMatches.toMatches()
  }
}

/** A buffer that all requests share. That is safe, because no request waits between filling and reading it. */
const sharedMatches = new MatchBuffer()
