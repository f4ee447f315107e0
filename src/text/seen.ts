// What was made of a text, for when it comes again: each in one of the two places that the hash of its text allows,
// from the second time on. Most texts come once, and those that come often are found at one look.

/** A longer one is no common word, and would only take up memory. */
const charactersMax = 64

/** What is looked for: a text that may stand in another. */
export interface Spelt {
  isSpelt(text: string): boolean
}

export class Seen<Made> {
  readonly #texts: string[]
  readonly #made: (Made | undefined)[]
  /** Hashes of what came once. */
  readonly #strangers: Int32Array
  /** Leaves as many bits of a hash as number the pairs of places. */
  readonly #shift: number

  /** With so many places, a power of two and at least four. */
  constructor(places: number) {
    this.#shift = Math.clz32(places) + 2
    this.#texts = new Array<string>(places).fill('')
    this.#made = new Array<Made | undefined>(places).fill(undefined)
    this.#strangers = new Int32Array(places)
  }

  find(hash: number, text: string): Made | undefined {
    const place = this.#placeOf(hash)
    if (this.#texts[place] === text) return this.#made[place]
    return this.#texts[place + 1] === text ? this.#made[place + 1] : undefined
  }

  findSpelt(hash: number, wanted: Spelt): Made | undefined {
    const place = this.#placeOf(hash)
    if (wanted.isSpelt(this.#texts[place] as string)) return this.#made[place]
    return wanted.isSpelt(this.#texts[place + 1] as string) ? this.#made[place + 1] : undefined
  }

  offer(hash: number, text: string, made: Made): void {
    // Not by the same bits: two that share a place would forget each other for ever.
    const seat = (hash ^ (hash >>> 11)) & (this.#strangers.length - 1)
    if (this.#strangers[seat] !== hash) {
      this.#strangers[seat] = hash
      return
    }
    if (text.length > charactersMax) return
    const place = this.#placeOf(hash)
    this.#texts[place + 1] = this.#texts[place] as string
    this.#made[place + 1] = this.#made[place]
    this.#texts[place] = text
    this.#made[place] = made
  }

  /** The first of two. Texts that differ in their last sign, such as numbers, must not meet there. */
  #placeOf(hash: number): number {
    return (Math.imul(hash, goldenRatio) >>> this.#shift) << 1
  }
}

/** Of 2 ** 32: multiplied by it, neighbours are far apart. */
const goldenRatio = 0x9e3779b1
