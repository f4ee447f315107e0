// Looks up the municipalities of a snapshot by name, in any spelling, or by INE code. A search with the filter
// `municipality` starts here. The number of a municipality is its index in `Snapshot.municipalities`.
import { LRUCache } from 'lru-cache'
import { findByBothNames, foldName } from '../domain/municipality.ts'
import type { MunicipalityFacts } from './contract.ts'

const cachedNamesMax = 10_000

export class MunicipalityNames {
  /** Numbers by lookup key: a folded name, which several may share, or an INE code, whose digits are never a name. */
  readonly #numbersOfKey = new Map<string, number[]>()
  /** Numbers by name as requested, because folding a name takes longer than a lookup. */
  readonly #cache = new LRUCache<string, readonly number[]>({ max: cachedNamesMax })

  constructor(municipalities: readonly MunicipalityFacts[]) {
    for (const [number, { lookupKeys, ineCode }] of municipalities.entries()) {
      for (const key of ineCode === null ? lookupKeys : [...lookupKeys, ineCode]) {
        const numbers = this.#numbersOfKey.get(key)
        if (numbers === undefined) this.#numbersOfKey.set(key, [number])
        else numbers.push(number)
      }
    }
  }

  /** The numbers of the municipalities with the name or the INE code; empty if there are none. */
  find(name: string): readonly number[] {
    const cached = this.#cache.get(name)
    if (cached !== undefined) return cached
    const numbers = this.#findUncached(name)
    this.#cache.set(name, numbers)
    return numbers
  }

  #findUncached(name: string): readonly number[] {
    const numbersOf = (key: string): readonly number[] => this.#numbersOfKey.get(key) ?? []
    const numbers = numbersOf(foldName(name))
    // A name in two languages, such as `Alicante/Alacant`, may be no key itself.
    return numbers.length > 0 ? numbers : findByBothNames(name, numbersOf)
  }
}
