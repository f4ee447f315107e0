// Answers asked for lately, whole and encoded, so that the same question again costs no more than writing them. Bound
// by bytes; what was not asked for lately goes first; a new snapshot empties it.
import { Recent } from '../recent.ts'
import type { Snapshot } from '../store/store.ts'
import type { Answer } from './answer.ts'
import { toUnchanged } from './conditional.ts'
import type { Coding } from './negotiate.ts'

export class HotAnswers {
  readonly #answers: Recent<string, Kept>
  #snapshot: Snapshot | undefined
  /** How often an answer was found, and not. */
  hits = 0
  misses = 0

  constructor(bytesMax: number = 32 * 1024 * 1024) {
    this.#answers = new Recent(bytesMax, 32_768, strangersMax)
  }

  get bytes(): number {
    return this.#answers.weight
  }

  find(url: string, coding: Coding, current: Snapshot): HotAnswer | undefined {
    if (this.#snapshot !== current) {
      this.#answers.clear()
      this.#snapshot = current
    }
    const kept = this.#answers.get(toKey(url, coding))
    if (kept === undefined) {
      this.misses++
      return undefined
    }
    this.hits++
    kept.hot ??= toHot(kept.answer)
    return kept.hot
  }

  /** Keeps a whole 200; an answer made of a snapshot that is no longer in service is not worth keeping. */
  keep(url: string, coding: Coding, answer: Answer): void {
    const { body, madeOf } = answer
    if (answer.status !== 200 || madeOf === undefined || madeOf !== this.#snapshot) return
    const key = toKey(url, coding)
    if (typeof body === 'string') {
      // Nothing is made for one that is not kept: V8 would take it to be long-lived, and the answer in it too.
      if (!this.#answers.isKnown(key)) return
      this.#answers.keep(key, { answer, hot: undefined }, body.length + url.length + entryBytes)
    } else if (body instanceof Uint8Array) {
      // Compressed, or put together from many batches. A copy where it is the small part of a large buffer.
      const own = body.length * 2 < body.buffer.byteLength ? new Uint8Array(body) : body
      this.#answers.keep(
        key,
        { answer: { ...answer, body: own }, hot: undefined },
        own.buffer.byteLength + url.length + entryBytes,
      )
    }
  }
}

/**
 * An answer is kept that comes twice among so many: were they more, many would be kept that have to go before they are
 * asked for a third time, and to collect these holds up everybody (p99 of prefixes with 1,024: 3.3 to 5.1 ms, with
 * these 2.6 to 3.4).
 */
const strangersMax = 256

/** Most answers are never asked for again: what makes the next time quick is done the next time. */
interface Kept {
  readonly answer: Answer
  hot: HotAnswer | undefined
}

export interface HotAnswer extends Answer {
  readonly entityTag: string
  /** The 304 in its place. */
  readonly unchanged: Answer
}

function toHot(answer: Answer): HotAnswer {
  const { headers, ownHeaders = [] } = answer
  const entityTag = ownHeaders[ownHeaders.indexOf('ETag') + 1] ?? ''
  return { ...answer, entityTag, unchanged: toUnchanged(entityTag, headers) }
}

/** What an entry costs beside its body and its address, headers included. */
const entryBytes = 1024

/** The raw address: equal questions spelt differently are kept twice, in exchange for no parsing at all. */
function toKey(url: string, coding: Coding): string {
  return coding.key + url
}
