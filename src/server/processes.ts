// `serve` with several workers: the primary process, which handles no requests. It starts the workers by node:cluster,
// replaces those that die or hang, restarts them one after the other, and ends them. worker.ts is one of them.
//
// Each worker has a number from 0, which its successors inherit. During a rolling restart two processes have the same
// number: the old worker and its successor.
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { AggregatorRegistry, Registry } from 'prom-client'
import { UsageFault } from '../cli/config.ts'
import type { Log } from '../http/log.ts'
import { RateLimiter } from '../http/rate-limit.ts'
import { currentLanguage } from '../language.ts'
import {
  drainDeadlineMs,
  heartbeatIntervalMs,
  heartbeatsMissedMax,
  workerAnswerTimeoutMs,
  workerBackOffMaxMs,
  workerSettledMs,
  workerStartTimeoutMs,
} from '../limits.ts'
import { StoreUnreachable } from '../registry/contract.ts'
import { Channel, type PrimaryFunctions, type WorkerFunctions } from './channel.ts'
import { addCounter, addGauge, addRateLimitClients } from './metrics.ts'
import type { RunningService } from './service-process.ts'
import type { ServeSettings } from './settings.ts'

/** Time from SIGTERM to SIGKILL: half a second more than draining may take, and less than the ten seconds of `end`. */
const terminateTimeoutMs = drainDeadlineMs + 500

/** A worker that has missed this number of heartbeats is not ready; a few may be late on a busy machine. */
const lateHeartbeatsMin = 6

/** The delay after the first quick death of a worker. It doubles with each further one, up to `workerBackOffMaxMs`. */
const backOffMinMs = 100

/** A process that has not exited. */
interface WorkerProcess {
  readonly number: number
  readonly worker: Worker
  readonly channel: Channel<WorkerFunctions>
  /** On the clock of `performance.now()`. */
  readonly startedAt: number
  /** It is `ending` once the primary has asked it to end, or once it has failed to start. */
  state: 'starting' | 'serving' | 'ending'
  /** By its last heartbeat. */
  canReadRegistry: boolean
  /** Heartbeats missed since the last one arrived. */
  missedHeartbeats: number
}

export class Processes implements RunningService {
  readonly #settings: ServeSettings
  readonly #flags: string[]
  readonly #log: Log
  /** Counts the requests of all workers, so that a client has one quota; undefined without a limit. */
  readonly #limiter: RateLimiter | undefined
  readonly #ownMetrics = new Registry()
  readonly #heartbeatTimer: NodeJS.Timeout
  readonly #processes = new Set<WorkerProcess>()
  /** How many times in a row each worker died soon after its start, or did not start; by number. */
  readonly #quickDeaths: number[] = []
  #deaths = 0
  /** Time of the last `reload`, on the clock of `performance.now()`. */
  #reloadedAt = Number.NEGATIVE_INFINITY
  #hasStarted = false
  #isRestarting = false
  #isEnding = false

