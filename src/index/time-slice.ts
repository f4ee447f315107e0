// The time slice of a task that measures its time instead of counting steps as a search does, such as reading passages:
// it runs until the slice is used up, then other requests have their turn (scheduler.ts).
import { type Deadline, SearchCancelled } from '../domain/deadline.ts'
import { waitForTimeSlice } from './scheduler.ts'

/** A short request waits for one slice at most, so this bounds what it loses. A shorter slice means more switches. */
const sliceMs = 1

export class TimeSlice {
  readonly #deadline: Deadline | undefined
  #startedAt = performance.now()

  constructor(deadline: Deadline | undefined) {
    this.#deadline = deadline
  }

  /** Waits for the next slice if this one is used up. Throws `SearchCancelled` if the deadline has expired. */
  async yieldIfUsed(): Promise<void> {
    if (performance.now() - this.#startedAt >= sliceMs) await this.yield()
  }

  /** Waits for the next slice. Throws `SearchCancelled` if the deadline has expired. */
  async yield(): Promise<void> {
    await waitForTimeSlice(this.#deadline)
    if (this.#deadline?.isExpired) throw new SearchCancelled('the search was cancelled')
    this.#startedAt = performance.now()
  }
}
