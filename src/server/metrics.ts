// Prometheus metrics, computed when they are scraped. docs/operating.md explains them; a test compares the names.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Service } from '../api/application.ts'
import type { RegistryStore, SnapshotFacts } from '../snapshot/contract.ts'
import { StoreUnavailable } from '../snapshot/contract.ts'
import { version } from '../version.ts'

export interface MetricSources {
  readonly service: Service
  readonly store: RegistryStore
  readonly countConnections: () => Promise<number>
  readonly isReady: () => boolean
}

export function buildMetrics(sources: MetricSources): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  addTraffic(registry, sources)
  addStore(registry, sources)
  addEventLoop(registry)
  return registry
}

const prefix = 'planning_registry_'

function addTraffic(registry: Registry, { service, countConnections }: MetricSources): void {
  const { traffic } = service.admission
  const registers = [registry]
  const gauge = (name: string, help: string, read: () => number | Promise<number>): void => {
    new Gauge({
      name: prefix + name,
      help,
      registers,
      async collect() {
        this.set(await read())
      },
    })
  }
  const counter = (name: string, help: string, read: () => number): void => {
    new Counter({
      name: prefix + name,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  }
  new Counter({
    name: `${prefix}requests_total`,
    help: 'Requests answered, by route and status',
    labelNames: ['route', 'status'],
    registers,
    collect() {
      this.reset()
      for (const { route, status, requests } of traffic.requests()) this.inc({ route, status }, requests)
    },
  })
  new Counter({
    name: `${prefix}shed_total`,
    help: 'Requests refused with 503 because of overload, by reason',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset()
      for (const [reason, requests] of Object.entries(traffic.shed)) this.inc({ reason }, requests)
    },
  })
  const durations = new Histogram({
    name: `${prefix}request_duration_seconds`,
    help: 'Time from the request to the last byte of the response, by route',
    labelNames: ['route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  })
  traffic.onRequest = (route, seconds) => durations.observe({ route }, seconds)
  counter('rate_limited_total', 'Requests refused with 429', () => traffic.rateLimited)
  counter('response_cache_hits_total', 'Responses from the response cache', () => service.cache.hits)
  counter('response_cache_misses_total', 'Requests not found in the response cache', () => service.cache.misses)
  gauge('response_cache_bytes', 'Size of the response cache', () => service.cache.bytes)
  gauge('requests_in_work', 'Requests in progress', () => traffic.requestsInWork)
  gauge('exports_open', 'Streamed responses being sent', () => traffic.exportsOpen)
  gauge('connections_open', 'Open connections', countConnections)
  gauge('send_queue_bytes', 'Bytes in send queues, including those of the kernel if they are many', () => {
    return service.queues.bytes
  })
  counter('stalled_closed_total', 'Connections closed because their clients do not read', () => {
    return service.queues.closed
  })
  gauge('rate_limit_clients', 'Clients counted by the rate limit', () => service.admission.limiter?.clients ?? 0)
}

function addStore(registry: Registry, { store, isReady }: MetricSources): void {
  const registers = [registry]
  const snapshotGauge = (name: string, help: string, read: (facts: SnapshotFacts) => number): void => {
    new Gauge({
      name: prefix + name,
      help,
      registers,
      aggregator: 'max',
      collect() {
        this.reset()
        const facts = readFacts(store)
        if (facts !== undefined) this.set(read(facts))
      },
    })
  }
  snapshotGauge('snapshot_records', 'Records in the snapshot in service', ({ records }) => records)
  snapshotGauge(
    'snapshot_published_timestamp_seconds',
    'Time when the snapshot in service was published',
    ({ publishedAt }) => publishedAt.getTime() / 1000,
  )
  snapshotGauge(
    'snapshot_age_seconds',
    'Time since the snapshot in service was published',
    ({ publishedAt }) => (Date.now() - publishedAt.getTime()) / 1000,
  )
  new Gauge({
    name: `${prefix}snapshot_info`,
    help: 'Id of the snapshot in service; two ids while workers switch to a new one',
    labelNames: ['id'],
    registers,
    aggregator: 'max',
    collect() {
      this.reset()
      const facts = readFacts(store)
      if (facts !== undefined) this.set({ id: facts.id }, 1)
    },
  })
  new Gauge({
    name: `${prefix}store_up`,
    help: '1 if every worker can read the registry, else 0',
    registers,
    aggregator: 'min',
    collect() {
      this.set(readFacts(store) === undefined ? 0 : 1)
    },
  })
  new Gauge({
    name: `${prefix}ready`,
    help: 'Workers that accept requests',
    registers,
    collect() {
      this.set(isReady() ? 1 : 0)
    },
  })
  new Gauge({
    name: `${prefix}info`,
    help: 'Version of the service',
    labelNames: ['version'],
    registers,
    aggregator: 'max',
    collect() {
      this.set({ version }, 1)
    },
  })
}

function addEventLoop(registry: Registry): void {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  new Gauge({
    name: `${prefix}event_loop_delay_seconds`,
    help: 'Delay of the event loop since the last scrape, maximum of all workers',
    labelNames: ['quantile'],
    registers: [registry],
    aggregator: 'max',
    collect() {
      for (const quantile of [50, 99, 100]) {
        this.set({ quantile: String(quantile / 100) }, delay.percentile(quantile) / 1e9)
      }
      delay.reset()
    },
  })
}

function readFacts(store: RegistryStore): SnapshotFacts | undefined {
  try {
    return store.current().facts
  } catch (error) {
    if (error instanceof StoreUnavailable) return undefined
    throw error
  }
}
