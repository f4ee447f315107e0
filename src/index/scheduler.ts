// Cooperative scheduler for long searches. A search runs for a time slice (collector.ts, time-slice.ts), then waits
// here. At most one waiting search continues per iteration of the event loop, so a short request waits for one time
// slice of one search at most. If there is other work, it gets most of the processor.
import type { Deadline } from '../domain/deadline.ts'

/** Time between the starts of two time slices if there is other work. A search uses about a quarter of it. */
const slicePauseMs = 1

/** If an iteration of the event loop takes less than this, there was no other work: the next slice need not wait. */
const idleIterationMs = 0.03

interface WaitingSearch {
  readonly resume: () => void
  readonly deadline: Deadline | undefined
}

const waiting: WaitingSearch[] = []
let isScheduled = false
let lastIterationAt = 0
let lastSliceAt = 0

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
  const isIdle = now - lastIterationAt < idleIterationMs
  lastIterationAt = now
  if (isIdle || now - lastSliceAt >= slicePauseMs) {
    lastSliceAt = now
    resumeNext()
  }
  isScheduled = waiting.length > 0
  if (isScheduled) setImmediate(runIteration)
}

/** Resumes the next search, and all before it whose deadline has expired: they only end. */
function resumeNext(): void {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    next.resume()
    if (!next.deadline?.isExpired) return
  }
}
