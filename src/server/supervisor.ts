// The workers of one service: started, replaced when they die, restarted one by one, asked for reports, ended. What
// they do is in worker.ts.
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
  readonly startedMs: number
  /** Told to end, so that its end is no death. */
  isLeaving: boolean
  report: Report | undefined
  onReport: ((report: Report) => void) | undefined
  onClosed: (() => void) | undefined
}

const workerFile = fileURLToPath(new URL('./worker-entry.ts', import.meta.url))

/** The first wait of one that keeps dying; then twice as long each time. */
const backOffMinMs = 100

export class Crew {
  readonly #port: SharedPort
  readonly #workersWanted: number
  readonly #flags: readonly string[]
  /** Folder for the code that workers have compiled. */
  readonly #cache: string
  readonly #log: Log
  readonly #workers = new Map<number, Worker>()
  /** Numbers of those that do not listen yet. */
  readonly #starting = new Set<number>()
  readonly #quickDeaths = new Map<number, number>()
  readonly #departed: Metrics[] = []
  readonly #fault = Promise.withResolvers<never>()
  #isEnding = false
  #isRestarting = false
  deaths = 0

  constructor(port: SharedPort, workers: number, flags: readonly string[], cache: string, log: Log) {
    this.#port = port
    this.#workersWanted = workers
    this.#flags = flags
    this.#cache = cache
    this.#log = log
    this.#fault.promise.catch(() => {})
  }

  /** Rejects when a worker finds that none of them can go on; never resolves. */
  get fault(): Promise<never> {
    return this.#fault.promise
  }

