// Word positions of a term in one record, ascending, in a buffer that is reused from record to record. A word position
// is the number of a word in the text of the record. A phrase is matched by comparing the positions of its words.
import { at, toGrown } from './typed-array.ts'

/** The caller empties it by setting `count` to zero. */
export class WordPositions {
  count = 0
  #values = new Uint32Array(64)

  /** A view; valid until the positions change. */
  get values(): Uint32Array {
    return this.#values.subarray(0, this.count)
  }

  /** Positions must ascend. */
  push(position: number): void {
    if (this.count === this.#values.length) this.#values = toGrown(this.#values)
    this.#values[this.count++] = position
  }

  /**
   * Keeps the positions `p` for which `others` contains `p + distance`. With the others 4, 10 and the distance 1, the
   * positions 3, 7, 9 become 3, 9. Both lists ascend, so one pass over them is enough.
   */
  keepFollowedBy(others: WordPositions, distance: number): void {
    let keptCount = 0
    let otherIndex = 0
    for (let index = 0; index < this.count; index++) {
      const position = at(this.#values, index)
      const wanted = position + distance
      while (otherIndex < others.count && at(others.#values, otherIndex) < wanted) otherIndex++
      const isFollowed = otherIndex < others.count && at(others.#values, otherIndex) === wanted
      if (isFollowed) this.#values[keptCount++] = position
    }
    this.count = keptCount
  }
}
