// Shares the event loop between the connections that have requests to start (request-queue.ts). A turn is an event-loop
// iteration that starts requests, for `requestTurnMs` at most. Connections that do not get into a turn are ready for
// the next one. All servers of the process share the turns, because they share the event loop.
import { requestTurnMs } from './limits.ts'

/** A connection whose next request can start. */
interface ReadyConnection {
  /** When it became ready, on the clock of `performance.now()`. */
  readyAt: number
  /** Starts one request. If the next one can start too, it makes the connection ready again. */
  readonly startNext: () => void
}

/** The order is round robin: each connection starts one request before any starts its next. */
const readyConnections = new Set<ReadyConnection>()

/** When the current turn began; undefined between turns. */
let turnStartedAt: number | undefined

/** For how long the first of the ready connections has waited; 0 if there is none. */
export function requestDelayMs(): number {
  const [first] = readyConnections
  return first === undefined ? 0 : performance.now() - first.readyAt
}

/** The current time; in a turn its beginning, which is exact enough and costs no call of the clock. */
export function turnTime(): number {
  return turnStartedAt ?? performance.now()
}

/** Lets the connection start its next request in a later turn. */
export function makeReady(connection: ReadyConnection): void {
  connection.readyAt = performance.now()
  readyConnections.add(connection)
}

/**
 * Enters the turn for a request that would start at once. Returns false if connections are ready before it, or if no
 * time is left.
 */
export function tryToStartAtOnce(): boolean {
  return readyConnections.size === 0 && tryToEnterTurn()
}

/** Begins a turn if there is none. Returns whether time is left in the turn. */
function tryToEnterTurn(): boolean {
  const now = performance.now()
  if (turnStartedAt !== undefined) return now - turnStartedAt < requestTurnMs
  turnStartedAt = now
  setImmediate(endTurn)
  return true
}

/** Ends the turn, and begins another one for the ready connections. */
async function endTurn(): Promise<void> {
  turnStartedAt = undefined
  // A connection that becomes ready again is added at the end of the set, and the loop comes back to it.
  for (const connection of readyConnections) {
    if (!tryToEnterTurn()) break
    readyConnections.delete(connection)
    connection.startNext()
    // Lets the requests that have started go on: their work counts in the turn, and most end before others start.
    await undefined
  }
}
