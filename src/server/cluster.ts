// `serve` with several workers: this process answers no request. It holds the port, keeps the workers at it, hands
// signals on, and speaks for all of them on the admin port.
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
import { whenToldToEnd } from './signals.ts'
import { Crew } from './supervisor.ts'

/** `flags` are those of `serve`, which every worker reads again. */
export async function serveByWorkers(settings: ServeSettings, flags: readonly string[], log: Log): Promise<number> {
  const ending = whenToldToEnd()
  const port = await SharedPort.reserve(settings.host, settings.port)
  const cache = await mkdtemp(join(tmpdir(), 'planning-registry-code-'))
  const crew = new Crew(port, settings.workers, flags, cache, log)
  try {
    const address = await crew.start()
    let isEnding = false
    const admin = await openAdmin(settings.adminPort, log, {
      isReady: async () => !isEnding && (await crew.reports()).some((report) => report.isReady),
      readMetrics: toMetricsReader(crew),
    })
    process.on('SIGHUP', () => crew.signal('SIGHUP'))
    process.on('SIGUSR2', () => void crew.restartOneByOne())
    process.stdout.write(`listening on ${address}\n`)
    try {
      await Promise.race([ending, crew.fault])
      return 0
    } finally {
      isEnding = true
      await crew.end()
      admin?.close()
    }
  } finally {
    await crew.end()
    await removeCache(cache, log)
  }
}

/** A worker that ends may still be writing into it; a folder left behind is no reason to end otherwise than meant. */
async function removeCache(folder: string, log: Log): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  } catch (error) {
    log.warn({ err: error }, 'folder of compiled code left behind')
  }
}

/** Sums over the workers, those that are no more included: a counter that fell would look like a restart of all. */
function toMetricsReader(crew: Crew): () => Promise<string> {
  const own = new OwnRegistry()
  new Gauge({
    name: 'planning_registry_workers',
    help: 'Workers that are up',
    registers: [own],
    collect() {
      this.set(crew.size)
    },
  })
  new Counter({
    name: 'planning_registry_worker_deaths_total',
    help: 'Workers that died and were replaced',
    registers: [own],
    collect() {
      this.reset()
      this.inc(crew.deaths)
    },
  })
  let departed: Metrics = []
  return async () => {
    const reports = await crew.reports()
    const gone = crew.takeDeparted().map((metrics) => metrics.filter(isLasting))
    if (gone.length > 0) departed = await AggregatorRegistry.aggregate([departed, ...gone]).getMetricsAsJSON()
    const living = reports.map((report) => report.metrics)
    const all: Registry = AggregatorRegistry.aggregate([...living, departed, await own.getMetricsAsJSON()])
    return all.metrics()
  }
}

/** What only ever grows is worth remembering; how things stood in a process that is gone is not. */
function isLasting({ type }: Metrics[number]): boolean {
  return String(type) === 'counter' || String(type) === 'histogram'
}
