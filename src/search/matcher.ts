// Reading posting lists: small machines that each answer one question, "which is your first record at or after this
// position?". They never wait: where a block is not in memory, or a turn has lasted long enough, the answer is
// `pending`, and the same question is asked again later. So a search holds up nothing else, whatever it intersects.
import { ByteReader } from './bytes.ts'
import type { Block, BlockRequest, ListHead } from './lists.ts'

/** Beyond every record. */
export const end = 0x7fffffff
/** Ask again once the requested blocks are there, or after other work has had its turn. */
export const pending = -1

/** Blocks asked for at once grow from one to this, so a first page reads little and a long walk reads in strides. */
const blocksAheadMax = 32

/** What comparing the word positions of a record costs beside one step along a list. */
const comparisonSteps = 8

export interface Matcher {
  /** At most so many records match: the smallest leads an intersection. */
  readonly recordsMax: number
  /** The first match at or after `target` (which never decreases), `end`, or `pending`. */
  advanceTo(target: number): number
}

/** What all matchers of one search share: the blocks they lack, and how much work is left of this turn. */
export class Turn {
  readonly requests: BlockRequest[] = []
  steps = 0
}

/** Every record. */
export class Everything implements Matcher {
  readonly recordsMax: number = end

  advanceTo(target: number): number {
    return target
  }
}

/** One posting list. */
export class ListMatcher implements Matcher {
  readonly recordsMax: number
  current: number = pending
  readonly #turn: Turn
  readonly #head: ListHead
  readonly #withPositions: boolean
  #blocks: readonly Block[] = []
  #next = 0
  #ahead = 1
  #asked = false
  #exhausted = false
  #reader = new ByteReader(new Uint8Array(0))
  #last = -1
  #record = 0
  #index = 0
  #positions: Uint8Array | null = null
  #positionsReader = new ByteReader(new Uint8Array(0))
  #positionsIndex = 0

  constructor(head: ListHead, turn: Turn, withPositions = false) {
    this.#head = head
    this.recordsMax = head.records
    this.#turn = turn
    this.#withPositions = withPositions
    if (head.only === null) return
    this.#blocks = [head.only]
    this.#exhausted = true
  }

  advanceTo(target: number): number {
    if (this.current >= target) return this.current
    while (this.#last < target) {
      const block = this.#blocks[this.#next]
      if (block === undefined) {
        if (this.#exhausted) {
          this.current = end
          return end
        }
        this.#ask(target)
        return pending
      }
      this.#next++
      if (block.last >= target) this.#open(block)
    }
    const reader = this.#reader
    let record = this.#record
    let index = this.#index
    do {
      record += reader.varint()
      index++
    } while (record < target)
    this.#record = record
    this.#index = index
    this.current = record
    return record
  }

  /** The word positions in the current record. */
  positions(): number[] {
    const positions: number[] = []
    if (this.#positions === null) return positions
    const reader = this.#positionsReader
    for (; this.#positionsIndex < this.#index - 1; this.#positionsIndex++) reader.at += reader.varint()
    const start = reader.at
    const size = reader.varint()
    const stop = reader.at + size
    for (let position = 0; reader.at < stop; ) {
      position += reader.varint()
      positions.push(position)
    }
    // Stay before this record, so that it can be read again.
    reader.at = start
    return positions
  }

  #open(block: Block): void {
    this.#reader = new ByteReader(block.records)
    this.#last = block.last
    this.#record = 0
    this.#index = 0
    this.#positions = block.positions
    this.#positionsReader = new ByteReader(block.positions ?? block.records)
    this.#positionsIndex = 0
  }

  #ask(from: number): void {
    if (this.#asked) return
    this.#asked = true
    const count = this.#ahead
    this.#turn.requests.push({
      list: this.#head.list,
      from,
      count,
      withPositions: this.#withPositions,
      deliver: (blocks) => {
        this.#asked = false
        this.#blocks = blocks
        this.#next = 0
        this.#exhausted = blocks.length < count
        this.#ahead = Math.min(count * 2, this.#withPositions ? blocksAheadMax / 4 : blocksAheadMax)
      },
    })
  }
}

