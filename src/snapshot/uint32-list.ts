// Numbers of 32 bits that are gathered, a few bytes for each of a million: in pieces, since an array that grows is
// there twice for a moment, and half empty for long.

const pieceNumbers = 1 << 16

export class NumberList {
  readonly #pieces: Uint32Array[] = []
  #last = new Uint32Array(0)
  #count = 0

  get count(): number {
    return this.#count
  }

  push(number: number): void {
    const place = this.#count++ % pieceNumbers
    if (place === 0) {
      this.#last = new Uint32Array(pieceNumbers)
      this.#pieces.push(this.#last)
    }
    this.#last[place] = number
  }

  *pieces(): Generator<Uint32Array, void, undefined> {
    for (const [nth, piece] of this.#pieces.entries()) yield piece.subarray(0, this.#count - nth * pieceNumbers)
  }
}
