// Calls between the primary process and a worker over the IPC channel of node:cluster: each end may call the functions
// that the other one offers. processes.ts has the primary's end, worker.ts the worker's.
import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { Quota } from '../http/rate-limit.ts'

/** All metrics of a process, as prom-client exports them. */
export type Metrics = MetricObjectWithValues<MetricValue<string>>[]

/** What a worker may call. */
export interface PrimaryFunctions extends Functions {
  /** The worker accepts requests at this base URL. */
  readonly reportListening: (address: string) => void
  /** The worker cannot start. `isUnreachable`: the store of the registry does not answer (`StoreUnreachable`). */
  readonly reportFault: (reason: string, isUnreachable: boolean) => void
  /** The heartbeat: the event loop of the worker runs. `isReady`: the worker can read the registry. */
  readonly reportAlive: (isReady: boolean) => void
  /** Counts a request of a client for the rate limit. */
  readonly countRequest: (client: string) => Quota | undefined
}

/** What the primary may call. */
export interface WorkerFunctions extends Functions {
  /** Makes the worker accept no new connections. */
  readonly stopAccepting: () => Promise<void>
  readonly readMetrics: () => Promise<Metrics>
}

type Functions = Readonly<Record<string, (...args: never[]) => unknown>>

/** A worker as its primary sees it, or `process` in a worker. */
interface Peer {
  send?(message: Call | Answer, callback: () => void): boolean
  on(event: 'message', listener: (message: unknown) => void): unknown
  on(event: 'disconnect', listener: () => void): unknown
}

interface Call {
  readonly call: string
  readonly args: readonly never[]
  readonly id: number
}

interface Answer {
  readonly answerTo: number
  readonly result: unknown
}

/** `Remote` are the functions of the other end. */
export class Channel<Remote extends Functions> {
  readonly #peer: Peer
  /** For each call without an answer, by its id, the function that receives the result. */
  readonly #onResult = new Map<number, (result: unknown) => void>()
  #lastId = 0

  /** `functions` are those that this end offers. */
  constructor(peer: Peer, functions: Functions) {
    this.#peer = peer
    peer.on('message', (message) => {
      if (isCall(message)) void this.#answer(message, functions)
      else if (isAnswer(message)) this.#onResult.get(message.answerTo)?.(message.result)
    })
    peer.on('disconnect', () => {
      for (const resolve of this.#onResult.values()) resolve(undefined)
    })
  }

  /** Calls a function of the other end. Undefined if the other end does not answer in time, or has ended. */
  async call<Name extends keyof Remote & string>(
    name: Name,
    args: Parameters<Remote[Name]>,
    timeoutMs: number,
  ): Promise<Awaited<ReturnType<Remote[Name]>> | undefined> {
    const id = ++this.#lastId
    const { promise, resolve } = Promise.withResolvers<unknown>()
    this.#onResult.set(id, resolve)
    const timer = setTimeout(resolve, timeoutMs, undefined)
    this.#send({ call: name, args, id } satisfies Call)
    const result = await promise
    clearTimeout(timer)
    this.#onResult.delete(id)
    return result as Awaited<ReturnType<Remote[Name]>> | undefined
  }

  async #answer({ call, args, id }: Call, functions: Functions): Promise<void> {
    const result = await functions[call]?.(...args)
    this.#send({ answerTo: id, result } satisfies Answer)
  }

  #send(message: Call | Answer): void {
    // Sending fails while the other end dies. Without the callback that would be an uncaught error.
    this.#peer.send?.(message, () => {})
  }
}

function isCall(message: unknown): message is Call {
  return typeof message === 'object' && message !== null && 'call' in message
}

function isAnswer(message: unknown): message is Answer {
  return typeof message === 'object' && message !== null && 'answerTo' in message
}
