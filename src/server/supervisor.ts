// Supervisor of the worker processes: starts them, replaces those that die, restarts them one after the other, collects
// their reports, and ends them. cluster.ts owns it; worker-process.ts is one worker as the supervisor sees it.
//
// Each worker has a number from 0, which its successors inherit together with the listening socket of that number.
// During a rolling restart two processes have the same number: the old worker and its successor.
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { UsageFault } from '../cli/config.ts'
import { drainDeadlineMs, heartbeatIntervalMs } from '../http/limits.ts'
import type { Log } from '../http/log.ts'
import type { RateLimiter } from '../http/rate-limit.ts'
import { currentLanguage } from '../language.ts'
import { StoreUnreachable } from '../registry/contract.ts'
import { ExitedMetrics, isCumulative } from './exited-metrics.ts'
import type { FromWorker, Metrics } from './messages.ts'
import { isFromWorker } from './messages.ts'
import { RestartDelay } from './restart-delay.ts'
import type { SharedPort } from './shared-port.ts'
import { WorkerProcess } from './worker-process.ts'

const workerPath = fileURLToPath(new URL('./worker.ts', import.meta.url))

/** Time from SIGTERM to SIGKILL: half a second more than draining may take, and less than the ten seconds of `end`. */
const terminateTimeoutMs = drainDeadlineMs + 500

/** Connections in the backlog of a dead worker wait for its successor, unless the successor starts later than this. */
const backlogWaitMaxMs = 1_000

export interface SupervisorParts {
  readonly port: SharedPort
  readonly workerCount: number
  /** The flags of `serve`. */
  readonly flags: readonly string[]
  /** Counts the requests of all workers; undefined without a rate limit. */
  readonly limiter: RateLimiter | undefined
  readonly log: Log
}

export class Supervisor {
  readonly #port: SharedPort
  readonly #workerCount: number
  readonly #flags: readonly string[]
  readonly #limiter: RateLimiter | undefined
  readonly #log: Log
  readonly #heartbeatTimer: NodeJS.Timeout
  /** All processes that have not exited, including successors that are starting and old workers that are draining. */
  readonly #processes = new Set<WorkerProcess>()
  /** The process that serves under each number. */
  readonly #workers = new Map<number, WorkerProcess>()
  /** By the number of the worker. */
  readonly #restartDelays: readonly RestartDelay[]
  /** The last metrics of the processes that have exited, so that counters do not fall when a worker is replaced. */
  readonly exitedMetrics: ExitedMetrics
  readonly #fatalFault = Promise.withResolvers<never>()
  /** Whether all workers have listened once. */
  #hasStarted = false
  /** Time of the last `reload`, on the clock of `performance.now()`. */
  #reloadedAt = Number.NEGATIVE_INFINITY
  #isEnding = false
  #isRestarting = false
  /** How often a worker died and was replaced, or a successor did not start; for a metric of cluster.ts. */
  deaths = 0

  constructor({ port, workerCount, flags, limiter, log }: SupervisorParts) {
    this.#port = port
    this.#workerCount = workerCount
    this.#flags = flags
    this.#limiter = limiter
    this.#log = log
    this.#restartDelays = Array.from({ length: workerCount }, () => new RestartDelay())
    this.exitedMetrics = new ExitedMetrics(log)
    this.#heartbeatTimer = setInterval(() => this.#checkHeartbeats(), heartbeatIntervalMs)
    // The caller may not be waiting for the promise yet, and an unhandled rejection would end the process.
    this.#fatalFault.promise.catch(() => {})
  }

  /**
   * Rejects when a worker that serves reports a fault; cluster.ts then ends the service. Never resolves. Once a worker
   * serves, it reports only that it could not end properly, for example after a SIGTERM that the supervisor has not
   * sent. A worker that crashes reports nothing, and is replaced.
   */
  get fatalFault(): Promise<never> {
    return this.#fatalFault.promise
  }

