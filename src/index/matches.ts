// Where a term or a clause matches in one record: the first and the last word of each match.
import { lowerBound } from '../lower-bound.ts'
import { at, toGrown } from './typed-array.ts'

/** Parallel arrays of word positions, ascending by the first word. No two matches have the same first word. */
export interface Matches {
  /** The first word of each match. */
  readonly firsts: Uint32Array
  /** The last word of each match: the first one, unless it is a phrase or an added word of several words. */
  readonly lasts: Uint32Array
}

/** Matches in a buffer that is reused. The caller empties it by setting `count` to zero. */
export class MatchBuffer {
  count = 0
  #firsts = new Uint32Array(64)
  #lasts = new Uint32Array(64)

  /** `first` must not be less than that of the match before. Of matches with the same first word, the longest stays. */
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

  toMatches(): Matches {
    return { firsts: this.#firsts.slice(0, this.count), lasts: this.#lasts.slice(0, this.count) }
  }
}

/** Merges lists of matches. Of matches with the same first word, the longest stays. A single list stays as it is. */
export function mergeMatches(lists: readonly Matches[]): Matches {
  const [single] = lists
  if (single !== undefined && lists.length === 1) return single
  const all = new Uint32Array(lists.reduce((sum, { firsts }) => sum + firsts.length, 0))
  let filled = 0
  for (const { firsts } of lists) {
    all.set(firsts, filled)
    filled += firsts.length
  }
  all.sort()
  const merged = all.filter((first, index) => index === 0 || first !== at(all, index - 1))
  // Most matches are one word. The longer ones are then looked up and extended.
  const lasts = merged.slice()
  for (const list of lists) {
    for (let match = 0; match < list.firsts.length; match++) {
      const first = at(list.firsts, match)
      const last = at(list.lasts, match)
      if (last === first) continue
      const index = lowerBound(0, merged.length, (other) => at(merged, other) < first)
      lasts[index] = Math.max(at(lasts, index), last)
    }
  }
  return { firsts: merged, lasts }
}
