// Where searches that have had their turn wait for the next. At most one is let through in a round of the event loop,
// so that a lookup waits for one turn of one search, however many searches there are; and as long as there is other
// work, that has most of the processor, and long answers take longer.
import type { Deadline } from '../domain/deadline.ts'

/** Between the beginnings of two turns where there is other work: a turn, and three times as long for the others. */
const turnToTurnMs = 1

/** In a round that is over sooner there was nothing else to do. */
const idleRoundMs = 0.03

interface Waiting {
  readonly goOn: () => void
  readonly deadline: Deadline | undefined
}

const waiting: Waiting[] = []
let isGoingRound = false
let roundMs = 0
let turnMs = 0

/** A search whose patience is over by then goes on only to end. */
export function waitForTurn(deadline?: Deadline): Promise<void> {
  return new Promise((resolve) => {
    waiting.push({ goOn: resolve, deadline })
    if (isGoingRound) return
    isGoingRound = true
    setImmediate(goRound)
  })
}

function goRound(): void {
  const now = performance.now()
  const isIdle = now - roundMs < idleRoundMs
  roundMs = now
  if (isIdle || now - turnMs >= turnToTurnMs) {
    turnMs = now
    letThrough()
  }
  isGoingRound = waiting.length > 0
  if (isGoingRound) setImmediate(goRound)
}

/** The next, and before it all that nobody waits for any more: they would keep those that come behind from theirs. */
function letThrough(): void {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    next.goOn()
    if (!next.deadline?.isExpired) return
  }
}
