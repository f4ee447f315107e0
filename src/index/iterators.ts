// Boolean combinations of posting iterators (intersection, union and difference), and two iterators without a posting
// list (all records, given records). planner.ts builds a search from them. An intersection or a difference may pass
// many records in one `seek`; it counts each round of its loop as a step in the search context, so that a long
// search can be interrupted.
import assert from 'node:assert/strict'
import { end, type PostingIterator, pending } from './posting-iterator.ts'
import type { SearchContext } from './search-context.ts'

/** Matches every record position. It never returns `end`: the collector stops at the end of its range. */
export class AllRecords implements PostingIterator {
  /** More than any number of records, so that an intersection would ask this iterator last. */
  readonly cost: number = end

  seek(target: number): number {
    return target
  }
}

/** Matches the given record positions, which must ascend. */
export class GivenPositions implements PostingIterator {
  readonly cost: number
  readonly #positions: readonly number[]
  #index = 0

  constructor(positions: readonly number[]) {
    this.#positions = positions
    this.cost = positions.length
  }

  seek(target: number): number {
    while ((this.#positions[this.#index] ?? end) < target) this.#index++
    return this.#positions[this.#index] ?? end
  }
}

/** Matches the records that all parts match. */
export class Intersection implements PostingIterator {
  readonly cost: number
  readonly #parts: readonly PostingIterator[]
  readonly #context: SearchContext

  constructor(parts: readonly PostingIterator[], context: SearchContext) {
    assert.ok(parts.length > 0, 'an intersection has at least one part')
    this.#parts = sortByCost(parts)
    this.cost = this.#parts[0]?.cost ?? 0
    this.#context = context
  }

  seek(target: number): number {
    const parts = this.#parts
    // Asks the parts in turn, and starts again after the last one, until every part matches the same candidate. A part
    // that does not match it returns a later record: the new candidate, which so far only that part matches.
    // If the search has to wait meanwhile (`pending`), the next call starts again from the same target. No part goes
    // back, so that call soon reaches the candidate again.
    let candidate = target
    let agreeingParts = 0
    let index = 0
    while (agreeingParts < parts.length) {
      if (this.#context.stepsLeft-- <= 0) return pending
      const found = (parts[index] as PostingIterator).seek(candidate)
      if (found === pending || found === end) return found
      agreeingParts = found === candidate ? agreeingParts + 1 : 1
      candidate = found
      index = index + 1 === parts.length ? 0 : index + 1
    }
    return candidate
  }
}

/**
 * Sorts the parts by ascending cost, so that the part with the fewest records proposes the candidates. Two parts that
 * are already sorted, the most frequent case, are not copied.
 */
function sortByCost(parts: readonly PostingIterator[]): readonly PostingIterator[] {
  const [first, second] = parts
  const isSorted = parts.length === 2 && first && second && first.cost <= second.cost
  return isSorted ? parts : parts.toSorted((a, b) => a.cost - b.cost)
}

/** Matches the records that at least one part matches. */
export class Union implements PostingIterator {
  readonly cost: number
  readonly #parts: readonly PostingIterator[]

  constructor(parts: readonly PostingIterator[]) {
    assert.ok(parts.length > 0, 'a union has at least one part')
    this.#parts = parts
    this.cost = parts.reduce((sum, part) => sum + part.cost, 0)
  }

  seek(target: number): number {
    let firstMatch = end
    let isPending = false
    for (const part of this.#parts) {
      const found = part.seek(target)
      // The loop goes on after `pending`, so that one round trip fetches the chunks of all parts.
      if (found === pending) isPending = true
      else if (found < firstMatch) firstMatch = found
    }
    return isPending ? pending : firstMatch
  }
}

/** Matches the records that `included` matches and `excluded` does not. */
export class Difference implements PostingIterator {
  readonly cost: number
  readonly #included: PostingIterator
  readonly #excluded: PostingIterator
  readonly #context: SearchContext

  constructor(included: PostingIterator, excluded: PostingIterator, context: SearchContext) {
    this.cost = included.cost
    this.#included = included
    this.#excluded = excluded
    this.#context = context
  }

  seek(target: number): number {
    let candidate = target
    for (;;) {
      if (this.#context.stepsLeft-- <= 0) return pending
      const found = this.#included.seek(candidate)
      if (found === pending || found === end) return found
      const nextExcluded = this.#excluded.seek(found)
      if (nextExcluded === pending) return pending
      if (nextExcluded !== found) return found
      candidate = found + 1
    }
  }
}
