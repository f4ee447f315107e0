// Supervisor of the worker processes: starts them, replaces those that die, restarts them one after the other, collects
// their reports, and ends them. worker.ts is the other side.
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { UsageFault } from '../cli/config.ts'
import {
  drainDeadlineMs,
  workerBackOffMaxMs,
  workerReportTimeoutMs,
  workerSettledMs,
  workerStartTimeoutMs,
} from '../http/limits.ts'
import type { Log } from '../http/log.ts'
import type { FromWorker, Metrics, Report, ToWorker } from './messages.ts'
import { isFromWorker } from './messages.ts'
import type { SharedPort } from './shared-port.ts'

interface Worker {
  readonly number: number
  readonly child: ChildProcess
  readonly startedAt: number
  /** The supervisor has asked it to end, so that its exit is not a failure. */
  isEnding: boolean
  report: Report | undefined
  onReport: ((report: Report) => void) | undefined
  onClosed: (() => void) | undefined
}

const workerFile = fileURLToPath(new URL('./worker-entry.ts', import.meta.url))

/** Restart delay after the first quick death of a worker; it doubles each time. */
const backOffMinMs = 100

export class Supervisor {
  readonly #port: SharedPort
  readonly #workerCount: number
  readonly #flags: readonly string[]
  /** Folder of the compile cache that the workers share. */
  readonly #codeCache: string
  readonly #log: Log
  readonly #workers = new Map<number, Worker>()
  /** Numbers of the workers that do not listen yet. */
  readonly #starting = new Set<number>()
  /** Consecutive deaths soon after the start, by worker. */
  readonly #quickDeaths = new Map<number, number>()
  readonly #exitedMetrics: Metrics[] = []
  readonly #fault = Promise.withResolvers<never>()
  #isEnding = false
  #isRestarting = false
  deaths = 0

  constructor(port: SharedPort, workers: number, flags: readonly string[], codeCache: string, log: Log) {
    this.#port = port
    this.#workerCount = workers
    this.#flags = flags
    this.#codeCache = codeCache
    this.#log = log
    this.#fault.promise.catch(() => {})
  }

  /** Rejects when a worker reports a fault that affects all workers; never resolves. */
  get fault(): Promise<never> {
    return this.#fault.promise
  }

