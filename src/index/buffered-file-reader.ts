// A stretch of a file, read from front to back through a window; the window grows where one piece is larger than it.
import { readSync } from 'node:fs'

export class FileWindow {
  /** What lies from `from` on is still to be read. */
  bytes: Buffer
  from = 0
  readonly #file: number
  readonly #end: number
  #next: number
  #to: number

  /** Takes the buffer over, `filled` bytes of which come before those in the file. */
  constructor(file: number, start: number, size: number, bytes: Buffer, filled: number = 0) {
    this.#file = file
    this.#next = start
    this.#end = start + size
    this.bytes = bytes
    this.#to = filled
  }

  /** Has that many bytes in the window, or all that are left; false when none are. */
  fill(bytes: number): boolean {
    const rest = this.#to - this.from
    if (rest >= bytes) return true
    const target = bytes > this.bytes.length ? Buffer.allocUnsafeSlow(bytes) : this.bytes
    this.bytes.copy(target, 0, this.from, this.#to)
    this.bytes = target
    this.from = 0
    this.#to = rest
    while (this.#to < target.length && this.#next < this.#end) {
      const length = Math.min(target.length - this.#to, this.#end - this.#next)
      const read = readSync(this.#file, target, this.#to, length, this.#next)
      if (read === 0) throw new Error('a temporary file of the import ends too soon')
      this.#to += read
      this.#next += read
    }
    return this.#to > 0
  }
}
