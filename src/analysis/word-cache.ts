// Bounded cache of words and tokens by their spelling. It is emptied when it is full, since the common words are back
// within a page of text. `lru-cache` in its place makes the analyser a third slower: 12 instead of 18 MB/s
// (`node bench/analyse.ts`).

const entriesMax = 32_768

/** A longer spelling is not a common word, and would only take up memory. */
const charactersMax = 64

export class WordCache<Value> {
  readonly #values = new Map<string, Value>()

  get(spelling: string): Value | undefined {
    return this.#values.get(spelling)
  }

  set(spelling: string, value: Value): void {
    if (spelling.length > charactersMax) return
    if (this.#values.size >= entriesMax) this.#values.clear()
    this.#values.set(spelling, value)
  }
}
