// Where searches that have had their turn wait for the next. One is let through for each round of the event loop, so
// that a lookup waits for one turn of one search, however many searches there are.

const waiting: (() => void)[] = []

export function waitForTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(letOneThrough)
  })
}

function letOneThrough(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(letOneThrough)
}
