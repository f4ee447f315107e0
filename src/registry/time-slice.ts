// Time slice of long work, such as a search or reading passages. The work asks `isUsedUp` often; when the slice is used
// up, it waits with `yield` while other requests run (scheduler.ts).
import { type Deadline, SearchCancelled } from '../domain/deadline.ts'
import { waitForTimeSlice } from './scheduler.ts'

/**
 * Other requests wait while a slice runs. The 99th percentile of lookups during passages of long documents is 1.7 times
 * that of lookups alone; with slices of 1 ms it was 1.7 to 5 times.
 */
const sliceMs = 0.5

export class TimeSlice {
  readonly #deadline: Deadline | undefined
  /** When the current slice started, from `performance.now()`. */
  #startedAt = performance.now()

  constructor(deadline: Deadline | undefined) {
    this.#deadline = deadline
  }

  /** Whether this slice is used up. */
  get isUsedUp(): boolean {
    return performance.now() - this.#startedAt >= sliceMs
  }

  /** Waits for the next slice. Throws `SearchCancelled` if the deadline has expired. */
  async yield(): Promise<void> {
    await waitForTimeSlice(this.#deadline)
    if (this.#deadline?.isExpired) throw new SearchCancelled('the search was cancelled')
    this.#startedAt = performance.now()
  }
}
