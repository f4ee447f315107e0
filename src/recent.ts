// What is used again and again, within a bound of weight. Two generations: the elder goes as a whole once the younger
// has grown to half the bound, or has taken half its places, and what was used meanwhile has moved on before. Unlike a
// list in order of use it costs a hit nothing but the look-up. A key is looked for by a number made of it, in the few
// places that the number allows: most keys come once, and to learn that one is not here touches two lines of memory. A
// Map touches many more, and for a text takes it into V8's table of all texts.
import { hashText } from './hash.ts'

export class Recent<Key extends string | number, Value> {
  readonly #weightMax: number
  readonly #places: number
  /** Keys that came once, each as a number, in the one place that it allows. */
  readonly #strangers: Int32Array
  #younger: Generation<Key, Value>
  #elder: Generation<Key, Value>

  /**
   * With so many places, a power of two: at least as many as the bound leaves room for entries. Of keys that came once,
   * `strangersMax` are remembered, a power of two: were they more than there is room for, entries would be kept that
   * have to go before they are used.
   */
  constructor(weightMax: number, places: number, strangersMax: number) {
    this.#weightMax = weightMax
    this.#places = places
    this.#strangers = new Int32Array(strangersMax)
    this.#younger = new Generation(places)
    this.#elder = new Generation(places)
  }

  get weight(): number {
    return this.#younger.weight + this.#elder.weight
  }

  get(key: Key): Value | undefined {
    const number = toNumber(key)
    const younger = this.#younger.find(number)
    if (younger?.key === key) return younger.value
    const elder = this.#elder.find(number)
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
    this.#younger = new Generation(this.#places)
    this.#elder = new Generation(this.#places)
  }

  /** What stands in both generations weighs twice until the elder goes. */
  #take(number: number, entry: Entry<Key, Value>): void {
    const isFull = this.#younger.count >= this.#places / 2
    if (isFull || this.#younger.weight + entry.weight > this.#weightMax / 2) {
      this.#elder = this.#younger
      this.#younger = new Generation(this.#places)
    }
    this.#younger.put(number, entry)
  }
}

interface Entry<Key, Value> {
  readonly key: Key
  readonly value: Value
  readonly weight: number
}

/** Next to each other, so that they are looked at together. */
const placesOfOne = 4

class Generation<Key, Value> {
  weight = 0
  count = 0
  readonly #numbers: Int32Array
  readonly #entries: (Entry<Key, Value> | undefined)[]

  constructor(places: number) {
    this.#numbers = new Int32Array(places)
    this.#entries = new Array<Entry<Key, Value> | undefined>(places).fill(undefined)
  }

  find(number: number): Entry<Key, Value> | undefined {
    const numbers = this.#numbers
    const first = number & (numbers.length - placesOfOne)
    for (let place = first; place < first + placesOfOne; place++) {
      if (numbers[place] === number) return this.#entries[place]
    }
    return undefined
  }

  /** In the place of an entry of the same number, else in an empty one, else in that of any of the few. */
  put(number: number, entry: Entry<Key, Value>): void {
    const place = this.#placeFor(number)
    const before = this.#entries[place]
    if (before === undefined) this.count++
    this.weight += entry.weight - (before?.weight ?? 0)
    this.#numbers[place] = number
    this.#entries[place] = entry
  }

  #placeFor(number: number): number {
    const first = number & (this.#numbers.length - placesOfOne)
    let empty = -1
    for (let place = first; place < first + placesOfOne; place++) {
      if (this.#numbers[place] === number && this.#entries[place] !== undefined) return place
      if (this.#entries[place] === undefined) empty = place
    }
    return empty < 0 ? first + ((number >>> 16) & (placesOfOne - 1)) : empty
  }
}

/** Never 0, which is what an empty place has. */
function toNumber(key: string | number): number {
  return (typeof key === 'number' ? Math.imul(key, 0x9e3779b1) : hashText(key) | 0) || 1
}
