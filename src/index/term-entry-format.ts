// The head of a list as bytes: on its way from thread to thread, and in a snapshot file.

import type { ListHead } from './posting-list.ts'
import { ByteReader, type ByteWriter, cutShort } from './varint.ts'

export function putHead(writer: ByteWriter, { key, records, lasts, firstBlock, firstPlace, inline }: ListHead): void {
  writer.text(key)
  writer.varint(records)
  writer.varint(lasts.length)
  for (const last of lasts) writer.varint(last)
  writer.varint(firstBlock)
  writer.varint(firstPlace === null ? 0 : firstPlace + 1)
  writer.varint(inline === null ? 0 : inline.length + 1)
  if (inline !== null) writer.append(inline, 0, inline.length)
}

/** Goes through heads that lie one behind the other. What it reads has memory of its own. */
export class HeadReader {
  readonly #bytes: Buffer
  readonly #reader: ByteReader

  /** Of bytes that heads, and perhaps other things, lie in. */
  constructor(bytes: Buffer, reader: ByteReader = new ByteReader(bytes)) {
    this.#bytes = bytes
    this.#reader = reader
  }

  get isAtEnd(): boolean {
    return this.#reader.at >= this.#bytes.length
  }

  next(): ListHead {
    const reader = this.#reader
    const keyBytes = reader.varint()
    const key = this.#bytes.toString('utf8', reader.at, reader.at + keyBytes)
    reader.at += keyBytes
    const records = reader.varint()
    const blocks = reader.varint()
    if (blocks > this.#bytes.length) throw cutShort()
    const lasts = new Uint32Array(blocks)
    for (let i = 0; i < lasts.length; i++) lasts[i] = reader.varint()
    const firstBlock = reader.varint()
    const place = reader.varint()
    const inline = reader.varint()
    return {
      key,
      records,
      lasts,
      firstBlock,
      firstPlace: place === 0 ? null : place - 1,
      inline: inline === 0 ? null : reader.copy(inline - 1),
    }
  }
}
