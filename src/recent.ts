// What was used lately, within a bound of weight. Two generations: the elder goes as a whole once the younger has grown
// to half the bound, and what was used meanwhile has moved on before. Unlike a list in order of use it costs a hit
// nothing but the look-up.

export class Recent<Key, Value> {
  readonly #weightMax: number
  #younger = new Map<Key, Entry<Value>>()
  #elder = new Map<Key, Entry<Value>>()
  #youngerWeight = 0
  #elderWeight = 0

  constructor(weightMax: number) {
    this.#weightMax = weightMax
  }

  get weight(): number {
    return this.#youngerWeight + this.#elderWeight
  }

  get(key: Key): Value | undefined {
    const younger = this.#younger.get(key)
    if (younger !== undefined) return younger.value
    const elder = this.#elder.get(key)
    if (elder === undefined) return undefined
    this.set(key, elder.value, elder.weight)
    return elder.value
  }

  /** What weighs more than a quarter of the bound is not kept; a key set again weighs twice until it goes. */
  set(key: Key, value: Value, weight: number): void {
    if (weight > this.#weightMax / 4) return
    if (this.#youngerWeight + weight > this.#weightMax / 2) {
      this.#elder = this.#younger
      this.#elderWeight = this.#youngerWeight
      this.#younger = new Map()
      this.#youngerWeight = 0
    }
    this.#younger.set(key, { value, weight })
    this.#youngerWeight += weight
  }

  clear(): void {
    this.#younger = new Map()
    this.#elder = new Map()
    this.#youngerWeight = 0
    this.#elderWeight = 0
  }
}

interface Entry<Value> {
  readonly value: Value
  readonly weight: number
}
