// Seeded random numbers for the fictional sample registry, the same on every machine. Only operations with an exactly
// defined result are used. Functions such as Math.sin may give other results on other platforms.

/** The generator sfc32 (Small Fast Counter, Chris Doty-Humphrey), 32 bits per draw. */
export class Random {
  #a = 0
  #b = 0
  #c = 0
  #counter = 0

  /** The same seed and stream always give the same sequence. Streams are independent sequences of one seed. */
  constructor(seed: number, stream: number) {
    this.reseed(seed, stream)
  }

  /** Starts a new sequence. Each record has a stream of its own, so that it does not depend on the others. */
  reseed(seed: number, stream: number): void {
    this.#a = seed | 0
    this.#b = stream | 0
    // The golden ratio and the multipliers of MurmurHash3, so that similar seeds give different states.
    this.#c = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(stream, 0xc2b2ae35)
    this.#counter = 1
    // The first draws of sfc32 depend on few bits of the seed, so 12 are discarded, as its author does.
    for (let draw = 0; draw < 12; draw++) this.#next()
  }

  /** A whole number from 0 to `bound - 1`. */
  below(bound: number): number {
    const possibleDraws = 2 ** 32
    return Math.floor((this.#next() / possibleDraws) * bound)
  }

  /** A whole number from `min` to `max`. */
  between(min: number, max: number): number {
    return min + this.below(max - min + 1)
  }

  /** True with a probability of `percent` / 100. */
  chance(percent: number): boolean {
    return this.below(100) < percent
  }

  /** Picks a choice, each with the same probability. */
  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0]
  }

  /** A rank from 1 to `2 ** bits - 1`, with a probability about proportional to 1 / rank (Zipf's law). */
  zipf(bits: number): number {
    // Draws a power of two, each with the same probability, then a rank from it up to the next power (excluded). Each
    // power has twice as many ranks as the one before, so each of its ranks is half as likely.
    const magnitude = 1 << this.below(bits)
    return magnitude + this.below(magnitude)
  }

  /** Picks a choice by Zipf's law: the first is the most frequent. */
  pickZipf<T>(choices: readonly [T, ...T[]]): T {
    // The number of bits of the length: 3 for 5 choices, which gives ranks from 1 to 7. A rank after the last choice,
    // here 6 or 7, picks the first.
    const bits = 32 - Math.clz32(choices.length)
    return choices[this.zipf(bits) - 1] ?? choices[0]
  }

  /** A whole number from 0 to `2 ** 32 - 1`. `| 0` and `>>> 0` keep the lowest 32 bits of a sum. */
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

/** Hashes a text to a seed (FNV-1a over its UTF-16 code units). */
export function toSeed(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}
