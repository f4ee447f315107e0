// The heads of posting lists in a snapshot file: a strip of them in the order in which lists are written, the hashes of
// their keys, and milestones: one in so many of the words as written, which are in alphabetical order, to find those
// that begin alike.
import { halve } from '../../halve.ts'
import { hashText } from '../../hash.ts'
import { ByteWriter } from '../../search/bytes.ts'
import { HeadReader, putHead } from '../../search/head-bytes.ts'
import { type ListHead, type ListKind, listKinds, unionMax } from '../../search/lists.ts'
import { HashIndex, HashIndexWriter } from './hash-index.ts'
import type { Strip } from './strip.ts'
import type { StripWriter } from './strip-writer.ts'

/** Of words as written one in so many is in memory. */
const milestoneEvery = 16

const orderedKinds: readonly string[] = [listKinds.form, listKinds.titleForm] satisfies ListKind[]

/** Lists of the kinds that follow have keys behind all words; only the unions of words stand among them. */
const unionKinds: readonly string[] = [listKinds.prefix, listKinds.titlePrefix] satisfies ListKind[]

export interface HeadStrips<S> {
  readonly head: S
  readonly key: S
  readonly milestone: S
}

export class ListHeadWriter {
  readonly #strips: HeadStrips<StripWriter>
  readonly #keys = new HashIndexWriter()
  readonly #head = new ByteWriter()
  readonly #milestones: string[] = []
  #ordered = 0

  constructor(strips: HeadStrips<StripWriter>) {
    this.#strips = strips
  }

  add(head: ListHead): void {
    const { key } = head
    if (orderedKinds.includes(key.charAt(0)) && this.#ordered++ % milestoneEvery === 0) {
      this.#milestones.push(`${this.#strips.head.count} ${key}`)
    }
    this.#keys.add(hashText(key))
    this.#head.length = 0
    putHead(this.#head, head)
    this.#strips.head.add(this.#head.bytes.subarray(0, this.#head.length))
  }

  finish(): void {
    this.#strips.key.add(this.#keys.finish())
    this.#strips.milestone.add(Buffer.from(this.#milestones.join('\n')))
  }
}

export class ListHeads {
  readonly #strip: Strip
  readonly #keys: HashIndex
  readonly #milestoneStrip: Strip
  /** Put into memory when first needed. */
  #milestones: readonly Milestone[] | undefined

  constructor({ head, key, milestone }: HeadStrips<Strip>) {
    this.#strip = head
    this.#keys = new HashIndex(key.whole(0))
    this.#milestoneStrip = milestone
    head.open()
  }

  find(key: string): ListHead | undefined {
    let found: ListHead | undefined
    this.#keys.find(key, (number) => {
      const head = new HeadReader(this.#strip.lend(number, number + 1)).next()
      if (head.key === key) found = head
      return head.key === key
    })
    return found
  }

  /** The words as written whose key begins so, in order, the first `unionMax` of them. */
  findBeginning(beginning: string): ListHead[] {
    const found: ListHead[] = []
    for (const head of this.#readFrom(this.#milestoneBefore(beginning))) {
      if (head.key.startsWith(beginning)) found.push(head)
      else if (!unionKinds.includes(head.key.charAt(0)) && head.key > beginning) break
      if (found.length === unionMax) break
    }
    return found
  }

  *[Symbol.iterator](): Generator<ListHead, void, undefined> {
    yield* this.#readFrom(0)
  }

  *#readFrom(number: number): Generator<ListHead, void, undefined> {
    for (let first = number; first < this.#strip.count; first += milestoneEvery) {
      const heads = new HeadReader(this.#strip.lend(first, Math.min(first + milestoneEvery, this.#strip.count)))
      while (!heads.isAtEnd) yield heads.next()
    }
  }

  /** The number of the last that is not behind the beginning. */
  #milestoneBefore(beginning: string): number {
    this.#milestones ??= this.#milestoneStrip.whole(0).toString().split('\n').map(toMilestone)
    const milestones = this.#milestones
    const behind = halve(0, milestones.length, (nth) => (milestones[nth]?.key ?? '') <= beginning)
    return milestones[behind - 1]?.number ?? 0
  }
}

interface Milestone {
  readonly number: number
  readonly key: string
}

function toMilestone(line: string): Milestone {
  const space = line.indexOf(' ')
  return { number: Number(line.slice(0, space)), key: line.slice(space + 1) }
}
