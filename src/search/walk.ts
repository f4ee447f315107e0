// Drives a matcher over a stretch of the registry and collects what it matches, in turns: after so many steps other
// requests go first. This is the only place where a search waits.
import { SearchGivenUp } from '../record/patience.ts'
import type { ListSource } from './lists.ts'
import { end, type Matcher, pending, type Turn } from './matcher.ts'
import { waitForTurn } from './turnstile.ts'

/** Steps before other work has its turn: a quarter of a millisecond or so. */
const turnSteps = 10_000

/** What a visit takes beside the step to the match. */
const visitSteps = 2

export class Walk {
  readonly #matcher: Matcher
  readonly #turn: Turn
  readonly #source: ListSource
  readonly #to: number
  #next: number

  /** Over the positions `from` (included) to `to` (excluded). */
  constructor(matcher: Matcher, turn: Turn, source: ListSource, from: number, to: number) {
    this.#matcher = matcher
    this.#turn = turn
    this.#source = source
    this.#next = from
    this.#to = to
    turn.steps = turnSteps
  }

  /** Appends the next matches until there are `length` of them or no more; a promise only where it has to wait. */
  collect(matches: number[], length: number): Promise<void> | undefined {
    return this.#show((match) => matches.push(match) < length)
  }

  /** Shows every match to `visit`; a promise only where it has to wait. */
  each(visit: (match: number) => void): Promise<void> | undefined {
    return this.#show((match) => {
      visit(match)
      this.#turn.steps -= visitSteps
      return true
    })
  }

  /** Shows the next matches to `take`, for as long as it wants more. */
  #show(take: (match: number) => boolean): Promise<void> | undefined {
    const waiting = this.#showUntilPending(take)
    return waiting === undefined ? undefined : this.#goOn(waiting, take)
  }

  async #goOn(first: Promise<void>, take: (match: number) => boolean): Promise<void> {
    for (let waiting: Promise<void> | undefined = first; waiting !== undefined; ) {
      await waiting
      waiting = this.#showUntilPending(take)
    }
  }

  /** Until it has to wait. */
  #showUntilPending(take: (match: number) => boolean): Promise<void> | undefined {
    const turn = this.#turn
    while (this.#next < this.#to) {
      const found = turn.steps-- <= 0 ? pending : this.#matcher.advanceTo(this.#next)
      if (found === pending) {
        const waiting = this.#resume()
        if (waiting !== undefined) return waiting
      } else if (found === end || found >= this.#to) {
        this.#next = this.#to
      } else {
        this.#next = found + 1
        if (!take(found)) return undefined
      }
    }
    return undefined
  }

  #resume(): Promise<void> | undefined {
    const turn = this.#turn
    if (turn.patience?.isOver) throw new SearchGivenUp('Nobody waits for this search any more')
    if (turn.requests.length === 0) {
      turn.steps = turnSteps
      return waitForTurn()
    }
    const reading = this.#source.readChunks(turn.requests.splice(0))
    return reading instanceof Promise ? reading : undefined
  }
}
