// Growing list of 32-bit integers in chunks. A growing array would be in memory twice while it is copied.

const chunkLength = 1 << 16

export class Uint32List {
  readonly #chunks: Uint32Array[] = []
  #lastChunk = new Uint32Array(0)
  #length = 0

  get length(): number {
    return this.#length
  }

  push(value: number): void {
    const index = this.#length++ % chunkLength
    if (index === 0) {
      this.#lastChunk = new Uint32Array(chunkLength)
      this.#chunks.push(this.#lastChunk)
    }
    this.#lastChunk[index] = value
  }

  /** Yields all values in order, as views of the chunks. */
  *chunks(): Generator<Uint32Array, void, undefined> {
    // `subarray` ends at the end of the chunk; only the last chunk is shorter.
    for (const [nth, chunk] of this.#chunks.entries()) yield chunk.subarray(0, this.#length - nth * chunkLength)
  }
}
