// A worker process: serves requests until the primary (processes.ts) sends SIGTERM. node:cluster ends it if the primary
// dies. The arguments are the number of the worker, the language of its messages, and the flags of `serve`.
import { flushCompileCache } from 'node:module'
import { parseInvocation } from '../cli/config.ts'
import { openLog } from '../http/log.ts'
import type { CountRequest } from '../http/rate-limit.ts'
import { setLanguage } from '../language.ts'
import { drainDeadlineMs, heartbeatIntervalMs, workerAnswerTimeoutMs } from '../limits.ts'
import { StoreUnreachable } from '../registry/contract.ts'
import { Channel, type PrimaryFunctions, type WorkerFunctions } from './channel.ts'
import { type ServiceProcess, startProcess } from './service-process.ts'
import { parseServeSettings } from './settings.ts'

await runWorker()

/** Resolves when the worker has finished. */
async function runWorker(): Promise<void> {
  const [number = '0', language, ...flags] = process.argv.slice(2)
  setLanguage(language === 'es' ? 'es' : 'en')
  const settings = parseServeSettings(parseInvocation('serve', flags))
  const { rateLimit } = settings
  const log = openLog(settings.logLevel, { worker: Number(number) })
  process.on('uncaughtExceptionMonitor', (error) => log.fatal({ err: error }, 'uncaught error, the process ends'))
  // Ctrl-C reaches every process of the terminal; the primary then sends SIGTERM.
  process.on('SIGINT', () => {})
  // SIGHUP also reaches every process when the terminal is closed. SIGUSR2 is for the primary.
  process.on('SIGHUP', () => service?.reload())
  process.on('SIGUSR2', () => {})
  const termination = new Promise<void>((resolve) => process.on('SIGTERM', () => resolve()))
  let service: ServiceProcess | undefined
  const primary = new Channel<PrimaryFunctions>(process, {
    stopAccepting: async () => service?.stopAccepting(),
    readMetrics: async () => (await service?.metrics?.getMetricsAsJSON()) ?? [],
  } satisfies WorkerFunctions)
  /** If the primary does not answer, requests are admitted: a primary that hangs must not stop the service. */
  const countRequest: CountRequest = async (client) =>
    (await primary.call('countRequest', [client], workerAnswerTimeoutMs)) ?? {
      isExceeded: false,
      remaining: rateLimit ?? 0,
      resetSeconds: 1,
    }
  try {
    service = await startProcess(settings, log, rateLimit === undefined ? { number } : { number, countRequest })
    // A fault at the start may be printed, in the language of the command line. From here on faults of the registry are
    // logged, and the log is in English.
    setLanguage('en')
    await primary.call('reportListening', [service.address], workerAnswerTimeoutMs)
    const { isReady } = service
    const reportAlive = (): void => void primary.call('reportAlive', [isReady()], workerAnswerTimeoutMs)
    setInterval(reportAlive, heartbeatIntervalMs)
    // If Node has a compile cache (NODE_COMPILE_CACHE), it writes it at exit. A worker that is killed would never write
    // it, so it is also written now that the modules are loaded.
    flushCompileCache()
    await termination
    await service.drain(drainDeadlineMs)
    await service.close()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    // A fault at the start is printed or logged by the primary.
    if (service !== undefined) log.error({ err: error }, 'worker ends with a fault')
    await primary.call('reportFault', [reason, error instanceof StoreUnreachable], workerAnswerTimeoutMs)
  }
  // node:cluster ends a process whose channel is closed.
  process.disconnect?.()
}
