// Looks up the municipalities of a snapshot by name, in any spelling, or by INE code. A search with the filter
// `municipality` starts here. The number of a municipality is its index in `Snapshot.municipalities`.
import { LRUCache } from 'lru-cache'
import { findByBothNames, foldName } from '../domain/municipality.ts'
import type { MunicipalityFacts } from './contract.ts'

const cachedNamesMax = 10_000

export class MunicipalityNames {
  /** By folded name and by INE code, which is never a name because it has digits only. Several may share a name. */
  readonly #numbersOfFoldedName = new Map<string, number[]>()
  /** Numbers by name as requested, because folding a name takes longer than a lookup. */
  readonly #cache = new LRUCache<string, readonly number[]>({ max: cachedNamesMax })

  constructor(municipalities: readonly MunicipalityFacts[]) {
    for (const [number, { lookupKeys, ineCode }] of municipalities.entries()) {
      for (const key of ineCode === null ? lookupKeys : [...lookupKeys, ineCode]) {
        const numbers = this.#numbersOfFoldedName.get(key)
        if (numbers === undefined) this.#numbersOfFoldedName.set(key, [number])
        else numbers.push(number)
      }
    }
  }

  /** The numbers of the municipalities with the name or the INE code. */
  find(name: string): readonly number[] {
    const cached = this.#cache.get(name)
    if (cached !== undefined) return cached
    const numbers = this.#findFolded(name)
    this.#cache.set(name, numbers)
    return numbers
  }

  #findFolded(name: string): readonly number[] {
    const numbersOf = (foldedName: string): readonly number[] => this.#numbersOfFoldedName.get(foldedName) ?? []
    const numbers = numbersOf(foldName(name))
    return numbers.length > 0 ? numbers : findByBothNames(name, numbersOf)
  }
}
