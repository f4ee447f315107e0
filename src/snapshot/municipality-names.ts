// Lookup of the municipalities of a snapshot by name, in any spelling.
import { LRUCache } from 'lru-cache'
import { findByBothNames, foldName } from '../domain/municipality.ts'
import type { MunicipalityFacts } from './contract.ts'

const cachedMax = 10_000

export class MunicipalityNames {
  readonly #numbers = new Map<string, number[]>()
  /** By name as requested: folding a name takes longer than a lookup. */
  readonly #cache = new LRUCache<string, readonly number[]>({ max: cachedMax })

  constructor(municipalities: readonly MunicipalityFacts[]) {
    for (const [number, { keys }] of municipalities.entries()) {
      for (const key of keys) {
        const numbers = this.#numbers.get(key)
        if (numbers === undefined) this.#numbers.set(key, [number])
        else numbers.push(number)
      }
    }
  }

  /** The numbers of the municipalities with the name. */
  find(name: string): readonly number[] {
    const cached = this.#cache.get(name)
    if (cached !== undefined) return cached
    const numbers = this.#findFolded(name)
    this.#cache.set(name, numbers)
    return numbers
  }

  #findFolded(name: string): readonly number[] {
    const numbersOf = (key: string): readonly number[] => this.#numbers.get(key) ?? []
    const numbers = numbersOf(foldName(name))
    return numbers.length > 0 ? numbers : findByBothNames(name, numbersOf)
  }
}
