// What was made of a text, for when it comes again: each in the one place that the hash of its text allows, from the
// second time on. Most texts come once, and those that come often are found at one look.

export class Seen<Made> {
  readonly #texts: string[]
  readonly #made: (Made | undefined)[]
  /** Hashes of what came once. */
  readonly #strangers: Int32Array

  /** With so many places, a power of two. */
  constructor(places: number) {
    this.#texts = new Array<string>(places).fill('')
    this.#made = new Array<Made | undefined>(places).fill(undefined)
    this.#strangers = new Int32Array(places)
  }

  /** The text whose place a hash shares; empty where there is none. */
  textAt(hash: number): string {
    return this.#texts[this.#placeOf(hash)] as string
  }

  /** What was made of it. */
  at(hash: number): Made | undefined {
    return this.#made[this.#placeOf(hash)]
  }

  offer(hash: number, text: string, made: Made): void {
    const place = this.#placeOf(hash)
    if (this.#strangers[place] === hash) {
      this.#texts[place] = text
      this.#made[place] = made
    } else this.#strangers[place] = hash
  }

  #placeOf(hash: number): number {
    return (hash ^ (hash >>> 16)) & (this.#strangers.length - 1)
  }
}
