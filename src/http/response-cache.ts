// Response cache in front of the router: whole 200 responses by raw URL and content coding. It is bounded by bytes,
// evicts the least recently used response, and is cleared when the data version changes: when an import has published a
// new snapshot (copy of the registry). src/api/application.ts reads it, and stores the responses of
// handlers. The web
// pages have a cache of their own (src/api/page.ts).
import { LRUCache } from 'lru-cache'
import { type Conditions, isNotModified, toNotModified } from './conditional.ts'
import type { Coding } from './negotiate.ts'
import type { ApiResponse } from './response.ts'
import { isStreamed } from './response.ts'

export interface CachedResponse extends ApiResponse {
  readonly entityTag: string
  /** The 304 response to a client that has this response. */
  readonly notModified: ApiResponse
}

export class ResponseCache {
  readonly #responses: LRUCache<string, CachedResponse>
  /** Keys of recent responses whose body was a string, see `store`. */
  readonly #seenKeys = new LRUCache<string, true>({ max: seenKeysMax })
  /** The version of all cached responses: the snapshot object, compared by identity (`ApiResponse.dataVersion`). */
  #dataVersion: object | undefined
  /** Calls of `find` that found a response. */
  hits = 0
  /** Calls of `find` that found none. */
  misses = 0

  constructor(bytesMax: number = defaultBytesMax) {
    this.#responses = new LRUCache({
      maxSize: bytesMax,
      maxEntrySize: Math.floor(bytesMax * entryShareMax),
    })
  }

  /** The size of all entries. */
  get bytes(): number {
    return this.#responses.calculatedSize
  }

  /** Finds a response that was made from `currentVersion`, and removes the responses of any other version. */
  find(url: string, coding: Coding, currentVersion: object): CachedResponse | undefined {
    if (this.#dataVersion !== currentVersion) {
      this.#responses.clear()
      this.#dataVersion = currentVersion
    }
    const cached = this.#responses.get(toKey(url, coding))
    if (cached === undefined) this.misses++
    else this.hits++
    return cached
  }

  /** Stores a whole 200 response that was made from the current data version; ignores any other response. */
  store(url: string, coding: Coding, response: ApiResponse): void {
    const { status, body, dataVersion } = response
    if (status !== 200 || dataVersion === undefined || dataVersion !== this.#dataVersion) return
    if (body === null || isStreamed(body)) return
    const key = toKey(url, coding)
    // A string is an uncompressed page of records or changes: cheap to build, and most are requested once, so it is
    // stored when it is requested again. Bytes are stored at once: most took more work, such as compression.
    if (typeof body === 'string' && !this.#seenKeys.has(key)) {
      this.#seenKeys.set(key, true)
      return
    }
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    // A view of a buffer that is more than twice as large is copied, so that the buffer can be freed.
    const isSmallView = bytes.length * 2 < bytes.buffer.byteLength
    const stored = isSmallView ? new Uint8Array(bytes) : bytes
    /** In bytes. */
    const size = stored.buffer.byteLength + url.length + entryBytes
    this.#responses.set(key, toCached(response, stored), { size })
  }
}

/** The cached response, or its 304 if the client has it already. */
export function toConditionalResponse(cached: CachedResponse, conditions: Conditions): ApiResponse {
  return isNotModified(conditions, cached.entityTag, cached.headers) ? cached.notModified : cached
}

const defaultBytesMax = 32 * 1024 * 1024

/** Largest share of the cache that one response may use, so that a large one does not evict all others. */
const entryShareMax = 1 / 4

/**
 * A page of records or changes is stored if it is requested again before this number of other pages was requested. A
 * page that is requested more rarely would probably be evicted before it is requested once more.
 */
const seenKeysMax = 256

/** Estimated memory of an entry without its body and URL. */
const entryBytes = 1024

/** The response as it is stored, with its 304. Without a data version, no other cache stores it. */
function toCached(response: ApiResponse, body: Uint8Array): CachedResponse {
  const { ETag: entityTag = '', 'Content-Length': _length, 'Content-Encoding': _coding, ...headers } = response.headers
  return { ...response, body, dataVersion: undefined, entityTag, notModified: toNotModified(entityTag, headers) }
}

/** Uses the raw URL, without parsing: equivalent URLs are stored separately. */
function toKey(url: string, coding: Coding): string {
  return `${coding.name}${coding.refusesIdentity ? '!' : ''} ${url}`
}
