// The cache in front of a snapshot: records, term entries, posting blocks and position chunks that were read lately.
// A snapshot never changes, so nothing in it ever becomes stale; the least recently used goes first.
import { LRUCache } from 'lru-cache'
import type { ListHead } from '../index/posting-list.ts'

export const cacheBytesDefault: number = 64 * 1024 * 1024

/** What an entry costs beside its content, roughly: its key, its place in the cache and the headers of its objects. */
const entryBytes = 200

export class SnapshotCache {
  readonly #entries: LRUCache<string, CachedValue>

  constructor(bytesMax: number) {
    this.#entries = new LRUCache({
      max: Math.ceil(bytesMax / entryBytes / 2),
      maxSize: bytesMax,
      sizeCalculation: toSize,
    })
  }

  /** Null for a term that no record has. */
  getEntry(term: string): ListHead | null | undefined {
    const cached = this.#entries.get(`term ${term}`)
    return cached === undefined ? undefined : cached === absent ? null : (cached as ListHead)
  }

  setEntry(term: string, entry: ListHead | null): void {
    this.#entries.set(`term ${term}`, entry ?? absent)
  }

  /** The entries of the terms that start with a prefix. */
  getEntriesOf(prefix: string): readonly ListHead[] | undefined {
    return this.#entries.get(`prefix ${prefix}`) as readonly ListHead[] | undefined
  }

  setEntriesOf(prefix: string, entries: readonly ListHead[]): void {
    this.#entries.set(`prefix ${prefix}`, entries)
  }

  /** A posting block or a position chunk. */
  getChunk(table: ChunkTable, number: number): Uint8Array | undefined {
    return this.#entries.get(`${table} ${number}`) as Uint8Array | undefined
  }

  setChunk(table: ChunkTable, number: number, bytes: Uint8Array): void {
    this.#entries.set(`${table} ${number}`, bytes)
  }

  /** The wire form of a record. */
  getRecord(position: number): string | undefined {
    return this.#entries.get(`record ${position}`) as string | undefined
  }

  setRecord(position: number, wire: string): void {
    this.#entries.set(`record ${position}`, wire)
  }

  clear(): void {
    this.#entries.clear()
  }
}

type ChunkTable = 'block' | 'place'
type CachedValue = string | Uint8Array | ListHead | readonly ListHead[] | typeof absent

/** Stands for a term that no record has: the cache itself takes null for "not there". */
const absent = Symbol('absent')

function toSize(value: CachedValue): number {
  if (value === absent) return entryBytes
  if (typeof value === 'string' || value instanceof Uint8Array) return entryBytes + value.length
  return Array.isArray(value)
    ? value.reduce((sum, entry) => sum + toEntrySize(entry), entryBytes)
    : toEntrySize(value as ListHead)
}

function toEntrySize({ lasts, inline, firstBlockBytes }: ListHead): number {
  return entryBytes + lasts.byteLength + (inline?.length ?? 0) + (firstBlockBytes?.length ?? 0)
}
