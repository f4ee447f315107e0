// Collects the matches of an iterator within a range of record positions, in time slices: after a number of steps other
// requests run first. A search waits only here: for its next time slice, or for chunks that are not in memory.
import { SearchCancelled } from '../domain/deadline.ts'
import { end, type PostingIterator, pending } from './posting-iterator.ts'
import type { PostingSource } from './posting-list.ts'
import { waitForTimeSlice } from './scheduler.ts'
import type { SearchContext } from './search-context.ts'

/** Steps in a time slice: about a quarter of a millisecond. A step is about one `seek` of an iterator. */
const sliceSteps = 10_000

/** Cost of a call of `visit`, in steps. */
const visitSteps = 2

export class Collector {
  readonly #iterator: PostingIterator
  readonly #context: SearchContext
  readonly #source: PostingSource
  readonly #to: number
  /** The position from which the next match is sought. */
  #next: number
  /** What to await before the search continues, after `#nextMatch` has returned `pending`. */
  #waiting: Promise<void> | undefined

  /** Covers the positions from `from` (included) to `to` (excluded). */
  constructor(iterator: PostingIterator, context: SearchContext, source: PostingSource, from: number, to: number) {
    this.#iterator = iterator
    this.#context = context
    this.#source = source
    this.#next = from
    this.#to = to
    context.stepsLeft = sliceSteps
  }

  /** Appends matches until the array has `lengthMax` or there are no more. Returns a promise only if it has to wait. */
  collect(matches: number[], lengthMax: number): Promise<void> | undefined {
    return this.#collectSlice(matches, lengthMax) ? undefined : this.#collectRest(matches, lengthMax)
  }

  async #collectRest(matches: number[], lengthMax: number): Promise<void> {
    do await this.#waitAndCheck()
    while (!this.#collectSlice(matches, lengthMax))
  }

  /** Collects until the end of the time slice. Returns false if it has to wait for more. */
  #collectSlice(matches: number[], lengthMax: number): boolean {
    for (let match = this.#nextMatch(); match !== end; match = this.#nextMatch()) {
      if (match === pending) return false
      if (matches.push(match) >= lengthMax) break
    }
    return true
  }

  /** Calls `visit` with every match. Returns a promise only if it has to wait. */
  forEach(visit: (match: number) => void): Promise<void> | undefined {
    return this.#visitSlice(visit) ? undefined : this.#visitRest(visit)
  }

  async #visitRest(visit: (match: number) => void): Promise<void> {
    do await this.#waitAndCheck()
    while (!this.#visitSlice(visit))
  }

  /** Visits until the end of the time slice. Returns false if it has to wait for more. */
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
      const found = context.stepsLeft-- <= 0 ? pending : this.#iterator.seek(this.#next)
      if (found !== pending) {
        const isInRange = found < this.#to
        this.#next = isInRange ? found + 1 : this.#to
        return isInRange ? found : end
      }
      // A synchronous source has already delivered the chunks: then there is nothing to wait for, and the loop goes on.
      this.#waiting = this.#fetchOrYield()
      if (this.#waiting !== undefined) return pending
    }
    return end
  }

  /** Throws `SearchCancelled` if the deadline has expired in the meantime. */
  async #waitAndCheck(): Promise<void> {
    await this.#waiting
    this.#throwIfExpired()
  }

  #throwIfExpired(): void {
    if (this.#context.deadline?.isExpired) throw new SearchCancelled('the search was cancelled')
  }

  /** Fetches the chunks that the iterators requested or, if there are none, waits for the next time slice. */
  #fetchOrYield(): Promise<void> | undefined {
    const context = this.#context
    this.#throwIfExpired()
    if (context.chunkRequests.length === 0) {
      context.stepsLeft = sliceSteps
      return waitForTimeSlice(context.deadline)
    }
    const reading = this.#source.readChunks(context.chunkRequests.splice(0))
    return reading instanceof Promise ? reading : undefined
  }
}
