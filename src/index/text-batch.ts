// Titles and contents of consecutive records on their way to the thread that inverts them: their bytes one behind the
// other, since handing over a text for each costs more than to decode it there.

import type { Inverter } from './inverter.ts'
import { utf8BytesMax } from './varint.ts'

/** Bytes in one stretch: large enough that handing it over costs little beside inverting it. */
const stretchBytes = 64 * 1024

export interface Stretch {
  /** The position of the first record. */
  readonly first: number
  /** In UTF-8: a title, its content, the next title, and so on. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Of each text, in bytes. */
  readonly sizes: Uint32Array
}

export class StretchWriter {
  #bytes = Buffer.alloc(0)
  #filled = 0
  #sizes: number[] = []
  #first = 0

  get records(): number {
    return this.#first + this.#sizes.length / 2
  }

  get isFull(): boolean {
    return this.#filled >= stretchBytes
  }

  /** Returns how many bytes the texts have. */
  add(title: string, content: string): number {
    this.#makeRoom((title.length + content.length) * utf8BytesMax)
    const titleBytes = this.#bytes.write(title, this.#filled)
    const contentBytes = content === '' ? 0 : this.#bytes.write(content, this.#filled + titleBytes)
    return this.#end(titleBytes, contentBytes)
  }

  /** All that was added since the last time. */
  take(): Stretch {
    const stretch = {
      first: this.#first,
      bytes: this.#bytes.subarray(0, this.#filled),
      sizes: Uint32Array.from(this.#sizes),
    }
    this.#first = this.records
    this.#bytes = Buffer.alloc(0)
    this.#filled = 0
    this.#sizes = []
    return stretch
  }

  #makeRoom(bytes: number): void {
    if (this.#filled + bytes <= this.#bytes.length) return
    const room = Buffer.allocUnsafeSlow(Math.max(this.#filled + bytes, stretchBytes + marginBytes))
    this.#bytes.copy(room, 0, 0, this.#filled)
    this.#bytes = room
  }

  #end(titleBytes: number, contentBytes: number): number {
    this.#filled += titleBytes + contentBytes
    this.#sizes.push(titleBytes, contentBytes)
    return titleBytes + contentBytes
  }
}

/** Where most texts end that make a stretch full. */
const marginBytes = 4 * 1024

export function invertStretch({ first, bytes, sizes }: Stretch, inverter: Inverter): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let start = 0
  const next = (size: number): string => {
    start += size
    return size === 0 ? '' : buffer.toString('utf8', start - size, start)
  }
  for (let i = 0; i < sizes.length; i += 2) {
    const title = next(sizes[i] as number)
    inverter.add(first + i / 2, title, next(sizes[i + 1] as number))
  }
}
