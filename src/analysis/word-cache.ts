// Bounded caches of the analyser: of words by form, and of tokens by spelling. When one is full it is cleared: one page
// of text refills it with the common words. With `lru-cache` instead, the analyser is a third slower (12 instead of
// 18 MB of text per second).

const entriesMax = 32_768

/** Longer keys are rare and are not cached. */
const keyCharactersMax = 64

export class WordCache<Value> {
  readonly #values = new Map<string, Value>()

  get(key: string): Value | undefined {
    return this.#values.get(key)
  }

  set(key: string, value: Value): void {
    if (key.length > keyCharactersMax) return
    if (this.#values.size >= entriesMax) this.#values.clear()
    this.#values.set(key, value)
  }
}

/** Where a spelling stands in a text, and its hash, which the tokenizer computes while it finds the spelling. */
export interface Spelling {
  readonly text: string
  readonly start: number
  readonly spellingEnd: number
  readonly spellingHash: number
}

interface Entry<Value> {
  readonly spelling: string
  readonly hash: number
  readonly value: Value
}

/** Slots of `SpellingCache`: twice as many as entries, so that most are found at once. A power of two. */
const slotCount = entriesMax * 2

/**
 * A cache by spelling, as a hash table with open addressing. In contrast to a `Map`, it needs no substring of the text
 * as a key: making and hashing one for every token was the largest single cost of the analyser.
 */
export class SpellingCache<Value> {
  /** An entry is in the slot of its hash, or in the next free one. */
  readonly #slots: (Entry<Value> | undefined)[] = Array.from({ length: slotCount })
  #size = 0

  get({ text, start, spellingEnd, spellingHash: hash }: Spelling): Value | undefined {
    for (let slot = hash & (slotCount - 1); ; slot = (slot + 1) & (slotCount - 1)) {
      const entry = this.#slots[slot]
      if (entry === undefined) return undefined
      if (entry.hash === hash && isAt(entry.spelling, text, start, spellingEnd)) return entry.value
    }
  }

  /** Adds a spelling that is not in the cache. `spelling` is the text between `start` and `spellingEnd`. */
  add(spelling: string, hash: number, value: Value): void {
    if (spelling.length > keyCharactersMax) return
    if (this.#size === entriesMax) {
      this.#slots.fill(undefined)
      this.#size = 0
    }
    let slot = hash & (slotCount - 1)
    while (this.#slots[slot] !== undefined) slot = (slot + 1) & (slotCount - 1)
    this.#slots[slot] = { spelling, hash, value }
    this.#size++
  }
}

/** Whether the spelling is the text between these offsets. */
function isAt(spelling: string, text: string, start: number, end: number): boolean {
  if (spelling.length !== end - start) return false
  for (let index = 0; index < spelling.length; index++) {
    if (spelling.charCodeAt(index) !== text.charCodeAt(start + index)) return false
  }
  return true
}

/** The hash of a spelling, from the hash of all its characters but the last: FNV-1a by UTF-16 code units. */
export function addToHash(hash: number, codeUnit: number): number {
  return Math.imul(hash ^ codeUnit, 0x01000193)
}

/** The hash of an empty text. It is random, so that nobody can send words that all have the same hash. */
export const emptyHash: number = Math.floor(Math.random() * 2 ** 32) | 0
