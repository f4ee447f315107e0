// `serve` with several workers. This process handles no requests: it reserves the port, supervises the workers,
// forwards signals, and serves the admin port for all workers.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Registry } from 'prom-client'
import { AggregatorRegistry, Counter, Gauge, Registry as OwnRegistry } from 'prom-client'
import type { Log } from '../http/log.ts'
import { openAdmin } from './admin.ts'
import type { Metrics } from './messages.ts'
import type { ServeSettings } from './settings.ts'
import { SharedPort } from './shared-port.ts'
import { waitForTermination } from './signals.ts'
import { Supervisor } from './supervisor.ts'

/** `flags` are those of `serve`; every worker parses them again. */
export async function serveWithWorkers(settings: ServeSettings, flags: readonly string[], log: Log): Promise<number> {
  const termination = waitForTermination()
  const port = await SharedPort.reserve(settings.host, settings.port)
  const codeCache = await mkdtemp(join(tmpdir(), 'planning-registry-code-'))
  const supervisor = new Supervisor(port, settings.workers, flags, codeCache, log)
  try {
    const address = await supervisor.start()
    let isEnding = false
    const admin = await openAdmin(settings.adminPort, log, {
      isReady: async () => !isEnding && (await supervisor.reports()).some((report) => report.isReady),
      readMetrics: toMetricsReader(supervisor),
    })
    process.on('SIGHUP', () => supervisor.signal('SIGHUP'))
    process.on('SIGUSR2', () => void supervisor.rollingRestart())
    process.stdout.write(`listening on ${address}\n`)
    try {
      await Promise.race([termination, supervisor.fault])
      return 0
    } finally {
      isEnding = true
      await supervisor.end()
      admin?.close()
    }
  } finally {
    await supervisor.end()
    await removeCodeCache(codeCache, log)
  }
}

/** A worker that is ending may still write to the folder. If it cannot be removed, the exit status stays the same. */
async function removeCodeCache(folder: string, log: Log): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  } catch (error) {
    log.warn({ err: error }, 'compile cache not removed')
  }
}

/** Sums over all workers, including those that have ended: a falling counter would look like a restart. */
function toMetricsReader(supervisor: Supervisor): () => Promise<string> {
  const own = new OwnRegistry()
  new Gauge({
    name: 'planning_registry_workers',
    help: 'Running workers',
    registers: [own],
    collect() {
      this.set(supervisor.size)
    },
  })
  new Counter({
    name: 'planning_registry_worker_deaths_total',
    help: 'Workers that died and were replaced',
    registers: [own],
    collect() {
      this.reset()
      this.inc(supervisor.deaths)
    },
  })
  let exited: Metrics = []
  return async () => {
    const reports = await supervisor.reports()
    const newlyExited = supervisor.takeExitedMetrics().map((metrics) => metrics.filter(isCumulative))
    if (newlyExited.length > 0) exited = await AggregatorRegistry.aggregate([exited, ...newlyExited]).getMetricsAsJSON()
    const running = reports.map((report) => report.metrics)
    const all: Registry = AggregatorRegistry.aggregate([...running, exited, await own.getMetricsAsJSON()])
    return all.metrics()
  }
}

/** Gauges of an exited process have no meaning any more. */
function isCumulative({ type }: Metrics[number]): boolean {
  return String(type) === 'counter' || String(type) === 'histogram'
}
