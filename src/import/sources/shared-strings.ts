// The shared strings of a workbook, to which cells refer by index. They are stored in a temporary file, because a sheet
// of a million rows may have millions of them. The file is unlinked at once, so that it does not outlive the process.
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The unit in which the file is read and written. */
const blockBytes = 256 * 1024
/** Limit of cached blocks. Together they take 32 MiB. */
const blocksInMemoryMax = 128

/** All strings must be added before the first is read: a cached block would lack those added later. */
export class SharedStrings {
  readonly #descriptor: number
  /**
   * Where each string ends in the file, in bytes; it begins where the previous one ends. The array doubles when it is
   * full, so only the first `#count` elements are set.
   */
  #ends = new Float64Array(1024)
  #count = 0
  /** Bytes of all strings, those in `#pending` included. */
  #totalBytes = 0
  /** Strings that are not yet written to the file. */
  readonly #pending: Buffer = Buffer.allocUnsafe(blockBytes)
  #pendingBytes = 0
  /** Cached blocks of the file by block number, from 0, in the order in which they were cached. */
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
    // A string that does not fit into the empty buffer is written directly.
    if (bytes.length > this.#pending.length) this.#write(bytes, this.#totalBytes)
    else {
      bytes.copy(this.#pending, this.#pendingBytes)
      this.#pendingBytes += bytes.length
    }
    this.#totalBytes += bytes.length
    if (this.#count === this.#ends.length) {
      const longer = new Float64Array(this.#count * 2)
      longer.set(this.#ends)
      this.#ends = longer
    }
    this.#ends[this.#count] = this.#totalBytes
    this.#count += 1
  }

  /** Returns undefined if the workbook has no such string. */
  at(index: number): string | undefined {
    if (!Number.isInteger(index) || index < 0 || index >= this.#count) return undefined
    if (this.#pendingBytes > 0) this.#flush()
    const start = index === 0 ? 0 : (this.#ends[index - 1] ?? 0)
    const end = this.#ends[index] ?? start
    const firstBlock = Math.floor(start / blockBytes)
    // The last byte is `end - 1`, except for an empty string, which has none.
    const lastBlock = Math.floor(Math.max(start, end - 1) / blockBytes)
    if (firstBlock === lastBlock) {
      const blockStart = firstBlock * blockBytes
      return this.#readBlock(firstBlock).toString('utf8', start - blockStart, end - blockStart)
    }
    // The string is in several blocks.
    const bytes = Buffer.allocUnsafe(end - start)
    readSync(this.#descriptor, bytes, 0, bytes.length, start)
    return bytes.toString('utf8')
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  /** Writes the pending strings to the end of the file. */
  #flush(): void {
    this.#write(this.#pending.subarray(0, this.#pendingBytes), this.#totalBytes - this.#pendingBytes)
    this.#pendingBytes = 0
  }

  /** Writes all bytes. One call of `writeSync` may write fewer; the call after it throws if the disk is full. */
  #write(bytes: Buffer, position: number): void {
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(this.#descriptor, bytes, written, bytes.length - written, position + written)
    }
  }

  /** Sheets use strings roughly in stored order, so a small cache of blocks serves most cells. */
  #readBlock(blockNumber: number): Buffer {
    const cached = this.#blocks.get(blockNumber)
    if (cached !== undefined) return cached
    const buffer = Buffer.allocUnsafe(blockBytes)
    const bytesRead = readSync(this.#descriptor, buffer, 0, blockBytes, blockNumber * blockBytes)
    const block = buffer.subarray(0, bytesRead)
    const [oldest] = this.#blocks.keys()
    if (this.#blocks.size >= blocksInMemoryMax && oldest !== undefined) this.#blocks.delete(oldest)
    this.#blocks.set(blockNumber, block)
    return block
  }
}
