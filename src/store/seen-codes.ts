// Which codes an import has met before, in a few bytes for each of a million: it keeps a hash of each, so "seen" means
// "very probably" and whoever asks makes sure of it; "not seen" is certain.
import { hashText } from '../hash.ts'
import { foldCode } from '../record/code.ts'

/** The share of slots in use at which the table grows. */
const loadMax = 0.7

/** Of the code as codes are compared: a whole number above zero, of 53 bits. */
export function hashCode(code: string): number {
  const folded = foldCode(code)
  let high = 0x9747b28c
  for (let i = 0; i < folded.length; i++) {
    high = Math.imul(high ^ folded.charCodeAt(i), 0x5bd1e995)
    high ^= high >>> 15
  }
  return ((high >>> highBitsLeftOut) | 1) * 2 ** 32 + hashText(folded)
}

const highBitsLeftOut = 11

/** The 32 bits that a registry finds the code by (hash.ts). */
export function lowerHalf(hash: number): number {
  return hash % 2 ** 32
}

export class SeenCodes {
  /** A free one is zero. */
  #slots = new Float64Array(1 << 12)
  #count = 0

  /** Whether the hash was added before. */
  add(hash: number): boolean {
    if (this.#put(hash)) return true
    this.#count += 1
    if (this.#count > this.#slots.length * loadMax) this.#grow()
    return false
  }

  /** Whether it was there already. */
  #put(hash: number): boolean {
    const slots = this.#slots
    const mask = slots.length - 1
    let slot = ((hash / 2 ** 32) ^ lowerHalf(hash)) & mask
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) if (slots[slot] === hash) return true
    slots[slot] = hash
    return false
  }

  #grow(): void {
    const slots = this.#slots
    this.#slots = new Float64Array(slots.length * 2)
    for (const hash of slots) if (hash !== 0) this.#put(hash)
  }
}
