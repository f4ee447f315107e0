// Prometheus metrics of one process, most of them computed when they are scraped. With several workers cluster.ts
// combines them: by sum, or by the `aggregator` of a metric. docs/operating.md explains them, and a test compares the
// names.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Service } from '../api/application.ts'
import type { Connections } from '../http/connections.ts'
import type { RegistryStore, SnapshotMetadata } from '../registry/contract.ts'
import { StoreUnavailable } from '../registry/contract.ts'
import { version } from '../version.ts'

export interface MetricSources {
  readonly service: Service
  readonly store: RegistryStore
  readonly connections: Connections
  readonly isReady: () => boolean
}

/** Each metric adds itself to `registers` when it is constructed; its `collect` is called for each scrape. */
export function buildMetrics(sources: MetricSources): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  addTrafficMetrics(registry, sources)
  addStoreMetrics(registry, sources)
  return registry
}

const prefix = 'planning_registry_'

/** The supervisor has the metric too, because it counts the clients of all workers. */
export const rateLimitClients = { name: `${prefix}rate_limit_clients`, help: 'Clients counted by the rate limit' }

function addTrafficMetrics(registry: Registry, { service, connections }: MetricSources): void {
  const { admission } = service
  const registers = [registry]
  const addGauge = (name: string, help: string, read: () => number | Promise<number>): void => {
    new Gauge({
      name: prefix + name,
      help,
      registers,
      async collect() {
        this.set(await read())
      },
    })
  }
  /** The value is counted elsewhere, so each scrape replaces it. */
  const addCounter = (name: string, help: string, read: () => number): void => {
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
  const requests = new Counter({
    name: `${prefix}requests_total`,
    help: 'Requests answered, by route and status',
    labelNames: ['route', 'status'],
    registers,
  })
  new Counter({
    name: `${prefix}shed_total`,
    help: 'Requests refused with 503 because of overload, by reason',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset()
      for (const [reason, count] of Object.entries(admission.shed)) this.inc({ reason }, count)
    },
  })
  const durations = new Histogram({
    name: `${prefix}request_duration_seconds`,
    help: 'Time from the request to the last byte of the response, by route',
    labelNames: ['route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  })
  service.onRequest = (route, status, seconds) => {
    requests.inc({ route, status })
    durations.observe({ route }, seconds)
  }
  addCounter('rate_limited_total', 'Requests refused with 429', () => admission.rateLimited)
  addCounter('response_cache_hits_total', 'Responses from the response cache', () => service.cache.hits)
  addCounter('response_cache_misses_total', 'Requests not found in the response cache', () => service.cache.misses)
  addGauge('response_cache_bytes', 'Size of the response cache', () => service.cache.bytes)
  addGauge('requests_in_work', 'Requests in progress', () => admission.searchesInWork)
  addGauge('exports_open', 'Streamed responses being sent', () => admission.exportsOpen)
  addGauge('connections_open', 'Open connections', () => connections.count)
  addGauge('send_queue_bytes', 'Bytes that wait in the process for clients', () => connections.waitingBytes)
  const stalledHelp = 'Connections closed because their clients do not read'
  addCounter('stalled_closed_total', stalledHelp, () => connections.stalledCount)
  new Gauge({
    ...rateLimitClients,
    registers,
    collect() {
      this.set(admission.limiter?.clients ?? 0)
    },
  })
}

/**
 * Every worker serves the same snapshot, so a sum over the workers would be wrong: these metrics have an `aggregator`.
 * Only `ready` is a sum: the number of workers that are ready.
 */
function addStoreMetrics(registry: Registry, { store, isReady }: MetricSources): void {
  const registers = [registry]
  /** The value is 0 while the registry is unavailable. */
  const addSnapshotGauge = (name: string, help: string, read: (metadata: SnapshotMetadata) => number): void => {
    new Gauge({
      name: prefix + name,
      help,
      registers,
      aggregator: 'max',
      collect() {
        this.reset()
        const metadata = readMetadata(store)
        if (metadata !== undefined) this.set(read(metadata))
      },
    })
  }
  addSnapshotGauge('snapshot_records', 'Records in the snapshot in service', ({ records }) => records)
  addSnapshotGauge(
    'snapshot_published_timestamp_seconds',
    'Time when the snapshot in service was published',
    ({ publishedAt }) => publishedAt.getTime() / 1000,
  )
  addSnapshotGauge(
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
      const metadata = readMetadata(store)
      if (metadata !== undefined) this.set({ id: metadata.id }, 1)
    },
  })
  new Gauge({
    name: `${prefix}store_up`,
    help: '1 if every worker can read the registry, else 0',
    registers,
    aggregator: 'min',
    collect() {
      this.set(readMetadata(store) === undefined ? 0 : 1)
    },
  })
  new Gauge({
    name: `${prefix}store_reachable`,
    help: '1 if the remote store of the registry answers, else 0; 1 for a file',
    registers,
    aggregator: 'min',
    collect() {
      this.set(store.follower?.().isReachable === false ? 0 : 1)
    },
  })
  new Counter({
    name: `${prefix}store_refused_total`,
    help: 'Attempts to fetch a registry from its remote store that failed or were refused',
    registers,
    collect() {
      this.reset()
      this.inc(store.follower?.().refused ?? 0)
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

/** Undefined if the registry is unavailable. */
function readMetadata(store: RegistryStore): SnapshotMetadata | undefined {
  try {
    return store.current().metadata
  } catch (error) {
    if (error instanceof StoreUnavailable) return undefined
    throw error
  }
}
