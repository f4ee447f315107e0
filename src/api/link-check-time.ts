// Remembers when the links of the registry were last checked (`check --links`), so that not every page (page.ts) reads
// it from the store.
import type { RegistryStore } from '../registry/contract.ts'

/** A page shows the result of a new check of links after this time at the latest. */
const linkCheckPollMs = 10_000

export class LinkCheckTime {
  readonly #store: RegistryStore
  #time: Promise<number | null> | undefined
  /** When `#time` was read, on the clock of `performance.now()`. */
  #readAt = 0

  constructor(store: RegistryStore) {
    this.#store = store
  }

  /** The time of the last check in milliseconds since 1970; null if there was none, or it cannot be read. */
  read(): Promise<number | null> {
    const now = performance.now()
    if (this.#time === undefined || now - this.#readAt > linkCheckPollMs) {
      this.#readAt = now
      // Without addresses, the store returns only the time.
      this.#time = this.#store.readLinkCheck([]).then((check) => check?.checkedAt.getTime() ?? null)
    }
    return this.#time
  }
}
