// Posting lists in memory for the tests of the search: written by the real writer, read by the real matchers.

import { end, type Matcher, pending, type Turn } from '../../src/index/iterators.ts'
import { type ChunkRequest, type ListHead, type ListSource, unionMax } from '../../src/index/posting-list.ts'
import { BlockWriter } from '../../src/index/posting-writer.ts'
import { ByteWriter } from '../../src/index/varint.ts'

/** A list: for each record the word positions in it. */
export type Postings = ReadonlyMap<number, readonly number[]>

export class MemoryLists implements ListSource {
  readonly heads: Map<string, ListHead> = new Map()
  readonly #chunks = { block: [] as Uint8Array[], place: [] as Uint8Array[] }
  readonly #writer = new BlockWriter({
    putChunk: (table, number, bytes) => {
      this.#chunks[table][number] = bytes
    },
    putHead: (head) => {
      this.heads.set(head.key, head)
    },
  })

  write(key: string, postings: Postings, withPositions: boolean): ListHead {
    const bytes = new ByteWriter()
    this.#writer.begin(withPositions)
    for (const [record, positions] of [...postings].sort(([a], [b]) => a - b)) {
      bytes.length = 0
      let last = 0
      for (const position of positions) {
        bytes.varint(position - last)
        last = position
      }
      this.#writer.add(record, bytes.bytes, 0, bytes.length)
    }
    this.#writer.end(key)
    const head = this.heads.get(key)
    if (head === undefined) throw new Error(`${key} has no head`)
    return head
  }

  readHeads(keys: readonly string[]): ListHead[] {
    return keys.flatMap((key) => this.heads.get(key) ?? [])
  }

  readHeadsBeginning(beginning: string): ListHead[] {
    return [...this.heads.values()].filter(({ key }) => key.startsWith(beginning)).slice(0, unionMax)
  }

  readChunks(requests: readonly ChunkRequest[]): void {
    for (const { table, first, count, deliver } of requests) deliver(this.#chunks[table].slice(first, first + count))
  }

  /** Every match of the matcher, fetching what it lacks. */
  matches(matcher: Matcher, turn: Turn): number[] {
    const found: number[] = []
    for (let target = 0; ; ) {
      const match = matcher.advanceTo(target)
      if (match === end) return found
      if (match === pending) {
        this.readChunks(turn.requests.splice(0))
        turn.steps = 100
        continue
      }
      found.push(match)
      target = match + 1
    }
  }
}
