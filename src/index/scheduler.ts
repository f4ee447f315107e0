// Cooperative scheduler for long searches. A search runs for a time slice (collector.ts, time-slice.ts), then waits
// here for its next one. While the event loop has other work, such as short requests, waiting searches get about a
// fifth of the time, but at most a millisecond in each iteration of the event loop (`slicesMsMax`). The clients take
// turns of one time slice (round robin), so a client with many searches does not delay the search of another one. The
// searches of one client take turns of several time slices (`slicesPerSearch`).
//
// While searches wait, several immediates run one after the other in each iteration of the event loop: one that counts
// the other work, one for each time slice, and one that ends the iteration. A resumed search runs as microtasks between
// two immediates, so each immediate measures the time slice that the one before has started.
import type { Deadline } from '../domain/deadline.ts'

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

/**
 * After this many time slices of a search, the next search of the client continues. Most searches end before that. With
 * 4 instead of 16, the 99th percentile of the response time rose by a quarter, for result pages with passages from
 * documents of 500 pages.
 */
const slicesPerSearch = 16

interface WaitingSearch {
  readonly resume: () => void
  readonly deadline: Deadline | undefined
}

/** The waiting searches of one client. */
interface ClientQueue {
  /** In the order in which they continue. */
  readonly searches: WaitingSearch[]
  /** The deadline of the search that continued last, which tells this search from the others. */
  lastDeadline: Deadline | undefined
  /** How many more time slices that search gets before the next one. */
  slicesLeft: number
}

/** By client, in the order of their turns. A client without a waiting search is absent. */
const queuesByClient = new Map<string, ClientQueue>()
/** Number of waiting searches of all clients. */
let waitingCount = 0
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
    // A search gets only the query and the deadline of its request, so the deadline has the name of the client.
    // Searches without a request, such as those of the command `check`, share the empty name: they count as one client.
    const client = deadline?.client ?? ''
    const search = { resume: resolve, deadline }
    const queue = queuesByClient.get(client) ?? { searches: [], lastDeadline: undefined, slicesLeft: 0 }
    queuesByClient.set(client, queue)
    // A search with time slices left comes first again. Searches without a deadline cannot be told apart, so they go to
    // the end of the queue after every slice.
    const hasSlicesLeft = deadline !== undefined && deadline === queue.lastDeadline && queue.slicesLeft > 0
    if (hasSlicesLeft) queue.searches.unshift(search)
    else queue.searches.push(search)
    waitingCount++
    if (!isScheduled) scheduleIteration()
  })
}

function scheduleIteration(): void {
  isScheduled = true
  setImmediate(countOtherWork)
  const slices = Math.min(Math.max(waitingCount, slicesMin), slicesMax)
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

/**
 * Counts the time since the last measurement as other work, and sets the allowance. After a time without searches this
 * includes idle time, so the allowance has a limit (`slicesMsMax`). What is left of the last allowance is dropped; an
 * excess of time slices over it is subtracted. Without other work, the allowance is at least the smallest positive
 * number, so that one time slice starts.
 */
function countOtherWork(): void {
  const otherMs = measure()
  allowanceMs = Math.min(slicesMsMax, Math.min(allowanceMs, 0) + otherMs / otherWorkFactor)
  if (otherMs < idleMs) allowanceMs = Math.max(allowanceMs, Number.MIN_VALUE)
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
  if (waitingCount > 0) scheduleIteration()
}

/**
 * Resumes searches up to the first whose deadline has not expired. The expired ones get no time slice of their own,
 * because a search is expected to end as soon as it finds its deadline expired.
 */
function resumeNext(): void {
  for (let next = takeNext(); next !== undefined; next = takeNext()) {
    next.resume()
    if (!next.deadline?.isExpired) return
  }
}

/**
 * Takes the first search of the client whose turn it is. The client then has its next turn after all others. If its
 * queue is empty now, the queue is dropped with its count of slices: a search that is alone needs no such count.
 */
function takeNext(): WaitingSearch | undefined {
  for (const [client, queue] of queuesByClient) {
    const next = queue.searches.shift()
    waitingCount--
    queuesByClient.delete(client)
    if (queue.searches.length > 0) queuesByClient.set(client, queue)
    if (next?.deadline !== queue.lastDeadline) {
      queue.lastDeadline = next?.deadline
      queue.slicesLeft = slicesPerSearch
    }
    queue.slicesLeft--
    return next
  }
  return undefined
}
