// Writes strips (strip.ts).
import { closeSync, openSync, writeSync } from 'node:fs'
import { at } from '../../search/bytes.ts'
import { NumberList } from './number-list.ts'
import type { StripSize } from './strip.ts'

const bufferBytes = 1 << 18

/** Writes a strip to a file of its own, from which it is carried over behind the pages (seal.ts). */
export class StripWriter {
  readonly path: string
  readonly #file: number
  readonly #buffer: Buffer = Buffer.allocUnsafeSlow(bufferBytes)
  #filled = 0
  #written = 0
  readonly #sizes = new NumberList()

  constructor(path: string) {
    this.path = path
    this.#file = openSync(path, 'w')
  }

  get count(): number {
    return this.#sizes.count
  }

  /** The bytes, and what follows them. */
  add(bytes: Uint8Array, suffix: Uint8Array = nothing): void {
    const size = bytes.length + suffix.length
    this.#sizes.push(size)
    if (this.#filled + size > bufferBytes) this.#flush()
    if (size > bufferBytes) {
      this.#write(bytes)
      this.#write(suffix)
      return
    }
    this.#buffer.set(bytes, this.#filled)
    this.#buffer.set(suffix, this.#filled + bytes.length)
    this.#filled += size
  }

  /** Nothing can be added afterwards. */
  finish(): StripSize {
    this.#flush()
    const bytes = this.#written
    let start = 0
    this.#write(new Uint8Array(Float64Array.of(start).buffer))
    for (const sizes of this.#sizes.pieces()) {
      const starts = new Float64Array(sizes.length)
      for (let index = 0; index < sizes.length; index++) {
        start += at(sizes, index)
        starts[index] = start
      }
      this.#write(new Uint8Array(starts.buffer))
    }
    return { count: this.count, bytes }
  }

  close(): void {
    closeSync(this.#file)
  }

  #flush(): void {
    this.#write(this.#buffer.subarray(0, this.#filled))
    this.#filled = 0
  }

  #write(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done)
    this.#written += bytes.length
  }
}

const nothing = new Uint8Array(0)