  /** Resolves to the base URL when all workers listen. The first starts alone, so that an error is reported once. */
  async start(): Promise<string> {
    const address = await this.#startWorker(0)
    // `end` ends only the workers that exist when it is called, so none may start after it.
    if (this.#isEnding) return address
    await Promise.all(Array.from({ length: this.#workerCount - 1 }, (_, index) => this.#startWorker(index + 1)))
    this.#hasStarted = true
    return address
  }

  /** Starts the successor of each worker before the worker ends, so that the number of workers never falls. */
  async rollingRestart(): Promise<void> {
    if (this.#isRestarting || this.#isEnding) return
    this.#isRestarting = true
    this.#log.info('rolling restart started')
    try {
      for (const old of [...this.#workers.values()]) {
        await this.#restartWorker(old)
        if (this.#isEnding) return
      }
      this.#log.info('all workers restarted')
    } catch (error) {
      // `end` terminates a successor that is starting; that is not a failure.
      if (!this.#isEnding) this.#log.error({ err: error }, 'rolling restart failed, the old workers stay')
    } finally {
      this.#isRestarting = false
    }
  }

  /** Makes the workers reopen certificate and registry. A worker that is starting does so when it listens. */
  reload(): void {
    this.#reloadedAt = performance.now()
    for (const { child } of this.#workers.values()) child.kill('SIGHUP')
  }

  /**
   * The current metrics of each worker that serves or drains, or the last ones of a worker that is too busy. The gauges
   * of a late worker (`hasLateWorker`) are outdated and left out, but its counters and histograms stay, because
   * Prometheus would take a falling sum for a restart.
   */
  async collectMetrics(): Promise<Metrics[]> {
    const workers = [...this.#processes].filter(({ state }) => state !== 'starting')
    await Promise.all(workers.map((worker) => worker.updateReport()))
    // The metrics of a worker that has exited meanwhile are in `exitedMetrics`; here they would be counted twice.
    return workers.flatMap(({ hasExited, isLate, lastMetrics }) => {
      if (hasExited || lastMetrics === undefined) return []
      return [isLate ? lastMetrics.filter(isCumulative) : lastMetrics]
    })
  }

  /** Whether at least one worker can serve requests, by its last heartbeat. */
  get hasReadyWorker(): boolean {
    return this.#workers.values().some(({ isReady }) => isReady)
  }

  /**
   * Whether at least one worker is late (`WorkerProcess.isLate`): it has missed several heartbeats. If it misses more,
   * `#checkHeartbeats` kills it.
   */
  get hasLateWorker(): boolean {
    return this.#workers.values().some(({ isLate }) => isLate)
  }

  /** Number of workers that serve. */
  get servingCount(): number {
    return this.#workers.size
  }

  /** Ends all processes, also those that are starting or draining, within ten seconds (docs/operating.md). */
  async end(): Promise<void> {
    this.#isEnding = true
    clearInterval(this.#heartbeatTimer)
    this.#port.closeAll()
    const startedAt = performance.now()
    const serving = [...this.#processes].filter(({ state }) => state === 'serving')
    const others = [...this.#processes].filter(({ state }) => state !== 'serving')
    const otherEnds = others.map((worker) => worker.terminate(terminateTimeoutMs))
    // All workers stop accepting before any drains: a client that reconnects must not reach a worker that closes next.
    await Promise.all(serving.map((worker) => worker.closeSocket()))
    // Closing the sockets has used a part of the time.
    const remainingMs = terminateTimeoutMs - (performance.now() - startedAt)
    await Promise.all([...otherEnds, ...serving.map((worker) => worker.terminate(remainingMs))])
  }

  /** Starts the successor of a worker, and then ends the worker. */
  async #restartWorker(old: WorkerProcess): Promise<void> {
    const { number } = old
    // If the worker has died, `#replaceWorker` starts its successor.
    if (this.#workers.get(number) !== old) return
    try {
      await this.#startWorker(number)
    } catch (error) {
      // If the old worker died meanwhile, `#replaceWorker` started no process, because this successor was starting. Now
      // the successor has failed, so a process is missing.
      if (!this.#workers.has(number)) this.#replaceWorker(number, 0, didNotStart)
      throw error
    }
    await old.terminate(terminateTimeoutMs)
  }

  /** Resolves to the base URL when the worker listens. Rejects if it cannot be spawned, or fails or ends before. */
  async #startWorker(number: number): Promise<string> {
    const child = this.#spawnProcess(number)
    const worker = new WorkerProcess(number, child)
    this.#processes.add(worker)
    child.on('message', (message: unknown) => {
      if (isFromWorker(message)) this.#receive(worker, message)
    })
    child.once('exit', (status, signal) => this.#handleExit(worker, signal ?? `status ${status}`))
    child.once('error', () => {
      // A process that could not be spawned has no exit event.
      if (child.pid === undefined) this.#processes.delete(worker)
    })
    return worker.started
  }

  #receive(worker: WorkerProcess, message: FromWorker): void {
    switch (message.kind) {
      case 'listening':
        worker.receive(message)
        // If `end` has begun to end the worker meanwhile, it does not serve.
        if (worker.state === 'serving') this.#markServing(worker)
        break
      case 'fault':
        this.#handleFault(worker, this.#toFault(message))
        break
      case 'count-requests': {
        const quota = this.#limiter?.count(message.client, message.requests, performance.now())
        if (quota !== undefined) worker.send({ kind: 'quota', id: message.id, quota })
        break
      }
      default:
        worker.receive(message)
    }
  }

  #markServing(worker: WorkerProcess): void {
    this.#workers.set(worker.number, worker)
    // It may have read certificate and registry before the reload.
    if (this.#reloadedAt > worker.startedAt) worker.child.kill('SIGHUP')
  }

  #handleFault(worker: WorkerProcess, fault: Error): void {
    if (worker.state === 'starting') worker.failStart(fault)
    else if (worker.state === 'serving') this.#fatalFault.reject(fault)
    else this.#log.error({ err: fault, worker: worker.number }, 'worker ended with a fault')
  }

  /** Replaces the worker if it died while it served. `reason` is for the log. */
  #handleExit(worker: WorkerProcess, reason: string): void {
    const { number, state, startedAt, lastMetrics } = worker
    this.#processes.delete(worker)
    if (lastMetrics !== undefined) this.exitedMetrics.add(lastMetrics)
    if (this.#workers.get(number) === worker) this.#workers.delete(number)
    if (state === 'serving') this.#replaceWorker(number, performance.now() - startedAt, reason)
  }

  /**
   * Makes an error of the fault that a worker has reported: a `UsageFault`, whose message main.ts prints, or a
   * `StoreUnreachable`, on which serve.ts waits for the store of the registry. The latter only if no worker serves:
   * otherwise there is a local copy, which this worker could have opened too.
   */
  #toFault({ reason, isUnreachable }: Extract<FromWorker, { kind: 'fault' }>): Error {
    return isUnreachable && this.#workers.size === 0 ? new StoreUnreachable(reason) : new UsageFault(reason)
  }

  /** Starts the process of a worker. worker.ts reads the arguments. */
  #spawnProcess(number: number): ChildProcess {
    // At the start main.ts prints a fault of a worker in the language of the user. Later it is logged, in English.
    const language = this.#hasStarted ? 'en' : currentLanguage()
    const args = [workerPath, String(number), language, ...this.#flags]
    return spawn(process.execPath, [...process.execArgv, ...args], {
      // The last entry becomes descriptor 4 of the worker, see `socketDescriptor` in worker.ts.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc', this.#port.descriptorOf(number)],
      // Structured clone: JSON would turn NaN and Infinity in the metrics into null.
      serialization: 'advanced',
    })
  }

  /** Kills workers that hang: stopped, or in a loop. */
  #checkHeartbeats(): void {
    for (const worker of this.#workers.values()) {
      const isHanging = worker.checkHeartbeat()
      if (!isHanging) continue
      this.#log.error({ worker: worker.number }, 'worker hangs, it is killed')
      worker.child.kill('SIGKILL')
    }
  }

  /**
   * Starts a successor of a worker that died, or that did not start: at once, or after a delay if it has lived only for
   * a short time. `reason` is for the log.
   */
  #replaceWorker(number: number, lifeMs: number, reason: string): void {
    if (this.#isEnding) return
    this.deaths += 1
    const delayMs = this.#restartDelays[number]?.countDeath(lifeMs) ?? 0
    this.#log.error({ worker: number, reason, delayMs }, 'worker died')
    // A rolling restart may have started a successor already, which uses the same socket.
    if (this.#hasSuccessor(number)) return
    // Connections in the backlog of the dead worker wait for a successor that starts soon. Otherwise its socket is
    // closed, and `#spawnProcess` opens a new one for the successor (`descriptorOf`).
    if (delayMs > backlogWaitMaxMs) this.#port.close(number)
    setTimeout(() => {
      if (this.#isEnding || this.#hasSuccessor(number)) return
      this.#startWorker(number).catch((error: unknown) => {
        this.#log.error({ err: error, worker: number }, 'worker not replaced')
        this.#replaceWorker(number, 0, didNotStart)
      })
    }, delayMs)
  }

  /** Whether a process with this number serves or is starting. */
  #hasSuccessor(number: number): boolean {
    return this.#processes.values().some((worker) => worker.number === number && worker.state !== 'ending')
  }
}

const didNotStart = 'it did not start'
