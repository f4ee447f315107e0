// A worker process. The supervisor starts it with the worker's number and the flags of `serve` as arguments, an IPC
// channel, and a bound socket as a descriptor.

import { parseInvocation } from '../cli/config.ts'
import { drainDeadlineMs, orphanedDeadlineMs } from '../http/limits.ts'
import type { Log } from '../http/log.ts'
import { openLog } from '../http/log.ts'
import type { FromWorker } from './messages.ts'
import { isToWorker } from './messages.ts'
import type { ServiceProcess } from './service-process.ts'
import { startProcess } from './service-process.ts'
import { parseServeSettings } from './settings.ts'

/** Descriptor of the bound socket, see `stdio` in supervisor.ts. */
const socketDescriptor = 4

/** Interval at which workers exchange the counts of the rate limit. */
const countsIntervalMs = 200

/** `onListening` runs when the worker accepts requests; `onOrphaned` runs last if the supervisor has died. */
export async function runWorker(onListening: () => void, onOrphaned: () => void): Promise<void> {
  const [number = '0', ...flags] = process.argv.slice(2)
  const settings = parseServeSettings(parseInvocation('serve', flags))
  const log = openLog(settings.logLevel, { worker: Number(number) })
  process.on('uncaughtExceptionMonitor', (error) => log.fatal({ err: error }, 'uncaught error, the process ends'))
  // Ctrl-C reaches every process of the terminal; the supervisor then sends SIGTERM.
  process.on('SIGINT', () => {})
  const terminated = new Promise<void>((resolve) => process.on('SIGTERM', () => resolve()))
  // A worker ends itself when its supervisor has died.
  const orphaned = new Promise<void>((resolve) => process.once('disconnect', () => resolve()))
  const sendOrGiveUp = (message: FromWorker): Promise<void> => Promise.race([send(message), orphaned])
  try {
    const service = await startProcess(settings, log, socketDescriptor)
    const countsTimer = shareCounts(service)
    handleMessages(service, log)
    await sendOrGiveUp({ kind: 'listening', address: service.address })
    onListening()
    void orphaned.then(() => service.drain(orphanedDeadlineMs))
    try {
      await Promise.race([terminated, orphaned])
    } finally {
      await service.drain(drainDeadlineMs)
      clearInterval(countsTimer)
      await sendOrGiveUp(await toReport(service))
      await service.close()
    }
  } catch (error) {
    process.exitCode = 2
    await sendOrGiveUp({ kind: 'fault', message: error instanceof Error ? error.message : String(error) })
  }
  if (process.connected) process.disconnect?.()
  else onOrphaned()
}

function handleMessages(service: ServiceProcess, log: Log): void {
  process.on('SIGHUP', service.reload)
  process.on('message', (message: unknown) => {
    if (!isToWorker(message)) return
    switch (message.kind) {
      case 'close':
        void service.stopAccepting().then(() => send({ kind: 'closed' }))
        break
      case 'counts':
        service.limiter?.addCounts(message.counts, performance.now())
        break
      case 'report':
        toReport(service).then(send, (error: unknown) => log.error({ err: error }, 'report not sent'))
        break
    }
  })
}

function shareCounts({ limiter }: ServiceProcess): NodeJS.Timeout | undefined {
  if (limiter === undefined) return undefined
  const share = (): void => {
    const counts = limiter.takeCounts()
    if (counts.length > 0) void send({ kind: 'counts', counts })
  }
  return setInterval(share, countsIntervalMs).unref()
}

async function toReport({ isReady, metrics }: ServiceProcess): Promise<FromWorker> {
  return { kind: 'report', report: { isReady: isReady(), metrics: (await metrics?.getMetricsAsJSON()) ?? [] } }
}

/** Sends a message to the supervisor. It resolves even if the supervisor has died. */
async function send(message: FromWorker): Promise<void> {
  await new Promise<void>((resolve) => {
    if (process.connected && process.send !== undefined) process.send(message, () => resolve())
    else resolve()
  })
}
