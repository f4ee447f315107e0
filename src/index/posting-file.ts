// File of finished posting lists, written by a merge thread (merge-worker.ts) and read by the main thread while it
// grows. The file is a log of the calls of a `PostingSink` (posting-writer.ts): the writer records each call, and the
// reader repeats the calls in the same order on another sink.
import assert from 'node:assert/strict'
import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import type { ChunkKind, TermEntry } from './posting-list.ts'
import type { PostingSink } from './posting-writer.ts'
import { putTermEntry, TermEntryReader } from './term-entry-format.ts'
import { ByteReader, ByteWriter } from './varint.ts'

/** The file grows by about this much at a time. */
const flushBytes = 512 * 1024

/**
 * Each call in the file starts with one of these numbers, which tells the method and, for `putChunk`, the kind of
 * chunk. All numbers are varints.
 *
 * tag                  | call       | what follows
 * `block`, `positions` | `putChunk` | the number of the chunk, its size and its bytes
 * `entry`              | `putEntry` | the term entry (term-entry-format.ts)
 */
const tags = { block: 0, positions: 1, entry: 2 } as const

export class PostingFileWriter implements PostingSink {
  /** File descriptor. */
  readonly #file: number
  readonly #onFlush: (fileSize: number) => void
  readonly #buffer = new ByteWriter(flushBytes * 2)
  #fileSize = 0

  /**
   * Calls `onFlush` with the size of the file after each write, and in `close`, even if nothing is left to write. At
   * these sizes the file contains complete calls only.
   */
  constructor(path: string, onFlush: (fileSize: number) => void) {
    this.#file = openSync(path, 'w')
    this.#onFlush = onFlush
  }

  putChunk(kind: ChunkKind, chunkNumber: number, bytes: Uint8Array): void {
    const buffer = this.#buffer
    buffer.varint(tags[kind])
    buffer.varint(chunkNumber)
    buffer.varint(bytes.length)
    buffer.append(bytes, 0, bytes.length)
    if (buffer.length >= flushBytes) this.#flush()
  }

  putEntry(entry: TermEntry): void {
    this.#buffer.varint(tags.entry)
    putTermEntry(this.#buffer, entry)
    if (this.#buffer.length >= flushBytes) this.#flush()
  }

  /** Writes what is left and closes the file. Returns its size in bytes. */
  close(): number {
    this.#flush()
    closeSync(this.#file)
    return this.#fileSize
  }

  #flush(): void {
    const { bytes, length } = this.#buffer
    // `writeSync` may write fewer bytes than it is given.
    for (let written = 0; written < length; ) written += writeSync(this.#file, bytes, written, length - written)
    this.#fileSize += length
    this.#buffer.length = 0
    this.#onFlush(this.#fileSize)
  }
}

/**
 * Reads the part of the file from byte `from` (included) to byte `to` (excluded) and repeats its calls on `sink`. Both
 * are zero or sizes that `onFlush` has reported, so the part contains complete calls only.
 */
export function readPostingFile(path: string, from: number, to: number, sink: PostingSink): void {
  const bytes = readRange(path, from, to)
  const reader = new ByteReader(bytes)
  // Reads an entry at the offset of `reader`, and advances it.
  const entries = new TermEntryReader(bytes, reader)
  while (reader.offset < bytes.length) {
    const tag = reader.varint()
    if (tag === tags.entry) {
      sink.putEntry(entries.next())
      continue
    }
    const kind: ChunkKind = tag === tags.block ? 'block' : 'positions'
    const chunkNumber = reader.varint()
    const size = reader.varint()
    const chunkStart = reader.offset
    reader.offset += size
    sink.putChunk(kind, chunkNumber, bytes.subarray(chunkStart, reader.offset))
  }
}

/** Reads a byte range of a file. Throws if the file ends before the range does. */
function readRange(path: string, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(to - from)
  const file = openSync(path, 'r')
  try {
    for (let filled = 0; filled < bytes.length; ) {
      const readBytes = readSync(file, bytes, filled, bytes.length - filled, from + filled)
      assert.ok(readBytes > 0, 'a file of posting lists is truncated')
      filled += readBytes
    }
  } finally {
    closeSync(file)
  }
  return bytes
}
