// Starts requests one after the other. Node parses up to 64 KB of a connection at once, which may be a thousand
// pipelined requests, and emits them all before anything else runs. This queue starts the next request of an HTTP/1.1
// connection when the response to the previous request is written, and pauses after `requestTurnMs` of work, so that
// one client cannot stop the event loop. listen.ts puts it between Node's server and the application.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2Session, Http2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { queuedExchangeBytes, requestsWaitingMax, requestTurnMs } from './limits.ts'
import type { SendQueues } from './send-queues.ts'

/** Handles one request of HTTP/1.1 or HTTP/2: Node's compatibility API has the same objects for both. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

/** A request and the response to it. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

interface WaitingExchange extends Exchange {
  /** Stops counting the memory of the request in `SendQueues`. */
  readonly release: () => void
}

interface Connection {
  /** `#start` of the `RequestQueue` of this connection: `readyConnections` has connections of several such queues. */
  readonly start: (connection: Connection, exchange: Exchange) => void
  /** The response to the last request that was started. */
  response: ServerResponse | undefined
  /** Number of requests of HTTP/2 that were started and whose responses have not ended. */
  streamsInProgress: number
  /** The requests that were not started yet, in their order. */
  waiting: WaitingExchange[]
  /** The socket, while nothing more is to be read from it because too many requests wait; else undefined. */
  pausedSocket: Socket | undefined
  /** When the last request was started, on the clock of `performance.now()`; 0 if none was. */
  startedAt: number
  /**
   * Bytes that were read from the socket when its last request, with its body, had arrived. If more have been read
   * since, a part of a further request has arrived, and open-connections.ts does not close it as idle.
   */
  bytesReadAtRequestEnd: number
  /** When the connection became ready, on the clock of `performance.now()`; see `readyConnections`. */
  readyAt: number
}

/**
 * Connections whose next request can start as soon as a turn (`turnStartedAt`) has time for it. All servers of the
 * process share them, because they share the event loop. The order is round robin: each connection starts one request
 * before any starts its next.
 */
const readyConnections = new Set<Connection>()

/**
 * When the current turn began; undefined between turns. A turn is an event-loop iteration that starts requests, for
 * `requestTurnMs` at most.
 */
let turnStartedAt: number | undefined

/** For how long the first of the ready connections has waited; 0 if there is none. */
export function requestDelayMs(): number {
  const [first] = readyConnections
  return first === undefined ? 0 : performance.now() - first.readyAt
}

export class RequestQueue {
  readonly #handle: RequestHandler
  /** Counts the memory of waiting requests together with the memory of unsent responses. */
  readonly #sendQueues: SendQueues
  /** By socket, or by session of HTTP/2. */
  readonly #connections = new WeakMap<object, Connection>()
  #isDraining = false

  constructor(handle: RequestHandler, sendQueues: SendQueues) {
    this.#handle = handle
    this.#sendQueues = sendQueues
  }

  /** Starts the request, at once or after those that wait before it. */
  add(request: IncomingMessage, response: ServerResponse): void {
    const key = toConnectionKey(request)
    // If the connection has closed, nobody waits for the response.
    if (key === undefined || key.destroyed) return
    const connection = this.#find(key)
    connection.bytesReadAtRequestEnd = request.socket.bytesRead
    // The body may arrive after the headers. Its bytes must not count as the beginning of a further request.
    if (hasBody(request)) request.once('end', () => (connection.bytesReadAtRequestEnd = request.socket.bytesRead))
    if (connection.waiting.length === 0 && canStartNext(connection) && canStartInTurn()) {
      connection.start(connection, { request, response })
      return
    }
    if (connection.waiting.length >= requestsWaitingMax && !tryToAdmit(connection, request)) {
      key.destroy()
      return
    }
    // `hold` counts the memory of the request as queued until it starts or is dropped, when `release` is called.
    const release = this.#sendQueues.hold(request.socket, queuedExchangeBytes)
    connection.waiting.push({ request, response, release })
    // If others wait already, the connection awaits its turn for them.
    if (connection.waiting.length === 1) awaitTurn(connection)
    // After many bytes, `countTowardsCheck` makes `SendQueues` compare its sums with the limits at once. So the limits
    // apply even while only requests arrive and nothing is sent.
    this.#sendQueues.countTowardsCheck(queuedExchangeBytes)
  }

  /** When the last request of a socket or session was started: 0 if none was yet, undefined if none has arrived. */
  lastStartedAt(key: Socket | Http2Session): number | undefined {
    return this.#connections.get(key)?.startedAt
  }

  /** Bytes that were read from the socket when its last request had arrived; undefined if none has arrived. */
  bytesReadAtRequestEnd(key: Socket): number | undefined {
    return this.#connections.get(key)?.bytesReadAtRequestEnd
  }

  /** Whether a request of a socket or session waits or has no whole response yet. */
  isBusy(key: Socket | Http2Session): boolean {
    const connection = this.#connections.get(key)
    if (connection === undefined) return false
    const isResponding = connection.streamsInProgress > 0 || connection.response?.writableEnded === false
    return connection.waiting.length > 0 || isResponding
  }

  /**
   * From now on an HTTP/1.1 connection is closed after the response to its last waiting request, or to its next request
   * if none waits.
   */
  drain(): void {
    this.#isDraining = true
  }

