// Cooperative scheduler for long searches. A search runs for a time slice (collector.ts, time-slice.ts), then waits
// here. At most one waiting search continues per iteration of the event loop, so a short request waits for one time
// slice of one search at most. If there is other work, it gets most of the processor. The clients take turns (round
// robin), so a client with many searches does not delay the search of another one.
import type { Deadline } from '../domain/deadline.ts'

/**
 * If there is other work, it gets this many times as long as the last iteration with a time slice took. So a search
 * gets at most a third of the time, however long its slices are.
 */
const otherWorkShare = 2

/** If an iteration of the event loop takes less than this, there was no other work: the next slice need not wait. */
const idleIterationMs = 0.03

interface WaitingSearch {
  readonly resume: () => void
  readonly deadline: Deadline | undefined
}

/** By client, in the order of their turns. A client without a waiting search is absent. */
const waitingByClient = new Map<string, WaitingSearch[]>()
let isScheduled = false
let lastIterationAt = 0
/** Whether the last iteration resumed a search. Its time slice ends when the next iteration starts. */
let hasRunSlice = false
/** When the next time slice may start although there is other work. */
let nextSliceAt = 0

/** Resolves when the search may continue. A search whose deadline has expired does not hold up the others. */
export function waitForTimeSlice(deadline?: Deadline): Promise<void> {
  return new Promise((resolve) => {
    const client = deadline?.client ?? ''
    const search = { resume: resolve, deadline }
    const searches = waitingByClient.get(client)
    if (searches === undefined) waitingByClient.set(client, [search])
    else searches.push(search)
    if (isScheduled) return
    isScheduled = true
    setImmediate(runIteration)
  })
}

function runIteration(): void {
  const now = performance.now()
  const iterationMs = now - lastIterationAt
  lastIterationAt = now
  if (hasRunSlice) nextSliceAt = now + iterationMs * otherWorkShare
  hasRunSlice = waitingByClient.size > 0 && (iterationMs < idleIterationMs || now >= nextSliceAt)
  if (hasRunSlice) resumeNext()
  // One more iteration after a time slice measures it.
  isScheduled = waitingByClient.size > 0 || hasRunSlice
  if (isScheduled) setImmediate(runIteration)
}

/** Resumes the next search, and all before it whose deadline has expired: they only end. */
function resumeNext(): void {
  for (let next = takeNext(); next !== undefined; next = takeNext()) {
    next.resume()
    if (!next.deadline?.isExpired) return
  }
}

/** Removes the search that waits longest of the client whose turn it is, and moves the client to the end of the turns. */
function takeNext(): WaitingSearch | undefined {
  for (const [client, searches] of waitingByClient) {
    const next = searches.shift()
    waitingByClient.delete(client)
    if (searches.length > 0) waitingByClient.set(client, searches)
    return next
  }
  return undefined
}
