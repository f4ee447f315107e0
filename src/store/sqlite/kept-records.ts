// Records read lately, each in the one place that its position allows: a page looks here for every record of it, and a
// look that finds nothing costs one comparison. The newest records, of which most pages are made, never share a place.
import type { OrderKey } from '../../record/record.ts'

const places = 8192

/** A longer one is not kept: so many places hold no more than 8 MB. */
const charactersMax = 1024

/** With its place in the canonical order, once that was asked for. */
export interface KeptRecord {
  /** As on the wire, one character a byte. */
  readonly text: string
  place: OrderKey | undefined
}

export class KeptRecords {
  /** Which position was here last, kept or not. */
  readonly #positions = new Int32Array(places).fill(-1)
  readonly #records = new Array<KeptRecord | undefined>(places).fill(undefined)

  get(position: number): KeptRecord | undefined {
    const place = position & (places - 1)
    return this.#positions[place] === position ? this.#records[place] : undefined
  }

  /** Keeps it from the second time on, unless another came to its place meanwhile. */
  offer(position: number, record: KeptRecord): void {
    const place = position & (places - 1)
    const isKnown = this.#positions[place] === position
    this.#positions[place] = position
    this.#records[place] = isKnown && record.text.length <= charactersMax ? record : undefined
  }
}
