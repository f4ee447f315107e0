// Response cache in front of the router: whole 200 responses by raw URL and content coding. It is bounded by bytes,
// evicts the least recently used response, and is cleared when the data version changes.
import { LRUCache } from 'lru-cache'
import { toNotModified } from './conditional.ts'
import type { Coding } from './negotiate.ts'
import type { ApiResponse } from './response.ts'
import { isStreamed } from './response.ts'

/** A cached response; all its headers are in `headers`. */
export interface CachedResponse extends ApiResponse {
  readonly entityTag: string
  /** The 304 response to a client that has it. */
  readonly notModified: ApiResponse
}

export class ResponseCache {
  readonly #responses: LRUCache<string, CachedResponse>
  /** Keys that were requested once, recently. */
  readonly #seen = new LRUCache<string, true>({ max: seenKeysMax })
  #dataVersion: object | undefined
  hits = 0
  misses = 0

  constructor(bytesMax: number = 32 * 1024 * 1024) {
    const max = Math.ceil(bytesMax / entryBytes)
    this.#responses = new LRUCache({ max, maxSize: bytesMax, maxEntrySize: Math.floor(bytesMax / 4) })
  }

  get bytes(): number {
    return this.#responses.calculatedSize
  }

  find(url: string, coding: Coding, current: object): CachedResponse | undefined {
    if (this.#dataVersion !== current) {
      this.#responses.clear()
      this.#dataVersion = current
    }
    const cached = this.#responses.get(toKey(url, coding))
    if (cached === undefined) this.misses++
    else this.hits++
    return cached
  }

  /** Stores a whole 200 response that was made from the current data version. */
  keep(url: string, coding: Coding, response: ApiResponse): void {
    const { status, body, dataVersion } = response
    if (status !== 200 || dataVersion === undefined || dataVersion !== this.#dataVersion) return
    if (body === null || isStreamed(body)) return
    const key = toKey(url, coding)
    // A page of records is a string and cheap to build, and most are requested once; it is stored the second time.
    if (typeof body === 'string' && this.#isNew(key)) return
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    // A view of a much larger buffer is copied, so that the buffer can be freed.
    const owned = bytes.length * 2 < bytes.buffer.byteLength ? new Uint8Array(bytes) : bytes
    const size = owned.buffer.byteLength + url.length + entryBytes
    this.#responses.set(key, toCached(response, owned), { size })
  }

  #isNew(key: string): boolean {
    if (this.#seen.has(key)) return false
    this.#seen.set(key, true)
    return true
  }
}

/** With more keys, responses are stored that are evicted before their next use. */
const seenKeysMax = 256

/** Memory of an entry without its body and URL. */
const entryBytes = 1024

function toCached(response: ApiResponse, body: Uint8Array): CachedResponse {
  const { headers, ownHeaders = [] } = response
  const entityTag = ownHeaders[ownHeaders.indexOf('ETag') + 1] ?? ''
  const { ownHeaders: notModifiedHeaders, ...notModified } = toNotModified(entityTag, headers)
  return {
    status: 200,
    headers: headers.concat(ownHeaders),
    body,
    next: response.next,
    entityTag,
    notModified: { ...notModified, headers: notModified.headers.concat(notModifiedHeaders) },
  }
}

/** Uses the raw URL, without parsing: equivalent URLs are stored separately. */
function toKey(url: string, coding: Coding): string {
  return coding.key + url
}
