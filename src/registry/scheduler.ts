// Cooperative scheduler for long searches. A search runs for a time slice (time-slice.ts), then waits
// here for its next one. While the event loop has other work, such as short requests, waiting searches get about a
// fifth of the time, but at most a millisecond in each iteration of the event loop (`slicesMsMax`). search-queue.ts
// decides which search is next.
//
// While searches wait, an iteration of the event loop is a sequence of immediates with time slices between them:
//
//   other work, countOtherWork, startSlice, slice, startSlice, slice, …, startSlice, slice, endIteration
//
// `startSlice` resolves the promise of a search, which then runs as microtasks, before the next immediate. So each
// immediate measures what ran before it: other work or a time slice.
import type { Deadline } from '../domain/deadline.ts'
import { SearchQueue } from './search-queue.ts'

/**
 * In an iteration, time slices start until they have taken a quarter of the time of its other work, which is a fifth of
 * all time.
 */
const otherWorkFactor = 4

/** If the other work of an iteration takes less than this, it counts as none, and one time slice may run. */
const idleMs = 0.03

/** When its time slices have taken this long, an iteration starts no more, because short requests wait for them. */
const slicesMsMax = 1

/**
 * The fewest and the most time slices of an iteration. Within these bounds an iteration has an immediate for each
 * waiting search. A search that waits alone may use several: it waits again as soon as its slice has ended.
 */
const slicesMin = 4
const slicesMax = 32

/** The allowance with which one time slice may start and no more, because every slice takes longer. */
const oneSliceMs = Number.MIN_VALUE

const queue = new SearchQueue()
/** Whether the immediates of the next iteration are scheduled. */
let isScheduled = false
/** The time up to which all work is measured, from `performance.now()`. */
let measuredAt = 0
/** How long the time slices of this iteration may still run. Negative after a slice that took longer than was left. */
let allowanceMs = 0
/** Whether a time slice has been started since the last measurement. */
let isSliceStarted = false

/** Resolves when the search may continue. A search whose deadline has expired does not hold up the others. */
export function waitForTimeSlice(deadline?: Deadline): Promise<void> {
  return new Promise((resolve) => {
    queue.add({ resume: resolve, deadline })
    if (!isScheduled) scheduleIteration()
  })
}

function scheduleIteration(): void {
  isScheduled = true
  setImmediate(countOtherWork)
  const slices = Math.min(Math.max(queue.size, slicesMin), slicesMax)
  for (let slice = 0; slice < slices; slice++) setImmediate(startSlice)
  setImmediate(endIteration)
}

/** Returns the time since the last measurement. */
function measure(): number {
  const now = performance.now()
  const elapsedMs = now - measuredAt
  measuredAt = now
  return elapsedMs
}

/** Counts the time since the last measurement as other work, and sets the allowance of the iteration. */
function countOtherWork(): void {
  const otherMs = measure()
  // What the last iteration left of its allowance is dropped, but what its slices took too much is subtracted.
  const excessMs = Math.max(0, -allowanceMs)
  // After a time without searches, `otherMs` includes idle time, so the allowance has a limit.
  allowanceMs = Math.min(slicesMsMax, otherMs / otherWorkFactor - excessMs)
  const isIdle = otherMs < idleMs
  if (isIdle) allowanceMs = Math.max(allowanceMs, oneSliceMs)
}

/** Ends the time slice that the last immediate has started, if any. Starts one if the allowance is not used up. */
function startSlice(): void {
  endSlice()
  if (allowanceMs <= 0) return
  isSliceStarted = true
  resumeNext()
}

function endSlice(): void {
  const elapsedMs = measure()
  if (isSliceStarted) allowanceMs -= elapsedMs
  isSliceStarted = false
}

function endIteration(): void {
  endSlice()
  isScheduled = false
  if (queue.size > 0) scheduleIteration()
}

/**
 * Resumes searches up to the first whose deadline has not expired. The expired ones get no time slice of their own,
 * because a search is expected to end as soon as it finds its deadline expired.
 */
function resumeNext(): void {
  for (let next = queue.takeNext(); next !== undefined; next = queue.takeNext()) {
    next.resume()
    if (!next.deadline?.isExpired) return
  }
}
