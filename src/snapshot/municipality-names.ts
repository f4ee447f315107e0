// Which municipalities of a snapshot bear a name, under whatever spelling it is asked for.
import { LRUCache } from 'lru-cache'
import { bearersOfBoth, foldName } from '../domain/municipality.ts'
import type { MunicipalityFacts } from './contract.ts'

const askedMax = 10_000

export class MunicipalityNames {
  readonly #numbers = new Map<string, number[]>()
  /** Names as they were asked for lately: to fold one takes longer than to search for it. */
  readonly #asked = new LRUCache<string, readonly number[]>({ max: askedMax })

  constructor(municipalities: readonly MunicipalityFacts[]) {
    for (const [number, { keys }] of municipalities.entries()) {
      for (const key of keys) {
        const numbers = this.#numbers.get(key)
        if (numbers === undefined) this.#numbers.set(key, [number])
        else numbers.push(number)
      }
    }
  }

  /** The numbers of those that bear it. */
  find(name: string): readonly number[] {
    const known = this.#asked.get(name)
    if (known !== undefined) return known
    const numbers = this.#look(name)
    this.#asked.set(name, numbers)
    return numbers
  }

  #look(name: string): readonly number[] {
    const numbersOf = (key: string): readonly number[] => this.#numbers.get(key) ?? []
    const named = numbersOf(foldName(name))
    return named.length > 0 ? named : bearersOfBoth(name, numbersOf)
  }
}
