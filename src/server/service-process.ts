// One process that answers requests: registry, service and socket, brought up and down in order. serve.ts runs one of
// them alone, worker.ts one among several.
import type { Registry } from 'prom-client'
import { buildService } from '../api/application.ts'
import { listen } from '../http/listen.ts'
import type { Log } from '../http/log.ts'
import type { RateLimiter } from '../http/rate-limit.ts'
import type { StoreFault } from '../snapshot/contract.ts'
import { StoreUnavailable } from '../snapshot/contract.ts'
import { openStore } from '../snapshot/open.ts'
import type { ServeSettings } from './settings.ts'

export interface AnsweringProcess {
  /** The base address. */
  readonly address: string
  readonly limiter: RateLimiter | undefined
  /** Null where no admin port asks for metrics: a tenth of the start is loading what writes them. */
  readonly metrics: Registry | null
  readonly isReady: () => boolean
  /** Reopens certificate and registry (SIGHUP). */
  readonly reload: () => void
  /** Takes no new connection. */
  readonly stopAccepting: () => Promise<void>
  /** Takes no more requests and ends without a reset. */
  readonly drain: (deadlineMs: number) => Promise<void>
  readonly close: () => Promise<void>
}

/** `socket` is the descriptor of the bound socket that a worker has from the first process. */
export async function startProcess(settings: ServeSettings, log: Log, socket?: number): Promise<AnsweringProcess> {
  const store = await openStore(settings.database, {
    cacheBytes: settings.cacheMb * 1024 * 1024,
    onDamage: (fault: StoreFault) => {
      log.error({ err: fault }, 'registry damaged, not in service until a sound file is there')
    },
    onRefused: (fault: StoreFault) => {
      log.error({ err: fault }, 'new registry refused, the one in service stays')
    },
  })
  try {
    const service = await buildService({ store, settings, log })
    // Loaded before the first request, so that each is counted.
    const metricsModule = settings.adminPort === undefined ? undefined : await import('./metrics.ts')
    const listener = await listen(service, settings, socket)
    let isDraining = false
    const isReady = (): boolean => {
      if (isDraining) return false
      try {
        return store.current() !== undefined
      } catch (error) {
        if (error instanceof StoreUnavailable) return false
        throw error
      }
    }
    const metrics = metricsModule?.buildMetrics({ ...listener, service, store, isReady }) ?? null
    return {
      address: listener.address,
      limiter: service.guard.limiter,
      metrics,
      isReady,
      reload: () => {
        try {
          listener.reloadCertificate()
        } catch (error) {
          log.error({ err: error }, 'certificate not reread, the old one stays')
        }
        store.refresh().catch((error: unknown) => log.error({ err: error }, 'registry not reopened, the old one stays'))
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
