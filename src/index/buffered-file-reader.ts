// Buffered sequential reader over a byte range of a file. The buffer grows if a single item is larger than it.
import assert from 'node:assert/strict'
import { readSync } from 'node:fs'

export class BufferedFileReader {
  /** Unread bytes start at `offset`. */
  buffer: Buffer
  offset = 0
  readonly #file: number
  readonly #end: number
  #next: number
  #filled = 0

  /** The reader owns the buffer. */
  constructor(file: number, start: number, size: number, buffer: Buffer) {
    this.#file = file
    this.#next = start
    this.#end = start + size
    this.buffer = buffer
  }

  /** Makes `size` unread bytes available, or all that are left. Returns false if none are left. */
  fill(size: number): boolean {
    const unread = this.#filled - this.offset
    if (unread >= size) return true
    const target = size > this.buffer.length ? Buffer.allocUnsafeSlow(size) : this.buffer
    this.buffer.copy(target, 0, this.offset, this.#filled)
    this.buffer = target
    this.offset = 0
    this.#filled = unread
    while (this.#filled < target.length && this.#next < this.#end) {
      const length = Math.min(target.length - this.#filled, this.#end - this.#next)
      const read = readSync(this.#file, target, this.#filled, length, this.#next)
      assert.ok(read > 0, 'a temporary file of the import is truncated')
      this.#filled += read
      this.#next += read
    }
    return this.#filled > 0
  }
}
