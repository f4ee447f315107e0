// Repeatable chance for the sample: the same seed draws the same numbers on every machine. Integer arithmetic only,
// since the last digit of Math.pow and its kin is left to the platform.

/** The small fast counting generator of Chris Doty-Humphrey (sfc32), 32 bits a draw. */
export class Chance {
  #a = 0
  #b = 0
  #c = 0
  #counter = 0

  constructor(seed: number, stream: number) {
    this.restart(seed, stream)
  }

  /** Begins the series of another record, so that each record is the same whichever order they are made in. */
  restart(seed: number, stream: number): void {
    this.#a = seed | 0
    this.#b = stream | 0
    this.#c = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(stream, 0xc2b2ae35)
    this.#counter = 1
    for (let round = 0; round < 12; round++) this.#next()
  }

  /** A whole number from 0 to below `bound`. */
  below(bound: number): number {
    return Math.floor((this.#next() / 0x1_0000_0000) * bound)
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1)
  }

  /** True in `share` of a hundred draws. */
  percent(share: number): boolean {
    return this.below(100) < share
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0]
  }

  /** A rank from 1 to below `2 ** bits`, each as likely as its reciprocal: how often words occur (Zipf's law). */
  zipf(bits: number): number {
    const magnitude = 1 << this.below(bits)
    return magnitude + this.below(magnitude)
  }

  /** Picks the first choices far more often than the last. */
  pickEarly<T>(choices: readonly [T, ...T[]]): T {
    const bits = 32 - Math.clz32(choices.length)
    return choices[this.zipf(bits) - 1] ?? choices[0]
  }

  #next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum
    this.#c |= 0
    return sum >>> 0
  }
}

/** Any text as a seed (FNV-1a over its UTF-16 units). */
export function toSeed(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}