  /** Resolves to the base address once all listen. The first goes ahead, so that what is wrong is said once. */
  async start(): Promise<string> {
    const address = await this.#start(0)
    await Promise.all(Array.from({ length: this.#workersWanted - 1 }, (_, index) => this.#start(index + 1)))
    return address
  }

  /** Each worker is replaced by a new one before it ends, so that there is never one fewer. */
  async restartOneByOne(): Promise<void> {
    if (this.#isRestarting || this.#isEnding) return
    this.#isRestarting = true
    this.#log.info('restarting the workers one by one')
    try {
      for (const old of [...this.#workers.values()]) await this.#restart(old)
      this.#log.info('all workers restarted')
    } catch (error) {
      this.#log.error({ err: error }, 'workers not restarted, the old ones stay')
    } finally {
      this.#isRestarting = false
    }
  }

  signal(signal: NodeJS.Signals): void {
    for (const { child } of this.#workers.values()) child.kill(signal)
  }

  /** What each worker says of itself now, or said last where it is too busy. */
  async reports(): Promise<Report[]> {
    const asked = [...this.#workers.values()].map(askForReport)
    return (await Promise.all(asked)).filter((report) => report !== undefined)
  }

  /** The last reports of workers that are no more. */
  takeDeparted(): Metrics[] {
    return this.#departed.splice(0)
  }

  get size(): number {
    return this.#workers.size
  }

  async end(): Promise<void> {
    this.#isEnding = true
    this.#port.closeAll()
    // First no worker accepts, then they drain: clients told to close would come to one that closes its socket next.
    const toldMs = performance.now()
    await Promise.all([...this.#workers.values()].map(closeSocketOf))
    const leftMs = drainDeadlineMs + killGraceMs - (performance.now() - toldMs)
    await Promise.all([...this.#workers.values()].map((worker) => this.#dismiss(worker, leftMs)))
  }

  async #dismiss(worker: Worker, leftMs: number = drainDeadlineMs + killGraceMs): Promise<void> {
    const { child } = worker
    worker.isLeaving = true
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    const deadline = setTimeout(() => child.kill('SIGKILL'), leftMs)
    await gone
    clearTimeout(deadline)
  }

  async #restart(old: Worker): Promise<void> {
    const { number } = old
    // One that died meanwhile has a successor, or will have.
    if (this.#workers.get(number) !== old) return
    const startedMs = performance.now()
    try {
      await this.#start(number)
    } catch (error) {
      // It was not replaced when it died, since another was being started.
      if (!this.#workers.has(number) && !this.#isEnding) this.#replace(number, startedMs, 'it did not start')
      throw error
    }
    await this.#dismiss(old)
  }

  async #start(number: number): Promise<string> {
    const child = spawn(
      process.execPath,
      [...process.execArgv, workerFile, this.#cache, String(number), ...this.#flags],
      {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc', this.#port.descriptorOf(number)],
        serialization: 'advanced',
      },
    )
    const worker: Worker = {
      number,
      child,
      startedMs: performance.now(),
      isLeaving: false,
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
      } else this.#heed(worker, message)
    })
    child.once('exit', (status, signal) => {
      clearTimeout(deadline)
      started.reject(new Error(`Worker ${number} ended before it listened (${signal ?? `status ${status}`})`))
      if (worker.report !== undefined) this.#departed.push(worker.report.metrics)
      if (this.#workers.get(number) === worker) this.#workers.delete(number)
      if (isListening && !worker.isLeaving && !this.#isEnding) {
        this.#replace(number, worker.startedMs, signal ?? `status ${status}`)
      }
    })
    child.once('error', (error) => started.reject(error))
    return started.promise.finally(() => this.#starting.delete(number))
  }

  #heed(worker: Worker, message: Exclude<FromWorker, { kind: 'listening' | 'fault' }>): void {
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
          if (other !== worker) tell(other, { kind: 'counts', counts: message.counts })
        }
        break
    }
  }

  #replace(number: number, startedMs: number, reason: string): void {
    this.deaths += 1
    const isQuick = performance.now() - startedMs < workerSettledMs
    const quickDeaths = isQuick ? (this.#quickDeaths.get(number) ?? 0) + 1 : 0
    this.#quickDeaths.set(number, quickDeaths)
    const waitMs = quickDeaths === 0 ? 0 : Math.min(workerBackOffMaxMs, backOffMinMs * 2 ** (quickDeaths - 1))
    this.#log.error({ worker: number, reason, waitMs }, 'worker died')
    // Connections that wait on its socket wait for the successor where it comes soon, else the other workers take them.
    if (waitMs > connectionPatienceMs) this.#port.close(number)
    setTimeout(() => {
      // Under a restart one by one another has its number already.
      if (this.#isEnding || this.#workers.has(number) || this.#starting.has(number)) return
      const startedAgainMs = performance.now()
      this.#start(number).catch((error: unknown) => {
        this.#log.error({ err: error, worker: number }, 'worker not replaced')
        if (!this.#isEnding) this.#replace(number, startedAgainMs, 'it did not start')
      })
    }, waitMs)
  }
}

/** Beyond the time to drain, and still within ten seconds of SIGTERM. */
const killGraceMs = 500

const connectionPatienceMs = 1_000

/** A worker that takes longer to close its socket is too busy to be waited for. */
const closeTimeoutMs = 3_000

function tell({ child }: Worker, message: ToWorker): void {
  // A channel that is just closing refuses; its worker is on its way out.
  if (child.connected) child.send(message, () => {})
}

async function closeSocketOf(worker: Worker): Promise<void> {
  if (!worker.child.connected) return
  const closed = Promise.withResolvers<void>()
  worker.onClosed = closed.resolve
  worker.child.once('exit', () => closed.resolve())
  const timer = setTimeout(closed.resolve, closeTimeoutMs)
  tell(worker, { kind: 'close' })
  await closed.promise
  clearTimeout(timer)
}

async function askForReport(worker: Worker): Promise<Report | undefined> {
  const asked = Promise.withResolvers<Report | undefined>()
  worker.onReport = asked.resolve
  const timer = setTimeout(() => asked.resolve(worker.report), workerReportTimeoutMs)
  tell(worker, { kind: 'report' })
  const report = await asked.promise
  clearTimeout(timer)
  return report
}
