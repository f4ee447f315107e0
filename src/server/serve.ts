// `serve`: one process that answers, or one that keeps several of them at it. Heeds signals, and ends when told to.

import type { Invocation } from '../cli/config.ts'
import { drainDeadlineMs } from '../http/limits.ts'
import type { Log } from '../http/log.ts'
import { openLog } from '../http/log.ts'
import { openAdmin } from './admin.ts'
import { startProcess } from './service-process.ts'
import type { ServeSettings } from './settings.ts'
import { parseServeSettings } from './settings.ts'
import { whenToldToEnd } from './signals.ts'

/** Where the flags of the command begin among the arguments: after the runtime, the file and the command. */
const flagsFrom = 3

/** `prepare` runs once the settings are known to be sound, before the registry is opened. */
export async function serve(invocation: Invocation, prepare: () => Promise<void>): Promise<number> {
  const settings = parseServeSettings(invocation)
  const log = openLog(settings.logLevel)
  process.on('uncaughtExceptionMonitor', (error) => log.fatal({ err: error }, 'ending on an error of the service'))
  await prepare()
  if (settings.workers === 1) return serveAlone(settings, log)
  const { serveByWorkers } = await import('./cluster.ts')
  return serveByWorkers(settings, process.argv.slice(flagsFrom), log)
}

async function serveAlone(settings: ServeSettings, log: Log): Promise<number> {
  const ending = whenToldToEnd()
  const answering = await startProcess(settings, log)
  const { isReady, metrics } = answering
  const readMetrics = async (): Promise<string> => (await metrics?.metrics()) ?? ''
  const admin = await openAdmin(settings.adminPort, log, { isReady, readMetrics })
  try {
    process.on('SIGHUP', answering.reload)
    process.on('SIGUSR2', () => log.warn('no restart one by one: that takes --workers 2 or more'))
    process.stdout.write(`listening on ${answering.address}\n`)
    await ending
    return 0
  } finally {
    await answering.drain(drainDeadlineMs)
    await answering.close()
    admin?.close()
  }
}
