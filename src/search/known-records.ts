// Records that are all in memory, ascending, as a matcher: those of a municipality.
import { halve } from '../halve.ts'
import { at } from './bytes.ts'
import { end, type Matcher } from './matcher.ts'

export class KnownRecords implements Matcher {
  readonly recordsMax: number
  readonly #records: Uint32Array
  #next = 0

  constructor(records: Uint32Array) {
    this.#records = records
    this.recordsMax = records.length
  }

  advanceTo(target: number): number {
    const records = this.#records
    if (this.#next < records.length && at(records, this.#next) < target) this.#next = this.#firstFrom(target)
    return this.#next < records.length ? at(records, this.#next) : end
  }

  /** In strides that double, since it is near most often. */
  #firstFrom(target: number): number {
    const records = this.#records
    let before = this.#next
    let stride = 1
    while (before + stride < records.length && at(records, before + stride) < target) {
      before += stride
      stride *= 2
    }
    return halve(before + 1, Math.min(before + stride, records.length), (nth) => at(records, nth) < target)
  }
}
