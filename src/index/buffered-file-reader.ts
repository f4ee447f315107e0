// Reads a byte range of a file from start to end through a buffer. The merge (merge.ts) has one reader for each run, so
// a buffer is small; it grows if the caller asks for more bytes than it holds.
import assert from 'node:assert/strict'
import { readSync } from 'node:fs'

export class BufferedFileReader {
  /** The unread bytes are those from `offset` to `#unreadEnd` (excluded). `fill` may replace the buffer. */
  buffer: Buffer
  /** The caller advances it past the bytes that it has read. */
  offset = 0
  #unreadEnd = 0
  /** The descriptor of the open file. */
  readonly #descriptor: number
  /** Where in the file the next read starts, and where the byte range ends. */
  #nextFileOffset: number
  readonly #endFileOffset: number

  /** The byte range begins at `start` and has `size` bytes. The reader owns `buffer`; the caller closes the file. */
  constructor(descriptor: number, start: number, size: number, buffer: Buffer) {
    this.#descriptor = descriptor
    this.#nextFileOffset = start
    this.#endFileOffset = start + size
    this.buffer = buffer
  }

  /**
   * Reads until `size` unread bytes are in the buffer, or until the end of the range. In the latter case the buffer has
   * fewer bytes, and the caller must know from the bytes themselves where to stop. For example, merge.ts asks for the
   * size of the longest varint, and each varint says which byte is its last. Returns false if no bytes are left.
   */
  fill(size: number): boolean {
    if (this.#unreadEnd - this.offset >= size) return true
    this.#moveUnreadToStart(size)
    const buffer = this.buffer
    while (this.#unreadEnd < buffer.length && this.#nextFileOffset < this.#endFileOffset) {
      const length = Math.min(buffer.length - this.#unreadEnd, this.#endFileOffset - this.#nextFileOffset)
      const readBytes = readSync(this.#descriptor, buffer, this.#unreadEnd, length, this.#nextFileOffset)
      assert.ok(readBytes > 0, 'a temporary file of the import is truncated')
      this.#unreadEnd += readBytes
      this.#nextFileOffset += readBytes
    }
    return this.#unreadEnd > 0
  }

  /** Moves the unread bytes to the start of the buffer, or of a new one if this one has less than `size` bytes. */
  #moveUnreadToStart(size: number): void {
    const target = size > this.buffer.length ? Buffer.allocUnsafeSlow(size) : this.buffer
    this.buffer.copy(target, 0, this.offset, this.#unreadEnd)
    this.buffer = target
    this.#unreadEnd -= this.offset
    this.offset = 0
  }
}
