// Reading posting lists: small machines that each answer one question, "which is your first record at or after this
// position?". They never wait: where a block is not in memory, or a turn has lasted long enough, the answer is
// `pending`, and the same question is asked again later. So a search holds up nothing else, whatever it intersects.
import type { Deadline } from '../domain/deadline.ts'
import type { ChunkRequest } from './posting-list.ts'

/** Beyond every record. */
export const end = 0x7fffffff
/** Ask again once the requested blocks are there, or after other work has had its turn. */
export const pending = -1

export interface Matcher {
  /** At most so many records match: the smallest leads an intersection. */
  readonly recordsMax: number
  /** The first match at or after `target` (which never decreases), `end`, or `pending`. */
  advanceTo(target: number): number
}

/** What all matchers of one search share: the blocks they lack, and how much work is left of this turn. */
export class Turn {
  readonly requests: ChunkRequest[] = []
  readonly deadline: Deadline | undefined
  steps = 0

  constructor(deadline?: Deadline) {
    this.deadline = deadline
  }
}

/** Every record. */
export class Everything implements Matcher {
  readonly recordsMax: number = end

  advanceTo(target: number): number {
    return target
  }
}

/** Records that every part matches. */
export class AllOf implements Matcher {
  readonly recordsMax: number
  readonly #parts: readonly Matcher[]
  readonly #turn: Turn

  constructor(parts: readonly Matcher[], turn: Turn) {
    this.#parts = inOrder(parts)
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

/** Two, of which the first matches fewer, are most often what there is, and are left as they are. */
function inOrder(parts: readonly Matcher[]): readonly Matcher[] {
  const [first, second] = parts
  const areInOrder = parts.length === 2 && first && second && first.recordsMax <= second.recordsMax
  return areInOrder ? parts : parts.toSorted((a, b) => a.recordsMax - b.recordsMax)
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
