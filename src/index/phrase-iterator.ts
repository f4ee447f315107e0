// Iterator over the records in which the stems of a phrase stand next to each other, in order. It intersects the
// posting lists of the stems. In each record that has all stems, it compares their word positions.
import { Intersection } from './iterators.ts'
import { end, type PostingIterator, pending } from './posting-iterator.ts'
import type { PostingListIterator } from './posting-list-iterator.ts'
import type { SearchContext } from './search-context.ts'
import { WordPositions } from './word-positions.ts'

/**
 * Comparing the word positions of a record counts as this many steps of the search (`SearchContext.stepsLeft`), and one
 * more for every `positionsPerStep` positions.
 */
const comparisonSteps = 64

/** Number of word positions that are read and compared in the time of one step. */
const positionsPerStep = 4

export class PhraseIterator implements PostingIterator {
  readonly cost: number
  /** The posting list of each stem, in the order of the phrase. Equal stems share a list. */
  readonly #lists: readonly PostingListIterator[]
  readonly #intersection: Intersection
  readonly #context: SearchContext
  /** The last record that was compared and has no match. `seek` goes on after it. */
  #lastRejected = -1
  /** The last record that was compared and has a match. Another `seek` may return it again without a comparison. */
  #lastAccepted = -1
  /**
   * The comparison in a record may take several time slices. Its progress: the record, the number of stems compared so
   * far, and the positions at which a sequence of these stems starts.
   */
  #comparedRecord = -1
  #comparedStems = 0
  readonly #starts = new WordPositions()

  constructor(lists: readonly PostingListIterator[], context: SearchContext) {
    this.#lists = lists
    // The set leaves out repeated lists.
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
      const comparison = this.#comparePositions(found)
      if (comparison === 'unfinished') return pending
      if (comparison === 'match') {
        this.#lastAccepted = found
        return found
      }
      this.#lastRejected = found
      candidate = found + 1
    }
  }

  /** Loads the word positions of the current record of all lists. Returns false if they must be fetched first. */
  #loadPositions(): boolean {
    // Every list is asked, so that one round trip fetches all missing chunks.
    let isLoaded = true
    for (const list of this.#lists) if (!list.loadPositions()) isLoaded = false
    return isLoaded
  }

  /**
   * Whether the stems follow each other in the record, which is the current one of all lists. If the time slice is used
   * up before all stems are compared, the result is `unfinished`, and the next call continues: a word such as `de` has
   * tens of thousands of positions in a long document.
   */
  #comparePositions(record: number): 'match' | 'no match' | 'unfinished' {
    if (this.#comparedRecord !== record) {
      this.#comparedRecord = record
      this.#comparedStems = 0
      this.#context.stepsLeft -= comparisonSteps
    }
    const stemCount = this.#lists.length
    while (this.#comparedStems < stemCount) {
      const positionsRead = this.#compareNextStem()
      if (this.#starts.count === 0) return 'no match'
      this.#context.stepsLeft -= Math.floor(positionsRead / positionsPerStep)
      if (this.#context.stepsLeft <= 0 && this.#comparedStems < stemCount) return 'unfinished'
    }
    return 'match'
  }

  /**
   * The positions of the first stem are the starts. For each further stem, with the index i, a start stays only if the
   * stem is at `start + i`. Returns the number of positions read.
   */
  #compareNextStem(): number {
    const index = this.#comparedStems++
    const list = this.#lists[index] as PostingListIterator
    if (index === 0) {
      list.readPositions(this.#starts)
      return this.#starts.count
    }
    list.readPositions(sharedBuffer)
    this.#starts.keepFollowedBy(sharedBuffer, index)
    return sharedBuffer.count
  }
}

/** A buffer that all searches share. That is safe, because no search waits between filling and reading it. */
const sharedBuffer = new WordPositions()