  /** Resolves to the base URL when all workers listen. The first starts alone, so that an error is reported once. */
  async start(): Promise<string> {
    const address = await this.#start(0)
    await Promise.all(Array.from({ length: this.#workerCount - 1 }, (_, index) => this.#start(index + 1)))
    return address
  }

  /** Starts the successor of each worker before it ends, so that there are always enough workers. */
  async rollingRestart(): Promise<void> {
    if (this.#isRestarting || this.#isEnding) return
    this.#isRestarting = true
    this.#log.info('rolling restart started')
    try {
      for (const old of [...this.#workers.values()]) await this.#restart(old)
      this.#log.info('all workers restarted')
    } catch (error) {
      this.#log.error({ err: error }, 'rolling restart failed, the old workers stay')
    } finally {
      this.#isRestarting = false
    }
  }

  signal(signal: NodeJS.Signals): void {
    for (const { child } of this.#workers.values()) child.kill(signal)
  }

  /** The current report of each worker, or its last one if it is too busy. */
  async reports(): Promise<Report[]> {
    const requested = [...this.#workers.values()].map(requestReport)
    return (await Promise.all(requested)).filter((report) => report !== undefined)
  }

  /** Returns the last metrics of workers that have exited since the last call. */
  takeExitedMetrics(): Metrics[] {
    return this.#exitedMetrics.splice(0)
  }

  get size(): number {
    return this.#workers.size
  }

  async end(): Promise<void> {
    this.#isEnding = true
    this.#port.closeAll()
    // All workers stop accepting before any drains: a client that reconnects must not reach a worker that closes next.
    const startedAt = performance.now()
    await Promise.all([...this.#workers.values()].map(closeSocketOf))
    const remainingMs = drainDeadlineMs + killGraceMs - (performance.now() - startedAt)
    await Promise.all([...this.#workers.values()].map((worker) => this.#terminate(worker, remainingMs)))
  }

  async #terminate(worker: Worker, deadlineMs: number = drainDeadlineMs + killGraceMs): Promise<void> {
    const { child } = worker
    worker.isEnding = true
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    const deadline = setTimeout(() => child.kill('SIGKILL'), deadlineMs)
    await exited
    clearTimeout(deadline)
  }

  async #restart(old: Worker): Promise<void> {
    const { number } = old
    // A worker that has died is replaced by #replace.
    if (this.#workers.get(number) !== old) return
    const startedAt = performance.now()
    try {
      await this.#start(number)
    } catch (error) {
      // The old worker died while its successor was starting, so #replace did nothing.
      if (!this.#workers.has(number) && !this.#isEnding) this.#replace(number, startedAt, 'it did not start')
      throw error
    }
    await this.#terminate(old)
  }

  async #start(number: number): Promise<string> {
    const child = spawn(
      process.execPath,
      [...process.execArgv, workerFile, this.#codeCache, String(number), ...this.#flags],
      {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc', this.#port.descriptorOf(number)],
        serialization: 'advanced',
      },
    )
    const worker: Worker = {
      number,
      child,
      startedAt: performance.now(),
      isEnding: false,
      report: undefined,
      onReport: undefined,
      onClosed: undefined,
    }
    this.#starting.add(number)
    const started = Promise.withResolvers<string>()
    const deadline = setTimeout(() => child.kill('SIGKILL'), workerStartTimeoutMs)
    let isListening = false
    child.on('message', (message: unknown) => {
      if (!isFromWorker(message)) return
      if (message.kind === 'listening') {
        isListening = true
        clearTimeout(deadline)
        this.#workers.set(number, worker)
        started.resolve(message.address)
      } else if (message.kind === 'fault') {
        const fault = new UsageFault(message.message)
        if (isListening) this.#fault.reject(fault)
        else started.reject(fault)
      } else this.#handle(worker, message)
    })
    child.once('exit', (status, signal) => {
      clearTimeout(deadline)
      started.reject(new Error(`Worker ${number} ended before it listened (${signal ?? `status ${status}`})`))
      if (worker.report !== undefined) this.#exitedMetrics.push(worker.report.metrics)
      if (this.#workers.get(number) === worker) this.#workers.delete(number)
      if (isListening && !worker.isEnding && !this.#isEnding) {
        this.#replace(number, worker.startedAt, signal ?? `status ${status}`)
      }
    })
    child.once('error', (error) => started.reject(error))
    return started.promise.finally(() => this.#starting.delete(number))
  }

  #handle(worker: Worker, message: Exclude<FromWorker, { kind: 'listening' | 'fault' }>): void {
    switch (message.kind) {
      case 'closed':
        worker.onClosed?.()
        break
      case 'report':
        worker.report = message.report
        worker.onReport?.(message.report)
        break
      case 'counts':
        for (const other of this.#workers.values()) {
          if (other !== worker) send(other, { kind: 'counts', counts: message.counts })
        }
        break
    }
  }

  #replace(number: number, startedAt: number, reason: string): void {
    this.deaths += 1
    const isQuick = performance.now() - startedAt < workerSettledMs
    const quickDeaths = isQuick ? (this.#quickDeaths.get(number) ?? 0) + 1 : 0
    this.#quickDeaths.set(number, quickDeaths)
    const delayMs = quickDeaths === 0 ? 0 : Math.min(workerBackOffMaxMs, backOffMinMs * 2 ** (quickDeaths - 1))
    this.#log.error({ worker: number, reason, delayMs }, 'worker died')
    // Connections in the backlog of its socket wait for a successor that starts soon; otherwise the socket is closed.
    if (delayMs > backlogWaitMaxMs) this.#port.close(number)
    setTimeout(() => {
      // A rolling restart may have started a worker with this number already.
      if (this.#isEnding || this.#workers.has(number) || this.#starting.has(number)) return
      const restartedAt = performance.now()
      this.#start(number).catch((error: unknown) => {
        this.#log.error({ err: error, worker: number }, 'worker not replaced')
        if (!this.#isEnding) this.#replace(number, restartedAt, 'it did not start')
      })
    }, delayMs)
  }
}

/** Time after the drain deadline before a worker is killed; the sum is below ten seconds. */
const killGraceMs = 500

/** Longest time that connections in the backlog wait for a successor. */
const backlogWaitMaxMs = 1_000

/** Time for a worker to close its socket; a busy worker may take longer, and is not waited for. */
const closeTimeoutMs = 3_000

function send({ child }: Worker, message: ToWorker): void {
  // Sending fails while the channel is closing; the worker is ending then.
  if (child.connected) child.send(message, () => {})
}

async function closeSocketOf(worker: Worker): Promise<void> {
  if (!worker.child.connected) return
  const closed = Promise.withResolvers<void>()
  worker.onClosed = closed.resolve
  worker.child.once('exit', () => closed.resolve())
  const timer = setTimeout(closed.resolve, closeTimeoutMs)
  send(worker, { kind: 'close' })
  await closed.promise
  clearTimeout(timer)
}

async function requestReport(worker: Worker): Promise<Report | undefined> {
  const received = Promise.withResolvers<Report | undefined>()
  worker.onReport = received.resolve
  const timer = setTimeout(() => received.resolve(worker.report), workerReportTimeoutMs)
  send(worker, { kind: 'report' })
  const report = await received.promise
  clearTimeout(timer)
  return report
}
