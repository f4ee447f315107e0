// The command `serve`: starts one process, or a supervisor with several workers, and runs until it is terminated.

import { setTimeout as pause } from 'node:timers/promises'
import type { Invocation } from '../cli/config.ts'
import { drainDeadlineMs } from '../http/limits.ts'
import type { Log } from '../http/log.ts'
import { openLog } from '../http/log.ts'
import { setLanguage } from '../language.ts'
import { StoreUnreachable } from '../registry/contract.ts'
import { waitForDatabase } from '../registry/open.ts'
import { type AdminPort, openAdminIfConfigured } from './admin.ts'
import type { OperatorContext } from './cluster.ts'
import { notifySystemd } from './notify.ts'
import { startProcess } from './service-process.ts'
import type { ServeSettings } from './settings.ts'
import { parseServeSettings } from './settings.ts'
import { deferOperatorSignals, type OperatorSignals, waitForTermination } from './signals.ts'

/** Pause before the next attempt if the remote store was gone when the registry was opened. */
const retryPauseMs = 1000

/** Index of the first flag in `process.argv`: after the runtime, the file and the command. */
const flagsIndex = 3

/**
 * Returns the exit status. `prepare`, which may build the sample registry, runs after the settings were checked and
 * before the registry is opened.
 */
export async function serve(invocation: Invocation, prepare: () => Promise<void>): Promise<number> {
  // SIGHUP and SIGUSR2 change a running service, so they wait until it runs.
  const signals = deferOperatorSignals()
  const settings = parseServeSettings(invocation)
  const log = openLog(settings.logLevel)
  // Without a listener, a full disk behind standard output would end the service when it prints its address.
  process.stdout.on('error', () => {})
  process.on('uncaughtExceptionMonitor', (error) => log.fatal({ err: error }, 'uncaught error, the process ends'))
  await prepare()
  const admin = await openAdminIfConfigured(settings, log)
  try {
    return await serveWhenReachable(settings, signals, admin, log)
  } finally {
    admin?.close()
  }
}

/** Waits for the database and serves until termination. Returns the exit status. */
async function serveWhenReachable(
  settings: ServeSettings,
  signals: OperatorSignals,
  admin: AdminPort | undefined,
  log: Log,
): Promise<number> {
  const logWaiting = (reasons: string): void => log.warn({ reasons }, 'waiting for the store of the registry')
  // Until here SIGTERM and SIGINT end the process at once. From here on they resolve `termination`.
  const termination = waitForTermination()
  const context = { signals, termination, admin, log }
  for (;;) {
    const reachable = waitForDatabase(settings.database, logWaiting, settings).then(() => 'reachable')
    // The race is undefined on termination. `waitForDatabase` is not cancelled: it ends with the process.
    if ((await Promise.race([termination, reachable])) === undefined) return 0
    try {
      if (settings.workers === 1) return await serveWithOneProcess(settings, context)
      // Loaded only if needed, because a single process starts faster without it.
      const { serveWithWorkers } = await import('./cluster.ts')
      const flags = process.argv.slice(flagsIndex)
      return await serveWithWorkers(settings, flags, context)
    } catch (error) {
      if (!(error instanceof StoreUnreachable)) throw error
      // The store has responded once and was gone when the registry was opened, so the wait begins again. It logs
      // the reasons: those of the error are in the language of the command line.
      log.warn('store lost while the registry was opened, trying again')
      await pause(retryPauseMs)
    }
  }
}

async function serveWithOneProcess(
  settings: ServeSettings,
  { signals, termination, admin, log }: OperatorContext,
): Promise<number> {
  const service = await startProcess(settings, log)
  const { isReady, metrics } = service
  const readMetrics = async (): Promise<string> => (await metrics?.metrics()) ?? ''
  admin?.setHandlers({ isReady, readMetrics })
  try {
    signals.onReload(service.reload)
    signals.onRestart(() => log.warn('rolling restart needs --workers 2 or more'))
    // The same in every language, because scripts wait for it.
    process.stdout.write(`listening on ${service.address}\n`)
    // A fault at the start is printed in the language of the command line. From here on faults of the registry are
    // logged, and the log is in English.
    setLanguage('en')
    void notifySystemd('READY=1', log)
    await termination
    log.info('shutting down, requests in progress finish')
    void notifySystemd('STOPPING=1', log)
    return 0
  } finally {
    await service.drain(drainDeadlineMs)
    await service.close()
    log.info('ended')
  }
}
