// Where searches that have had their turn wait for the next. At most one is let through in a round of the event loop,
// so that a lookup waits for one turn of one search, however many searches there are; and as long as there is other
// work, that has most of the processor, and long answers take longer.

/** Between the beginnings of two turns where there is other work: a turn, and three times as long for the others. */
const turnToTurnMs = 1

/** In a round that is over sooner there was nothing else to do. */
const idleRoundMs = 0.03

const waiting: (() => void)[] = []
let isGoingRound = false
let roundMs = 0
let turnMs = 0

export function waitForTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
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
    waiting.shift()?.()
  }
  isGoingRound = waiting.length > 0
  if (isGoingRound) setImmediate(goRound)
}
