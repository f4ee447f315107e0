// Cooperative scheduler for long searches. A search runs for a time slice (collector.ts, time-slice.ts), then waits
// here. At most one waiting search continues per iteration of the event loop, so a short request waits for one time
// slice of one search at most. If there is other work, it gets most of the processor.
import type { Deadline } from '../domain/deadline.ts'

/**
 * If there is other work, it gets this many times as long as the last iteration with a time slice took. So a search
 * gets at most a third of the time, however long its slices are.
 */
const otherWorkFactor = 2

/** If an iteration of the event loop takes less than this, there was no other work: the next slice need not wait. */
const idleIterationMs = 0.03

interface WaitingSearch {
  readonly resume: () => void
  readonly deadline: Deadline | undefined
}

const waiting: WaitingSearch[] = []
let isScheduled = false
let lastIterationAt = 0
/** Whether the last iteration resumed a search. Its time slice ends when the next iteration starts. */
let hasRunSlice = false
/** When the next time slice may start although there is other work. */
let nextSliceAt = 0

/** Resolves when the search may continue. A search whose deadline has expired does not hold up the others. */
export function waitForTimeSlice(deadline?: Deadline): Promise<void> {
  return new Promise((resolve) => {
    waiting.push({ resume: resolve, deadline })
    if (isScheduled) return
    isScheduled = true
    setImmediate(runIteration)
  })
}

function runIteration(): void {
  const now = performance.now()
  const iterationMs = now - lastIterationAt
  lastIterationAt = now
  if (hasRunSlice) nextSliceAt = now + iterationMs * otherWorkFactor
  hasRunSlice = waiting.length > 0 && (iterationMs < idleIterationMs || now >= nextSliceAt)
  if (hasRunSlice) resumeNext()
  // One more iteration after a time slice measures it.
  isScheduled = waiting.length > 0 || hasRunSlice
  if (isScheduled) setImmediate(runIteration)
}

/** Resumes the next search, and all before it whose deadline has expired: they only end. */
function resumeNext(): void {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    next.resume()
    if (!next.deadline?.isExpired) return
  }
}
