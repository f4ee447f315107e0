// LRU cache of what the storage of a snapshot has read: records, term entries, posting blocks, position chunks and
// segments (docs/glossary.md). A snapshot never changes, so cached values never become stale.
import { LRUCache } from 'lru-cache'
import type { ChunkKind, TermEntry } from '../index/posting-list.ts'
import { type MaybePromise, mapMaybe } from '../maybe-promise.ts'
import type { Segment } from './segments.ts'
import type { RecordRow } from './storage.ts'

/** The size for commands and tests. The service has a setting for it. */
export const cacheBytesDefault: number = 64 * 1024 * 1024

/** Approximate memory of a cached value besides its content: key, LRU list, object headers and allocator. */
const overheadBytes = 300

/** Stands for a term that does not exist, because lru-cache cannot store null. */
const absent = Symbol('absent')

type CachedValue = RecordRow | Uint8Array | Segment | TermEntry | readonly TermEntry[] | typeof absent

export class SnapshotCache {
  /**
   * The key of a record is its position, a number. All other keys are texts that start with what the value is:
   * `term wplan`, `prefix fpla`, `block 12`, `positions 12`, `segment 12`. The first letter of `wplan` and `fpla`
   * is the kind of the term (`termKinds` in index/posting-list.ts).
   */
  readonly #values: LRUCache<string | number, CachedValue>

  constructor(bytesMax: number) {
    this.#values = new LRUCache({ maxSize: bytesMax, sizeCalculation: toSize })
  }

  /** Returns undefined if the term is not cached, null if it is cached as a term that does not exist. */
  getTermEntry(term: string): TermEntry | null | undefined {
    const cached = this.#values.get(`term ${term}`)
    if (cached === undefined) return undefined
    return cached === absent ? null : (cached as TermEntry)
  }

  /** `entry` is null if the term does not exist; that is cached too. */
  setTermEntry(term: string, entry: TermEntry | null): void {
    this.#values.set(`term ${term}`, entry ?? absent)
  }

  /** The first page of the entries of the prefix (`PostingSource.readEntriesOfPrefix`); undefined if not cached. */
  getTermEntriesOfPrefix(prefix: string): readonly TermEntry[] | undefined {
    return this.#values.get(`prefix ${prefix}`) as readonly TermEntry[] | undefined
  }

  setTermEntriesOfPrefix(prefix: string, entries: readonly TermEntry[]): void {
    this.#values.set(`prefix ${prefix}`, entries)
  }

  /** A posting block or a position chunk. The two kinds are numbered separately. */
  getChunk(kind: ChunkKind, number: number): Uint8Array | undefined {
    return this.#values.get(`${kind} ${number}`) as Uint8Array | undefined
  }

  setChunk(kind: ChunkKind, number: number, bytes: Uint8Array): void {
    this.#values.set(`${kind} ${number}`, bytes)
  }

  getRecord(position: number): RecordRow | undefined {
    return this.#values.get(position) as RecordRow | undefined
  }

  setRecord(position: number, row: RecordRow): void {
    this.#values.set(position, row)
  }

  /** Returns the segments by number. `readMissing` reads those that are not in the cache; then they are cached too. */
  findSegments(
    numbers: readonly number[],
    readMissing: (missing: readonly number[]) => MaybePromise<ReadonlyMap<number, Segment>>,
  ): MaybePromise<ReadonlyMap<number, Segment>> {
    const found = new Map<number, Segment>()
    for (const number of numbers) {
      const cached = this.#values.get(`segment ${number}`) as Segment | undefined
      if (cached !== undefined) found.set(number, cached)
    }
    const missing = numbers.filter((number) => !found.has(number))
    if (missing.length === 0) return found
    return mapMaybe(readMissing(missing), (read) => {
      for (const [number, segment] of read) {
        this.#values.set(`segment ${number}`, segment)
        found.set(number, segment)
      }
      return found
    })
  }

  clear(): void {
    this.#values.clear()
  }
}

/** Approximate size in bytes. A text counts one byte for each character, because V8 stores most texts in Latin-1. */
function toSize(value: CachedValue): number {
  if (value === absent) return overheadBytes
  if (value instanceof Uint8Array) return overheadBytes + value.length
  // Only a record has a wire format, and only a segment has a text.
  if ('wire' in value) return overheadBytes + value.wire.length + value.documents.length
  if ('text' in value) return overheadBytes + value.text.length
  if ('skipTable' in value) return toTermEntrySize(value)
  return value.reduce((sum, entry) => sum + toTermEntrySize(entry), overheadBytes)
}

function toTermEntrySize({ skipTable, inlineBlock, firstBlockBytes }: TermEntry): number {
  return overheadBytes + skipTable.byteLength + (inlineBlock?.length ?? 0) + (firstBlockBytes?.length ?? 0)
}
