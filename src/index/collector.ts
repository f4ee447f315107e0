// Drives a matcher over a stretch of the registry and collects what it matches, in turns: after so many steps other
// requests go first. This is the only place where a search waits.
import { SearchCancelled } from '../domain/deadline.ts'
import { end, type Matcher, pending, type Turn } from './iterators.ts'
import type { ListSource } from './posting-list.ts'
import { waitForTurn } from './scheduler.ts'

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
  #waiting: Promise<void> | undefined

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
    return this.#collectNow(matches, length) ? undefined : this.#collectOn(matches, length)
  }

  async #collectOn(matches: number[], length: number): Promise<void> {
    do await this.#turnComes()
    while (!this.#collectNow(matches, length))
  }

  /** Whether it is done; else it has to wait. */
  #collectNow(matches: number[], length: number): boolean {
    for (let match = this.#advance(); match !== end; match = this.#advance()) {
      if (match === pending) return false
      if (matches.push(match) >= length) break
    }
    return true
  }

  /** Shows every match to `visit`; a promise only where it has to wait. */
  each(visit: (match: number) => void): Promise<void> | undefined {
    return this.#showNow(visit) ? undefined : this.#showOn(visit)
  }

  async #showOn(visit: (match: number) => void): Promise<void> {
    do await this.#turnComes()
    while (!this.#showNow(visit))
  }

  #showNow(visit: (match: number) => void): boolean {
    for (let match = this.#advance(); match !== end; match = this.#advance()) {
      if (match === pending) return false
      visit(match)
      this.#turn.steps -= visitSteps
    }
    return true
  }

  /** The next match, `end`, or `pending` where it has to wait. */
  #advance(): number {
    const turn = this.#turn
    while (this.#next < this.#to) {
      const found = turn.steps-- <= 0 ? pending : this.#matcher.advanceTo(this.#next)
      if (found !== pending) {
        this.#next = found < this.#to ? found + 1 : this.#to
        return found < this.#to ? found : end
      }
      this.#waiting = this.#resume()
      if (this.#waiting !== undefined) return pending
    }
    return end
  }

  /** Or what was asked for; whoever waited for the search may be gone by then. */
  async #turnComes(): Promise<void> {
    await this.#waiting
    this.#giveUpIfOver()
  }

  #giveUpIfOver(): void {
    if (this.#turn.deadline?.isExpired) throw new SearchCancelled('Nobody waits for this search any more')
  }

  #resume(): Promise<void> | undefined {
    const turn = this.#turn
    this.#giveUpIfOver()
    if (turn.requests.length === 0) {
      turn.steps = turnSteps
      return waitForTurn(turn.deadline)
    }
    const reading = this.#source.readChunks(turn.requests.splice(0))
    return reading instanceof Promise ? reading : undefined
  }
}
