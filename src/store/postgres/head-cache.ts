// Heads of lists that were read lately, with the block that came along: a snapshot never changes, so what was read
// stays true, and a word that is asked for again saves a trip. Bounded in bytes; what was not asked for longest goes
// first.
import type { ListHead } from '../../search/lists.ts'

const bytesMax = 16 * 1024 * 1024

/** What an entry costs beside the bytes of its list. */
const entryBytes = 256

export class HeadCache {
  /** Null for a key that has no list. In the order of their last use. */
  readonly #heads = new Map<string, ListHead | null>()
  #bytes = 0

  /** `from` is where the block that came along begins; undefined when it is not here. */
  find(key: string, from: number): ListHead | null | undefined {
    const name = toName(key, from)
    const head = this.#heads.get(name)
    if (head === undefined) return undefined
    this.#heads.delete(name)
    this.#heads.set(name, head)
    return head
  }

  keep(key: string, from: number, head: ListHead | null): void {
    const name = toName(key, from)
    if (this.#heads.has(name)) return
    this.#heads.set(name, head)
    this.#bytes += sizeOf(head)
    for (const [oldest, its] of this.#heads) {
      if (this.#bytes <= bytesMax) return
      this.#heads.delete(oldest)
      this.#bytes -= sizeOf(its)
    }
  }
}

function toName(key: string, from: number): string {
  return `${from} ${key}`
}

function sizeOf(head: ListHead | null): number {
  if (head === null) return entryBytes
  return entryBytes + head.lasts.byteLength + (head.inline?.length ?? 0) + (head.along?.bytes.length ?? 0)
}
