// Looks up the municipalities of a snapshot by name, in any spelling, or by INE code (the five-digit number in the
// national list). A search with the filter `municipality` starts here. The number of a municipality is its index in
// `Snapshot.municipalities`.
import { LRUCache } from 'lru-cache'
import { findByBothNames, foldName } from '../domain/municipality.ts'
import type { MunicipalityFacts } from './contract.ts'

/** Bounds the memory of the cache: a request may contain any name. */
const cachedNamesMax = 10_000

export class MunicipalityNames {
  /**
   * Municipality numbers by lookup key. A key is a folded name, which several municipalities may share, or an INE code.
   * An INE code consists of digits, so it is never equal to a name.
   */
  readonly #numbersByKey = new Map<string, number[]>()
  /** Municipality numbers by name as it is in the request, because folding a name takes longer than a lookup. */
  readonly #cache = new LRUCache<string, readonly number[]>({ max: cachedNamesMax })

  constructor(municipalities: readonly MunicipalityFacts[]) {
    for (const [number, { lookupKeys, ineCode }] of municipalities.entries()) {
      for (const key of ineCode === null ? lookupKeys : [...lookupKeys, ineCode]) {
        const numbers = this.#numbersByKey.get(key)
        if (numbers === undefined) this.#numbersByKey.set(key, [number])
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
    const findByKey = (key: string): readonly number[] => this.#numbersByKey.get(key) ?? []
    const numbers = findByKey(foldName(name))
    // `Gerona-Girona` is not a key, but two names of one municipality: those that have both names are returned.
    return numbers.length > 0 ? numbers : findByBothNames(name, findByKey)
  }
}
