// `serve` with several workers, called by serve.ts. This process handles no requests: it opens the port, supervises
// the workers, forwards signals, and serves the admin port for all workers.
import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client'
import type { Log } from '../http/log.ts'
import { RateLimiter } from '../http/rate-limit.ts'
import type { AdminPort } from './admin.ts'
import { rateLimitClients } from './metrics.ts'
import { notifySystemd } from './notify.ts'
import type { ServeSettings } from './settings.ts'
import { SharedPort } from './shared-port.ts'
import type { OperatorSignals } from './signals.ts'
import { Supervisor } from './supervisor.ts'

/** What connects the service to its operator. */
export interface OperatorContext {
  readonly signals: OperatorSignals
  /** Resolves on SIGTERM or SIGINT. */
  readonly termination: Promise<void>
  /** Undefined without `--admin-port`. */
  readonly admin: AdminPort | undefined
  readonly log: Log
}

/**
 * Returns the exit status. `flags` are the flags of `serve`; every worker parses them again. Throws `StoreUnreachable`
 * if the first worker cannot reach the database at the start.
 */
export async function serveWithWorkers(
  settings: ServeSettings,
  flags: readonly string[],
  { signals, termination, admin, log }: OperatorContext,
): Promise<number> {
  const port = await SharedPort.create(settings.host, settings.port)
  // One limiter for all workers, which ask it by message, so that a client has one quota.
  const limiter = settings.rateLimit === undefined ? undefined : new RateLimiter(settings.rateLimit)
  const supervisor = new Supervisor({ port, workerCount: settings.workers, flags, limiter, log })
  try {
    const starting = supervisor.start()
    // If termination comes first, the workers end, and `starting` may reject later. Nobody waits for it then, and an
    // unhandled rejection would end the process.
    starting.catch(() => {})
    // Undefined if termination comes first.
    const address = await Promise.race([starting, termination])
    if (address === undefined) {
      log.info('terminated before all workers listened')
      return 0
    }
    let isEnding = false
    admin?.setHandlers({
      // The service is ready if a worker can read the registry and no worker is late. A late worker has missed several
      // heartbeats: it probably hangs, but the kernel still gives it new connections, which wait.
      isReady: () => !isEnding && !supervisor.hasLateWorker && supervisor.hasReadyWorker,
      readMetrics: toMetricsReader(supervisor, limiter),
    })
    // SIGHUP: the workers reread certificate and registry. SIGUSR2: they are replaced one after the other.
    signals.onReload(() => supervisor.reload())
    signals.onRestart(() => void supervisor.rollingRestart())
    process.stdout.write(`listening on ${address}\n`)
    void notifySystemd('READY=1', log)
    try {
      // `fatalFault` never resolves; if it rejects, this function throws its error.
      await Promise.race([termination, supervisor.fatalFault])
      log.info('shutting down, requests in progress finish')
      void notifySystemd('STOPPING=1', log)
      return 0
    } finally {
      isEnding = true
      await supervisor.end()
      log.info('ended')
    }
  } finally {
    // Does nothing if the workers have ended above. Ends them if they did not all start.
    await supervisor.end()
  }
}

/**
 * Returns a function that combines the metrics of all workers, in the text format of Prometheus. Workers that have
 * exited are included: Prometheus would take a falling counter for a restart of the service.
 */
function toMetricsReader(supervisor: Supervisor, limiter: RateLimiter | undefined): () => Promise<string> {
  const supervisorMetrics = new Registry()
  new Gauge({
    name: 'planning_registry_workers',
    help: 'Running workers',
    registers: [supervisorMetrics],
    // Workers that have listened and not ended, ready or not. During a rolling restart the old worker does not count.
    collect() {
      this.set(supervisor.servingCount)
    },
  })
  // The workers have this gauge too and report 0, because only the supervisor has a rate limiter. So the sum is right.
  new Gauge({
    name: rateLimitClients.name,
    help: rateLimitClients.help,
    registers: [supervisorMetrics],
    collect() {
      this.set(limiter?.clients ?? 0)
    },
  })
  new Counter({
    name: 'planning_registry_worker_deaths_total',
    help: 'Workers that died and were replaced',
    registers: [supervisorMetrics],
    collect() {
      this.reset()
      this.inc(supervisor.deaths)
    },
  })
  return async () => {
    const ofWorkers = await supervisor.collectMetrics()
    // `sum` is called before the next `await`: a worker that exits meanwhile would be in both results.
    const ofExitedWorkers = supervisor.exitedMetrics.sum()
    const own = await supervisorMetrics.getMetricsAsJSON()
    return AggregatorRegistry.aggregate([...ofWorkers, await ofExitedWorkers, own]).metrics()
  }
}
