// An inverted index in memory, for tests. `PostingWriter` fills it as in an import, and the iterators read it as in a
// search. Only the store differs: maps and arrays instead of a database.
import { analyseTerm } from '../../src/analysis/analyser.ts'
import { type FilterKeys, planSearch } from '../../src/index/planner.ts'
import { end, type PostingIterator, pending } from '../../src/index/posting-iterator.ts'
import {
  type ChunkKind,
  type ChunkRequest,
  longPrefixWordsMax,
  type PostingSource,
  type TermEntry,
} from '../../src/index/posting-list.ts'
import { type PostingSink, PostingWriter } from '../../src/index/posting-writer.ts'
import { SearchContext } from '../../src/index/search-context.ts'
import { ByteWriter } from '../../src/index/varint.ts'

/** A posting list: the word positions of the term in each record, by record. */
export type Postings = ReadonlyMap<number, readonly number[]>

/** Keeps what the writer writes, and gives it to the iterators of `context`. */
export class MemoryPostings implements PostingSource, PostingSink {
  /** The term entries of the posting lists (`TermEntry`), by their keys. */
  readonly entries: Map<string, TermEntry> = new Map()
  /** The blocks, and the position chunks, by their numbers. */
  readonly chunks: Record<ChunkKind, Uint8Array[]> = { block: [], positions: [] }
  /** The chunk requests and the time slice of all iterators over this store. */
  readonly context: SearchContext = new SearchContext()
  readonly writer: PostingWriter = new PostingWriter(this)

  putChunk(kind: ChunkKind, number: number, bytes: Uint8Array): void {
    // A copy, because the writer uses the bytes again.
    this.chunks[kind][number] = Uint8Array.from(bytes)
  }

  putEntry(entry: TermEntry): void {
    this.entries.set(entry.key, entry)
  }

  /** Writes a posting list and returns its entry. */
  write(key: string, postings: Postings, options: { readonly withPositions: boolean }): TermEntry {
    const bytes = new ByteWriter()
    this.writer.begin(options)
    for (const [record, positions] of [...postings].sort(([a], [b]) => a - b)) {
      bytes.length = 0
      let previous = 0
      for (const position of positions) {
        // A word position is stored as twice its distance from the position before. The low bit is 0: it would be 1 for
        // a word that the analyser has added to the text, such as the synonym `edificio` for `Edif.`
        bytes.varint((position - previous) * 2)
        previous = position
      }
      const from = 0
      this.writer.add(record, bytes.bytes, from, bytes.length)
    }
    this.writer.end(key)
    const entry = this.entries.get(key)
    if (entry === undefined) throw new Error(`${key} has no entry`)
    return entry
  }

  readEntries(keys: readonly string[]): TermEntry[] {
    return keys.flatMap((key) => this.entries.get(key) ?? [])
  }

  /** The first entries from the key `from` on, in the order of the keys: the writer gets words in that order. */
  readEntriesOfPrefix(keyPrefix: string, from: string = keyPrefix): TermEntry[] {
    const entries = [...this.entries.values()].filter(({ key }) => key.startsWith(keyPrefix) && key >= from)
    return entries.slice(0, longPrefixWordsMax)
  }

  readChunks(requests: readonly ChunkRequest[]): void {
    for (const { kind, first, count, deliver } of requests) deliver(this.chunks[kind].slice(first, first + count))
  }

  /**
   * Delivers the chunks that the iterators have requested, and starts a time slice of `stepsLeft` steps. The default is
   * small, so that searches are interrupted often.
   */
  resume({ stepsLeft = 100 }: { readonly stepsLeft?: number } = {}): void {
    this.readChunks(this.context.chunkRequests.splice(0))
    this.context.stepsLeft = stepsLeft
  }

  /** Repeats `seek` until the result is not `pending`: delivers chunks and starts time slices meanwhile. */
  seek(iterator: PostingIterator, target: number): number {
    for (;;) {
      const match = iterator.seek(target)
      if (match !== pending) return match
      this.resume()
    }
  }

  /** Returns all matches of the iterator, found by seeking from one to the next. */
  readMatches(iterator: PostingIterator): number[] {
    const found: number[] = []
    for (let match = this.seek(iterator, 0); match !== end; match = this.seek(iterator, match + 1)) found.push(match)
    return found
  }

  /** The records that match a search term, in ascending order. */
  async search(term: string): Promise<number[]> {
    const noFilters: FilterKeys = []
    const plan = await planSearch(analyseTerm(term), noFilters, this, this.context)
    // Other methods of the plan iterate over one part of the matches. Null means that nothing can match.
    const iterator = plan.all()
    return iterator === null ? [] : this.readMatches(iterator)
  }
}
