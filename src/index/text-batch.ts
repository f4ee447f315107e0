// Batch of titles and contents of consecutive records, for the thread that inverts them. The texts are one buffer,
// because to transfer a buffer is cheaper than to clone each string.
import type { Inverter } from './inverter.ts'
import { at } from './typed-array.ts'

/** Size of a batch: large enough that transferring it costs little compared with inverting it. */
const batchBytes = 64 * 1024

/** Free space after `batchBytes`, so that the text that fills a batch rarely makes the buffer grow. */
const marginBytes = 4 * 1024

/** A UTF-16 code unit takes at most three bytes in UTF-8. */
const utf8BytesMax = 3

export interface TextBatch {
  /** The position of the first record. */
  readonly firstRecord: number
  /** UTF-8: a title, its content, the next title, and so on. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The size of each text in bytes. */
  readonly sizes: Uint32Array
}

export class TextBatchWriter {
  #bytes = Buffer.alloc(0)
  #filled = 0
  #sizes: number[] = []
  #firstRecord = 0

  /** Records added so far, in all batches. */
  get records(): number {
    // Each record has two texts.
    return this.#firstRecord + this.#sizes.length / 2
  }

  get isFull(): boolean {
    return this.#filled >= batchBytes
  }

  /** Returns the size of the texts in bytes. */
  add(title: string, content: string): number {
    this.#reserve((title.length + content.length) * utf8BytesMax)
    const titleBytes = this.#bytes.write(title, this.#filled)
    const contentBytes = content === '' ? 0 : this.#bytes.write(content, this.#filled + titleBytes)
    this.#filled += titleBytes + contentBytes
    this.#sizes.push(titleBytes, contentBytes)
    return titleBytes + contentBytes
  }

  /** Returns the batch and starts a new one. */
  take(): TextBatch {
    const batch = {
      firstRecord: this.#firstRecord,
      bytes: this.#bytes.subarray(0, this.#filled),
      sizes: Uint32Array.from(this.#sizes),
    }
    this.#firstRecord = this.records
    this.#bytes = Buffer.alloc(0)
    this.#filled = 0
    this.#sizes = []
    return batch
  }

  #reserve(size: number): void {
    if (this.#filled + size <= this.#bytes.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#filled + size, batchBytes + marginBytes))
    this.#bytes.copy(grown, 0, 0, this.#filled)
    this.#bytes = grown
  }
}

/** Adds the records of a batch to an inverter. */
export function invertBatch({ firstRecord, bytes, sizes }: TextBatch, inverter: Inverter): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let offset = 0
  const nextText = (size: number): string => {
    offset += size
    return size === 0 ? '' : buffer.toString('utf8', offset - size, offset)
  }
  for (let index = 0; index < sizes.length; index += 2) {
    const title = nextText(at(sizes, index))
    const content = nextText(at(sizes, index + 1))
    inverter.add(firstRecord + index / 2, title, content)
  }
}
