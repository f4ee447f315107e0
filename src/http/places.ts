// A limited number of places for work that a client can prolong, such as exports. One client may use only a share of
// them (`clientShareMax`). admission.ts keeps the places for exports and for bodies of MCP.
import { clientShareMax } from './limits.ts'

export class Places {
  readonly #max: number
  /** Places in use by the name of the client; clients without any are absent. */
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

  /** Whether the client uses its share. */
  isFullFor(client: string): boolean {
    return (this.#usedByClient.get(client) ?? 0) >= this.#max * clientShareMax
  }

  /** Takes a place for the client, even if none is free, until the returned function is called. */
  take(client: string): () => void {
    this.#add(client, 1)
    return () => this.#add(client, -1)
  }

  #add(client: string, difference: 1 | -1): void {
    this.#used += difference
    const usedByClient = (this.#usedByClient.get(client) ?? 0) + difference
    if (usedByClient === 0) this.#usedByClient.delete(client)
    else this.#usedByClient.set(client, usedByClient)
  }
}
