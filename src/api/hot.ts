// Answers asked for lately, whole and encoded, so that the same question again costs no more than writing them. Bound
// by bytes; the least recently used go first; a new snapshot empties it.
import type { Snapshot } from '../store/store.ts'
import type { Answer } from './answer.ts'
import { toUnchanged } from './conditional.ts'
import type { Coding } from './negotiate.ts'

export class HotAnswers {
  readonly #bytesMax: number
  readonly #answers = new Map<string, HotAnswer>()
  #snapshot: Snapshot | undefined
  #bytes = 0
  /** How often an answer was found, and not. */
  hits = 0
  misses = 0

  constructor(bytesMax: number = 32 * 1024 * 1024) {
    this.#bytesMax = bytesMax
  }

  get bytes(): number {
    return this.#bytes
  }

  find(url: string, coding: Coding, current: Snapshot): HotAnswer | undefined {
    if (this.#snapshot !== current) {
      this.misses++
      this.#empty(current)
      return undefined
    }
    const key = toKey(url, coding)
    const found = this.#answers.get(key)
    if (found === undefined) {
      this.misses++
      return undefined
    }
    this.hits++
    // Last in, last out: a Map keeps the order of insertion.
    this.#answers.delete(key)
    this.#answers.set(key, found)
    return found
  }

  /** Keeps a whole 200; an answer made of a snapshot that is no longer in service is not worth keeping. */
  keep(url: string, coding: Coding, answer: Answer): void {
    const { body, madeOf } = answer
    if (answer.status !== 200 || !(body instanceof Uint8Array) || madeOf === undefined) return
    if (madeOf !== this.#snapshot) return
    const bytes = body.byteLength + url.length + entryBytes
    if (bytes > this.#bytesMax / 8) return
    const key = toKey(url, coding)
    this.#forget(key)
    const tagAt = answer.headers.indexOf('ETag')
    const entityTag = answer.headers[tagAt + 1] ?? ''
    const unchanged = toUnchanged(entityTag, answer.headers.slice(0, tagAt))
    this.#answers.set(key, { ...answer, body: toQuickest(body), entityTag, unchanged, bytes })
    this.#bytes += bytes
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= this.#bytesMax) break
      this.#forget(oldest)
    }
  }

  #forget(key: string): void {
    const gone = this.#answers.get(key)
    if (gone === undefined) return
    this.#answers.delete(key)
    this.#bytes -= gone.bytes
  }

  #empty(current: Snapshot): void {
    this.#answers.clear()
    this.#bytes = 0
    this.#snapshot = current
  }
}

export interface HotAnswer extends Answer {
  readonly body: Uint8Array | string
  readonly entityTag: string
  /** The 304 in its place. */
  readonly unchanged: Answer
  readonly bytes: number
}

/** Where a body is small, copying it into one write with its headers is quicker than writing the two apart. */
function toQuickest(body: Uint8Array): Uint8Array | string {
  return body.byteLength <= joinedBytesMax ? Buffer.from(body).toString('latin1') : body
}

const joinedBytesMax = 16 * 1024

/** What an entry costs beside its body and its address, headers included. */
const entryBytes = 1024

/** The raw address: equal questions spelt differently are kept twice, in exchange for no parsing at all. */
function toKey(url: string, coding: Coding): string {
  return coding.key + url
}
