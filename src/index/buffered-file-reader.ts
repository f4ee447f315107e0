// Buffered sequential reader over a byte range of a file, for the merge of runs. The buffer grows if a single item is
// larger than it.
import assert from 'node:assert/strict'
import { readSync } from 'node:fs'

export class BufferedFileReader {
  /** Unread bytes start at `offset` and end at `#filled`. The caller advances `offset`. */
  buffer: Buffer
  offset = 0
  #filled = 0
  /** File descriptor. */
  readonly #file: number
  /** Where in the file the next read starts, and where the byte range ends. */
  #nextFileOffset: number
  readonly #endFileOffset: number

  /** The reader owns the buffer. */
  constructor(file: number, start: number, size: number, buffer: Buffer) {
    this.#file = file
    this.#nextFileOffset = start
    this.#endFileOffset = start + size
    this.buffer = buffer
  }

  /** Makes `size` unread bytes available, or all that are left. Returns false if none are left. */
  fill(size: number): boolean {
    const unread = this.#filled - this.offset
    if (unread >= size) return true
    // Moves the unread bytes to the start of the buffer, then fills the rest.
    const target = size > this.buffer.length ? Buffer.allocUnsafeSlow(size) : this.buffer
    this.buffer.copy(target, 0, this.offset, this.#filled)
    this.buffer = target
    this.offset = 0
    this.#filled = unread
    while (this.#filled < target.length && this.#nextFileOffset < this.#endFileOffset) {
      const length = Math.min(target.length - this.#filled, this.#endFileOffset - this.#nextFileOffset)
      const read = readSync(this.#file, target, this.#filled, length, this.#nextFileOffset)
      assert.ok(read > 0, 'a temporary file of the import is truncated')
      this.#filled += read
      this.#nextFileOffset += read
    }
    return this.#filled > 0
  }
}
