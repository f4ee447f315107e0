// Cooperative scheduler for long searches. A search runs for a time slice (collector.ts, time-slice.ts), then waits
// here for its next one. In an iteration of the event loop at most one waiting search continues, besides those that end
// because their deadline has expired, so a short request waits for one time slice at most. If the event loop has other
// work, searches leave most of the time to it. The clients take turns (round robin), so a client with many searches
// does not delay the search of another one.
import type { Deadline } from '../domain/deadline.ts'

/**
 * If there is other work, a pause follows each time slice. It is this many times as long as the iteration of the event
 * loop that had the slice, so searches get at most a third of the time, however long their slices are.
 */
const otherWorkFactor = 2

/** If an iteration of the event loop takes less than this, there was no other work: the next slice need not wait. */
const idleIterationMs = 0.03

interface WaitingSearch {
  readonly resume: () => void
  readonly deadline: Deadline | undefined
}

/** By client, in the order of their turns. A client without a waiting search is absent. */
const waitingByClient = new Map<string, WaitingSearch[]>()
/** Whether `runIteration` will run in the next iteration of the event loop. */
let isScheduled = false
/** When `runIteration` ran last. */
let lastIterationAt = 0
/** Whether the last iteration resumed a search. Its time slice ends before the next iteration starts. */
let hasRunSlice = false
/** When the next time slice may start although there is other work. */
let nextSliceAt = 0

/** Resolves when the search may continue. A search whose deadline has expired does not hold up the others. */
export function waitForTimeSlice(deadline?: Deadline): Promise<void> {
  return new Promise((resolve) => {
    // A search gets only the query and the deadline of its request, so the deadline has the name of the client.
    // Searches without a request, such as those of the command `check`, share the empty name: they count as one client.
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

/** Runs once in each iteration of the event loop while searches wait. All times are from `performance.now()`. */
function runIteration(): void {
  const now = performance.now()
  const iterationMs = now - lastIterationAt
  lastIterationAt = now
  // The last iteration consisted of a time slice, and of other work if there was any.
  if (hasRunSlice) nextSliceAt = now + iterationMs * otherWorkFactor
  const wasIdle = iterationMs < idleIterationMs
  hasRunSlice = waitingByClient.size > 0 && (wasIdle || now >= nextSliceAt)
  if (hasRunSlice) resumeNext()
  // After a time slice there is one more iteration, even if no search waits, to measure it.
  isScheduled = waitingByClient.size > 0 || hasRunSlice
  if (isScheduled) setImmediate(runIteration)
}

/**
 * Resumes searches up to the first whose deadline has not expired. The expired ones do not count as the search of this
 * iteration, because a search is expected to end as soon as it finds its deadline expired.
 */
function resumeNext(): void {
  for (let next = takeNext(); next !== undefined; next = takeNext()) {
    next.resume()
    if (!next.deadline?.isExpired) return
  }
}

/** Removes the oldest search of the client whose turn it is. The client then has its next turn after all others. */
function takeNext(): WaitingSearch | undefined {
  for (const [client, searches] of waitingByClient) {
    const next = searches.shift()
    waitingByClient.delete(client)
    if (searches.length > 0) waitingByClient.set(client, searches)
    return next
  }
  return undefined
}