  #find(key: object): Connection {
    const known = this.#connections.get(key)
    if (known !== undefined) return known
    const connection: Connection = {
      start: this.#start,
      response: undefined,
      streamsInProgress: 0,
      waiting: [],
      pausedSocket: undefined,
      startedAt: 0,
      bytesReadAtRequestEnd: 0,
      readyAt: 0,
    }
    this.#connections.set(key, connection)
    return connection
  }

  readonly #start = (connection: Connection, { request, response }: Exchange): void => {
    connection.response = response
    // The time of the turn is exact enough, and costs no call of the clock.
    connection.startedAt = turnStartedAt ?? performance.now()
    if (request.httpVersionMajor === 2) {
      // With HTTP/1.1 only the last response can be in progress. With HTTP/2 several can be, so they are counted.
      connection.streamsInProgress++
      response.once('close', () => connection.streamsInProgress--)
    }
    const isLast = this.#isDraining && connection.waiting.length === 0
    if (isLast && request.httpVersionMajor === 1) response.setHeader('Connection', 'close')
    this.#handle(request, response)
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/** The socket, or the session of HTTP/2; undefined if the session has ended. */
function toConnectionKey(request: IncomingMessage): Socket | Http2Session | undefined {
  return request.httpVersionMajor === 1 ? request.socket : toStream(request)?.session
}

/** The stream of a request of HTTP/2; undefined for HTTP/1.1. */
function toStream(request: IncomingMessage & { readonly stream?: Http2Stream }): Http2Stream | undefined {
  return request.stream
}

/** Whether the client still waits for the response. */
function isOpen({ request }: Exchange): boolean {
  return !(toStream(request) ?? request.socket).destroyed
}

/** Whether no response delays the next request: with HTTP/1.1 the previous response must be written. */
function canStartNext({ response }: Connection): boolean {
  return response === undefined || response.req.httpVersionMajor === 2 || response.writableFinished
}

/** Whether a request may start at once: no connection is ready before it, and time is left in the turn. */
function canStartInTurn(): boolean {
  return readyConnections.size === 0 && ensureTurn()
}

/** Begins a turn if there is none. Returns whether time is left in the turn. */
function ensureTurn(): boolean {
  const now = performance.now()
  if (turnStartedAt !== undefined) return now - turnStartedAt < requestTurnMs
  turnStartedAt = now
  setImmediate(endTurn)
  return true
}

/** Ends the turn, and begins another one for the ready connections. */
function endTurn(): void {
  turnStartedAt = undefined
  // A connection whose next request is ready is added again at the end of the set, and the loop comes back to it.
  for (const connection of readyConnections) {
    if (!ensureTurn()) break
    readyConnections.delete(connection)
    startNext(connection)
  }
}

/**
 * Makes the connection ready if its next request can start. Otherwise waits until the response in progress is written,
 * and then starts the first waiting request if it may start at once, or makes the connection ready.
 */
function awaitTurn(connection: Connection): void {
  if (canStartNext(connection)) makeReady(connection)
  else connection.response?.once('finish', () => (canStartInTurn() ? startNext(connection) : makeReady(connection)))
}

function makeReady(connection: Connection): void {
  if (connection.pausedSocket !== undefined) keepPaused(connection)
  connection.readyAt = performance.now()
  readyConnections.add(connection)
}

/**
 * Starts the first waiting request, unless its client no longer waits for the response, and makes the connection wait
 * for its next turn. Reads from a paused socket again when few requests wait.
 */
function startNext(connection: Connection): void {
  const next = connection.waiting.shift()
  next?.release()
  if (next !== undefined && isOpen(next)) connection.start(connection, next)
  if (connection.waiting.length > 0) awaitTurn(connection)
  if (connection.pausedSocket === undefined) return
  if (connection.waiting.length < requestsWaitingMax / 2) {
    connection.pausedSocket.resume()
    connection.pausedSocket = undefined
  } else keepPaused(connection)
}

/**
 * Pauses the socket of a connection in a microtask. Node resumes the socket in `process.nextTick`, after each request
 * that it has parsed and after each response that was written, so this is repeated each time. A microtask runs after
 * that, and before Node reads more.
 */
function keepPaused(connection: Connection): void {
  queueMicrotask(() => connection.pausedSocket?.pause())
}

/**
 * Returns whether a further request may wait on a connection on which `requestsWaitingMax` already do. On HTTP/1.1 it
 * may, because the function stops reading the connection until fewer requests wait (`startNext`): only those that Node
 * has parsed already, up to 64 KB, are added. On HTTP/2 it may only if the client has cancelled some that wait, which
 * the function removes; otherwise `add` closes the session.
 */
function tryToAdmit(connection: Connection, { httpVersionMajor, socket }: IncomingMessage): boolean {
  if (httpVersionMajor === 1) {
    connection.pausedSocket = socket
    keepPaused(connection)
    return true
  }
  dropClosed(connection)
  return connection.waiting.length < requestsWaitingMax
}

/** Removes the waiting requests that the client has cancelled. */
function dropClosed(connection: Connection): void {
  for (const exchange of connection.waiting) if (!isOpen(exchange)) exchange.release()
  connection.waiting = connection.waiting.filter(isOpen)
}