/** Records that every part matches. */
export class AllOf implements Matcher {
  readonly recordsMax: number
  readonly #parts: readonly Matcher[]
  readonly #turn: Turn

  constructor(parts: readonly Matcher[], turn: Turn) {
    this.#parts = parts.toSorted((a, b) => a.recordsMax - b.recordsMax)
    this.recordsMax = this.#parts[0]?.recordsMax ?? 0
    this.#turn = turn
  }

  advanceTo(target: number): number {
    const parts = this.#parts
    let candidate = target
    let agreed = 0
    for (let i = 0; agreed < parts.length; i = i + 1 === parts.length ? 0 : i + 1) {
      if (this.#turn.steps-- <= 0) return pending
      const found = (parts[i] as Matcher).advanceTo(candidate)
      if (found === pending || found === end) return found
      agreed = found === candidate ? agreed + 1 : 1
      candidate = found
    }
    return candidate
  }
}

/** Records that some part matches. */
export class AnyOf implements Matcher {
  readonly recordsMax: number
  readonly #parts: readonly Matcher[]

  constructor(parts: readonly Matcher[]) {
    this.#parts = parts
    this.recordsMax = parts.reduce((sum, part) => sum + part.recordsMax, 0)
  }

  advanceTo(target: number): number {
    let first = end
    let waits = false
    for (const part of this.#parts) {
      const found = part.advanceTo(target)
      // Every part that lacks a block says so in this round, so that one trip fetches all of them.
      if (found === pending) waits = true
      else if (found < first) first = found
    }
    return waits ? pending : first
  }
}

/** Records of the first that are not of the second. */
export class Without implements Matcher {
  readonly recordsMax: number
  readonly #wanted: Matcher
  readonly #unwanted: Matcher
  readonly #turn: Turn

  constructor(wanted: Matcher, unwanted: Matcher, turn: Turn) {
    this.recordsMax = wanted.recordsMax
    this.#wanted = wanted
    this.#unwanted = unwanted
    this.#turn = turn
  }

  advanceTo(target: number): number {
    for (let candidate = target; ; candidate++) {
      if (this.#turn.steps-- <= 0) return pending
      const found = this.#wanted.advanceTo(candidate)
      if (found === pending || found === end) return found
      const excluded = this.#unwanted.advanceTo(found)
      if (excluded === pending) return pending
      if (excluded !== found) return found
      candidate = found
    }
  }
}

/** Records in which the stems of the lists stand one after the other. */
export class Phrase implements Matcher {
  readonly recordsMax: number
  readonly #lists: readonly ListMatcher[]
  readonly #together: AllOf
  readonly #turn: Turn
  #rejected = -1

  constructor(lists: readonly ListMatcher[], turn: Turn) {
    this.#lists = lists
    this.#together = new AllOf(lists, turn)
    this.recordsMax = this.#together.recordsMax
    this.#turn = turn
  }

  advanceTo(target: number): number {
    let candidate = Math.max(target, this.#rejected + 1)
    for (;;) {
      if (this.#turn.steps-- <= 0) return pending
      const found = this.#together.advanceTo(candidate)
      if (found === pending || found === end) return found
      if (this.#standTogether()) return found
      this.#turn.steps -= comparisonSteps
      this.#rejected = found
      candidate = found + 1
    }
  }

  #standTogether(): boolean {
    let starts: number[] | undefined
    for (const [offset, list] of this.#lists.entries()) {
      const here = list.positions()
      starts = starts === undefined ? here : keepFollowed(starts, here, offset)
      if (starts.length === 0) return false
    }
    return true
  }
}

/** The starts that have `position = start + offset` among the positions; both ascend. */
function keepFollowed(starts: readonly number[], positions: readonly number[], offset: number): number[] {
  const kept: number[] = []
  let i = 0
  for (const start of starts) {
    while (i < positions.length && (positions[i] as number) < start + offset) i++
    if (positions[i] === start + offset) kept.push(start)
  }
  return kept
}
