// Where a word stands in one record: its positions, ascending, in memory that one record after the other is read into.
import { at } from './varint.ts'

export class Positions {
  count = 0
  #values = new Uint32Array(64)

  get values(): Uint32Array {
    return this.#values.subarray(0, this.count)
  }

  push(position: number): void {
    if (this.count === this.#values.length) {
      const grown = new Uint32Array(this.count * 2)
      grown.set(this.#values)
      this.#values = grown
    }
    this.#values[this.count++] = position
  }

  /** Those that others follow at a distance. */
  keepFollowed(others: Positions, distance: number): void {
    let kept = 0
    let other = 0
    for (let index = 0; index < this.count; index++) {
      const start = at(this.#values, index)
      while (other < others.count && at(others.#values, other) < start + distance) other++
      if (other < others.count && at(others.#values, other) === start + distance) this.#values[kept++] = start
    }
    this.count = kept
  }
}
