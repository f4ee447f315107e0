// Which codes an import has met before, in a few bytes for each of a million: it keeps a hash of each, so "seen" means
// "very probably" and whoever asks makes sure of it; "not seen" is certain.

/** The share of slots in use at which the table grows. */
const loadMax = 0.7

export class SeenCodes {
  /** Two numbers a slot; a free one is zero. */
  #slots = new Uint32Array(2 << 12)
  #count = 0

  /** Whether the code was added before. */
  add(code: string): boolean {
    let low = 0x811c9dc5
    let high = 0x9747b28c
    for (let i = 0; i < code.length; i++) {
      const unit = code.charCodeAt(i)
      low = Math.imul(low ^ unit, 0x01000193)
      high = Math.imul(high ^ unit, 0x5bd1e995)
      high ^= high >>> 15
    }
    if (this.#put((low ^ (low >>> 15)) | 1, high)) return true
    this.#count += 1
    if (this.#count > (this.#slots.length / 2) * loadMax) this.#grow()
    return false
  }

  /** Whether it was there already. */
  #put(low: number, high: number): boolean {
    const slots = this.#slots
    const mask = slots.length / 2 - 1
    let slot = (high ^ (low >>> 1)) & mask
    for (; slots[slot * 2] !== 0; slot = (slot + 1) & mask) {
      if (slots[slot * 2] === low >>> 0 && slots[slot * 2 + 1] === high >>> 0) return true
    }
    slots[slot * 2] = low
    slots[slot * 2 + 1] = high
    return false
  }

  #grow(): void {
    const slots = this.#slots
    this.#slots = new Uint32Array(slots.length * 2)
    for (let i = 0; i < slots.length; i += 2) {
      if (slots[i] !== 0) this.#put(slots[i] as number, slots[i + 1] as number)
    }
  }
}
