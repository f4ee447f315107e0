// Iterator over the records in which the stems of a phrase stand next to each other, in order: it intersects the
// posting lists of the stems and compares the word positions in each record that has them all.
import { Intersection } from './iterators.ts'
import { end, type PostingIterator, pending } from './posting-iterator.ts'
import type { PostingListIterator } from './posting-list-iterator.ts'
import type { SearchContext } from './search-context.ts'
import { WordPositions } from './word-positions.ts'

/** Cost of comparing the word positions of a record, in steps of the search (`SearchContext.stepsLeft`). */
const comparisonSteps = 64

/** Word positions that are read and compared in the time of a step. */
const positionsPerStep = 4

export class PhraseIterator implements PostingIterator {
  readonly cost: number
  /** The posting list of each stem, in the order of the phrase. Equal stems share a list. */
  readonly #lists: readonly PostingListIterator[]
  readonly #intersection: Intersection
  readonly #context: SearchContext
  /** The last record that was not a match, and the last that was, so that a repeated `seek` does not compare again. */
  #lastRejected = -1
  #lastAccepted = -1
  /** The record that is being compared, and the number of stems compared so far: a time slice may end in between. */
  #comparedRecord = -1
  #comparedStems = 0
  /** The positions in that record at which these stems follow each other, fewer with each stem. */
  readonly #starts = new WordPositions()

  constructor(lists: readonly PostingListIterator[], context: SearchContext) {
    this.#lists = lists
    this.#intersection = new Intersection([...new Set(lists)], context)
    this.cost = this.#intersection.cost
    this.#context = context
  }

  seek(target: number): number {
    let candidate = Math.max(target, this.#lastRejected + 1)
    for (;;) {
      if (this.#context.stepsLeft-- <= 0) return pending
      const found = this.#intersection.seek(candidate)
      if (found === pending || found === end) return found
      if (found === this.#lastAccepted) return found
      if (!this.#loadPositions()) return pending
      const isPhrase = this.#comparePositions(found)
      if (isPhrase === pending) return pending
      if (isPhrase) {
        this.#lastAccepted = found
        return found
      }
      this.#lastRejected = found
      candidate = found + 1
    }
  }

  /** Returns false if word positions must be fetched first. */
  #loadPositions(): boolean {
    // Every list is asked, so that one round trip fetches all missing chunks.
    let isLoaded = true
    for (const list of this.#lists) if (!list.loadPositions()) isLoaded = false
    return isLoaded
  }

  /**
   * Whether the stems follow each other in the record, at which all lists are; `pending` if the time slice is used up
   * before all stems are compared. A word such as `de` has tens of thousands of positions in a long document.
   */
  #comparePositions(record: number): boolean | typeof pending {
    if (this.#comparedRecord !== record) {
      this.#comparedRecord = record
      this.#comparedStems = 0
      this.#context.stepsLeft -= comparisonSteps
    }
    const starts = this.#starts
    while (this.#comparedStems < this.#lists.length) {
      const isFirst = this.#comparedStems === 0
      const read = isFirst ? starts : positions
      this.#lists[this.#comparedStems]?.readPositions(read)
      if (!isFirst) starts.keepFollowedBy(positions, this.#comparedStems)
      this.#comparedStems += 1
      if (starts.count === 0) return false
      this.#context.stepsLeft -= Math.floor(read.count / positionsPerStep)
      if (this.#context.stepsLeft <= 0 && this.#comparedStems < this.#lists.length) return pending
    }
    return true
  }
}

/** A buffer that all searches share. That is safe because it is filled and read without waiting in between. */
const positions = new WordPositions()
