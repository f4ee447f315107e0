// Batch of the texts of consecutive records, for the thread that inverts them. The texts are one buffer, because to
// transfer a buffer is cheaper than to clone each string.
import type { Inverter, RecordTexts } from './inverter.ts'
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
  /** UTF-8: a title, its area, its segments, the next title, and so on. Nothing else is in their buffer. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** For each record, the number of its texts (two and its segments), then the size of each text in bytes. */
  readonly sizes: Uint32Array
}

/** Collects the texts of consecutive records, from record 0 on, in one batch after the other. */
export class TextBatchWriter {
  /** The buffer of the current batch, of which the first `#filled` bytes are written. */
  #bytes = Buffer.alloc(0)
  #filled = 0
  /** As in `TextBatch`. */
  #sizes: number[] = []
  #firstRecord = 0
  /** Records in the current batch. */
  #recordCount = 0

  /** Records added so far, in all batches. */
  get totalRecordCount(): number {
    return this.#firstRecord + this.#recordCount
  }

  get isFull(): boolean {
    return this.#filled >= batchBytes
  }

  /** Adds the next record. Returns the size of its texts in bytes. */
  add({ title, area, segments }: RecordTexts): number {
    const start = this.#filled
    this.#recordCount++
    this.#sizes.push(2 + segments.length)
    this.#write(title)
    this.#write(area)
    for (const segment of segments) this.#write(segment)
    return this.#filled - start
  }

  #write(text: string): void {
    this.#reserve(text.length * utf8BytesMax)
    const size = text === '' ? 0 : this.#bytes.write(text, this.#filled)
    this.#filled += size
    this.#sizes.push(size)
  }

  /** Returns the batch and starts a new one. */
  take(): TextBatch {
    const batch = {
      firstRecord: this.#firstRecord,
      bytes: this.#bytes.subarray(0, this.#filled),
      sizes: Uint32Array.from(this.#sizes),
    }
    this.#firstRecord = this.totalRecordCount
    this.#recordCount = 0
    this.#bytes = Buffer.alloc(0)
    this.#filled = 0
    this.#sizes = []
    return batch
  }

  /** Makes sure that `size` bytes are free. A buffer outside the pool of Node, because it is transferred. */
  #reserve(size: number): void {
    if (this.#filled + size <= this.#bytes.length) return
    const grown = Buffer.allocUnsafeSlow(
      Math.max(this.#filled + size, this.#bytes.length * 2, batchBytes + marginBytes),
    )
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
  for (let index = 0, record = firstRecord; index < sizes.length; record++) {
    const textCount = at(sizes, index++)
    const texts: string[] = []
    for (const end = index + textCount; index < end; index++) texts.push(nextText(at(sizes, index)))
    const [title = '', area = '', ...segments] = texts
    inverter.add(record, { title, area, segments })
  }
}
