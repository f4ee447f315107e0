// The records of each municipality, ascending: four bytes a record, in memory once one of them was asked for.
import { at } from '../search/bytes.ts'
import type { MunicipalityFacts } from './store.ts'

export class MunicipalityRecords {
  readonly #records: Uint32Array
  /** Where those of each begin, and the last ones end. */
  readonly #firsts: Uint32Array
  readonly #asked: (Uint32Array | undefined)[]

  /** `records` are those of the first municipality, behind them those of the second, and so on. */
  constructor(records: Uint32Array, municipalities: readonly MunicipalityFacts[]) {
    this.#records = records
    this.#firsts = new Uint32Array(municipalities.length + 1)
    for (const [number, municipality] of municipalities.entries()) {
      this.#firsts[number + 1] = at(this.#firsts, number) + municipality.records
    }
    this.#asked = new Array<Uint32Array | undefined>(municipalities.length).fill(undefined)
  }

  of(number: number): Uint32Array {
    const asked = this.#asked[number] ?? this.#records.subarray(at(this.#firsts, number), at(this.#firsts, number + 1))
    this.#asked[number] = asked
    return asked
  }
}
