// Starts requests one after the other. Node parses up to 64 KB of a connection at once, which may be a thousand
// pipelined requests, and emits them all before anything else runs. This queue starts the next request of an HTTP/1.1
// connection when the response to the previous request is written, and only while its turn has time
// (request-turns.ts), so that one client cannot stop the event loop. listen.ts puts it between Node's server and the
// application.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2Session, Http2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { queuedExchangeBytes, requestsWaitingMax } from './limits.ts'
import { makeReady, tryToStartAtOnce, turnTime } from './request-turns.ts'
import type { SendQueues } from './send-queues.ts'

/** Handles one request of HTTP/1.1 or HTTP/2: Node's compatibility API has the same objects for both. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

export class RequestQueue {
  readonly #server: ServerState
  /** By socket, or by session of HTTP/2. */
  readonly #connections = new WeakMap<object, Connection>()

  /** `sendQueues` counts the memory of waiting requests together with the memory of unsent responses. */
  constructor(handle: RequestHandler, sendQueues: SendQueues) {
    this.#server = { handle, sendQueues, isDraining: false }
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
    const isAdded = connection.add(request, response)
    if (!isAdded) key.destroy()
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
    return this.#connections.get(key)?.isBusy ?? false
  }

  /**
   * From now on an HTTP/1.1 connection is closed after the response to its last waiting request, or to its next request
   * if none waits.
   */
  drain(): void {
    this.#server.isDraining = true
  }

  #find(key: object): Connection {
    const known = this.#connections.get(key)
    if (known !== undefined) return known
    const connection = new Connection(this.#server)
    this.#connections.set(key, connection)
    return connection
  }
}

/** What all connections of a server share. */
interface ServerState {
  readonly handle: RequestHandler
  readonly sendQueues: SendQueues
  isDraining: boolean
}

interface WaitingExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Stops counting the memory of the request in `SendQueues`. */
  readonly release: () => void
}

class Connection {
  readonly #server: ServerState
  /** The response to the last request that was started. */
  #response: ServerResponse | undefined
  /** Number of requests of HTTP/2 that were started and whose responses have not ended. */
  #streamsInProgress = 0
  /** The requests that were not started yet, in their order. */
  #waiting: WaitingExchange[] = []
  /** The socket of HTTP/1.1, while nothing more is to be read from it because too many requests wait. */
  #pausedSocket: Socket | undefined
  /** When the last request was started, on the clock of `performance.now()`; 0 if none was. */
  startedAt = 0
  /**
   * Bytes that were read from the socket when its last request, with its body, had arrived. If more have been read
   * since, a part of a further request has arrived, and open-connections.ts does not close the connection as idle.
   */
  bytesReadAtRequestEnd = 0
  /** Set by `makeReady`. */
  readyAt = 0

  constructor(server: ServerState) {
    this.#server = server
  }

  get isBusy(): boolean {
    // A response that has ended may still be held by this process; `SendQueues.hasHeldBytes` tells that.
    const isResponding = this.#streamsInProgress > 0 || this.#response?.writableEnded === false
    return this.#waiting.length > 0 || isResponding
  }

  /** Starts the request or lets it wait. Returns false if too many wait already. */
  add(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.#waiting.length === 0 && this.#canStartNext && tryToStartAtOnce()) {
      this.#start(request, response)
      return true
    }
    if (this.#waiting.length >= requestsWaitingMax && !this.#makeRoom(request)) return false
    const { sendQueues } = this.#server
    // `hold` counts the memory of the request as queued until it starts or is dropped, when `release` is called.
    const release = sendQueues.hold(request.socket, queuedExchangeBytes)
    this.#waiting.push({ request, response, release })
    // If it is not the first, `startNext` comes to it after those before it.
    if (this.#waiting.length === 1) this.#awaitTurn()
    // After many bytes, `countTowardsCheck` makes `SendQueues` compare its sums with the limits at once. So the limits
    // apply even while only requests arrive and nothing is sent.
    sendQueues.countTowardsCheck(queuedExchangeBytes)
    return true
  }

  /**
   * Starts the first waiting request, unless its client no longer waits for the response, and makes the connection wait
   * for its next turn.
   */
  startNext(): void {
    const next = this.#waiting.shift()
    next?.release()
    if (next !== undefined && isOpen(next)) this.#start(next.request, next.response)
    if (this.#waiting.length > 0) this.#awaitTurn()
    if (this.#waiting.length < requestsWaitingMax / 2) this.#resumeReading()
    else this.#repeatPause()
  }

  /** Whether no response delays the next request: with HTTP/1.1 the previous response must be written. */
  get #canStartNext(): boolean {
    const response = this.#response
    return response === undefined || response.req.httpVersionMajor === 2 || response.writableFinished
  }

  #start(request: IncomingMessage, response: ServerResponse): void {
    this.#response = response
    this.startedAt = turnTime()
    if (request.httpVersionMajor === 2) {
      // With HTTP/1.1 only the last response can be in progress. With HTTP/2 several can be, so they are counted.
      this.#streamsInProgress++
      response.once('close', () => this.#streamsInProgress--)
    }
    const isLast = this.#server.isDraining && this.#waiting.length === 0
    if (isLast && request.httpVersionMajor === 1) response.setHeader('Connection', 'close')
    this.#server.handle(request, response)
  }

  /** Makes the connection ready for a turn, at once or when the response in progress is written. */
  #awaitTurn(): void {
    if (this.#canStartNext) {
      makeReady(this)
      return
    }
    this.#response?.once('finish', () => {
      this.#repeatPause()
      if (tryToStartAtOnce()) this.startNext()
      else makeReady(this)
    })
  }

  /**
   * Called when `requestsWaitingMax` requests wait; returns whether one more may. On HTTP/1.1 it may, because the
   * connection is not read until fewer wait: only those that Node has parsed already, up to 64 KB, are added. On HTTP/2
   * it may only if the client has cancelled some that wait, which are removed here.
   */
  #makeRoom({ httpVersionMajor, socket }: IncomingMessage): boolean {
    if (httpVersionMajor === 1) {
      this.#pausedSocket = socket
      this.#repeatPause()
      return true
    }
    for (const exchange of this.#waiting) if (!isOpen(exchange)) exchange.release()
    this.#waiting = this.#waiting.filter(isOpen)
    return this.#waiting.length < requestsWaitingMax
  }

  /**
   * Pauses the socket, if it is to be paused, in a microtask. Node resumes it in `process.nextTick`, after each request
   * that it has parsed and after each response that was written, so this is repeated each time. A microtask runs after
   * that, and before Node reads more.
   */
  #repeatPause(): void {
    if (this.#pausedSocket !== undefined) queueMicrotask(() => this.#pausedSocket?.pause())
  }

  #resumeReading(): void {
    this.#pausedSocket?.resume()
    this.#pausedSocket = undefined
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
function isOpen({ request }: WaitingExchange): boolean {
  return !(toStream(request) ?? request.socket).destroyed
}
