// Tells texts apart in 62 bits. No secret depends on it, so it need not be hard to forge, only quick: a digest of the
// platform costs as much as reading a record.

/** Two hashes that differ in their multipliers, each mixed with the other at the end (MurmurHash3's way). */
export function fingerprint(texts: readonly string[]): string {
  let one = 0xdeadbeef
  let other = 0x41c6ce57
  for (const text of texts) {
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      one = Math.imul(one ^ unit, 2_654_435_761)
      other = Math.imul(other ^ unit, 1_597_334_677)
    }
    // No text holds it, so it tells where one ends.
    one = Math.imul(one ^ beyondUnits, 2_654_435_761)
    other = Math.imul(other ^ beyondUnits, 1_597_334_677)
  }
  one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909)
  other = Math.imul(other ^ (other >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909)
  // As many bits as V8 puts into words without making a number of its own of them.
  return `${one & 0x7fffffff}-${other & 0x7fffffff}`
}

const beyondUnits = 0x10000
