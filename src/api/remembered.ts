// Remembers for some seconds what the store says about the registry besides its snapshot: when its links were last checked, and when
// it was last imported. So not every page (page.ts) reads it from a file.

/** A page shows a new value after this time at the latest. */
const rememberedMs = 10_000

export class Remembered<Value> {
  readonly #read: () => Promise<Value>
  #value: Promise<Value> | undefined
  /** When `#value` was read, on the clock of `performance.now()`. */
  #readAt = 0

  constructor(read: () => Promise<Value>) {
    this.#read = read
  }

  read(): Promise<Value> {
    const now = performance.now()
    if (this.#value === undefined || now - this.#readAt > rememberedMs) {
      this.#readAt = now
      this.#value = this.#read()
    }
    return this.#value
  }
}
