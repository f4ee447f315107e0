// Finished posting lists on their way from the thread that merged them to the one that stores them: the calls of a
// `ListSink`, written to a file in order and played back from it while it grows.
import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import type { ListHead } from './posting-list.ts'
import type { ListSink } from './posting-writer.ts'
import { HeadReader, putHead } from './term-entry-format.ts'
import { ByteReader, ByteWriter } from './varint.ts'

/** A file grows by about this much at once. */
const pieceBytes = 512 * 1024

const tags = { block: 0, place: 1, head: 2 } as const

export class ListFileWriter implements ListSink {
  readonly #file: number
  readonly #onWritten: (bytes: number) => void
  readonly #piece = new ByteWriter(pieceBytes * 2)
  #written = 0

  /** Calls back with the bytes in the file whenever a piece, which is made of whole calls, has been added. */
  constructor(path: string, onWritten: (bytes: number) => void) {
    this.#file = openSync(path, 'w')
    this.#onWritten = onWritten
  }

  putChunk(table: 'block' | 'place', number: number, bytes: Uint8Array): void {
    const piece = this.#piece
    piece.varint(tags[table])
    piece.varint(number)
    piece.varint(bytes.length)
    piece.append(bytes, 0, bytes.length)
    if (piece.length >= pieceBytes) this.#flush()
  }

  putHead(head: ListHead): void {
    this.#piece.varint(tags.head)
    putHead(this.#piece, head)
    if (this.#piece.length >= pieceBytes) this.#flush()
  }

  /** Returns the size of the file. */
  close(): number {
    this.#flush()
    closeSync(this.#file)
    return this.#written
  }

  #flush(): void {
    const { bytes, length } = this.#piece
    for (let done = 0; done < length; ) done += writeSync(this.#file, bytes, done, length - done)
    this.#written += length
    this.#piece.length = 0
    this.#onWritten(this.#written)
  }
}

/** Plays the pieces between two sizes of the file to the sink. */
export function readLists(path: string, from: number, to: number, sink: ListSink): void {
  const bytes = Buffer.allocUnsafe(to - from)
  const file = openSync(path, 'r')
  try {
    for (let done = 0; done < bytes.length; ) {
      const read = readSync(file, bytes, done, bytes.length - done, from + done)
      if (read === 0) throw new Error('a file of posting lists ends too soon')
      done += read
    }
  } finally {
    closeSync(file)
  }
  const reader = new ByteReader(bytes)
  const heads = new HeadReader(bytes, reader)
  const take = (size: number): Buffer => {
    reader.at += size
    return bytes.subarray(reader.at - size, reader.at)
  }
  while (reader.at < bytes.length) {
    const tag = reader.varint()
    if (tag === tags.head) {
      sink.putHead(heads.next())
      continue
    }
    const number = reader.varint()
    sink.putChunk(tag === tags.block ? 'block' : 'place', number, take(reader.varint()))
  }
}
