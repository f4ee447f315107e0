// A process that serves requests: opens the registry, builds the service and listens on the port, and closes all three
// in order. It is the only process of `serve` (`toSingleProcess`), or one of several workers (worker.ts).
import type { Registry as MetricsRegistry } from 'prom-client'
import { buildService, type Service } from '../api/application.ts'
import { listen } from '../http/listen.ts'
import type { Log } from '../http/log.ts'
import type { CountRequest } from '../http/rate-limit.ts'
import { drainDeadlineMs } from '../limits.ts'
import type { SnapshotMetadata, StoreFault } from '../registry/contract.ts'
import { StoreUnavailable } from '../registry/contract.ts'
import { openStore } from '../registry/open.ts'
import type { ServeSettings } from './settings.ts'
import { SnapshotLog } from './snapshot-log.ts'

/** Size of SQLite's cache of pages of the registry file. */
const pageCacheBytes = 64 * 1024 * 1024

/** What serve.ts does with the service, whether it is a single process or has several workers (processes.ts). */
export interface RunningService {
  /** Resolves to the base URL when the service accepts requests. Throws if it cannot start. */
  start(): Promise<string>
  /** Whether it can read the registry and does not end. */
  isReady(): boolean
  /** In the text format of Prometheus. */
  readMetrics(): Promise<string>
  /** SIGHUP: rereads certificate and registry. */
  reload(): void
  /** SIGUSR2: replaces the workers one after the other. */
  restart(): Promise<void>
  /** Finishes the requests in progress and ends. Further calls do nothing. */
  end(): Promise<void>
}

/** The service as a single process. */
export function toSingleProcess(settings: ServeSettings, log: Log): RunningService {
  /** Undefined before `start` and after `end`. */
  let running: ServiceProcess | undefined
  return {
    start: async () => {
      running = await startProcess(settings, log)
      return running.address
    },
    isReady: () => running?.isReady() === true,
    readMetrics: async () => (await running?.metrics?.metrics()) ?? '',
    reload: () => running?.reload(),
    restart: async () => log.warn('rolling restart needs --workers 2 or more'),
    end: async () => {
      await running?.drain(drainDeadlineMs)
      await running?.close()
      running = undefined
    },
  }
}

export interface ServiceProcess {
  /** The base URL. */
  readonly address: string
  /** Null without an admin port: the metrics library is then not loaded, which saves a tenth of the start-up time. */
  readonly metrics: MetricsRegistry | null
  /** Whether the process can read the registry. False while it drains. */
  readonly isReady: () => boolean
  /** Rereads certificate and registry. */
  readonly reload: () => void
  /** Stops accepting connections; open ones stay open. */
  readonly stopAccepting: () => Promise<void>
  /** Stops accepting connections, waits for requests in progress, and closes what is still open after `deadlineMs`. */
  readonly drain: (deadlineMs: number) => Promise<void>
  /** Closes service and registry, after `drain`. */
  readonly close: () => Promise<void>
}

/** What a worker has; a single process has none of it. */
export interface WorkerParts {
  /** Its number, for the metrics. */
  readonly number?: string
  /** Counts requests for the rate limit across all workers. */
  readonly countRequest?: CountRequest
}

/** Resolves when the process listens. Throws if the registry cannot be opened, or if the process cannot listen. */
export async function startProcess(
  settings: ServeSettings,
  log: Log,
  { number, countRequest }: WorkerParts = {},
): Promise<ServiceProcess> {
  const snapshotLog = new SnapshotLog(log)
  let firstSnapshot: SnapshotMetadata | undefined
  let isListening = false
  /** Set when the service is built. */
  let notifyService: Service['onSnapshot'] = () => {}
  const store = await openStore(settings.database, {
    cacheBytes: pageCacheBytes,
    pollSeconds: settings.pollSeconds,
    allowInsecure: settings.allowInsecure,
    dataDir: settings.dataDir,
    publicUrl: settings.publicUrl,
    // The first snapshot is logged when the process listens: a process that cannot listen logs nothing about it.
    onSnapshot: (metadata, tookMs) => {
      notifyService()
      if (isListening) void snapshotLog.logReplacement(metadata, tookMs, store)
      else firstSnapshot = metadata
    },
    onDamage: (fault: StoreFault) => snapshotLog.logDamage(fault),
    onRefused: (fault: StoreFault) => {
      log.error({ err: fault }, 'new registry rejected, the old one stays in service')
    },
    onStoreLost: (fault: StoreFault) => {
      log.warn({ err: fault }, 'store of the registry does not answer, the local copy stays in service')
    },
    onRecovered: () => log.info('store of the registry answers again'),
  })
  try {
    const service = await buildService({ store, settings, countRequest, log })
    notifyService = service.onSnapshot
    // Imported before the process listens: nothing is awaited between `listen` and `buildMetrics`, so the metrics count
    // the first request too.
    const metricsModule = settings.adminPort === undefined ? undefined : await import('./metrics.ts')
    const listener = await listen(service, settings, log)
    isListening = true
    snapshotLog.logFirst(firstSnapshot, store)
    let isDraining = false
    const isReady = (): boolean => {
      if (isDraining) return false
      try {
        store.current()
        return true
      } catch (error) {
        if (error instanceof StoreUnavailable) return false
        throw error
      }
    }
    const metrics = metricsModule?.buildMetrics({ ...listener, service, store, isReady }, number) ?? null
    return {
      address: listener.address,
      metrics,
      isReady,
      reload: () => {
        log.info('reloading certificate and registry')
        try {
          listener.reloadCertificate()
        } catch (error) {
          log.error({ err: error }, 'certificate not reread, the old one stays in use')
        }
        store
          .refresh()
          .catch((error: unknown) => log.error({ err: error }, 'registry not reopened, the old one stays in service'))
      },
      stopAccepting: listener.stopAccepting,
      drain: async (deadlineMs) => {
        isDraining = true
        await listener.drain(deadlineMs)
      },
      close: async () => {
        await service.close()
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}
