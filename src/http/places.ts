// A limited number of places for work that a client can prolong, such as exports. One client may use only a share of
// them (`clientShareMax`). admission.ts keeps the places for requests in progress, for exports and for the bodies of
// requests to MCP (Model Context Protocol). A request, export or body takes one place; a batch of MCP takes one place
// for each of its calls.
import { clientShareMax } from './limits.ts'

export class Places {
  readonly #max: number
  /** The number of places in use, by the name of the client; clients without any are absent. */
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

  /** Whether the client would use more than its share with this number of further places. */
  isFullFor(client: string, places: number = 1): boolean {
    return (this.#usedByClient.get(client) ?? 0) + places > this.clientMax
  }

  /** Takes places for the client, even if none is free, until the returned function is called. */
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
