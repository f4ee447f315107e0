// Runs a search: collects the matches of the iterator that planner.ts has made, within a range of record positions (the
// numbers of the records, newest first). It works in time slices: after a number of steps it lets other requests run.
// Iterators never wait; only the collector does, for its next time slice or for chunks (posting blocks and position
// chunks) that are not in memory.
import { SearchCancelled } from '../domain/deadline.ts'
import { end, type PostingIterator, pending } from './posting-iterator.ts'
import type { ChunkSource } from './posting-list.ts'
import { waitForTimeSlice } from './scheduler.ts'
import { type SearchContext, sliceSteps } from './search-context.ts'

/** A call of `visit` (`Collector.forEach`) counts as this many steps. A step is about one call of `seek`. */
const visitSteps = 2

export class Collector {
  readonly #iterator: PostingIterator
  readonly #context: SearchContext
  readonly #source: ChunkSource
  /** The next match is sought from `#next` (included) to `#to` (excluded). */
  #next: number
  readonly #to: number
  /** What the search must await before it continues. Set when `#nextMatch` returns `pending`. */
  #waiting: Promise<void> | undefined

  /**
   * Covers the positions from `from` (included) to `to` (excluded). `source` has the posting lists. The first time
   * slice has the steps that are left in `context`.
   */
  constructor(iterator: PostingIterator, context: SearchContext, source: ChunkSource, from: number, to: number) {
    this.#iterator = iterator
    this.#context = context
    this.#source = source
    this.#next = from
    this.#to = to
  }

  /**
   * Appends matches to the array, which is shorter than `lengthMax`, until it has this length or there are no more.
   * Returns a promise only if it has to wait. A second call continues after the last match.
   */
  collect(matches: number[], lengthMax: number): Promise<void> | undefined {
    return this.#collectSlice(matches, lengthMax) ? undefined : this.#collectRest(matches, lengthMax)
  }

  async #collectRest(matches: number[], lengthMax: number): Promise<void> {
    do await this.#waitAndCheck()
    while (!this.#collectSlice(matches, lengthMax))
  }

  /** Collects until it is done, and returns true, or until it has to wait, and returns false. */
  #collectSlice(matches: number[], lengthMax: number): boolean {
    for (let match = this.#nextMatch(); match !== end; match = this.#nextMatch()) {
      if (match === pending) return false
      if (matches.push(match) >= lengthMax) break
    }
    return true
  }

  /** Calls `visit` with every match, in ascending order. Returns a promise only if it has to wait. */
  forEach(visit: (match: number) => void): Promise<void> | undefined {
    return this.#visitSlice(visit) ? undefined : this.#visitRest(visit)
  }

  async #visitRest(visit: (match: number) => void): Promise<void> {
    do await this.#waitAndCheck()
    while (!this.#visitSlice(visit))
  }

  /** Visits until it is done, and returns true, or until it has to wait, and returns false. */
  #visitSlice(visit: (match: number) => void): boolean {
    for (let match = this.#nextMatch(); match !== end; match = this.#nextMatch()) {
      if (match === pending) return false
      visit(match)
      this.#context.stepsLeft -= visitSteps
    }
    return true
  }

  /** The next match, `end`, or `pending` if `#waiting` must be awaited first. */
  #nextMatch(): number {
    const context = this.#context
    while (this.#next < this.#to) {
      const isSliceUsedUp = context.stepsLeft-- <= 0
      const found = isSliceUsedUp ? pending : this.#iterator.seek(this.#next)
      if (found === pending) {
        this.#waiting = this.#fetchOrYield()
        if (this.#waiting !== undefined) return pending
        // A synchronous source has delivered the chunks already, so `seek` can be called again.
        continue
      }
      if (found >= this.#to) break
      this.#next = found + 1
      return found
    }
    this.#next = this.#to
    return end
  }

  /** Waits for `#waiting`. Throws `SearchCancelled` if the deadline has expired in the meantime. */
  async #waitAndCheck(): Promise<void> {
    await this.#waiting
    this.#throwIfExpired()
  }

  #throwIfExpired(): void {
    if (this.#context.deadline?.isExpired) throw new SearchCancelled('the search was cancelled')
  }

  /**
   * Fetches the chunks that the iterators have requested. If they have requested none, the steps are used up, and it
   * waits for the next time slice. Returns undefined if the chunks are already delivered. Throws `SearchCancelled`
   * if the deadline has expired.
   */
  #fetchOrYield(): Promise<void> | undefined {
    const context = this.#context
    this.#throwIfExpired()
    if (context.chunkRequests.length === 0) {
      context.stepsLeft = sliceSteps
      return waitForTimeSlice(context.deadline)
    }
    const requests = context.chunkRequests.splice(0)
    const reading = this.#source.readChunks(requests)
    return reading instanceof Promise ? reading : undefined
  }
}
