// Prometheus metrics of one process, most of them read when they are scraped. With several workers every series has the
// label `worker`, and processes.ts puts them together. docs/operating.md explains them, and a test compares the names.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Service } from '../api/application.ts'
import type { Connections } from '../http/connections.ts'
import type { LastImport, RegistryStore, SnapshotMetadata } from '../registry/contract.ts'
import { StoreUnavailable } from '../registry/contract.ts'
import { version } from '../version.ts'

export interface MetricSources {
  readonly service: Service
  readonly store: RegistryStore
  readonly connections: Connections
  readonly isReady: () => boolean
}

/** `worker` is the number of the worker; undefined for a single process. */
export function buildMetrics(sources: MetricSources, worker: string | undefined): Registry {
  const registry = new Registry()
  if (worker !== undefined) registry.setDefaultLabels({ worker })
  collectDefaultMetrics({ register: registry })
  addTrafficMetrics(registry, sources)
  addStoreMetrics(registry, sources)
  return registry
}

const prefix = 'planning_registry_'

/** Reads a number for each scrape, or a number for each value of a label. */
type Read = () => number | Promise<number> | Readonly<Record<string, number>>

/** Adds a gauge to the registry. `label` is needed if `read` returns a number for each value of a label. */
export function addGauge(registry: Registry, name: string, help: string, read: Read, label?: string): void {
  const gauge: Gauge = new Gauge({
    ...toOptions(registry, name, help, label),
    collect: () => replaceValues(gauge, read, (labels, value) => gauge.set(labels, value), label),
  })
}

/** Like `addGauge`, for a number that only grows. */
export function addCounter(registry: Registry, name: string, help: string, read: Read, label?: string): void {
  const counter: Counter = new Counter({
    ...toOptions(registry, name, help, label),
    collect: () => replaceValues(counter, read, (labels, value) => counter.inc(labels, value), label),
  })
}

/** What gauges and counters have in common. */
interface MetricOptions {
  readonly name: string
  readonly help: string
  readonly labelNames: string[]
  readonly registers: Registry[]
}

function toOptions(registry: Registry, name: string, help: string, label: string | undefined): MetricOptions {
  return { name: prefix + name, help, labelNames: label === undefined ? [] : [label], registers: [registry] }
}

/** The numbers are counted elsewhere, so each scrape replaces them. */
async function replaceValues(
  metric: { readonly reset: () => void },
  read: Read,
  write: (labels: Record<string, string>, value: number) => void,
  label = '',
): Promise<void> {
  const value = await read()
  metric.reset()
  if (typeof value === 'number') write({}, value)
  else for (const [key, number] of Object.entries(value)) write({ [label]: key }, number)
}

/** The primary has this metric too, because it counts the clients of all workers. */
export function addRateLimitClients(registry: Registry, read: () => number): void {
  addGauge(registry, 'rate_limit_clients', 'Clients counted by the rate limit', read)
}

function addTrafficMetrics(registry: Registry, { service, connections }: MetricSources): void {
  const { admission, cache } = service
  const registers = [registry]
  const requests = new Counter({
    name: `${prefix}requests_total`,
    help: 'Requests answered, by route and status',
    labelNames: ['route', 'status'],
    registers,
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
  addCounter(registry, 'shed_total', 'Requests refused with 503 because of overload', () => admission.shed, 'reason')
  addCounter(registry, 'rate_limited_total', 'Requests refused with 429', () => admission.rateLimited)
  addRateLimitClients(registry, () => admission.limiter?.clients ?? 0)
  addCounter(registry, 'response_cache_hits_total', 'Responses from the response cache', () => cache.hits)
  addCounter(registry, 'response_cache_misses_total', 'Requests not found in the response cache', () => cache.misses)
  addGauge(registry, 'response_cache_bytes', 'Size of the response cache', () => cache.bytes)
  addGauge(registry, 'requests_in_work', 'Requests in progress', () => admission.searchesInWork)
  addGauge(registry, 'exports_open', 'Streamed responses being sent', () => admission.exportsOpen)
  addGauge(registry, 'connections_open', 'Open connections', () => connections.count)
  addGauge(registry, 'send_queue_bytes', 'Bytes that wait in the process for clients', () => connections.waitingBytes)
  const stalledHelp = 'Connections closed because their clients do not read'
  addCounter(registry, 'stalled_closed_total', stalledHelp, () => connections.stalledCount)
}

function addStoreMetrics(registry: Registry, { store, isReady }: MetricSources): void {
  /** 0 while the registry is unavailable. */
  const ofSnapshot = (read: (metadata: SnapshotMetadata) => number) => (): number => {
    const metadata = readMetadata(store)
    return metadata === undefined ? 0 : read(metadata)
  }
  const toSeconds = (date: Date): number => date.getTime() / 1000
  addGauge(
    registry,
    'snapshot_records',
    'Records in the snapshot in service',
    ofSnapshot(({ records }) => records),
  )
  addGauge(
    registry,
    'snapshot_published_timestamp_seconds',
    'Time when the snapshot in service was published',
    ofSnapshot(({ publishedAt }) => toSeconds(publishedAt)),
  )
  addGauge(
    registry,
    'snapshot_age_seconds',
    'Time since the snapshot in service was published',
    ofSnapshot(({ publishedAt }) => toSeconds(new Date()) - toSeconds(publishedAt)),
  )
  /** 0 while no import is known. */
  const ofLastImport = (read: (lastImport: LastImport) => number) => async (): Promise<number> => {
    const lastImport = await store.readLastImport?.()
    return lastImport === undefined || lastImport === null ? 0 : read(lastImport)
  }
  const importedHelp = 'Time of the last import, which has published a snapshot or not'
  addGauge(
    registry,
    'last_import_timestamp_seconds',
    importedHelp,
    ofLastImport(({ at }) => toSeconds(new Date(at))),
  )
  const refusedImport = ofLastImport(({ outcome }) => (outcome === 'refused' ? 1 : 0))
  addGauge(registry, 'last_import_refused', '1 if the last import was refused, else 0', refusedImport)
  addGauge(
    registry,
    'last_import_rejected_rows',
    'Rows that the last import has rejected',
    ofLastImport(({ rejected }) => rejected),
  )
  const readId = (): Record<string, number> => {
    const metadata = readMetadata(store)
    return metadata === undefined ? {} : { [metadata.id]: 1 }
  }
  addGauge(registry, 'snapshot_info', 'Id of the snapshot in service', readId, 'id')
  const isUp = (): number => (readMetadata(store) === undefined ? 0 : 1)
  addGauge(registry, 'store_up', '1 if the registry can be read, else 0', isUp)
  const reachableHelp = '1 if the remote store of the registry answers, else 0; 1 for a file'
  addGauge(registry, 'store_reachable', reachableHelp, () => (store.follower?.().isReachable === false ? 0 : 1))
  const refusedHelp = 'Attempts to fetch a registry from its remote store that failed or were refused'
  addCounter(registry, 'store_refused_total', refusedHelp, () => store.follower?.().refused ?? 0)
  addGauge(registry, 'ready', '1 if the process accepts requests, else 0', () => (isReady() ? 1 : 0))
  addGauge(registry, 'info', 'Version of the service', () => ({ [version]: 1 }), 'version')
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
