// A worker process as the supervisor sees it: its state, its heartbeats, its reports, and how it is ended. worker.ts is
// the other end of the IPC channel (messages.ts).
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { heartbeatIntervalMs, heartbeatsMissedMax, workerReportTimeoutMs } from '../http/limits.ts'
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
  /** Whether it can read the registry, by its last heartbeat. True at first: a worker that listens has opened it. */
  #isReady = true
  /** Heartbeats missed since the last one arrived, see `checkHeartbeat`; may be a fraction. */
  #missedHeartbeats = 0
  /** How long its main thread had run in all at the last check. */
  #ranMs = 0
  /** Set while a report is requested and has not arrived; concurrent callers wait for the same one. */
  #pendingReport: Promise<void> | undefined
  #onReport: (() => void) | undefined
  /** Called when the worker reports that it accepts no new connections (`closed`). */
  #onClosed: (() => void) | undefined

  constructor(number: number, child: ChildProcess) {
    this.number = number
    this.child = child
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
    return this.state === 'serving' && this.#isReady && !this.isLate
  }

  /**
   * Counts a heartbeat as missed, and returns true once, when the worker is found to hang. The supervisor calls it at
   * the interval of heartbeats, and each heartbeat that arrives sets the count to 0.
   *
   * Heartbeats are counted instead of measuring time, because after a pause of the whole machine the time would be over
   * at once. A worker that waits for a processor does not hang, and replacing it would take more processor time. So if
   * its main thread is runnable (it runs or waits for a processor), only the share of the interval in which the thread
   * ran is counted.
   */
  checkHeartbeat(): boolean {
    // Without a processor time (only Linux tells it), the whole interval counts.
    const { isRunnable = false, ranMs = 0 } = readProcessorTime(this.child.pid ?? 0) ?? {}
    const ranShare = (ranMs - this.#ranMs) / heartbeatIntervalMs
    this.#ranMs = ranMs
    const wasFoundToHang = this.#missedHeartbeats >= heartbeatsMissedMax
    if (this.state !== 'serving' || wasFoundToHang) return false
    this.#missedHeartbeats += isRunnable ? Math.min(1, ranShare) : 1
    return this.#missedHeartbeats >= heartbeatsMissedMax
  }

  send(message: ToWorker): void {
    // Sending fails while the channel is closing; the worker is ending then.
    if (this.child.connected) this.child.send(message, () => {})
  }

  receive(message: Extract<FromWorker, { kind: 'closed' | 'report' | 'heartbeat' }>): void {
    switch (message.kind) {
      case 'closed':
        this.#onClosed?.()
        break
      case 'report':
        this.lastMetrics = message.metrics
        this.#onReport?.()
        break
      case 'heartbeat':
        this.#missedHeartbeats = 0
        this.#isReady = message.isReady
    }
  }

  /** Resolves when `lastMetrics` is current, when the worker has exited, or when it takes too long. */
  updateReport(): Promise<void> {
    this.#pendingReport ??= this.#receiveReport().finally(() => {
      this.#pendingReport = undefined
    })
    return this.#pendingReport
  }

  /** Requests a report and waits for it. */
  async #receiveReport(): Promise<void> {
    if (!this.child.connected) return
    const received = Promise.withResolvers<void>()
    this.#onReport = received.resolve
    this.child.once('exit', received.resolve)
    const timer = setTimeout(received.resolve, workerReportTimeoutMs)
    this.send({ kind: 'report' })
    await received.promise
    this.child.off('exit', received.resolve)
    clearTimeout(timer)
  }

  /** Makes the worker accept no new connections. Resolves when it has confirmed that, has exited, or takes too long. */
  async closeSocket(): Promise<void> {
    if (!this.child.connected) return
    const closed = Promise.withResolvers<void>()
    this.#onClosed = closed.resolve
    this.child.once('exit', () => closed.resolve())
    const timer = setTimeout(closed.resolve, closeTimeoutMs)
    this.send({ kind: 'close' })
    await closed.promise
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
