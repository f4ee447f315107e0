// Counts work in progress of one kind, in total and for each client: a piece of work takes a place until it ends. All
// clients have a limited number of places, and each may use only a share of them (`clientShareMax`). admission.ts has
// places for three kinds of work: requests, exports, and reading the bodies of requests to MCP (Model Context
// Protocol). Each takes one place, except a batch of MCP, which takes one for each of its calls.
import { clientShareMax } from './limits.ts'

export class Places {
  readonly #max: number
  /** The number of places in use, by the name of the client. A client without any has no entry. */
  readonly #usedByClient = new Map<string, number>()
  #used = 0

  constructor(max: number) {
    this.#max = max
  }

  /** Places in use by all clients. */
  get used(): number {
    return this.#used
  }

  /** Whether all places are in use. */
  get isFull(): boolean {
    return this.#used >= this.#max
  }

  /** The places that one client may use. */
  get clientMax(): number {
    return this.#max * clientShareMax
  }

  /** Whether the client would use more than its share if it took this number of further places. */
  isFullFor(client: string, places: number = 1): boolean {
    return (this.#usedByClient.get(client) ?? 0) + places > this.clientMax
  }

  /**
   * Takes places for the client until the returned function is called. Does not check the limits: the caller has asked
   * `isFull` and `isFullFor`, or has a limit of its own.
   */
  take(client: string, places: number = 1): () => void {
    this.#add(client, places)
    return () => this.#add(client, -places)
  }

  #add(client: string, difference: number): void {
    this.#used += difference
    const usedByClient = (this.#usedByClient.get(client) ?? 0) + difference
    if (usedByClient === 0) this.#usedByClient.delete(client)
    else this.#usedByClient.set(client, usedByClient)
  }
}
