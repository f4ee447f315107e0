// LRU cache in front of the storage of a snapshot: records, term entries, posting blocks, position chunks and segments
// (docs/glossary.md). A snapshot never changes, so cached values never become stale.
import { LRUCache } from 'lru-cache'
import type { ChunkKind, TermEntry } from '../index/posting-list.ts'
import type { Segment } from './segments.ts'

export const cacheBytesDefault: number = 64 * 1024 * 1024

/** Approximate size of a cache entry besides its content: key, links, object headers and the allocator's share. */
const entryBytes = 300

export class SnapshotCache {
  readonly #values: LRUCache<string | number, CachedValue>

  constructor(bytesMax: number) {
    this.#values = new LRUCache({
      // `maxSize` limits the bytes. `max` limits the entries, because lru-cache allocates its lists for that many at
      // once; it is reached first only if entries have less than twice `entryBytes` on average.
      max: Math.ceil(bytesMax / entryBytes / 2),
      maxSize: bytesMax,
      sizeCalculation: toSize,
    })
  }

  /** Returns undefined if the term is not cached, null if it is cached as a term that does not exist. */
  getTermEntry(term: string): TermEntry | null | undefined {
    const cached = this.#values.get(`term ${term}`)
    if (cached === undefined) return undefined
    return cached === absent ? null : (cached as TermEntry)
  }

  setTermEntry(term: string, entry: TermEntry | null): void {
    this.#values.set(`term ${term}`, entry ?? absent)
  }

  /** The entries of all terms with the prefix; undefined if they are not cached. */
  getTermEntriesOfPrefix(prefix: string): readonly TermEntry[] | undefined {
    return this.#values.get(`prefix ${prefix}`) as readonly TermEntry[] | undefined
  }

  setTermEntriesOfPrefix(prefix: string, entries: readonly TermEntry[]): void {
    this.#values.set(`prefix ${prefix}`, entries)
  }

  /** The kinds are posting blocks and position chunks, which are numbered separately. */
  getChunk(kind: ChunkKind, number: number): Uint8Array | undefined {
    return this.#values.get(`${kind} ${number}`) as Uint8Array | undefined
  }

  setChunk(kind: ChunkKind, number: number, bytes: Uint8Array): void {
    this.#values.set(`${kind} ${number}`, bytes)
  }

  /** A record in wire format (JSON). Its key is its position; the keys of all other values are texts. */
  getRecord(position: number): string | undefined {
    return this.#values.get(position) as string | undefined
  }

  setRecord(position: number, wire: string): void {
    this.#values.set(position, wire)
  }

  getSegment(number: number): Segment | undefined {
    return this.#values.get(`segment ${number}`) as Segment | undefined
  }

  setSegment(number: number, segment: Segment): void {
    this.#values.set(`segment ${number}`, segment)
  }

  clear(): void {
    this.#values.clear()
  }
}

type CachedValue = string | Uint8Array | Segment | TermEntry | readonly TermEntry[] | typeof absent

/** Stands for a term that does not exist, because the cache cannot store null. */
const absent = Symbol('absent')

/** Approximate size in bytes. A text counts one byte for each character, as most are stored. */
function toSize(value: CachedValue): number {
  if (value === absent) return entryBytes
  if (typeof value === 'string' || value instanceof Uint8Array) return entryBytes + value.length
  if ('text' in value) return entryBytes + value.text.length
  return Array.isArray(value)
    ? value.reduce((sum, entry) => sum + toEntrySize(entry), entryBytes)
    : toEntrySize(value as TermEntry)
}

function toEntrySize({ skipTable, inlineBlock, firstBlockBytes }: TermEntry): number {
  return entryBytes + skipTable.byteLength + (inlineBlock?.length ?? 0) + (firstBlockBytes?.length ?? 0)
}
