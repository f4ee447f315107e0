// The shared strings of a workbook, stored in a temporary file because a sheet of a million rows has millions of them.
// The file is unlinked at once, so that it does not outlive the process.
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const blockBytes = 256 * 1024
const blocksInMemoryMax = 128

export class SharedStrings {
  readonly #descriptor: number
  /** End offset of each string; a string begins at the end of the previous one. */
  #ends = new Float64Array(1024)
  #count = 0
  #size = 0
  #pending: Buffer = Buffer.allocUnsafe(blockBytes)
  #pendingBytes = 0
  readonly #blocks = new Map<number, Buffer>()

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), 'planning-registry-'))
    try {
      this.#descriptor = openSync(join(folder, 'strings'), 'wx+')
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  add(text: string): void {
    const bytes = Buffer.from(text)
    if (this.#pendingBytes + bytes.length > this.#pending.length) this.#flush()
    if (bytes.length > this.#pending.length) writeSync(this.#descriptor, bytes, 0, bytes.length, this.#size)
    else {
      bytes.copy(this.#pending, this.#pendingBytes)
      this.#pendingBytes += bytes.length
    }
    this.#size += bytes.length
    if (this.#count === this.#ends.length) {
      const ends = new Float64Array(this.#count * 2)
      ends.set(this.#ends)
      this.#ends = ends
    }
    this.#ends[this.#count++] = this.#size
  }

  /** Returns undefined if the workbook has no such string. */
  at(index: number): string | undefined {
    if (!Number.isInteger(index) || index < 0 || index >= this.#count) return undefined
    if (this.#pendingBytes > 0) this.#flush()
    const start = index === 0 ? 0 : (this.#ends[index - 1] ?? 0)
    const end = this.#ends[index] ?? start
    const first = Math.floor(start / blockBytes)
    const last = Math.floor(Math.max(start, end - 1) / blockBytes)
    if (first === last) return this.#block(first).toString('utf8', start - first * blockBytes, end - first * blockBytes)
    const bytes = Buffer.allocUnsafe(end - start)
    readSync(this.#descriptor, bytes, 0, bytes.length, start)
    return bytes.toString('utf8')
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  #flush(): void {
    writeSync(this.#descriptor, this.#pending, 0, this.#pendingBytes, this.#size - this.#pendingBytes)
    this.#pendingBytes = 0
  }

  /** Sheets use strings roughly in stored order, so a small cache of blocks serves most cells. */
  #block(number: number): Buffer {
    const known = this.#blocks.get(number)
    if (known !== undefined) return known
    const block = Buffer.allocUnsafe(blockBytes)
    const bytes = readSync(this.#descriptor, block, 0, blockBytes, number * blockBytes)
    const [oldest] = this.#blocks.keys()
    if (this.#blocks.size >= blocksInMemoryMax && oldest !== undefined) this.#blocks.delete(oldest)
    this.#blocks.set(number, block.subarray(0, bytes))
    return block.subarray(0, bytes)
  }
}
