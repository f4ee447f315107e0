// File of finished posting lists, written by a merge thread and read by the main thread while it grows. It is a log:
// what is read back repeats the calls of a `PostingSink` (posting-writer.ts) in their order.
import assert from 'node:assert/strict'
import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import type { ChunkKind, TermEntry } from './posting-list.ts'
import type { PostingSink } from './posting-writer.ts'
import { putTermEntry, TermEntryReader } from './term-entry-format.ts'
import { ByteReader, ByteWriter } from './varint.ts'

/** The file grows by about this much at a time. */
const flushBytes = 512 * 1024

/** The first varint of each call in the file: `putChunk` of either kind, or `putEntry`. */
const tags = { block: 0, positions: 1, entry: 2 } as const

export class PostingFileWriter implements PostingSink {
  readonly #file: number
  readonly #onFlush: (fileSize: number) => void
  readonly #buffer = new ByteWriter(flushBytes * 2)
  #fileSize = 0

  /** Calls `onFlush` with the size of the file after each write. A write contains only complete calls of the sink. */
  constructor(path: string, onFlush: (fileSize: number) => void) {
    this.#file = openSync(path, 'w')
    this.#onFlush = onFlush
  }

  putChunk(kind: ChunkKind, number: number, bytes: Uint8Array): void {
    const buffer = this.#buffer
    buffer.varint(tags[kind])
    buffer.varint(number)
    buffer.varint(bytes.length)
    buffer.append(bytes, 0, bytes.length)
    if (buffer.length >= flushBytes) this.#flush()
  }

  putEntry(entry: TermEntry): void {
    this.#buffer.varint(tags.entry)
    putTermEntry(this.#buffer, entry)
    if (this.#buffer.length >= flushBytes) this.#flush()
  }

  /** Returns the size of the file. */
  close(): number {
    this.#flush()
    closeSync(this.#file)
    return this.#fileSize
  }

  #flush(): void {
    const { bytes, length } = this.#buffer
    for (let done = 0; done < length; ) done += writeSync(this.#file, bytes, done, length - done)
    this.#fileSize += length
    this.#buffer.length = 0
    this.#onFlush(this.#fileSize)
  }
}

/**
 * Reads the bytes from `from` (included) to `to` (excluded) and repeats their calls on `sink`. Both are file sizes that
 * `onFlush` reported, so the calls are complete.
 */
export function readPostingFile(path: string, from: number, to: number, sink: PostingSink): void {
  const bytes = Buffer.allocUnsafe(to - from)
  const file = openSync(path, 'r')
  try {
    for (let done = 0; done < bytes.length; ) {
      const read = readSync(file, bytes, done, bytes.length - done, from + done)
      assert.ok(read > 0, 'a file of posting lists is truncated')
      done += read
    }
  } finally {
    closeSync(file)
  }
  const reader = new ByteReader(bytes)
  const entries = new TermEntryReader(bytes, reader)
  const take = (size: number): Buffer => {
    reader.offset += size
    return bytes.subarray(reader.offset - size, reader.offset)
  }
  while (reader.offset < bytes.length) {
    const tag = reader.varint()
    if (tag === tags.entry) {
      sink.putEntry(entries.next())
      continue
    }
    const number = reader.varint()
    sink.putChunk(tag === tags.block ? 'block' : 'positions', number, take(reader.varint()))
  }
}
