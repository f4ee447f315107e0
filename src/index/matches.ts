// Where a stem, or a clause of a search term, matches in one record: the first and the last word of each match.
import { at, toGrown } from './typed-array.ts'

/** Parallel arrays of word positions, ascending by the first word. No two matches have the same first word. */
export interface Matches {
  /** The first word of each match. */
  readonly firsts: Uint32Array
  /**
   * The last word of each match: the same as its first word, unless the match is a phrase, or an added word (a joined
   * form or a synonym) that stands for several words.
   */
  readonly lasts: Uint32Array
}

export const noMatches: Matches = { firsts: new Uint32Array(0), lasts: new Uint32Array(0) }

/** Matches in a buffer that is reused. The caller empties it by setting `count` to zero. */
export class MatchBuffer {
  count = 0
  #firsts = new Uint32Array(64)
  #lasts = new Uint32Array(64)

  /** `first` must not be less than before. If two matches have the same first word, only the longer one stays. */
  push(first: number, last: number): void {
    if (this.count > 0 && at(this.#firsts, this.count - 1) === first) {
      this.#lasts[this.count - 1] = Math.max(at(this.#lasts, this.count - 1), last)
      return
    }
    if (this.count === this.#firsts.length) {
      this.#firsts = toGrown(this.#firsts)
      this.#lasts = toGrown(this.#lasts)
    }
    this.#firsts[this.count] = first
    this.#lasts[this.count] = last
    this.count++
  }

  /** Returns all matches, or the first `countMax`. */
  toMatches(countMax: number = this.count): Matches {
    const count = Math.min(this.count, countMax)
    return { firsts: this.#firsts.slice(0, count), lasts: this.#lasts.slice(0, count) }
  }
}

/**
 * Merges two lists, each of which has at most `countMax` matches, and keeps the first `countMax` matches. If two
 * matches have the same first word, only the longer one stays.
 */
export function mergeMatches(a: Matches, b: Matches, countMax: number): Matches {
  if (a.firsts.length === 0) return b
  if (b.firsts.length === 0) return a
  sharedBuffer.count = 0
  let indexA = 0
  let indexB = 0
  // Adds one match more than `countMax`. Then the match before it, the last that is kept, is complete: `push` cannot
  // replace it by a longer match with the same first word.
  while (sharedBuffer.count <= countMax && (indexA < a.firsts.length || indexB < b.firsts.length)) {
    const firstA = a.firsts[indexA] ?? Number.POSITIVE_INFINITY
    const firstB = b.firsts[indexB] ?? Number.POSITIVE_INFINITY
    if (firstA <= firstB) sharedBuffer.push(firstA, at(a.lasts, indexA++))
    else sharedBuffer.push(firstB, at(b.lasts, indexB++))
  }
  return sharedBuffer.toMatches(countMax)
}

/** A buffer that all searches share. That is safe, because `mergeMatches` does not wait. */
const sharedBuffer = new MatchBuffer()
