// Writes strips (strip.ts).
import { closeSync, openSync, writeSync } from 'node:fs'
import { at } from '../../search/bytes.ts'
import { NumberList } from './number-list.ts'
import type { StripSize } from './strip.ts'

const bufferBytes = 1 << 18

/** Writes a strip to a file of its own, from which it is carried over behind the pages (seal.ts). */
export class StripWriter {
  readonly path: string
  readonly #ending: Uint8Array
  readonly #file: number
  readonly #buffer: Buffer = Buffer.allocUnsafeSlow(bufferBytes)
  #filled = 0
  #written = 0
  readonly #sizes = new NumberList()

  /** With `ending` behind each string, as part of it. */
  constructor(path: string, ending: string = '') {
    this.path = path
    this.#ending = Buffer.from(ending)
    this.#file = openSync(path, 'w')
  }

  get count(): number {
    return this.#sizes.count
  }

  add(bytes: Uint8Array): void {
    if (this.#makeRoom(bytes.length)) {
      this.#buffer.set(bytes, this.#filled)
      this.#end(bytes.length)
    } else this.#writeThrough(bytes)
  }

  /** What lies between two places of the bytes. */
  addPart(bytes: Buffer, start: number, end: number): void {
    if (this.#makeRoom(end - start)) {
      bytes.copy(this.#buffer, this.#filled, start, end)
      this.#end(end - start)
    } else this.#writeThrough(bytes.subarray(start, end))
  }

  /** Makes room for the next string; false where it is too long for the buffer. */
  #makeRoom(bytes: number): boolean {
    const size = bytes + this.#ending.length
    this.#sizes.push(size)
    if (this.#filled + size > bufferBytes) this.#flush()
    return size <= bufferBytes
  }

  #end(bytes: number): void {
    this.#filled += bytes
    for (const byte of this.#ending) this.#buffer[this.#filled++] = byte
  }

  #writeThrough(bytes: Uint8Array): void {
    this.#write(bytes)
    this.#write(this.#ending)
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
