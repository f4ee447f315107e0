// Growing list of 32-bit integers, stored in chunks. A single array that grows would be in memory twice each time it is
// copied to a larger one. An import has such lists with a number for every record.

/** Integers in a chunk. */
const chunkLength = 65_536

export class Uint32List {
  readonly #chunks: Uint32Array[] = []
  /** The last of `#chunks`, which is being filled. Before the first `push` there is none, and this is empty. */
  #lastChunk = new Uint32Array(0)
  /** Number of integers in all chunks. */
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

  /** Yields all values in order, as views of the chunks. A view of the last chunk ends after its last value. */
  *chunks(): Generator<Uint32Array, void, undefined> {
    for (const [chunkNumber, chunk] of this.#chunks.entries()) {
      const valuesBefore = chunkNumber * chunkLength
      // For every chunk but the last, this end is beyond the chunk, and `subarray` returns the whole chunk.
      yield chunk.subarray(0, this.#length - valuesBefore)
    }
  }
}
