// Records read lately, each in the one place that its position allows: a page looks here for every record of it, and a
// look that finds nothing costs one comparison. The newest records, of which most pages are made, never share a place.
import type { OrderKey } from '../../record/record.ts'

const places = 8192

/** A longer one is not kept: so many places hold 8 MB. */
export const keptBytesMax = 1024

export class KeptRecords {
  /** Which position was here last, kept or not. */
  readonly #positions = new Int32Array(places).fill(-1)
  /** How long it is; 0 while it is not kept. */
  readonly #lengths = new Uint16Array(places)
  readonly #bytes = Buffer.allocUnsafeSlow(places * keptBytesMax)
  readonly #orderKeys = new Array<OrderKey | undefined>(places).fill(undefined)

  /** Copies it, where it is kept; how many bytes that were. At least `keptBytesMax` must have room. */
  copyTo(position: number, into: Buffer, at: number): number {
    const place = position & (places - 1)
    if (this.#positions[place] !== position) return 0
    const length = this.#lengths[place] ?? 0
    const from = place * keptBytesMax
    if (length > 0) this.#bytes.copy(into, at, from, from + length)
    return length
  }

  /** Keeps the bytes from the second time on, unless another came to their place meanwhile. */
  offer(position: number, bytes: Buffer, from: number, end: number): void {
    const place = position & (places - 1)
    const length = end - from
    const isKept = this.#positions[place] === position && length <= keptBytesMax
    this.#positions[place] = position
    this.#lengths[place] = isKept ? length : 0
    this.#orderKeys[place] = undefined
    if (isKept) bytes.copy(this.#bytes, place * keptBytesMax, from, end)
  }

  /** Its place in the canonical order, made when it is first asked for. */
  orderKeyOf(position: number, read: (position: number) => OrderKey): OrderKey {
    const place = position & (places - 1)
    if (this.#positions[place] !== position) return read(position)
    const key = this.#orderKeys[place] ?? read(position)
    this.#orderKeys[place] = key
    return key
  }
}
