// Bounded cache of words and tokens by spelling, and of pairs of neighbours by their stems (neighbours.ts). When it is
// full it is cleared: one page of text refills it with the common words. With `lru-cache` instead, the analyser is a
// third slower (12 instead of 18 MB of text per second).

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
