// Batch of the texts of consecutive records: what index-builder.ts sends to a thread that inverts them. The texts are
// in one buffer, which is transferred to the thread. When each string was cloned instead, an import of records with
// 1 KB of text took 8 % longer.
import type { Inverter, RecordTexts } from './inverter.ts'
import { at } from './typed-array.ts'

/** A batch is full at this size: large enough that transferring it costs little compared with inverting it. */
const batchBytes = 64 * 1024

/** Space in the buffer after `batchBytes`, so that a short text at the end of a batch does not make the buffer grow. */
const marginBytes = 4 * 1024

/** The most bytes that a UTF-16 code unit takes in UTF-8. */
const utf8BytesPerUnitMax = 3

/** Every record has a title and an area, either of which may be empty; its segments follow. */
const textsBeforeSegments = 2

export interface TextBatch {
  /** The position of the first record. */
  readonly firstRecord: number
  /**
   * The texts in UTF-8, without separators: the title of the first record, its area, its segments, the title of the
   * second record, and so on. They are alone in their `ArrayBuffer`, so that it can be transferred.
   */
  readonly bytes: Uint8Array<ArrayBuffer>
  /**
   * For each record, the number of its texts, then the size of each text in bytes. A record with a title of 20 bytes,
   * no area and a segment of 900 bytes is 3, 20, 0, 900.
   */
  readonly sizes: Uint32Array
}

/** Collects the texts of consecutive records, from record 0 on, in one batch after the other. */
export class TextBatchWriter {
  /** The buffer of the current batch, of which the first `#filled` bytes are written. */
  #bytes = Buffer.alloc(0)
  #filled = 0
  /** `TextBatch.sizes` of the current batch. */
  #sizes: number[] = []
  /** The position of the first record of the current batch. */
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
    this.#sizes.push(textsBeforeSegments + segments.length)
    this.#write(title)
    this.#write(area)
    for (const segment of segments) this.#write(segment)
    return this.#filled - start
  }

  #write(text: string): void {
    this.#reserve(text.length * utf8BytesPerUnitMax)
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

  /** Makes sure that `size` bytes of the buffer are free. */
  #reserve(size: number): void {
    if (this.#filled + size <= this.#bytes.length) return
    // `allocUnsafeSlow` never takes memory from the pool of Node, which could not be transferred.
    const grown = Buffer.allocUnsafeSlow(
      Math.max(this.#filled + size, this.#bytes.length * 2, batchBytes + marginBytes),
    )
    this.#bytes.copy(grown, 0, 0, this.#filled)
    this.#bytes = grown
  }
}

/** Adds the records of a batch to an inverter. */
export function invertBatch({ firstRecord, bytes, sizes }: TextBatch, inverter: Inverter): void {
  // A `Buffer` over the same memory: a `Buffer` from another thread arrives as a plain `Uint8Array`.
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let offset = 0
  const nextText = (size: number): string => {
    const start = offset
    offset += size
    return size === 0 ? '' : buffer.toString('utf8', start, offset)
  }
  let record = firstRecord
  for (let index = 0; index < sizes.length; ) {
    const textCount = at(sizes, index++)
    const sizesEnd = index + textCount
    const texts: string[] = []
    while (index < sizesEnd) texts.push(nextText(at(sizes, index++)))
    const [title = '', area = '', ...segments] = texts
    inverter.add(record++, { title, area, segments })
  }
}
