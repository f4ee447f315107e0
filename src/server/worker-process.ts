// A worker process as the supervisor sees it: its start, its heartbeats, its reports, and how it is ended. worker.ts is
// the other end of the IPC channel (messages.ts).
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  heartbeatIntervalMs,
  heartbeatsMissedMax,
  workerReportTimeoutMs,
  workerStartTimeoutMs,
} from '../http/limits.ts'
import type { FromWorker, Metrics, ToWorker } from './messages.ts'
import { readProcessorTime } from './processor-time.ts'

/** Time for a worker to close its socket; a busy worker may take longer, and is not waited for. */
const closeTimeoutMs = 3_000

/** A worker that has missed this number of heartbeats is not ready; one or two may be late on a busy machine. */
const lateHeartbeatsMin = 3

export class WorkerProcess {
  /** From 0. It decides which listening socket the worker has (shared-port.ts). A successor has the same number. */
  readonly number: number
  readonly child: ChildProcess
  /** On the clock of `performance.now()`. */
  readonly startedAt: number = performance.now()
  /** It is `ending` once the supervisor has asked it to end, or once it has failed to start. */
  state: 'starting' | 'serving' | 'ending' = 'starting'
  /** The metrics of the last report; undefined until the first one arrives. */
  lastMetrics: Metrics | undefined
  readonly #started = Promise.withResolvers<string>()
  readonly #startTimer: NodeJS.Timeout
  /** By its last heartbeat. True at first: a worker that listens has opened the registry. */
  #canReadRegistry = true
  /** Heartbeats missed since the last one arrived, see `checkHeartbeat`; may be a fraction. */
  #missedHeartbeats = 0
  /** How long its main thread had run in all at the last check. */
  #ranMs = 0
  /** Set while a report is requested and has not arrived; concurrent callers wait for the same one. */
  #pendingReport: Promise<void> | undefined
  /** What is called when an answer to `#request` arrives. */
  readonly #onAnswer = new Map<'closed' | 'report', () => void>()

  constructor(number: number, child: ChildProcess) {
    this.number = number
    this.child = child
    // The `exit` event of the killed process then fails the start.
    this.#startTimer = setTimeout(() => child.kill('SIGKILL'), workerStartTimeoutMs)
    child.once('exit', (status, signal) => {
      clearTimeout(this.#startTimer)
      this.failStart(new Error(`Worker ${number} ended before it listened (${signal ?? `status ${status}`})`))
    })
    child.once('error', (error) => {
      // A process that could not be spawned has no exit event.
      if (child.pid === undefined) clearTimeout(this.#startTimer)
      this.failStart(error)
    })
  }

  /** Resolves to the base URL when the worker listens. Rejects if it cannot be spawned, or fails or ends before. */
  get started(): Promise<string> {
    return this.#started.promise
  }

  /** Rejects `started`. Has no effect once the worker listens. */
  failStart(error: Error): void {
    if (this.state === 'starting') this.state = 'ending'
    this.#started.reject(error)
  }

  get hasExited(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null
  }

  /** Whether it serves and has missed `lateHeartbeatsMin` heartbeats: it probably hangs, and its connections wait. */
  get isLate(): boolean {
    return this.state === 'serving' && this.#missedHeartbeats >= lateHeartbeatsMin
  }

  /** Whether it serves, can read the registry and does not hang. */
  get isReady(): boolean {
    return this.state === 'serving' && this.#canReadRegistry && !this.isLate
  }

  /**
   * Counts a heartbeat as missed, and returns true once, when the worker is found to hang. The supervisor calls it at
   * the interval of heartbeats, and each heartbeat that arrives sets the count to 0. Heartbeats are counted instead of
   * measuring time, because after a pause of the whole machine the time would be over at once.
   */
  checkHeartbeat(): boolean {
    const missedShare = this.#missedShareOfInterval()
    const wasFoundToHang = this.#missedHeartbeats >= heartbeatsMissedMax
    if (this.state !== 'serving' || wasFoundToHang) return false
    this.#missedHeartbeats += missedShare
    return this.#missedHeartbeats >= heartbeatsMissedMax
  }

  /**
   * How much of a heartbeat the worker has missed since the last check: 1, or less if its main thread is runnable (it
   * runs or waits for a processor). Then only the share of the interval in which the thread ran counts: a worker that
   * waits for a processor does not hang, and replacing it would take more processor time.
   */
  #missedShareOfInterval(): number {
    // Without a processor time (only Linux tells it), the whole interval counts.
    const { isRunnable = false, ranMs = 0 } = readProcessorTime(this.child.pid ?? 0) ?? {}
    const ranShare = (ranMs - this.#ranMs) / heartbeatIntervalMs
    this.#ranMs = ranMs
    return isRunnable ? Math.min(1, ranShare) : 1
  }

  send(message: ToWorker): void {
    // Sending fails while the channel is closing; the worker is ending then.
    if (this.child.connected) this.child.send(message, () => {})
  }

  receive(message: Exclude<FromWorker, { kind: 'fault' | 'count-requests' }>): void {
    switch (message.kind) {
      case 'listening':
        clearTimeout(this.#startTimer)
        // `terminate` may have begun to end it meanwhile.
        if (this.state === 'starting') this.state = 'serving'
        this.#started.resolve(message.address)
        break
      case 'report':
        this.lastMetrics = message.metrics
        this.#onAnswer.get('report')?.()
        break
      case 'closed':
        this.#onAnswer.get('closed')?.()
        break
      case 'heartbeat':
        this.#missedHeartbeats = 0
        this.#canReadRegistry = message.isReady
    }
  }

  /** Resolves when `lastMetrics` is current, when the worker has exited, or when it takes too long. */
  updateReport(): Promise<void> {
    this.#pendingReport ??= this.#request('report', 'report', workerReportTimeoutMs).finally(() => {
      this.#pendingReport = undefined
    })
    return this.#pendingReport
  }

  /** Makes the worker accept no new connections. Resolves when it has confirmed that, has exited, or takes too long. */
  closeSocket(): Promise<void> {
    return this.#request('close', 'closed', closeTimeoutMs)
  }

  /** Sends a message. Resolves when its answer has arrived, when the worker has exited, or at the timeout. */
  async #request(kind: 'report' | 'close', answer: 'report' | 'closed', timeoutMs: number): Promise<void> {
    if (!this.child.connected) return
    const answered = Promise.withResolvers<void>()
    this.#onAnswer.set(answer, answered.resolve)
    this.child.once('exit', answered.resolve)
    const timer = setTimeout(answered.resolve, timeoutMs)
    this.send({ kind })
    await answered.promise
    this.child.off('exit', answered.resolve)
    clearTimeout(timer)
  }

  /** Sends SIGTERM to the worker, and SIGKILL after the timeout. Resolves when it has exited. */
  async terminate(timeoutMs: number): Promise<void> {
    this.state = 'ending'
    if (this.hasExited) return
    const exit = once(this.child, 'exit')
    this.child.kill('SIGTERM')
    const killTimer = setTimeout(() => this.child.kill('SIGKILL'), timeoutMs)
    await exit
    clearTimeout(killTimer)
  }
}
