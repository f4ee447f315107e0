// What is used again and again, within a bound of weight. Two generations: the elder goes as a whole once the younger
// has grown to half the bound, and what was used meanwhile has moved on before. Unlike a list in order of use it costs
// a hit nothing but the look-up. Keys are looked up by a number made of each: V8 takes every text that is looked up in
// a Map into its table of all texts, which costs more than the look-up where most texts come once.
import { hashText } from './hash.ts'

export class Recent<Key extends string | number, Value> {
  readonly #weightMax: number
  /** Keys that came once, each as a number, in the one place that it allows. */
  readonly #strangers: Int32Array
  #younger = new Map<number, Entry<Key, Value>>()
  #elder = new Map<number, Entry<Key, Value>>()
  #youngerWeight = 0
  #elderWeight = 0

  /**
   * Of keys that came once, `strangersMax` are remembered, a power of two: about as many as there is room for entries.
   * Were they more, entries would be kept that have to go before they are used.
   */
  constructor(weightMax: number, strangersMax: number) {
    this.#weightMax = weightMax
    this.#strangers = new Int32Array(strangersMax)
  }

  get weight(): number {
    return this.#youngerWeight + this.#elderWeight
  }

  get(key: Key): Value | undefined {
    const number = toNumber(key)
    const younger = this.#younger.get(number)
    if (younger?.key === key) return younger.value
    const elder = this.#elder.get(number)
    if (elder?.key !== key) return undefined
    this.#take(number, elder)
    return elder.value
  }

  /** For what is dear to make. More than a quarter of the bound is not kept; false then. */
  keep(key: Key, value: Value, weight: number): boolean {
    if (weight > this.#weightMax / 4) return false
    this.#take(toNumber(key), { key, value, weight })
    return true
  }

  /** Keeps it from the second time on: most things are asked for once, and keeping them costs more than it saves. */
  offer(key: Key, value: Value, weight: number): boolean {
    return this.isKnown(key) && this.keep(key, value, weight)
  }

  /** Whether it came before, and not too long ago. */
  isKnown(key: Key): boolean {
    const number = toNumber(key)
    const place = number & (this.#strangers.length - 1)
    if (this.#strangers[place] === number) return true
    this.#strangers[place] = number
    return false
  }

  clear(): void {
    this.#younger = new Map()
    this.#elder = new Map()
    this.#youngerWeight = 0
    this.#elderWeight = 0
  }

  /**
   * What stands in both generations weighs twice until the elder goes. Of two keys with one number the later stays.
   */
  #take(number: number, entry: Entry<Key, Value>): void {
    if (this.#youngerWeight + entry.weight > this.#weightMax / 2) {
      this.#elder = this.#younger
      this.#elderWeight = this.#youngerWeight
      this.#younger = new Map()
      this.#youngerWeight = 0
    }
    this.#younger.set(number, entry)
    this.#youngerWeight += entry.weight
  }
}

interface Entry<Key, Value> {
  readonly key: Key
  readonly value: Value
  readonly weight: number
}

function toNumber(key: string | number): number {
  return typeof key === 'number' ? key : hashText(key) | 0
}
