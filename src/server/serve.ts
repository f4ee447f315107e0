// The command `serve`: runs the service, as one process or with several workers, until it is terminated.
import { setTimeout as pause } from 'node:timers/promises'
import type { Invocation } from '../cli/config.ts'
import type { Log } from '../http/log.ts'
import { openLog } from '../http/log.ts'
import { setLanguage } from '../language.ts'
import { StoreUnreachable } from '../registry/contract.ts'
import { readLastImport, waitForDatabase } from '../registry/open.ts'
import { type AdminPort, openAdminIfConfigured } from './admin.ts'
import { notifySystemd } from './notify.ts'
import { type RunningService, toSingleProcess } from './service-process.ts'
import { parseServeSettings, type ServeSettings } from './settings.ts'

/** Pause before the next attempt if the remote store was gone when the registry was opened. */
const retryPauseMs = 1000

/** A SIGINT this soon after the first is the same Ctrl-C: the terminal and bin/planning-registry.js both send it. */
const repeatedSignalMs = 1000

/** Index of the first flag in `process.argv`: after the runtime, the file and the command. */
const flagsIndex = 3

/**
 * Returns the exit status. `prepare`, which may build the sample registry, runs after the settings were checked and
 * before the registry is opened.
 */
export async function serve(invocation: Invocation, prepare: () => Promise<void>): Promise<number> {
  // By default these signals end the process. While the service starts there is nothing to reload or to restart.
  process.on('SIGHUP', () => {})
  process.on('SIGUSR2', () => {})
  const settings = parseServeSettings(invocation)
  const log = openLog(settings.logLevel)
  // Without a listener, a full disk behind standard output would end the service when it prints its address.
  process.stdout.on('error', () => {})
  process.on('uncaughtExceptionMonitor', (error) => log.fatal({ err: error }, 'uncaught error, the process ends'))
  for (const setting of invocation.gone) log.warn({ setting }, 'the setting has no effect any more: remove it')
  if (settings.publicUrl !== undefined && settings.dataset.licence === undefined) {
    log.warn('no licence of the data is stated: set --dataset-licence')
  }
  await prepare()
  const admin = await openAdminIfConfigured(settings, log)
  try {
    await serveWhenReachable(settings, admin, log)
    return 0
  } finally {
    admin?.close()
  }
}

/** Waits for the store of the registry and serves until termination. */
async function serveWhenReachable(settings: ServeSettings, admin: AdminPort | undefined, log: Log): Promise<void> {
  const logWaiting = (reasons: string): void => log.warn({ reasons }, 'waiting for the store of the registry')
  // Until here SIGTERM and SIGINT end the process at once. From here on they resolve `termination`.
  const termination = waitForTermination()
  for (;;) {
    const reachable = waitForDatabase(settings.database, logWaiting, settings).then(() => 'reachable')
    // The race is undefined on termination. `waitForDatabase` is not cancelled: it ends with the process.
    if ((await Promise.race([termination, reachable])) === undefined) return
    const service = await toService(settings, log)
    try {
      await runUntilTermination(service, settings, termination, admin, log)
      return
    } catch (error) {
      if (!(error instanceof StoreUnreachable)) throw error
      // The store has responded once and was gone when the registry was opened, so the wait begins again. It logs
      // the reasons: those of the error are in the language of the command line.
      log.warn('store lost while the registry was opened, trying again')
      await pause(retryPauseMs)
    }
  }
}

/** The code for several workers is loaded only if needed, because a single process starts faster without it. */
async function toService(settings: ServeSettings, log: Log): Promise<RunningService> {
  if (settings.workers === 1) return toSingleProcess(settings, log)
  const { Processes } = await import('./processes.ts')
  return new Processes(settings, process.argv.slice(flagsIndex), log)
}

/** Starts the service, and ends it on termination. Throws if it cannot start. */
async function runUntilTermination(
  service: RunningService,
  settings: ServeSettings,
  termination: Promise<void>,
  admin: AdminPort | undefined,
  log: Log,
): Promise<void> {
  const starting = service.start()
  // After termination `starting` may reject when nobody waits for it, and an unhandled rejection would end the process.
  starting.catch(() => {})
  try {
    // Undefined if termination comes first.
    const address = await Promise.race([starting, termination])
    if (address === undefined) {
      log.info('terminated before the service listened')
      return
    }
    admin?.setHandlers({
      isReady: () => service.isReady(),
      readLastImport: () => readLastImport(settings.database, settings),
      readMetrics: () => service.readMetrics(),
    })
    process.on('SIGHUP', () => service.reload())
    process.on('SIGUSR2', () => void service.restart())
    // The same in every language, because scripts wait for it.
    process.stdout.write(`listening on ${address}\n`)
    // A fault at the start is printed in the language of the command line. From here on faults of the registry are
    // logged, and the log is in English.
    setLanguage('en')
    void notifySystemd('READY=1', log)
    await termination
    log.info('shutting down, requests in progress finish')
    void notifySystemd('STOPPING=1', log)
    await service.end()
    log.info('ended')
  } finally {
    // Does nothing if the service has ended above.
    await service.end()
  }
}

/**
 * Resolves on SIGTERM or SIGINT. Further SIGTERMs are ignored. A second Ctrl-C (SIGINT), later than `repeatedSignalMs`,
 * ends the process at once.
 */
function waitForTermination(): Promise<void> {
  return new Promise((resolve) => {
    process.on('SIGTERM', () => resolve())
    const onInterrupt = (): void => {
      resolve()
      // Without a handler, SIGINT ends the process.
      setTimeout(() => process.off('SIGINT', onInterrupt), repeatedSignalMs).unref()
    }
    process.on('SIGINT', onInterrupt)
  })
}
