// Iterator over the records in which the stems of a phrase stand next to each other, in order: it intersects the
// posting lists of the stems and compares the word positions in each record that has them all.
import { Intersection } from './iterators.ts'
import { end, type PostingIterator, pending } from './posting-iterator.ts'
import type { PostingListIterator } from './posting-list-iterator.ts'
import type { SearchContext } from './search-context.ts'
import { WordPositions } from './word-positions.ts'

/** Cost of comparing the word positions of a record, in steps of the search (`SearchContext.stepsLeft`). */
const comparisonSteps = 64

export class PhraseIterator implements PostingIterator {
  readonly cost: number
  /** The posting list of each stem, in the order of the phrase. Equal stems share a list. */
  readonly #lists: readonly PostingListIterator[]
  readonly #intersection: Intersection
  readonly #context: SearchContext
  /** The last record that was not a match, and the last that was, so that a repeated `seek` does not compare again. */
  #lastRejected = -1
  #lastAccepted = -1

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
      if (this.#isPhrase()) {
        this.#lastAccepted = found
        return found
      }
      this.#lastRejected = found
      this.#context.stepsLeft -= comparisonSteps
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

  /** Whether the stems follow each other in the record at which all lists are. */
  #isPhrase(): boolean {
    // `starts` are the positions at which the phrase may start, fewer with each stem.
    this.#lists[0]?.readPositions(starts)
    for (let offset = 1; offset < this.#lists.length && starts.count > 0; offset++) {
      this.#lists[offset]?.readPositions(positions)
      starts.keepFollowedBy(positions, offset)
    }
    return starts.count > 0
  }
}

/** Buffers that all searches share. That is safe because a record is compared without waiting in between. */
const starts = new WordPositions()
const positions = new WordPositions()