  /** `flags` are those of `serve`, which every worker parses again. */
  constructor(settings: ServeSettings, flags: readonly string[], log: Log) {
    this.#settings = settings
    this.#flags = [...flags]
    this.#log = log
    this.#limiter = settings.rateLimit === undefined ? undefined : new RateLimiter(settings.rateLimit)
    const metrics = this.#ownMetrics
    addGauge(metrics, 'workers', 'Workers that serve, ready or not', () => this.#inState('serving').length)
    addCounter(metrics, 'worker_deaths_total', 'Workers that died and were replaced', () => this.#deaths)
    addRateLimitClients(metrics, () => this.#limiter?.clients ?? 0)
    this.#heartbeatTimer = setInterval(() => this.#checkHeartbeats(), heartbeatIntervalMs)
    // All workers accept connections from one listening socket: those that hang accept none. By default the primary
    // would accept them and send each to a worker, and a connection on its way to a worker that dies would never be
    // answered or closed (Node 26).
    cluster.schedulingPolicy = cluster.SCHED_NONE
  }

  /** Resolves to the base URL when all workers listen. The first starts alone, so that an error is reported once. */
  async start(): Promise<string> {
    const { host, port } = this.#settings
    // Chosen here, because node:cluster would take another port after all workers have died.
    if (port === 0) this.#flags.push('--port', String(await findFreePort(host)))
    const address = await this.#startWorker(0)
    const others = Array.from({ length: this.#settings.workers - 1 }, (_, index) => this.#startWorker(index + 1))
    await Promise.all(others)
    this.#hasStarted = true
    return address
  }

  /**
   * Whether a worker can read the registry and none is late. A late worker probably hangs, and the requests on its
   * connections wait.
   */
  isReady(): boolean {
    const workers = this.#inState('serving')
    return !this.#isEnding && workers.some(({ canReadRegistry }) => canReadRegistry) && !workers.some(isLate)
  }

  /** In the text format of Prometheus. The metrics of a worker that does not answer are missing. */
  async readMetrics(): Promise<string> {
    const running = [...this.#processes].filter(({ state }) => state !== 'starting')
    const answers = running.map(({ channel }) => channel.call('readMetrics', [], workerAnswerTimeoutMs))
    const metrics = (await Promise.all(answers)).filter((each) => each !== undefined)
    return AggregatorRegistry.aggregate([...metrics, await this.#ownMetrics.getMetricsAsJSON()]).metrics()
  }

  /** Makes the workers reopen certificate and registry. A worker that is starting does so when it listens. */
  reload(): void {
    this.#reloadedAt = performance.now()
    for (const { worker } of this.#inState('serving')) worker.process.kill('SIGHUP')
  }

  /** Starts the successor of each worker before the worker ends, so that the number of workers never falls. */
  async restart(): Promise<void> {
    if (this.#isRestarting || this.#isEnding) return
    this.#isRestarting = true
    this.#log.info('rolling restart started')
    try {
      for (const old of this.#inState('serving')) {
        // If the worker has died meanwhile, it has a successor already.
        if (old.state !== 'serving') continue
        await this.#startWorker(old.number)
        await this.#terminate(old, terminateTimeoutMs)
        if (this.#isEnding) return
      }
      this.#log.info('all workers restarted')
    } catch (error) {
      // `end` terminates a successor that is starting; that is not a failure.
      if (!this.#isEnding) this.#log.error({ err: error }, 'rolling restart failed, the old workers stay')
    } finally {
      this.#isRestarting = false
      // A worker that died beside its successor was not replaced then; the successor may have failed since.
      for (let number = 0; number < this.#settings.workers; number++) this.#replace(number)
    }
  }

  /** Ends all processes, also those that are starting or draining, within ten seconds (docs/operating.md). */
  async end(): Promise<void> {
    this.#isEnding = true
    clearInterval(this.#heartbeatTimer)
    const endsAt = performance.now() + terminateTimeoutMs
    const serving = this.#inState('serving')
    const others = [...this.#processes].filter((each) => !serving.includes(each))
    const otherEnds = others.map((each) => this.#terminate(each, terminateTimeoutMs))
    // All workers stop accepting before any drains: a client that reconnects must not reach a worker that closes next.
    await Promise.all(serving.map(({ channel }) => channel.call('stopAccepting', [], workerAnswerTimeoutMs)))
    const remainingMs = endsAt - performance.now()
    await Promise.all([...otherEnds, ...serving.map((each) => this.#terminate(each, remainingMs))])
  }

  #inState(state: WorkerProcess['state']): WorkerProcess[] {
    return [...this.#processes].filter((each) => each.state === state)
  }

  /** Resolves to the base URL when the worker listens. Rejects if it cannot be started, or ends before. */
  async #startWorker(number: number): Promise<string> {
    // `end` ends only the workers that exist when it is called, so none may start after it.
    if (this.#isEnding) throw new Error('The service ends')
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const fail = (error: Error): void => {
      if (started.state === 'starting') started.state = 'ending'
      reject(error)
    }
    // At the start main.ts prints a fault of a worker in the language of the user. Later it is logged, in English.
    const language = this.#hasStarted ? 'en' : currentLanguage()
    cluster.setupPrimary({
      exec: fileURLToPath(new URL('./worker.ts', import.meta.url)),
      args: [String(number), language, ...this.#flags],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // Structured clone: JSON would turn NaN and Infinity in the metrics into null.
      serialization: 'advanced',
    })
    const worker = cluster.fork()
    const started: WorkerProcess = {
      number,
      worker,
      channel: new Channel<WorkerFunctions>(worker, {
        reportListening: (address) => {
          clearTimeout(startTimer)
          resolve(address)
          // `end` may have begun to end it meanwhile.
          if (started.state === 'starting') started.state = 'serving'
          // It may have read certificate and registry before the reload.
          if (this.#reloadedAt > started.startedAt) worker.process.kill('SIGHUP')
        },
        reportFault: (reason, isUnreachable) => fail(this.#toFault(reason, isUnreachable)),
        reportAlive: (isReady) => {
          started.missedHeartbeats = 0
          started.canReadRegistry = isReady
        },
        countRequest: (client) => this.#limiter?.count(client),
      } satisfies PrimaryFunctions),
      startedAt: performance.now(),
      state: 'starting',
      canReadRegistry: true,
      missedHeartbeats: 0,
    }
    this.#processes.add(started)
    // The `exit` event of the killed process then rejects the promise.
    const startTimer = setTimeout(() => worker.process.kill('SIGKILL'), workerStartTimeoutMs)
    worker.once('exit', (status, signal) => {
      clearTimeout(startTimer)
      this.#processes.delete(started)
      const reason = signal ?? `status ${status}`
      const hasServed = started.state === 'serving'
      started.state = 'ending'
      reject(new Error(`Worker ${number} ended before it listened (${reason})`))
      if (hasServed) this.#countDeath(number, performance.now() - started.startedAt, reason)
    })
    worker.on('error', (error) => {
      fail(error)
      // A process that could not be spawned has no exit event.
      if (worker.process.pid === undefined) this.#processes.delete(started)
    })
    return promise
  }

  /**
   * Makes an error of the fault that a worker has reported: a `UsageFault`, whose message main.ts prints, or a
   * `StoreUnreachable`, on which serve.ts waits for the store of the registry. The latter only if no worker serves:
   * otherwise there is a local copy, which this worker could have opened too.
   */
  #toFault(reason: string, isUnreachable: boolean): Error {
    const hasWorker = this.#inState('serving').length > 0
    return isUnreachable && !hasWorker ? new StoreUnreachable(reason) : new UsageFault(reason)
  }

  /**
   * Counts a worker that died, or that did not start (`lifeMs` is 0), and starts its successor: at once, or after a
   * delay if it has lived only for a short time. `reason` is for the log.
   */
  #countDeath(number: number, lifeMs: number, reason: string): void {
    if (this.#isEnding) return
    this.#deaths += 1
    const quickDeaths = lifeMs < workerSettledMs ? (this.#quickDeaths[number] ?? 0) + 1 : 0
    this.#quickDeaths[number] = quickDeaths
    const delayMs = quickDeaths === 0 ? 0 : Math.min(workerBackOffMaxMs, backOffMinMs * 2 ** (quickDeaths - 1))
    this.#log.error({ worker: number, reason, delayMs }, 'worker died')
    setTimeout(() => this.#replace(number), delayMs)
  }

  /** Starts a worker with this number unless one serves or is starting, such as the successor of a rolling restart. */
  #replace(number: number): void {
    const isThere = [...this.#processes].some((each) => each.number === number && each.state !== 'ending')
    if (isThere || this.#isEnding) return
    this.#startWorker(number).catch((error: unknown) => {
      this.#log.error({ err: error, worker: number }, 'worker not replaced')
      this.#countDeath(number, 0, 'it did not start')
    })
  }

  /**
   * Kills workers that hang: stopped, or in a loop. Their `exit` events start the successors. Heartbeats are counted
   * instead of measuring time, because after a pause of the whole machine the time would be over at once.
   */
  #checkHeartbeats(): void {
    for (const each of this.#inState('serving')) {
      each.missedHeartbeats += 1
      if (each.missedHeartbeats !== heartbeatsMissedMax) continue
      this.#log.error({ worker: each.number }, 'worker hangs, it is killed')
      each.worker.process.kill('SIGKILL')
    }
  }

  /** Sends SIGTERM to the worker, and SIGKILL after the timeout. Resolves when it has exited. */
  async #terminate(each: WorkerProcess, timeoutMs: number): Promise<void> {
    const { worker } = each
    each.state = 'ending'
    if (worker.isDead()) return
    const exit = once(worker, 'exit')
    worker.process.kill('SIGTERM')
    const killTimer = setTimeout(() => worker.process.kill('SIGKILL'), timeoutMs)
    await exit
    clearTimeout(killTimer)
  }
}

/** 0 if the host has no free port; the first worker then reports why it cannot listen. */
async function findFreePort(host: string): Promise<number> {
  const server = createServer().listen({ host, port: 0 })
  try {
    await once(server, 'listening')
    const address = server.address()
    return typeof address === 'object' ? (address?.port ?? 0) : 0
  } catch {
    return 0
  } finally {
    server.close()
  }
}

/** Whether the worker has missed several heartbeats: it probably hangs, and its connections wait. */
function isLate({ missedHeartbeats }: WorkerProcess): boolean {
  return missedHeartbeats >= lateHeartbeatsMin
}
