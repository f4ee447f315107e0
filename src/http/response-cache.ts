// The response cache, in front of the router: whole 200 responses by raw address and content coding. It is bounded by
// bytes, evicts the least recently used, and is emptied when a new snapshot is put in service.
import { LRUCache } from 'lru-cache'
import { toNotModified } from './conditional.ts'
import type { Coding } from './negotiate.ts'
import type { ApiResponse } from './response.ts'
import { isStreamed } from './response.ts'

/** A response as it is sent again: all its headers are in `headers`. */
export interface CachedResponse extends ApiResponse {
  readonly entityTag: string
  /** The 304 in its place. */
  readonly notModified: ApiResponse
}

export class ResponseCache {
  readonly #responses: LRUCache<string, CachedResponse>
  /** Keys that were asked for once, lately. */
  readonly #seen = new LRUCache<string, true>({ max: seenKeysMax })
  #dataVersion: object | undefined
  /** How often a response was found, and not. */
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

  /** Keeps a whole 200 that was made of the snapshot in service. */
  keep(url: string, coding: Coding, answer: ApiResponse): void {
    const { status, body, dataVersion } = answer
    if (status !== 200 || dataVersion === undefined || dataVersion !== this.#dataVersion) return
    if (body === null || isStreamed(body)) return
    const key = toKey(url, coding)
    // A page is text and cheap to make, and most are never asked for again: it is kept from the second time on.
    if (typeof body === 'string' && this.#isNew(key)) return
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    // A copy where it is the small part of a large buffer.
    const own = bytes.length * 2 < bytes.buffer.byteLength ? new Uint8Array(bytes) : bytes
    const size = own.buffer.byteLength + url.length + entryBytes
    this.#responses.set(key, toCached(answer, own), { size })
  }

  #isNew(key: string): boolean {
    if (this.#seen.has(key)) return false
    this.#seen.set(key, true)
    return true
  }
}

/** More of them would keep responses that are evicted before they are asked for again. */
const seenKeysMax = 256

/** What an entry costs beside its body and its address, headers included. */
const entryBytes = 1024

function toCached(answer: ApiResponse, body: Uint8Array): CachedResponse {
  const { headers, ownHeaders = [] } = answer
  const entityTag = ownHeaders[ownHeaders.indexOf('ETag') + 1] ?? ''
  const { ownHeaders: ownOfNotModified, ...notModified } = toNotModified(entityTag, headers)
  return {
    status: 200,
    headers: headers.concat(ownHeaders),
    body,
    next: answer.next,
    entityTag,
    notModified: { ...notModified, headers: notModified.headers.concat(ownOfNotModified) },
  }
}

/** The raw address, so that nothing is parsed: equal questions spelt differently are kept twice. */
function toKey(url: string, coding: Coding): string {
  return coding.key + url
}
