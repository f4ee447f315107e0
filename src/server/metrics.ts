// The counters of the service in the words of Prometheus, made when they are asked for. What each means to an operator
// is in docs/operating.md, which is tested against the names here.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Service } from '../api/application.ts'
import type { RegistryStore, SnapshotFacts } from '../snapshot/contract.ts'
import { StoreUnavailable } from '../snapshot/contract.ts'
import { version } from '../version.ts'

export interface MetricParts {
  readonly service: Service
  readonly store: RegistryStore
  readonly countConnections: () => Promise<number>
  readonly isReady: () => boolean
}

export function buildMetrics(parts: MetricParts): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  addTraffic(registry, parts)
  addStore(registry, parts)
  addEventLoop(registry)
  return registry
}

const prefix = 'planning_registry_'

function addTraffic(registry: Registry, { service, countConnections }: MetricParts): void {
  const { traffic } = service.guard
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
    help: 'Requests refused with 503 to keep the service well, by what was short',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset()
      for (const [reason, requests] of Object.entries(traffic.shed)) this.inc({ reason }, requests)
    },
  })
  const durations = new Histogram({
    name: `${prefix}request_duration_seconds`,
    help: 'From the request to its last byte, by route',
    labelNames: ['route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  })
  traffic.onRequest = (route, seconds) => durations.observe({ route }, seconds)
  counter('rate_limited_total', 'Requests refused with 429', () => traffic.rateLimited)
  counter('hot_hits_total', 'Requests answered from memory', () => service.cache.hits)
  counter('hot_misses_total', 'Requests looked for in memory and not found', () => service.cache.misses)
  gauge('hot_bytes', 'Bytes of the answers kept in memory', () => service.cache.bytes)
  gauge('requests_in_work', 'Requests being worked on', () => traffic.requestsInWork)
  gauge('exports_open', 'Answers being made while they are sent', () => traffic.exportsOpen)
  gauge('connections_open', 'Connections open', countConnections)
  gauge('send_queue_bytes', 'Bytes that wait to be sent, those in the kernel included where they are many', () => {
    return service.queues.bytes
  })
  counter('stalled_closed_total', 'Connections closed because too much waited for clients that do not read', () => {
    return service.queues.closed
  })
  gauge('rate_limit_clients', 'Clients whose requests are being counted', () => service.guard.limiter?.clients ?? 0)
}

function addStore(registry: Registry, { store, isReady }: MetricParts): void {
  const registers = [registry]
  const ofSnapshot = (name: string, help: string, read: (facts: SnapshotFacts) => number): void => {
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
  ofSnapshot('snapshot_records', 'Records in the snapshot in service', ({ records }) => records)
  ofSnapshot(
    'snapshot_published_timestamp_seconds',
    'When the snapshot in service was published',
    ({ publishedAt }) => publishedAt.getTime() / 1000,
  )
  ofSnapshot(
    'snapshot_age_seconds',
    'How long ago the snapshot in service was published',
    ({ publishedAt }) => (Date.now() - publishedAt.getTime()) / 1000,
  )
  new Gauge({
    name: `${prefix}snapshot_info`,
    help: 'The snapshot in service, by its id; two ids for a moment while workers change over',
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
    help: '1 while every worker can reach the registry, else 0',
    registers,
    aggregator: 'min',
    collect() {
      this.set(readFacts(store) === undefined ? 0 : 1)
    },
  })
  new Gauge({
    name: `${prefix}ready`,
    help: 'How many workers take requests',
    registers,
    collect() {
      this.set(isReady() ? 1 : 0)
    },
  })
  new Gauge({
    name: `${prefix}info`,
    help: 'The version of the service',
    labelNames: ['version'],
    registers,
    aggregator: 'max',
    collect() {
      this.set({ version }, 1)
    },
  })
}

/** The longest delay since the last time it was asked for: what the slowest request had to wait. */
function addEventLoop(registry: Registry): void {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  new Gauge({
    name: `${prefix}event_loop_delay_seconds`,
    help: 'Delay of the event loop since the last scrape, worst of all workers',
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
